// The moves of a game, two a row, the current one marked.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { turnOf } from '../lib/chess';
import { sanText } from '../lib/format';
import type { Label } from '../lib/protocol';
import { sayMove } from '../lib/speech';
import { t } from '../lib/text';
import { spentText } from '../lib/times';
import { IconButton } from './common';

export const GLYPHS: Record<Label, string> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
  only: '□',
  book: '',
};

export const labelText = (label: Label): string => t(`label.${label}`);

// The number that stands before a move: of the move after `ply` half moves from the start.
export function numberAt(startFen: string, ply: number): { number: number; black: boolean } {
  const first = Number(startFen.split(' ')[5]) || 1;
  const half = ply + (turnOf(startFen) === 'black' ? 1 : 0);
  return { number: first + Math.floor(half / 2), black: half % 2 === 1 };
}

function moveLabel(san: string, number: number, label?: Label | null, spent?: number | null): string {
  const words = [`${sanText(san)}${label ? GLYPHS[label] : ''}, ${t('moveNumber', { number })}: ${sayMove(san)}`];
  if (label) words.push(labelText(label));
  if (spent != null) words.push(spentText(spent));
  return words.join(', ');
}

// "12." before a move of White, "12…" before one of Black.
export function moveNumberText(startFen: string, ply: number): string {
  const at = numberAt(startFen, ply);
  return `${at.number}${at.black ? '…' : '.'}`;
}

export function MoveList(props: {
  moves: { san: string }[];
  startFen: string;
  current: number;
  labels?: (Label | null)[];
  times?: (number | null)[]; // milliseconds
  onPick: (ply: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const showCurrent = () => {
    const list = box.current;
    if (!list) return;
    const mark = list.querySelector<HTMLElement>('[aria-current]');
    // Only the list scrolls, never the page.
    if (!mark) list.scrollTo({ top: 0, left: 0 });
    else {
      list.scrollTo({
        top: mark.offsetTop - list.clientHeight / 2,
        left: mark.offsetLeft - list.clientWidth / 2,
      });
    }
  };
  useEffect(showCurrent, [props.current, props.moves.length]);
  // What appears above the list makes it smaller, a finished review for instance.
  useEffect(() => {
    const observer = new ResizeObserver(showCurrent);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const cells: ComponentChildren[] = [];
  props.moves.forEach((move, i) => {
    const at = numberAt(props.startFen, i);
    if (!at.black || i === 0) {
      cells.push(
        <span class="number" key={`n${i}`} aria-hidden="true">
          {at.number}
        </span>,
      );
    }
    if (at.black && i === 0) {
      cells.push(
        <span class="gap" key="gap" aria-hidden="true">
          …
        </span>,
      );
    }
    const label = props.labels?.[i];
    const spent = props.times?.[i];
    cells.push(
      <button
        key={i}
        type="button"
        class={`move${label ? ` ${label}` : ''}`}
        data-spent={spent != null ? spentText(spent) : undefined}
        aria-current={props.current === i + 1 ? 'true' : undefined}
        aria-label={moveLabel(move.san, at.number, label, spent)}
        onClick={() => props.onPick(i + 1)}
      >
        {sanText(move.san)}
        {label && GLYPHS[label] && <b>{GLYPHS[label]}</b>}
      </button>,
    );
  });
  return (
    <div class="moves" ref={box} role="group" aria-label={t('moves')}>
      {cells.length ? cells : <p class="no-moves">{t('moves.none')}</p>}
    </div>
  );
}

export function Stepper(props: { current: number; last: number; onPick: (ply: number) => void }) {
  const { current, last, onPick } = props;
  return (
    <div class="stepper" role="group" aria-label={t('stepper')}>
      <IconButton icon="first" label={t('stepper.first')} disabled={current === 0} onClick={() => onPick(0)} />
      <IconButton icon="prev" label={t('stepper.prev')} disabled={current === 0} onClick={() => onPick(current - 1)} />
      <IconButton icon="next" label={t('stepper.next')} disabled={current === last} onClick={() => onPick(current + 1)} />
      <IconButton icon="last" label={t('stepper.last')} disabled={current === last} onClick={() => onPick(last)} />
    </div>
  );
}
