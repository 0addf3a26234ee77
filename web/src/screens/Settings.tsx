// How the page looks, sounds and helps.
import { signOut } from '../lib/net';
import { BOARDS, PIECES, settings, type Settings } from '../lib/settings';
import { play, wakeSound } from '../lib/sound';
import { useStore } from '../lib/use';
import { Choice, Switch, useTitle } from '../parts/common';
import { KeyList } from '../parts/Shortcuts';

const entries = <T extends object>(object: T): [keyof T & string, string][] =>
  Object.entries(object) as [keyof T & string, string][];

// Four squares with a knight and a queen, as the board would look.
function Swatch(props: { board: Settings['board']; pieces: Settings['pieces']; word: string }) {
  return (
    <span class="swatch-pick">
      <span class="swatch" data-board={props.board} data-pieces={props.pieces} aria-hidden="true">
        <piece class="knight white" />
        <piece class="queen black" />
        <piece class="pawn black" />
        <piece class="king white" />
      </span>
      <span>{props.word}</span>
    </span>
  );
}

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
        <Choice
          legend="Board"
          name="board"
          value={value.board}
          options={entries(BOARDS).map(
            ([name, word]) => [name, <Swatch board={name} pieces={value.pieces} word={word} />, word] as const,
          )}
          onChange={(board) => set({ board })}
        />
        <Choice
          legend="Pieces"
          name="pieces"
          value={value.pieces}
          options={entries(PIECES).map(
            ([name, word]) => [name, <Swatch board={value.board} pieces={name} word={word} />, word] as const,
          )}
          onChange={(pieces) => set({ pieces })}
        />
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
        <KeyList />
      </section>
      {value.password && (
        <section class="card form-card" aria-labelledby="session">
          <h2 id="session">Session</h2>
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        </section>
      )}
    </div>
  );
}
