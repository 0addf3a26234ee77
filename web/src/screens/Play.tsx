// Choosing the opponent and the game settings.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { piecesOf, START_FEN, turnOf } from '../lib/chess';
import { controlText, ratingText } from '../lib/format';
import { ask, link, refreshSession, session } from '../lib/net';
import type { Color, OpponentChoice, Opponents, TimeControl } from '../lib/protocol';
import { go, route } from '../lib/router';
import { play } from '../lib/sound';
import { fromService, t, type Key } from '../lib/text';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Choice, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { PEOPLE, PeopleCard, type People } from '../parts/PeopleCard';
import { OpponentSettings } from '../parts/OpponentSettings';
import { CASTELLAN, OpponentCard, Programs } from '../parts/Programs';
import { RunningGames } from '../parts/RunningGames';

const KEY = 'castellan.play';

// Seconds and increment.
const CLOCKS = ['none', '60+0', '180+2', '300+3', '600+5', '900+10', '1800+20', 'own'] as const;

type ClockName = (typeof CLOCKS)[number];

function clockText(name: ClockName): string {
  if (name === 'own') return t('clock.other');
  return name === 'none' ? t('clock.without') : controlText(clockOf(name, 0, 0)!);
}

interface Plan {
  opponent: OpponentChoice | People;
  people: People; // as last chosen
  elo: number; // of the level last chosen, kept while another opponent is selected
  color: Color | 'random';
  clock: ClockName;
  minutes: number;
  seconds: number;
  start: 'standard' | 'chess960' | 'position';
  fen: string;
  number: string;
}

const FIRST: Plan = {
  opponent: { kind: 'level', elo: 1000 },
  people: PEOPLE,
  elo: 1000,
  color: 'white',
  clock: 'none',
  minutes: 20,
  seconds: 10,
  start: 'standard',
  fen: START_FEN,
  number: '',
};

function load(): Plan {
  try {
    const kept = { ...FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Plan>) };
    if (!['program', 'level', 'adaptive'].includes(kept.opponent.kind)) kept.opponent = { kind: 'level', elo: kept.elo };
    // A start position of one's own is for one game; the next visit begins with the standard one.
    return kept.start === 'position' ? { ...kept, start: FIRST.start, fen: FIRST.fen } : kept;
  } catch {
    return FIRST;
  }
}

export function clockOf(name: ClockName, minutes: number, seconds: number): TimeControl | undefined {
  if (name === 'none') return undefined;
  if (name === 'own') return { initial: Math.round(minutes * 60_000), increment: Math.round(seconds * 1000) };
  const [initial = 0, increment = 0] = name.split('+').map(Number);
  return { initial: initial * 1000, increment: increment * 1000 };
}

// A rating in words, for players who do not know ratings.
const LEVEL_WORDS = [
  [600, 'level.beginner'],
  [900, 'level.occasional'],
  [1200, 'level.casual'],
  [1500, 'level.experienced'],
  [1800, 'level.club'],
  [2100, 'level.strongClub'],
  [2400, 'level.master'],
  [2700, 'level.grandmaster'],
] as const satisfies (readonly [number, Key])[];

const levelWords = (elo: number): string =>
  t(LEVEL_WORDS.find(([below]) => elo < below)?.[1] ?? 'level.superhuman');

// "about 900 on lichess", as the service says it.
function likeText(like: string): string {
  const [, how, rating = '', site = ''] = /^(about|below|above) (\d+) on (\S+)$/.exec(like) ?? [];
  if (how !== 'about' && how !== 'below' && how !== 'above') return like;
  return t(`like.${how}`, { rating, site });
}

export function useOpponents(): Opponents | null {
  const { state } = useStore(link);
  const player = useStore(session)?.player.id;
  const [opponents, setOpponents] = useState<Opponents | null>(null);
  useEffect(() => {
    if (state === 'open') ask('opponents', {}).then(setOpponents, tellError);
  }, [state, player]);
  return opponents;
}

export function PlayScreen() {
  useTitle(t('nav.play'));
  const hello = useStore(session);
  const opponents = useOpponents();
  const fromAddress = useStore(route).query.get('fen');
  const [plan, setPlan] = useState<Plan>(() =>
    fromAddress ? { ...load(), start: 'position', fen: fromAddress, color: turnOf(fromAddress) } : load(),
  );
  const [busy, setBusy] = useState(false);
  // A card may grow when it is chosen: whoever chooses by keyboard still sees all of it.
  useEffect(() => {
    document.querySelector('.pick:has(input:focus-visible)')?.scrollIntoView({ block: 'nearest' });
  }, [plan.opponent]);
  // Games started since the last visit, here or in another tab, can be resumed.
  useEffect(() => void refreshSession(), []);

  const change = (part: Partial<Plan>) => {
    const next = { ...plan, ...part };
    setPlan(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage the choice is not remembered.
    }
  };

  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const clock = clockOf(plan.clock, plan.minutes, plan.seconds);
      const start = {
        color: plan.color,
        ...(clock ? { clock } : {}),
        ...(plan.start === 'chess960' ? { chess960: true } : {}),
        ...(plan.start === 'chess960' && plan.number !== '' ? { number: Number(plan.number) } : {}),
        ...(plan.start === 'position' ? { fen: plan.fen.trim() } : {}),
      };
      const { opponent } = plan;
      const { game } = await (opponent.kind === 'people'
        ? ask('game.people', { ...start, ...(opponent.here ? { here: true, name: opponent.name.trim() || t('people.guest') } : {}) })
        : ask('game.new', { ...start, opponent }));
      play('start');
      go(`game/${game.id}`);
      void refreshSession(); // who comes back finds the game in the list, and nothing moves
    } catch (why) {
      tellError(why);
    }
    setBusy(false);
  };

  return (
    <form class="page play-page" onSubmit={begin}>
      <header class="page-head">
        <h1>{t('nav.play')}</h1>
        {hello && (
          <p>
            {t('welcome', { name: hello.player.name })} {t('yourRating')} <b>{ratingText(hello.player)}</b>
          </p>
        )}
      </header>
      {hello && hello.running.length > 0 && <RunningGames games={hello.running} />}
      <div class="play-grid">
        <section class="opponents" aria-labelledby="who">
          <h2 id="who">{t('opponent')}</h2>
          <LevelCard opponents={opponents} plan={plan} change={change} />
        </section>
        <section class="card how" aria-labelledby="how">
          <h2 id="how">{t('play.settings')}</h2>
          <Choice
            legend={t('play.color')}
            name="color"
            value={plan.color}
            options={[
              ['white', <ColorPiece color="white" word={t('color.white')} />],
              ['random', <span class="piece-word">{t('random')}</span>],
              ['black', <ColorPiece color="black" word={t('color.black')} />],
            ]}
            onChange={(color) => change({ color })}
          />
          <Choice
            legend={t('play.clock')}
            name="clock"
            value={plan.clock}
            options={CLOCKS.map((name) => [name, <span class="nowrap">{clockText(name)}</span>] as const)}
            onChange={(clock) => change({ clock })}
          />
          {plan.clock === 'own' && <OwnClock plan={plan} change={change} />}
          <Choice
            legend={t('start.legend')}
            name="start"
            value={plan.start}
            options={[
              ['standard', t('start.standard')],
              ['chess960', 'Chess960'],
              ['position', t('position'), t('start.custom')],
            ]}
            onChange={(start) => change({ start })}
          />
          {plan.start === 'chess960' && (
            <label class="field">
              <span>{t('play.number')}</span>
              <input
                type="number"
                min={0}
                max={959}
                value={plan.number}
                onInput={(event) => change({ number: event.currentTarget.value })}
              />
            </label>
          )}
          {plan.start === 'position' && <FromPosition plan={plan} change={change} />}
          <ProgramSettings opponents={opponents} plan={plan} change={change} />
          <button type="submit" class="primary big" disabled={busy || !opponents}>
            {buttonText(plan.opponent, opponents)}
          </button>
        </section>
        <Programs
          opponents={opponents}
          chosen={plan.opponent.kind === 'program' ? plan.opponent.name : null}
          choose={(name) => change({ opponent: { kind: 'program', name } })}
        />
      </div>
    </form>
  );
}

function buttonText(choice: OpponentChoice | People, opponents: Opponents | null): string {
  if (choice.kind === 'people') return choice.here ? t('play.people') : t('play.invite');
  if (choice.kind === 'adaptive') return t('play.adaptive');
  if (choice.kind === 'level') return t('play.level', { elo: choice.elo });
  const title = opponents?.opponents.find((one) => one.name === choice.name)?.title ?? choice.name;
  return t('play.program', { name: fromService(title) });
}

function ColorPiece({ color, word }: { color: Color; word: string }) {
  return (
    <span class="piece-word">
      <piece class={`king ${color}`} /> {word}
    </span>
  );
}

type Changes = { plan: Plan; change: (part: Partial<Plan>) => void };

function LevelCard({ opponents, plan, change }: Changes & { opponents: Opponents | null }) {
  const levels = opponents?.levels ?? { min: 400, max: 3000, step: 100, like: [] };
  const chosen = plan.opponent;
  const castellan = opponents?.opponents.find((one) => one.name === CASTELLAN);
  const elo = chosen.kind === 'level' ? chosen.elo : plan.elo;
  const like = levels.like[(elo - levels.min) / levels.step];
  const words = like ? t('level.like', { level: levelWords(elo), like: likeText(like) }) : levelWords(elo);
  return (
    <div class="level-cards">
      <div class={`card pick${chosen.kind === 'level' ? ' chosen' : ''}`}>
        <label>
          <input
            class="unseen"
            type="radio"
            name="opponent"
            checked={chosen.kind === 'level'}
            onChange={() => change({ opponent: { kind: 'level', elo } })}
          />
          <span class="pick-head">
            <Icon name="level" />
            <b>{t('side.level', { elo })}</b>
          </span>
          <span class="style">{words}</span>
        </label>
        <input
          type="range"
          aria-label={t('level')}
          aria-valuetext={`${elo}, ${words}`}
          min={levels.min}
          max={levels.max}
          step={levels.step}
          value={elo}
          onInput={(event) => {
            const next = Number(event.currentTarget.value);
            change({ opponent: { kind: 'level', elo: next }, elo: next });
          }}
        />
        <span class="range-ends" aria-hidden="true">
          <span>{levels.min}</span>
          <span>{levels.max}</span>
        </span>
      </div>
      <label class={`card pick${chosen.kind === 'adaptive' ? ' chosen' : ''}`}>
        <input
          class="unseen"
          type="radio"
          name="opponent"
          checked={chosen.kind === 'adaptive'}
          onChange={() => change({ opponent: { kind: 'adaptive' } })}
        />
        <span class="pick-head">
          <Icon name="adapt" />
          <b>{t('adaptive')}</b>
        </span>
        <span class="style">{t('adaptive.about')}</span>
        <span class="rating">{opponents ? t('adaptive.now', { elo: Math.round(opponents.adaptive.elo) }) : '\u00a0'}</span>
      </label>
      <PeopleCard
        chosen={chosen.kind === 'people'}
        people={plan.people}
        change={(people) => change({ opponent: people, people })}
      />
      {!opponents && <div class="card pick ghost" aria-hidden="true" />}
      {castellan && (
        <OpponentCard
          opponent={castellan}
          hasYear
          chosen={chosen.kind === 'program' && chosen.name === CASTELLAN}
          choose={() => change({ opponent: { kind: 'program', name: CASTELLAN } })}
        />
      )}
    </div>
  );
}

function ProgramSettings({ opponents, plan, change }: Changes & { opponents: Opponents | null }) {
  const chosen = plan.opponent;
  if (!opponents || chosen.kind !== 'program') return null;
  return (
    <OpponentSettings
      opponent={opponents.opponents.find((one) => one.name === chosen.name)}
      files={opponents.files}
      settings={chosen.settings ?? {}}
      onChange={(settings) => change({ opponent: { ...chosen, settings } })}
      open
    />
  );
}

function OwnClock({ plan, change }: Changes) {
  return (
    <div class="field-row">
      <label class="field">
        <span>{t('clock.minutes')}</span>
        <input
          type="number"
          min={0.1}
          max={180}
          step={0.1}
          value={plan.minutes}
          onInput={(event) => change({ minutes: Number(event.currentTarget.value) })}
        />
      </label>
      <label class="field">
        <span>{t('clock.increment')}</span>
        <input
          type="number"
          min={0}
          max={180}
          value={plan.seconds}
          onInput={(event) => change({ seconds: Number(event.currentTarget.value) })}
        />
      </label>
    </div>
  );
}

function FromPosition({ plan, change }: Changes) {
  const looksRight = piecesOf(plan.fen).length >= 2;
  return (
    <div class="from-position">
      {looksRight && <MiniBoard fen={plan.fen} orientation={plan.color === 'black' ? 'black' : 'white'} />}
      <label class="field">
        <span>{t('positionFen')}</span>
        <textarea
          rows={3}
          spellcheck={false}
          value={plan.fen}
          onInput={(event) => change({ fen: event.currentTarget.value })}
        />
      </label>
      <a href={`#/analyse?edit=1&fen=${encodeURIComponent(plan.fen)}`}>{t('editor')}</a>
    </div>
  );
}
