// One of the player's own mistakes as an exercise: find the better move.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { inCheck, playLine, squaresOf, turnOf } from '../lib/chess';
import { dayText, sentence } from '../lib/format';
import { ask } from '../lib/net';
import type { Mistake, ShownAnswer, Step, TryAnswer } from '../lib/protocol';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { useStore } from '../lib/use';
import { Board } from './Board';
import { IconButton, useKeys } from './common';
import { Icon } from './Icon';
import { LABELS } from './MoveList';
import { SpokenPosition, TypedMove } from './TypedMove';

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
  const { reader } = useStore(settings);
  const [stage, setStage] = useState<Stage>({ name: 'ask' });
  const [hint, setHint] = useState<string | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [version, setVersion] = useState(0);
  const [tried, setTried] = useState<string | null>(null);
  const [counts, setCounts] = useState({ solved: first.solved, failed: first.failed });
  const [helped, setHelped] = useState(false);
  const [ahead, setAhead] = useState<number | null>(null); // how far into the better line the board is

  const attempt = async (uci: string) => {
    try {
      const answer = await ask('train.try', { mistake: first.id, uci });
      setHint(null);
      setTried(uci);
      setCounts({ solved: answer.mistake.solved, failed: answer.mistake.failed });
      play(soundOfMove(answer.san));
      if (answer.verdict === 'wrong') {
        setStage({ name: 'wrong', answer, seen: 'move' });
        setHelped(true);
        announce(`${sayMove(answer.san)} is not the best move.`);
        setTimeout(() => {
          play('wrong');
          setStage((now) => (now.name === 'wrong' && now.answer === answer ? { ...now, seen: 'reply' } : now));
        }, 500);
        return;
      }
      announce(`${sayMove(answer.san)}: correct.`);
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
    announce('Move taken back. Try again.');
  };
  const askHint = () =>
    ask('train.hint', { mistake: first.id }).then(({ from }) => {
      setHint(from);
      setHelped(true);
      announce(`The piece on ${from}`);
    }, tellError);
  const show = () =>
    ask('train.show', { mistake: first.id }).then((shown) => {
      setStage({ name: 'shown', shown });
      announce(`The best move was ${sayMove(shown.best.san)}`);
    }, tellError);

  const next = () => props.next(stage.name === 'shown' ? 'failed' : helped ? 'helped' : 'clean');
  const answer = stage.name === 'solved' || stage.name === 'shown' ? stage.shown : null;
  const line = answer?.best.line.slice(0, LINE_MOVES) ?? [];
  const walk = (to: number) => line.length > 0 && setAhead(Math.max(0, Math.min(line.length, to)));

  useKeys({
    ArrowLeft: () => walk((ahead ?? 0) - 1),
    ArrowRight: () => walk((ahead ?? 0) + 1),
    f: () => setFlipped(!flipped),
    h: () => stage.name === 'ask' && void askHint(),
    u: () => stage.name === 'wrong' && again(),
    n: () => (stage.name === 'solved' || stage.name === 'shown') && props.nextText && next(),
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const board = ahead === null ? boardOf(first, stage, tried) : lineBoard(first.fen, line, ahead);
  const shapes = ahead === null ? shapesOf(stage, hint) : [];
  const bottom = flipped ? (first.color === 'white' ? 'black' : 'white') : first.color;
  const asking = stage.name === 'ask';
  return (
    <div class="stage train">
      <div class="table">
        <div class="review-head">
          <h1>Find the better move</h1>
          <span>{first.color === 'white' ? 'White' : 'Black'} to move</span>
          <span class="progress-text">{props.progress}</span>
        </div>
        <Board
          label={`Exercise, ${first.color} to move`}
          fen={board.fen}
          orientation={bottom}
          turn={asking ? first.color : turnOf(board.fen)}
          movable={asking ? first.color : null}
          dests={asking ? first.dests : {}}
          promotions={first.promotions}
          last={board.last}
          check={inCheck(board.fen)}
          shapes={shapes}
          version={version}
          onMove={(uci) => void attempt(uci)}
        />
      </div>
      <aside class="panel">
        <section class={`status exercise ${stage.name}`} aria-live="polite">
          <Told first={first} stage={stage} again={again} />
          {line.length > 0 && <LineSteps line={line} ahead={ahead} pick={(to) => setAhead(to === ahead ? null : to)} />}
        </section>
        {asking && (
          <TypedMove
            fen={first.fen}
            turn={first.color}
            dests={first.dests}
            promotions={first.promotions}
            enabled
            onMove={(uci) => void attempt(uci)}
          />
        )}
        <div class="controls" role="group" aria-label="Exercise">
          {(asking || stage.name === 'wrong') && (
            <>
              <IconButton icon="hint" label="Hint" text disabled={!asking || hint !== null} onClick={() => void askHint()} />
              <IconButton icon="watch" label="Show answer" text onClick={() => void show()} />
            </>
          )}
          {(stage.name === 'solved' || stage.name === 'shown') && props.nextText && (
            <button type="button" class="primary" onClick={next}>
              {props.nextText} <Icon name="next" />
            </button>
          )}
          <IconButton icon="flip" label="Flip" text onClick={() => setFlipped(!flipped)} />
          <IconButton
            icon="trash"
            label="Remove"
            text
            onClick={() => void ask('train.drop', { mistake: first.id }).then(() => props.next('failed'), tellError)}
          />
        </div>
        {props.children}
        <p class="facts">
          <span>
            {first.opponent}, {dayText(first.at)}
          </span>
          <span>
            solved {counts.solved}, failed {counts.failed}
          </span>
        </p>
        {reader && <SpokenPosition fen={board.fen} turn={turnOf(board.fen)} />}
      </aside>
    </div>
  );
}

function boardOf(first: Mistake, stage: Stage, tried: string | null) {
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

function shapesOf(stage: Stage, hint: string | null): DrawShape[] {
  if (stage.name === 'ask' && hint) return [{ orig: hint as Key, brush: 'best' }];
  if (stage.name === 'shown') {
    return stage.shown.best.line.slice(0, 3).map((step, i) => ({
      orig: step.uci.slice(0, 2) as Key,
      dest: step.uci.slice(2, 4) as Key,
      brush: ['best', 'next', 'later'][i]!,
    }));
  }
  return [];
}

function Told({ first, stage, again }: { first: Mistake; stage: Stage; again: () => void }) {
  const played = (
    <>
      You played <b>{first.played.san}</b>, a {LABELS[first.label]}.
    </>
  );
  switch (stage.name) {
    case 'ask':
      return (
        <>
          <h2>Find the best move</h2>
          <p>{played} Find a better move.</p>
        </>
      );
    case 'wrong':
      return (
        <>
          <h2>
            <Icon name="close" /> {stage.answer.san} is not the best move
          </h2>
          <p>{stage.answer.reply ? <>The reply is {stage.answer.reply.san}.</> : 'There is a better move.'}</p>
          <div class="buttons">
            <button type="button" class="primary" onClick={again}>
              <Icon name="undo" /> Take back and try again
            </button>
          </div>
        </>
      );
    case 'solved':
      return (
        <>
          <h2>
            <Icon name="check" /> {stage.answer.verdict === 'best' ? 'Best move' : 'Good move'}
          </h2>
          <p>
            {played} {stage.shown?.reason && sentence(stage.shown.reason)}
          </p>
        </>
      );
    case 'shown':
      return (
        <>
          <h2>{stage.shown.best.san} was better</h2>
          <p>
            {played} {stage.shown.reason && sentence(stage.shown.reason)}
          </p>
        </>
      );
  }
}

function lineBoard(fen: string, line: Step[], ahead: number) {
  const fens = [fen, ...playLine(fen, line)];
  const step = line[ahead - 1];
  return { fen: fens[ahead] ?? fen, last: step ? squaresOf(step.uci, fens[ahead - 1]) : null };
}

// The better line, to be stepped through.
function LineSteps({ line, ahead, pick }: { line: Step[]; ahead: number | null; pick: (to: number) => void }) {
  return (
    <div class="line" role="group" aria-label="Better line">
      {line.map((step, i) => (
        <button
          key={i}
          type="button"
          class="move"
          aria-current={ahead === i + 1 ? 'true' : undefined}
          onClick={() => pick(i + 1)}
        >
          {step.san}
        </button>
      ))}
    </div>
  );
}
