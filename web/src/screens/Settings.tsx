// How the page looks, sounds and helps.
import { START_FEN } from '../lib/chess';
import { BOARDS, PIECES, settings, type Settings } from '../lib/settings';
import { play, wakeSound } from '../lib/sound';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Choice, Switch, useTitle } from '../parts/common';

export const KEYS: [string, string][] = [
  ['Tab, then arrows', 'move around the board; Enter picks up or drops a piece, Escape cancels'],
  ['/', 'type a move: e4, Nf3, O-O, e8=N'],
  ['← →', 'previous and next move'],
  ['Home, End', 'first and last position'],
  ['f', 'flip the board'],
  ['h', 'hint'],
  ['u', 'take back'],
  ['m', 'switch sound on or off'],
  ['n, p', 'review: next and previous mistake'],
  ['Space', "analysis: play the engine's move"],
  ['e', 'analysis: switch the engine on or off'],
];

export function SettingsScreen() {
  useTitle('Settings');
  const value = useStore(settings);
  const set = (part: Partial<Settings>) => settings.update(part);
  return (
    <div class="page narrow settings">
      <header class="page-head">
        <h1>Settings</h1>
        <p>Settings are stored in this browser.</p>
      </header>
      <section class="card form-card" aria-labelledby="looks">
        <h2 id="looks">Looks</h2>
        <Choice
          legend="Colours"
          name="theme"
          value={value.theme}
          options={[
            ['auto', 'Automatic', 'Same as the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={(theme) => set({ theme })}
        />
        <div class="looks-row">
          <MiniBoard fen={START_FEN} />
          <div>
            <label class="field">
              <span>Board</span>
              <select value={value.board} onChange={(event) => set({ board: event.currentTarget.value as Settings['board'] })}>
                {Object.entries(BOARDS).map(([name, word]) => (
                  <option key={name} value={name}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>Pieces</span>
              <select value={value.pieces} onChange={(event) => set({ pieces: event.currentTarget.value as Settings['pieces'] })}>
                {Object.entries(PIECES).map(([name, word]) => (
                  <option key={name} value={name}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </div>
        <Switch label="Coordinates" value={value.coordinates} onChange={(coordinates) => set({ coordinates })} />
        <Switch label="Show legal moves" value={value.dests} onChange={(dests) => set({ dests })} />
        <Switch
          label="Animate moves"
          note="off when the system requests reduced motion"
          value={value.animation}
          onChange={(animation) => set({ animation })}
        />
      </section>
      <section class="card form-card" aria-labelledby="play-settings">
        <h2 id="play-settings">Playing</h2>
        <Switch label="Always promote to a queen" value={value.autoQueen} onChange={(autoQueen) => set({ autoQueen })} />
        <Switch
          label="Ask before resigning"
          value={value.confirmResign}
          onChange={(confirmResign) => set({ confirmResign })}
        />
        <Switch
          label="Sounds"
          value={value.sound}
          onChange={(sound) => {
            set({ sound });
            wakeSound();
          }}
        />
        <label class="field">
          <span>Volume</span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.1}
            value={value.volume}
            disabled={!value.sound}
            onChange={(event) => {
              set({ volume: Number(event.currentTarget.value) });
              play('move');
            }}
          />
        </label>
      </section>
      <section class="card form-card" aria-labelledby="reader-settings">
        <h2 id="reader-settings">Screen reader</h2>
        <Switch
          label="Screen reader mode"
          note="type moves and questions, read the position in words; moves are announced in every mode"
          value={value.reader}
          onChange={(reader) => set({ reader })}
        />
      </section>
      <section class="card form-card" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
