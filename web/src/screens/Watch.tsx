// A game between two engines.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { ask } from '../lib/net';
import type { OpponentChoice, Opponents } from '../lib/protocol';
import { go } from '../lib/router';
import { fromService, t } from '../lib/text';
import { Choice, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { OpponentSettings, type Settings } from '../parts/OpponentSettings';
import { useOpponents } from './Play';

type Pace = '300' | '1500' | '4000'; // ms a move

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
        <optgroup label={t('watch.programs')}>
          {opponents.map((one) => (
            <option key={one.name} value={`program:${one.name}`}>
              {fromService(one.title)}
              {one.rating === null ? '' : ` (${one.rating})`}
            </option>
          ))}
        </optgroup>
        <optgroup label={t('watch.levels')}>
          {steps.map((elo) => (
            <option key={elo} value={`level:${elo}`}>
              {t('side.level', { elo })}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

export function WatchScreen() {
  useTitle(t('nav.watch'));
  const opponents = useOpponents();
  const [white, setWhite] = useState<string | null>(null);
  const [black, setBlack] = useState<string | null>(null);
  const [ofWhite, setOfWhite] = useState<Settings>({});
  const [ofBlack, setOfBlack] = useState<Settings>({});
  const [pace, setPace] = useState<Pace>('1500');
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
        <h1>{t('nav.watch')}</h1>
        <p>{t('watch.about')}</p>
      </header>
      <section class="card form-card">
        <div class="rivals">
          <Rival label={t('color.white')} value={first} opponents={opponents} onChange={(value) => (setWhite(value), setOfWhite({}))} />
          <button
            type="button"
            class="icon-button"
            aria-label={t('watch.swap')}
            title={t('watch.swap')}
            onClick={() => {
              setWhite(second);
              setBlack(first);
              setOfWhite(ofBlack);
              setOfBlack(ofWhite);
            }}
          >
            <Icon name="flip" />
          </button>
          <Rival label={t('color.black')} value={second} opponents={opponents} onChange={(value) => (setBlack(value), setOfBlack({}))} />
        </div>
        {([[first, ofWhite, setOfWhite], [second, ofBlack, setOfBlack]] as const).map(([rival, settings, change], i) => (
          <OpponentSettings
            key={i}
            opponent={programs.find((one) => rival === `program:${one.name}`)}
            files={opponents.files}
            settings={settings}
            onChange={change}
          />
        ))}
        <Choice
          legend={t('watch.pace')}
          name="pace"
          value={pace}
          options={[
            ['300', t('pace.fast')],
            ['1500', t('pace.normal')],
            ['4000', t('pace.slow')],
          ]}
          onChange={setPace}
        />
        <Choice
          legend={t('start.legend')}
          name="variant"
          value={chess960}
          options={[
            ['standard', t('start.standard')],
            ['chess960', 'Chess960'],
          ]}
          onChange={setChess960}
        />
        <button type="submit" class="primary big">
          {t('watch.start')}
        </button>
      </section>
    </form>
  );
}
