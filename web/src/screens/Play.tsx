// Choosing the opponent and the game settings.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { piecesOf, START_FEN, turnOf } from '../lib/chess';
import { controlText, ratingText } from '../lib/format';
import { ask, link, refreshSession, session } from '../lib/net';
import type { Color, GameSummary, Opponent, OpponentChoice, Opponents, TimeControl } from '../lib/protocol';
import { go, route } from '../lib/router';
import { play } from '../lib/sound';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Choice, Confirm, IconButton, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { PEOPLE, PeopleCard, type People } from '../parts/PeopleCard';
import { OpponentSettings } from '../parts/OpponentSettings';

const KEY = 'castellan.play';

const CLOCKS = [
  ['none', 'None'],
  ['60+0', '1 + 0'],
  ['180+2', '3 + 2'],
  ['300+3', '5 + 3'],
  ['600+5', '10 + 5'],
  ['900+10', '15 + 10'],
  ['1800+20', '30 + 20'],
  ['own', 'Other'],
] as const;

type ClockName = (typeof CLOCKS)[number][0];

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
    if (!['program', 'level', 'adaptive'].includes(kept.opponent.kind)) kept.opponent = FIRST.opponent;
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
export function levelWords(elo: number): string {
  if (elo < 600) return 'Beginner';
  if (elo < 900) return 'Occasional player';
  if (elo < 1200) return 'Casual player';
  if (elo < 1500) return 'Experienced player';
  if (elo < 1800) return 'Club player';
  if (elo < 2100) return 'Strong club player';
  if (elo < 2400) return 'Master';
  if (elo < 2700) return 'Grandmaster';
  return 'Superhuman';
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
  useTitle('Play');
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
        ? ask('game.people', { ...start, ...(opponent.here ? { here: true, name: opponent.name.trim() || 'Guest' } : {}) })
        : ask('game.new', { ...start, opponent }));
      play('start');
      go(`game/${game.id}`);
    } catch (why) {
      tellError(why);
    }
    setBusy(false);
  };

  return (
    <form class="page play-page" onSubmit={begin}>
      <header class="page-head">
        <h1>Play</h1>
        {hello && (
          <p>
            Welcome, {hello.player.name}. Your rating: <b>{ratingText(hello.player)}</b>
          </p>
        )}
      </header>
      {hello && hello.running.length > 0 && <Running games={hello.running} />}
      <div class="play-grid">
        <section class="opponents" aria-labelledby="who">
          <h2 id="who">Opponent</h2>
          <LevelCard opponents={opponents} plan={plan} change={change} />
        </section>
        <section class="card how" aria-labelledby="how">
          <h2 id="how">Game settings</h2>
          <Choice
            legend="Your colour"
            name="color"
            value={plan.color}
            options={[
              ['white', <ColorPiece color="white" word="White" />],
              ['random', <span class="piece-word">Random</span>],
              ['black', <ColorPiece color="black" word="Black" />],
            ]}
            onChange={(color) => change({ color })}
          />
          <Choice
            legend="Clock (minutes + increment in seconds)"
            name="clock"
            value={plan.clock}
            options={CLOCKS}
            onChange={(clock) => change({ clock })}
          />
          {plan.clock === 'own' && <OwnClock plan={plan} change={change} />}
          <Choice
            legend="Start"
            name="start"
            value={plan.start}
            options={[
              ['standard', 'Standard'],
              ['chess960', 'Chess960'],
              ['position', 'Position', 'From a custom position'],
            ]}
            onChange={(start) => change({ start })}
          />
          {plan.start === 'chess960' && (
            <label class="field">
              <span>Position number, 0 to 959 (empty: random)</span>
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
        <HistoricalPrograms opponents={opponents} plan={plan} change={change} />
      </div>
    </form>
  );
}

function buttonText(choice: OpponentChoice | People, opponents: Opponents | null): string {
  if (choice.kind === 'people') return choice.here ? 'Play with two people' : 'Create invitation';
  if (choice.kind === 'adaptive') return 'Play at my level';
  if (choice.kind === 'level') return `Play level ${choice.elo}`;
  return `Play ${opponents?.opponents.find((one) => one.name === choice.name)?.title ?? choice.name}`;
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
  const elo = chosen.kind === 'level' ? chosen.elo : plan.elo;
  const like = levels.like[(elo - levels.min) / levels.step];
  const words = like ? `${levelWords(elo)}: plays like ${like}` : levelWords(elo);
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
            <b>Level {elo}</b>
          </span>
          <span class="style">{words}</span>
        </label>
        <input
          type="range"
          aria-label="Level"
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
          <b>At my level</b>
        </span>
        <span class="style">Adapts to you: stronger after your wins, weaker after your losses.</span>
        <span class="rating">{opponents ? `currently ${Math.round(opponents.adaptive.elo)}` : ''}</span>
      </label>
      <PeopleCard
        chosen={chosen.kind === 'people'}
        people={plan.people}
        change={(people) => change({ opponent: people, people })}
      />
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
    />
  );
}

// The list is long, so it comes last in the document.
function HistoricalPrograms({ opponents, plan, change }: Changes & { opponents: Opponents | null }) {
  const chosen = plan.opponent.kind === 'program' ? plan.opponent.name : null;
  return (
    <section class="historical-programs" aria-labelledby="historical-programs">
      <h2 id="historical-programs">Historical programs</h2>
      <p class="lead-in">The five programs Castellan descends from, playing as they did.</p>
      <div class="cards">
        {(opponents?.opponents ?? []).map((one) => (
          <OpponentCard
            key={one.name}
            opponent={one}
            chosen={one.name === chosen}
            choose={() => change({ opponent: { kind: 'program', name: one.name } })}
          />
        ))}
        {!opponents && [0, 1, 2, 3].map((i) => <div key={i} class="card pick ghost" aria-hidden="true" />)}
      </div>
    </section>
  );
}

function OpponentCard(props: { opponent: Opponent; chosen: boolean; choose: () => void }) {
  const { opponent } = props;
  return (
    <label class={`card pick${props.chosen ? ' chosen' : ''}`}>
      <input class="unseen" type="radio" name="opponent" checked={props.chosen} onChange={props.choose} />
      <span class="pick-head">
        <b>{opponent.title}</b>
        <span class="year">{opponent.year}</span>
      </span>
      <span class="style">{opponent.style}</span>
      <span class="rating">{opponent.rating === null ? 'unrated' : opponent.rating}</span>
    </label>
  );
}

function OwnClock({ plan, change }: Changes) {
  return (
    <div class="field-row">
      <label class="field">
        <span>Minutes</span>
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
        <span>Increment (seconds)</span>
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
        <span>Position (FEN)</span>
        <textarea
          rows={3}
          spellcheck={false}
          value={plan.fen}
          onInput={(event) => change({ fen: event.currentTarget.value })}
        />
      </label>
      <a href={`#/analyse?edit=1&fen=${encodeURIComponent(plan.fen)}`}>Set up the board</a>
    </div>
  );
}

function runningText(game: GameSummary, rival: string): string {
  if (!rival) return 'Invitation open';
  return game.you && turnOf(game.fen) === game.you ? 'Your move' : 'Opponent to move';
}

const RUNNING_SHOWN = 4;

function Running({ games }: { games: GameSummary[] }) {
  const [all, setAll] = useState(false);
  const [discarding, setDiscarding] = useState<GameSummary | null>(null);
  const discard = (game: GameSummary) =>
    ask('games.delete', { games: [game.id] }).then(() => refreshSession(), tellError);
  return (
    <section class="running" aria-labelledby="running">
      <h2 id="running">Continue a game</h2>
      <div class="running-row">
        {games.slice(0, all ? undefined : RUNNING_SHOWN).map((game) => {
          const rival = game[game.you === 'black' ? 'white' : 'black'];
          return (
            <div key={game.id} class="card running-card">
              <a class="running-game" href={`#/game/${game.id}`}>
                <MiniBoard fen={game.fen} orientation={game.you ?? 'white'} last={game.last} />
                <span>
                  <b>{rival.title || 'Waiting for an opponent'}</b>
                  <small>
                    {runningText(game, rival.title)} · move {Math.floor(game.ply / 2) + 1} · {controlText(game.clock)}
                  </small>
                </span>
              </a>
              <IconButton icon="close" label={`Discard the game against ${rival.title || 'nobody'}`} onClick={() => setDiscarding(game)} />
            </div>
          );
        })}
      </div>
      {games.length > RUNNING_SHOWN && (
        <button type="button" class="plain small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${games.length}`}
        </button>
      )}
      {discarding && (
        <Confirm
          title="Discard this game?"
          text="The game is deleted without a result. This cannot be undone."
          yes="Discard"
          onClose={() => setDiscarding(null)}
          onYes={() => void discard(discarding)}
        />
      )}
    </section>
  );
}
