// Tactics from the player's own and imported games: one move wins, find it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell, tellError } from '../lib/announce';
import { squaresOf } from '../lib/chess';
import { sanText, sentence } from '../lib/format';
import { ask, hear, link, Refusal } from '../lib/net';
import type { Dests } from '../lib/protocol';
import type { Puzzle, PuzzleState, Solution, ThemeCount } from '../lib/protocol-study';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { fromService, t } from '../lib/text';
import { useStore } from '../lib/use';
import { Empty, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { Solve, useHint, type Shown, type SolveStage } from '../parts/Solve';

const REPLY_MS = 450;

export function PuzzlesScreen() {
  useTitle(t('nav.puzzles'));
  const online = useStore(link).state === 'open';
  const [state, setState] = useState<PuzzleState | null>(null);
  const [themes, setThemes] = useState<ThemeCount[]>([]);
  const [missing, setMissing] = useState<string | null>(null);
  const [theme, setTheme] = useState('');
  const [puzzle, setPuzzle] = useState<Puzzle | null | undefined>(undefined);

  const requests = useRef(0); // only the last one counts: a puzzle that has been begun stays
  const next = (not?: number) => {
    const mine = ++requests.current;
    return ask('puzzles.next', { ...(theme ? { theme } : {}), ...(not === undefined ? {} : { not }) }).then((answer) => {
      if (mine !== requests.current) return;
      setPuzzle(answer.puzzle);
      setState(answer.state);
    }, tellError);
  };
  const loadThemes = () =>
    ask('puzzles.state', {}).then((answer) => {
      setState(answer.state);
      setThemes(answer.themes);
    }, (why: Refusal) => {
      if (why.code !== 'lost') setMissing(why.message);
    });
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

  // How many there were when the search began that is under way.
  const [before, setBefore] = useState<number | null>(null);
  const make = () =>
    ask('puzzles.make', {}).then((answer) => {
      setState(answer.state);
      setBefore(total);
    }, tellError);
  useEffect(() => {
    if (before === null || !state || state.job) return;
    tell(state.total > before ? t('puzzles.found', { n: state.total - before }) : t('puzzles.noneFound'));
    setBefore(null);
  }, [before, state]);

  if (missing) {
    return (
      <Empty icon="puzzle" title={t('puzzles.missing')}>
        <p>{sentence(missing)}</p>
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
      <Empty icon="puzzle" title={t('puzzles.noneOfTheme')}>
        <button type="button" onClick={props.clear}>
          {t('puzzles.allThemes')}
        </button>
      </Empty>
    );
  }
  return (
    <Empty icon="puzzle" title={t('puzzles.none')}>
      <p>{t('puzzles.about')}</p>
      <MakeButton job={job} make={props.make} primary />
      <a class="button plain" href="#/games">
        {t('import.title')}
      </a>
    </Empty>
  );
}

function MakeButton({ job, make, primary }: { job: PuzzleState['job']; make: () => void; primary?: boolean }) {
  if (job) {
    return (
      <p role="status">
        {t('puzzles.searching', { at: job.done, total: job.total })}
        <progress aria-label={t('puzzles.searched')} max={job.total || 1} value={job.done} />
      </p>
    );
  }
  return (
    <button type="button" class={primary ? 'primary' : 'plain'} onClick={make}>
      <Icon name="search" /> {t('puzzles.find')}
    </button>
  );
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
  const begin: Shown = { fen: puzzle.fen, last: puzzle.last };
  const [stage, setStage] = useState<SolveStage>('ask');
  const [moves, setMoves] = useState<string[]>([]);
  const [asked, setAsked] = useState<Shown>(begin); // where the player is to move
  const [shown, setShown] = useState<Shown>(begin);
  const [legal, setLegal] = useState<{ dests: Dests; promotions: string[] }>(puzzle);
  const [failed, setFailed] = useState(puzzle.result === 'failed');
  const [solution, setSolution] = useState<Solution | null>(null);
  const [wrong, setWrong] = useState('');
  const [version, setVersion] = useState(0);
  const hint = useHint(() =>
    ask('puzzles.hint', { puzzle: puzzle.id, moves }).then((answer) => {
      setFailed(true);
      props.setState(answer.state);
      return answer.from;
    }),
  );

  const solutions = useRef(0); // shown: the verdict on a move and the reply come too late then
  const attempt = async (uci: string) => {
    const before = solutions.current;
    try {
      const answer = await ask('puzzles.try', { puzzle: puzzle.id, moves: [...moves, uci] });
      props.setState(answer.state);
      if (before !== solutions.current) return;
      hint.clear();
      play(soundOfMove(answer.san));
      setShown({ fen: answer.fen, last: squaresOf(uci, asked.fen) });
      if (answer.verdict === 'wrong') {
        setWrong(sanText(answer.san));
        setFailed(true);
        setStage('wrong');
        play('wrong');
        announce(t('puzzle.wrong', { move: sayMove(answer.san) }));
      } else if (answer.verdict === 'solved' || !answer.reply) {
        setSolution(answer.solution ?? null);
        setStage('solved');
        play('right');
        announce(t('puzzle.solved'));
      } else {
        const { reply } = answer;
        setStage('reply');
        setTimeout(() => {
          if (before !== solutions.current) return;
          const after: Shown = { fen: reply.fen, last: squaresOf(reply.uci, answer.fen) };
          setMoves([...moves, uci, reply.uci]);
          setAsked(after);
          setShown(after);
          setLegal({ dests: answer.dests ?? {}, promotions: answer.promotions ?? [] });
          setStage('ask');
          play(soundOfMove(reply.san));
          announce(t('puzzle.reply', { move: sayMove(reply.san) }));
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
  const show = () =>
    void ask('puzzles.show', { puzzle: puzzle.id }).then((answer) => {
      solutions.current++;
      setSolution(answer);
      setFailed(true);
      props.setState(answer.state);
      setStage('shown');
    }, tellError);

  const line = solution?.line ?? [];
  return (
    <Solve
      kind="puzzle"
      title={t('puzzle')}
      boardLabel={t('puzzle')}
      lineLabel={t('solution')}
      showLabel={t('puzzle.show')}
      progress={t('moveCount', { n: puzzle.length })}
      color={puzzle.color}
      stage={stage}
      asked={asked.fen}
      legal={legal}
      board={shown}
      version={version}
      line={line}
      boardAt={(ahead) => lineBoard(puzzle, line, ahead)}
      restAt={line.length}
      firstAhead={stage === 'shown' && line.length ? 1 : null}
      hint={hint}
      nextText={t('next')}
      above={<PuzzleScore state={props.state} />}
      told={<PuzzleText stage={stage} failed={failed} wrong={wrong} solution={solution} />}
      facts={
        <>
          <a href={`#/game/${puzzle.game}`}>{t('puzzle.fromGame')}</a>
          <span>{t('puzzle.rated', { rating: Math.round(puzzle.rating) })}</span>
        </>
      }
      attempt={(uci) => void attempt(uci)}
      again={again}
      show={show}
      next={props.next}
      remove={() => void ask('puzzles.drop', { puzzle: puzzle.id }).then(props.next, tellError)}
    >
      <label class="field">
        <span>{t('puzzles.theme')}</span>
        <select value={props.theme} onChange={(event) => props.setTheme(event.currentTarget.value)}>
          <option value="">{t('puzzles.allThemes')}</option>
          {props.themes.map((one) => (
            <option key={one.name} value={one.name}>
              {fromService(one.title)} ({t('puzzles.themeSolved', { solved: one.solved, total: one.total })})
            </option>
          ))}
        </select>
      </label>
      <MakeButton job={props.state.job} make={props.make} />
    </Solve>
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
        {t('puzzles.rating')}
      </span>
      <span>
        <progress aria-label={t('puzzles.today')} max={today.goal} value={Math.min(today.done, today.goal)} />{' '}
        {t('puzzles.todayCount', { done: today.done, goal: today.goal })}
      </span>
      {state.streak > 0 && <span>{t('puzzles.streak', { n: state.streak })}</span>}
    </div>
  );
}

function PuzzleText(props: { stage: SolveStage; failed: boolean; wrong: string; solution: Solution | null }) {
  const { stage, solution } = props;
  const themes = solution?.themes.map((theme) => fromService(theme.title)).join(', ');
  if (stage === 'wrong') {
    return (
      <h2>
        <Icon name="close" /> {t('puzzle.wrongHead', { move: props.wrong })}
      </h2>
    );
  }
  if (stage === 'ask' || stage === 'reply') {
    return (
      <>
        <h2>{stage === 'reply' ? t('puzzle.keepGoing') : t('puzzle.findMove')}</h2>
        <p>{t('puzzle.oneMove')}</p>
      </>
    );
  }
  return (
    <>
      <h2>
        {stage === 'solved' && <Icon name="check" />}{' '}
        {stage === 'shown' ? t('solution') : props.failed ? t('puzzle.solvedWithHelp') : t('puzzle.solvedHead')}
      </h2>
      {themes && <p>{themes}</p>}
    </>
  );
}
