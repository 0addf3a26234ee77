// One of the player's own mistakes as an exercise: find the better move.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { playLine, squaresOf } from '../lib/chess';
import { sanText, titleText } from '../lib/format';
import { ask } from '../lib/net';
import type { Mistake, ShownAnswer, Step, TryAnswer } from '../lib/protocol';
import { reasonText } from '../lib/reason';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { rich, t } from '../lib/text';
import { Icon } from './Icon';
import { Solve, useHint, type Shown } from './Solve';

const LINE_MOVES = 8;

type Stage =
  | { name: 'ask' }
  | { name: 'wrong'; answer: TryAnswer; seen: 'move' | 'reply' }
  | { name: 'solved'; answer: TryAnswer; shown: ShownAnswer | null }
  | { name: 'shown'; shown: ShownAnswer };

// How an exercise ended: at the first try, after a hint or another try, or with the answer shown.
export type Outcome = 'clean' | 'helped' | 'failed';

export function Exercise(props: {
  first: Mistake;
  progress: string; // "2 of 5"
  nextText: string | null; // null: there is no other
  next: (outcome: Outcome) => void;
  children?: ComponentChildren; // below the controls
}) {
  const { first } = props;
  const [stage, setStage] = useState<Stage>({ name: 'ask' });
  const [version, setVersion] = useState(0);
  const [tried, setTried] = useState<string | null>(null);
  const [counts, setCounts] = useState({ solved: first.solved, failed: first.failed });
  const [helped, setHelped] = useState(false);
  const hint = useHint(() =>
    ask('train.hint', { mistake: first.id }).then(({ from }) => {
      setHelped(true);
      return from;
    }),
  );

  const answers = useRef(0); // shown: the verdict on a move comes too late then
  const attempt = async (uci: string) => {
    const before = answers.current;
    try {
      const answer = await ask('train.try', { mistake: first.id, uci });
      if (before !== answers.current) return;
      hint.clear();
      setTried(uci);
      setCounts({ solved: answer.mistake.solved, failed: answer.mistake.failed });
      play(soundOfMove(answer.san));
      if (answer.verdict === 'wrong') {
        setStage({ name: 'wrong', answer, seen: 'move' });
        setHelped(true);
        announce(t('exercise.notBest', { move: sayMove(answer.san) }));
        setTimeout(() => {
          play('wrong');
          setStage((now) => (now.name === 'wrong' && now.answer === answer ? { ...now, seen: 'reply' } : now));
        }, 500);
        return;
      }
      announce(t('exercise.correct', { move: sayMove(answer.san) }));
      setTimeout(() => play('right'), 200);
      setStage({ name: 'solved', answer, shown: null });
      const shown = await ask('train.show', { mistake: first.id });
      setStage((now) => (now.name === 'solved' ? { ...now, shown } : now));
    } catch (why) {
      setVersion((count) => count + 1);
      tellError(why);
    }
  };
  const again = () => {
    setStage({ name: 'ask' });
    setVersion((count) => count + 1);
    announce(t('exercise.takenBack'));
  };
  const show = () =>
    void ask('train.show', { mistake: first.id }).then((shown) => {
      answers.current++;
      setStage({ name: 'shown', shown });
      announce(t('exercise.bestWas', { move: sayMove(shown.best.san) }));
    }, tellError);

  const answer = stage.name === 'solved' || stage.name === 'shown' ? stage.shown : null;
  const line = answer?.best.line.slice(0, LINE_MOVES) ?? [];
  return (
    <Solve
      kind="mistake"
      title={t('exercise')}
      boardLabel={t('exercise')}
      lineLabel={t('betterLine')}
      showLabel={t('showAnswer')}
      progress={props.progress}
      color={first.color}
      stage={stage.name}
      asked={first.fen}
      legal={first}
      board={boardOf(first, stage, tried)}
      shapes={shapesOf(stage)}
      version={version}
      line={line}
      boardAt={(ahead) => lineBoard(first.fen, line, ahead)}
      restAt={stage.name === 'solved' ? 1 : 0}
      hint={hint}
      nextText={props.nextText}
      told={<Told first={first} stage={stage} />}
      facts={
        <>
          <a href={`#/review/${first.game}`}>{t('exercise.game', { opponent: titleText(first.opponent) })}</a>
          <span>{t('exercise.counts', counts)}</span>
        </>
      }
      attempt={(uci) => void attempt(uci)}
      again={again}
      show={show}
      next={() => props.next(stage.name === 'shown' ? 'failed' : helped ? 'helped' : 'clean')}
      remove={() => void ask('train.drop', { mistake: first.id }).then(() => props.next('failed'), tellError)}
    >
      {props.children}
    </Solve>
  );
}

function boardOf(first: Mistake, stage: Stage, tried: string | null): Shown {
  if (stage.name === 'wrong') {
    const { answer, seen } = stage;
    if (seen === 'reply' && answer.reply) {
      return { fen: answer.reply.fen, last: squaresOf(answer.reply.uci, answer.fen) };
    }
    return { fen: answer.fen, last: tried ? squaresOf(tried, first.fen) : null };
  }
  if (stage.name === 'solved') return { fen: stage.answer.fen, last: tried ? squaresOf(tried, first.fen) : null };
  return { fen: first.fen, last: first.last };
}

function shapesOf(stage: Stage): DrawShape[] {
  if (stage.name !== 'shown') return [];
  return stage.shown.best.line.slice(0, 3).map((step, i) => ({
    orig: step.uci.slice(0, 2) as Key,
    dest: step.uci.slice(2, 4) as Key,
    brush: ['best', 'next', 'later'][i]!,
  }));
}

function Told({ first, stage }: { first: Mistake; stage: Stage }) {
  const played = rich(`exercise.played.${first.label}`, { move: <b>{sanText(first.played.san)}</b> });
  switch (stage.name) {
    case 'ask':
      return (
        <>
          <h2>{t('exercise.find')}</h2>
          <p>{played}</p>
        </>
      );
    case 'wrong':
      return (
        <>
          <h2>
            <Icon name="close" /> {t('exercise.notBestHead', { move: sanText(stage.answer.san) })}
          </h2>
          <p>{stage.answer.reply ? t('exercise.reply', { move: sanText(stage.answer.reply.san) }) : t('exercise.thereIsBetter')}</p>
        </>
      );
    case 'solved':
      return (
        <>
          <h2>
            <Icon name="check" /> {stage.answer.verdict === 'best' ? t('exercise.best') : t('exercise.good')}
          </h2>
          <p>
            {played} {stage.shown && reasonText(stage.shown)}
          </p>
        </>
      );
    case 'shown':
      return (
        <>
          <h2>{t('exercise.wasBetter', { move: sanText(stage.shown.best.san) })}</h2>
          <p>
            {played} {reasonText(stage.shown)}
          </p>
        </>
      );
  }
}

function lineBoard(fen: string, line: Step[], ahead: number): Shown {
  const fens = [fen, ...playLine(fen, line)];
  const step = line[ahead - 1];
  return { fen: fens[ahead] ?? fen, last: step ? squaresOf(step.uci, fens[ahead - 1]) : null };
}
