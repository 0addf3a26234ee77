// Tactics from the player's own and imported games: one move wins, find it.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { inCheck, other, squaresOf, turnOf } from '../lib/chess';
import { plural } from '../lib/format';
import { ask, hear, link } from '../lib/net';
import type { Dests, LastMove } from '../lib/protocol';
import type { Puzzle, PuzzleState, Solution, ThemeCount } from '../lib/protocol-study';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { useStore } from '../lib/use';
import { Board } from '../parts/Board';
import { Empty, IconButton, useKeys, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { SpokenPosition, TypedMove } from '../parts/TypedMove';

const REPLY_MS = 450;

export function PuzzlesScreen() {
  useTitle('Puzzles');
  const online = useStore(link).state === 'open';
  const [state, setState] = useState<PuzzleState | null>(null);
  const [themes, setThemes] = useState<ThemeCount[]>([]);
  const [missing, setMissing] = useState<string | null>(null);
  const [theme, setTheme] = useState('');
  const [puzzle, setPuzzle] = useState<Puzzle | null | undefined>(undefined);

  const next = (not?: number) =>
    ask('puzzles.next', { ...(theme ? { theme } : {}), ...(not === undefined ? {} : { not }) }).then((answer) => {
      setPuzzle(answer.puzzle);
      setState(answer.state);
    }, tellError);
  const loadThemes = () =>
    ask('puzzles.state', {}).then((answer) => {
      setState(answer.state);
      setThemes(answer.themes);
    }, (why: Error) => setMissing(why.message));
  useEffect(() => {
    if (!online) return;
    void loadThemes();
    return hear('puzzles', (event) => setState(event.state));
  }, [online]);
  // New ones appear while games are searched.
  const total = state?.total ?? 0;
  useEffect(() => {
    if (online && state && !puzzle) void next();
  }, [online, theme, total > 0]);
  useEffect(() => {
    if (online && total > 0) void loadThemes();
  }, [state?.job === null]);

  const make = () => ask('puzzles.make', {}).then((answer) => setState(answer.state), tellError);

  if (missing) {
    return (
      <Empty icon="puzzle" title="No puzzles">
        <p>{missing}</p>
      </Empty>
    );
  }
  if (!state || (puzzle === undefined && total > 0)) return <div class="stage waiting" aria-busy="true" />;
  if (!puzzle) return <NoPuzzles state={state} make={make} theme={theme} clear={() => setTheme('')} />;
  return (
    <Solving
      key={puzzle.id}
      puzzle={puzzle}
      state={state}
      setState={setState}
      themes={themes}
      theme={theme}
      setTheme={(name) => {
        setTheme(name);
        setPuzzle(undefined);
      }}
      next={() => void next(puzzle.id)}
      make={make}
    />
  );
}

function NoPuzzles(props: { state: PuzzleState; theme: string; clear: () => void; make: () => void }) {
  const { job } = props.state;
  if (props.theme) {
    return (
      <Empty icon="puzzle" title="No puzzles of this theme">
        <button type="button" onClick={props.clear}>
          All themes
        </button>
      </Empty>
    );
  }
  return (
    <Empty icon="puzzle" title="No puzzles yet">
      <p>Puzzles are made from your own games and from games you import: positions in which exactly one move wins.</p>
      <MakeButton job={job} make={props.make} primary />
      <a class="button plain" href="#/games">
        Import games
      </a>
    </Empty>
  );
}

function MakeButton({ job, make, primary }: { job: PuzzleState['job']; make: () => void; primary?: boolean }) {
  if (job) {
    return (
      <p role="status">
        Searching games: {job.done} of {job.total}
        <progress aria-label="Games searched" max={job.total || 1} value={job.done} />
      </p>
    );
  }
  return (
    <button type="button" class={primary ? 'primary' : 'plain'} onClick={make}>
      <Icon name="search" /> Find puzzles in my games
    </button>
  );
}

type Stage = 'ask' | 'wrong' | 'reply' | 'solved' | 'shown';

interface Shown {
  fen: string;
  last: LastMove | null;
}

function Solving(props: {
  puzzle: Puzzle;
  state: PuzzleState;
  setState: (state: PuzzleState) => void;
  themes: ThemeCount[];
  theme: string;
  setTheme: (theme: string) => void;
  next: () => void;
  make: () => void;
}) {
  const { puzzle } = props;
  const { reader } = useStore(settings);
  const begin: Shown = { fen: puzzle.fen, last: puzzle.last };
  const [stage, setStage] = useState<Stage>('ask');
  const [moves, setMoves] = useState<string[]>([]);
  const [asked, setAsked] = useState<Shown>(begin); // where the player is to move
  const [shown, setShown] = useState<Shown>(begin);
  const [legal, setLegal] = useState<{ dests: Dests; promotions: string[] }>(puzzle);
  const [failed, setFailed] = useState(puzzle.result === 'failed');
  const [hint, setHint] = useState<string | null>(null);
  const [solution, setSolution] = useState<Solution | null>(null);
  const [ahead, setAhead] = useState<number | null>(null);
  const [wrong, setWrong] = useState('');
  const [flipped, setFlipped] = useState(false);
  const [version, setVersion] = useState(0);

  const attempt = async (uci: string) => {
    try {
      const answer = await ask('puzzles.try', { puzzle: puzzle.id, moves: [...moves, uci] });
      props.setState(answer.state);
      setHint(null);
      play(soundOfMove(answer.san));
      setShown({ fen: answer.fen, last: squaresOf(uci, asked.fen) });
      if (answer.verdict === 'wrong') {
        setWrong(answer.san);
        setFailed(true);
        setStage('wrong');
        play('wrong');
        announce(`${sayMove(answer.san)} is not the solution.`);
      } else if (answer.verdict === 'solved' || !answer.reply) {
        setSolution(answer.solution ?? null);
        setStage('solved');
        play('right');
        announce('Solved.');
      } else {
        const { reply } = answer;
        setStage('reply');
        setTimeout(() => {
          const after: Shown = { fen: reply.fen, last: squaresOf(reply.uci, answer.fen) };
          setMoves([...moves, uci, reply.uci]);
          setAsked(after);
          setShown(after);
          setLegal({ dests: answer.dests ?? {}, promotions: answer.promotions ?? [] });
          setStage('ask');
          play(soundOfMove(reply.san));
          announce(`Correct. The reply is ${sayMove(reply.san)}.`);
        }, REPLY_MS);
      }
    } catch (why) {
      setVersion((count) => count + 1);
      tellError(why);
    }
  };
  const again = () => {
    setShown(asked);
    setStage('ask');
    setVersion((count) => count + 1);
  };
  const askHint = () =>
    ask('puzzles.hint', { puzzle: puzzle.id, moves }).then((answer) => {
      setHint(answer.from);
      setFailed(true);
      props.setState(answer.state);
      announce(`The piece on ${answer.from}`);
    }, tellError);
  const show = () =>
    ask('puzzles.show', { puzzle: puzzle.id }).then((answer) => {
      setSolution(answer);
      setFailed(true);
      props.setState(answer.state);
      setStage('shown');
      setAhead(answer.line.length ? 1 : null);
    }, tellError);
  const done = stage === 'solved' || stage === 'shown';
  const line = solution?.line ?? [];
  const walk = (to: number) => done && line.length && setAhead(Math.max(0, Math.min(line.length, to)));

  useKeys({
    ArrowLeft: () => walk((ahead ?? line.length) - 1),
    ArrowRight: () => walk((ahead ?? 0) + 1),
    f: () => setFlipped(!flipped),
    h: () => stage === 'ask' && void askHint(),
    u: () => stage === 'wrong' && again(),
    n: () => done && props.next(),
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const board = ahead === null ? shown : lineBoard(puzzle, line, ahead);
  const asking = stage === 'ask';
  const shapes: DrawShape[] = asking && hint ? [{ orig: hint as Key, brush: 'best' }] : [];
  return (
    <div class="stage train puzzle">
      <div class="table">
        <div class="review-head">
          <h1>Puzzle</h1>
          <span>{puzzle.color === 'white' ? 'White' : 'Black'} to move</span>
          <span class="progress-text">{plural(puzzle.length, 'move')}</span>
        </div>
        <Board
          label={`Puzzle, ${puzzle.color} to move`}
          fen={board.fen}
          orientation={flipped ? other(puzzle.color) : puzzle.color}
          turn={asking ? puzzle.color : turnOf(board.fen)}
          movable={asking ? puzzle.color : null}
          dests={asking ? legal.dests : {}}
          promotions={legal.promotions}
          last={board.last}
          check={inCheck(board.fen)}
          shapes={shapes}
          version={version}
          onMove={(uci) => void attempt(uci)}
        />
      </div>
      <aside class="panel">
        <PuzzleScore state={props.state} />
        <section class={`status exercise ${stage === 'reply' ? 'ask' : stage}`} aria-live="polite">
          <PuzzleText stage={stage} failed={failed} wrong={wrong} solution={solution} again={again} />
          {done && line.length > 0 && (
            <div class="line" role="group" aria-label="Solution">
              {line.map((step, i) => (
                <button
                  key={i}
                  type="button"
                  class="move"
                  aria-current={ahead === i + 1 ? 'true' : undefined}
                  onClick={() => setAhead(i + 1)}
                >
                  {step.san}
                </button>
              ))}
            </div>
          )}
        </section>
        {asking && (
          <TypedMove
            fen={asked.fen}
            turn={puzzle.color}
            dests={legal.dests}
            promotions={legal.promotions}
            enabled
            onMove={(uci) => void attempt(uci)}
          />
        )}
        <div class="controls" role="group" aria-label="Puzzle">
          {!done && (
            <>
              <IconButton icon="hint" label="Hint" text disabled={!asking || hint !== null} onClick={() => void askHint()} />
              <IconButton icon="watch" label="Show solution" text onClick={() => void show()} />
            </>
          )}
          {done && (
            <button type="button" class="primary" onClick={props.next}>
              Next <Icon name="next" />
            </button>
          )}
          <IconButton icon="flip" label="Flip" text onClick={() => setFlipped(!flipped)} />
          <IconButton
            icon="trash"
            label="Remove"
            text
            onClick={() => void ask('puzzles.drop', { puzzle: puzzle.id }).then(props.next, tellError)}
          />
        </div>
        <label class="field">
          <span>Theme</span>
          <select value={props.theme} onChange={(event) => props.setTheme(event.currentTarget.value)}>
            <option value="">All themes</option>
            {props.themes.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title} ({one.solved} of {one.total} solved)
              </option>
            ))}
          </select>
        </label>
        <p class="facts">
          <a href={`#/game/${puzzle.game}`}>From game {puzzle.game}</a>
          <span>rated {Math.round(puzzle.rating)}</span>
        </p>
        <MakeButton job={props.state.job} make={props.make} />
        {reader && <SpokenPosition fen={board.fen} turn={turnOf(board.fen)} />}
      </aside>
    </div>
  );
}

function lineBoard(puzzle: Puzzle, line: Solution['line'], ahead: number): Shown {
  const step = line[ahead - 1];
  if (!step) return { fen: puzzle.fen, last: puzzle.last };
  return { fen: step.fen, last: squaresOf(step.uci, line[ahead - 2]?.fen ?? puzzle.fen) };
}

function PuzzleScore({ state }: { state: PuzzleState }) {
  const { today } = state;
  return (
    <div class="puzzle-score">
      <span>
        <b>
          {Math.round(state.rating)}
          {state.deviation > 110 ? '?' : ''}
        </b>{' '}
        puzzle rating
      </span>
      <span>
        <progress aria-label="Puzzles today" max={today.goal} value={Math.min(today.done, today.goal)} /> {today.done} of{' '}
        {today.goal} today
      </span>
      {state.streak > 0 && <span>{plural(state.streak, 'day')} in a row</span>}
    </div>
  );
}

function PuzzleText(props: {
  stage: Stage;
  failed: boolean;
  wrong: string;
  solution: Solution | null;
  again: () => void;
}) {
  const { stage, solution } = props;
  const themes = solution?.themes.map((theme) => theme.title).join(', ');
  switch (stage) {
    case 'wrong':
      return (
        <>
          <h2>
            <Icon name="close" /> {props.wrong} is not the solution
          </h2>
          <div class="buttons">
            <button type="button" class="primary" onClick={props.again}>
              <Icon name="undo" /> Take back and try again
            </button>
          </div>
        </>
      );
    case 'solved':
      return (
        <>
          <h2>
            <Icon name="check" /> {props.failed ? 'Solved with help' : 'Solved'}
          </h2>
          {themes && <p>{themes}</p>}
        </>
      );
    case 'shown':
      return (
        <>
          <h2>Solution</h2>
          {themes && <p>{themes}</p>}
        </>
      );
    default:
      return (
        <>
          <h2>{stage === 'reply' ? 'Correct. Keep going' : 'Find the winning move'}</h2>
          <p>Exactly one move wins.</p>
        </>
      );
  }
}
