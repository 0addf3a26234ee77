// What exercises and puzzles share: a board with a move to find, what is said about it, and the controls.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { inCheck, other, turnOf } from '../lib/chess';
import { sanText, toMoveText } from '../lib/format';
import type { Color, Dests, LastMove, Step } from '../lib/protocol';
import { settings } from '../lib/settings';
import { t } from '../lib/text';
import { useStore } from '../lib/use';
import { Board } from './Board';
import { IconButton, useKeys } from './common';
import { Icon } from './Icon';
import { moveNumber } from './TreeView';
import { SpokenPosition, TypedMove } from './TypedMove';

export interface Shown {
  fen: string;
  last: LastMove | null;
}

export type SolveStage = 'ask' | 'wrong' | 'reply' | 'solved' | 'shown';

// The square of the piece to move, once it was asked for.
export function useHint(request: () => Promise<string>): { hint: string | null; clear: () => void; ask: () => void } {
  const [hint, setHint] = useState<string | null>(null);
  const turn = useRef(0); // of the position asked about
  const ask = () => {
    const mine = turn.current;
    void request().then((from) => {
      if (mine !== turn.current) return;
      setHint(from);
      announce(t('solve.pieceOn', { square: from }));
    }, tellError);
  };
  const clear = () => {
    turn.current++;
    setHint(null);
  };
  return { hint, clear, ask };
}

export function Solve(props: {
  kind: 'mistake' | 'puzzle';
  title: string;
  boardLabel: string;
  lineLabel: string;
  showLabel: string;
  progress: string;
  color: Color;
  stage: SolveStage;
  asked: string; // the position to move in, as a FEN
  legal: { dests: Dests; promotions: string[] };
  board: Shown; // while no move of the line is looked at
  shapes?: DrawShape[];
  version: number;
  line: Step[]; // the answer, once it may be seen
  boardAt: (ahead: number) => Shown;
  restAt: number; // the move of the line that `board` shows
  firstAhead?: number | null;
  hint: { hint: string | null; ask: () => void };
  nextText: string | null; // null: there is no other
  above?: ComponentChildren;
  told: ComponentChildren;
  facts: ComponentChildren;
  children?: ComponentChildren; // below the controls
  attempt: (uci: string) => void;
  again: () => void;
  show: () => void;
  next: () => void;
  remove: () => void;
}) {
  const { color, stage, line, hint } = props;
  const { reader } = useStore(settings);
  const [flipped, setFlipped] = useState(false);
  const [picked, setPicked] = useState<number | null>(null); // how far into the line the board is
  const ahead = picked ?? props.firstAhead ?? null;
  const asking = stage === 'ask';
  const done = stage === 'solved' || stage === 'shown';
  const walk = (to: number) => done && line.length > 0 && setPicked(Math.max(0, Math.min(line.length, to)));

  useKeys({
    ArrowLeft: () => walk((ahead ?? props.restAt) - 1),
    ArrowRight: () => walk((ahead ?? 0) + 1),
    f: () => setFlipped(!flipped),
    h: () => asking && hint.ask(),
    u: () => stage === 'wrong' && props.again(),
    n: () => done && props.nextText && props.next(),
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const board = ahead === null || !done ? props.board : props.boardAt(ahead);
  const hinted: DrawShape[] = asking && hint.hint ? [{ orig: hint.hint as Key, brush: 'best' }] : [];
  return (
    <div class={`stage train ${props.kind}`}>
      <div class="table">
        <div class="review-head">
          <h1>{props.title}</h1>
          <span>{toMoveText(color)}</span>
          <span class="progress-text">{props.progress}</span>
        </div>
        <Board
          label={`${props.boardLabel}, ${toMoveText(color)}`}
          fen={board.fen}
          orientation={flipped ? other(color) : color}
          turn={asking ? color : turnOf(board.fen)}
          movable={asking ? color : null}
          dests={asking ? props.legal.dests : {}}
          promotions={props.legal.promotions}
          last={board.last}
          check={inCheck(board.fen)}
          shapes={ahead === null ? [...hinted, ...(props.shapes ?? [])] : []}
          version={props.version}
          onMove={props.attempt}
        />
      </div>
      <aside class="panel">
        {props.above}
        <section class={`status exercise ${stage === 'reply' ? 'ask' : stage}`} aria-live="polite">
          {props.told}
          {stage === 'wrong' && (
            <div class="buttons">
              <button type="button" class="primary" onClick={props.again}>
                <Icon name="undo" /> {t('solve.again')}
              </button>
            </div>
          )}
          {done && line.length > 0 && (
            <LineSteps label={props.lineLabel} fen={props.boardAt(0).fen} line={line} ahead={ahead} pick={(to) => setPicked(to === ahead ? null : to)} />
          )}
        </section>
        {asking && (
          <TypedMove
            fen={props.asked}
            turn={color}
            dests={props.legal.dests}
            promotions={props.legal.promotions}
            enabled
            onMove={props.attempt}
          />
        )}
        <div class="controls" role="group" aria-label={props.boardLabel}>
          {!done && (
            <>
              <IconButton icon="hint" label={t('hint')} text disabled={!asking || hint.hint !== null} onClick={hint.ask} />
              <IconButton icon="watch" label={props.showLabel} text onClick={props.show} />
            </>
          )}
          {done && props.nextText && (
            <button type="button" class="primary" onClick={props.next}>
              {props.nextText} <Icon name="next" />
            </button>
          )}
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="trash" label={t('remove')} text onClick={props.remove} />
        </div>
        {props.children}
        <p class="facts">{props.facts}</p>
        {reader && <SpokenPosition fen={board.fen} turn={turnOf(board.fen)} />}
      </aside>
    </div>
  );
}

// The moves of a line from a position, to be stepped through.
export function LineSteps(props: {
  label: string;
  fen: string;
  line: Step[];
  ahead: number | null;
  pick: (to: number) => void;
  children?: ComponentChildren;
}) {
  return (
    <div class="line" role="group" aria-label={props.label}>
      {props.children}
      {props.line.map((step, i) => (
        <button
          key={i}
          type="button"
          class="move"
          aria-current={props.ahead === i + 1 ? 'true' : undefined}
          onClick={() => props.pick(i + 1)}
        >
          {moveNumber(props.fen, i, i === 0)}
          {sanText(step.san)}
        </button>
      ))}
    </div>
  );
}
