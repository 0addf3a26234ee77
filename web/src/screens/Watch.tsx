// A game between two engines.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { ask } from '../lib/net';
import type { OpponentChoice, Opponents } from '../lib/protocol';
import { go } from '../lib/router';
import { Choice, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { OpponentSettings, type Settings } from '../parts/OpponentSettings';
import { useOpponents } from './Play';

const PACES = [
  ['300', 'Fast'],
  ['1500', 'Normal'],
  ['4000', 'Slow'],
] as const;

// A choice as a value of a select: "program:javachess", "level:1200".
function choiceOf(value: string, settings: Settings): OpponentChoice {
  const [kind, name = ''] = value.split(':');
  return kind === 'level' ? { kind: 'level', elo: Number(name) } : { kind: 'program', name, settings };
}

function Rival(props: { label: string; value: string; opponents: Opponents; onChange: (value: string) => void }) {
  const { levels, opponents } = props.opponents;
  const steps = [];
  for (let elo = levels.min; elo <= levels.max; elo += Math.max(levels.step, 200)) steps.push(elo);
  return (
    <label class="field rival">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <optgroup label="Programs">
          {opponents.map((one) => (
            <option key={one.name} value={`program:${one.name}`}>
              {one.title} ({one.year}{one.rating === null ? '' : `, ${one.rating}`})
            </option>
          ))}
        </optgroup>
        <optgroup label="Levels">
          {steps.map((elo) => (
            <option key={elo} value={`level:${elo}`}>
              Level {elo}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

export function WatchScreen() {
  useTitle('Watch');
  const opponents = useOpponents();
  const [white, setWhite] = useState<string | null>(null);
  const [black, setBlack] = useState<string | null>(null);
  const [ofWhite, setOfWhite] = useState<Settings>({});
  const [ofBlack, setOfBlack] = useState<Settings>({});
  const [pace, setPace] = useState<(typeof PACES)[number][0]>('1500');
  const [chess960, setChess960] = useState<'standard' | 'chess960'>('standard');
  if (!opponents) return <div class="page" aria-busy="true" />;
  const programs = opponents.opponents;
  const first = white ?? `program:${programs[1]?.name ?? programs[0]!.name}`;
  const second = black ?? `program:${programs[2]?.name ?? programs[0]!.name}`;

  const begin = async (event: Event) => {
    event.preventDefault();
    try {
      const { game } = await ask('game.watch', {
        white: choiceOf(first, ofWhite),
        black: choiceOf(second, ofBlack),
        pace: Number(pace),
        ...(chess960 === 'chess960' ? { chess960: true } : {}),
      });
      go(`game/${game.id}`);
    } catch (why) {
      tellError(why);
    }
  };
  return (
    <form class="page narrow" onSubmit={begin}>
      <header class="page-head">
        <h1>Watch</h1>
        <p>Choose two opponents and watch them play.</p>
      </header>
      <section class="card form-card">
        <div class="rivals">
          <Rival label="White" value={first} opponents={opponents} onChange={(value) => (setWhite(value), setOfWhite({}))} />
          <button
            type="button"
            class="icon-button"
            aria-label="Swap colours"
            title="Swap colours"
            onClick={() => {
              setWhite(second);
              setBlack(first);
              setOfWhite(ofBlack);
              setOfBlack(ofWhite);
            }}
          >
            <Icon name="flip" />
          </button>
          <Rival label="Black" value={second} opponents={opponents} onChange={(value) => (setBlack(value), setOfBlack({}))} />
        </div>
        <OpponentSettings
          opponent={programs.find((one) => first === `program:${one.name}`)}
          files={opponents.files}
          settings={ofWhite}
          onChange={setOfWhite}
        />
        <OpponentSettings
          opponent={programs.find((one) => second === `program:${one.name}`)}
          files={opponents.files}
          settings={ofBlack}
          onChange={setOfBlack}
        />
        <Choice legend="Pace" name="pace" value={pace} options={PACES} onChange={setPace} />
        <Choice
          legend="Start"
          name="variant"
          value={chess960}
          options={[
            ['standard', 'Standard'],
            ['chess960', 'Chess960'],
          ]}
          onChange={setChess960}
        />
        <button type="submit" class="primary big">
          Start
        </button>
      </section>
    </form>
  );
}
