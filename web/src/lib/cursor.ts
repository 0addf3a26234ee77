// A square that the arrow keys move around a board.
import { useState } from 'preact/hooks';

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const nameOf = ([file, rank]: [number, number]): string => 'abcdefgh'[file]! + String(rank + 1);
const onBoard = (at: number): number => Math.min(7, Math.max(0, at));

export interface Cursor {
  square: string;
  style: { transform: string }; // of an element as large as a square
  press: (key: string) => string | null; // the square that the key leads to; null: it is no arrow
}

// `black`: Black is at the bottom.
export function useCursor(first: [number, number], black: boolean): Cursor {
  const [at, setAt] = useState(first);
  const column = black ? 7 - at[0] : at[0];
  const row = black ? at[1] : 7 - at[1];
  return {
    square: nameOf(at),
    style: { transform: `translate(${column * 100}%, ${row * 100}%)` },
    press: (key) => {
      const way = WAYS[key];
      if (!way) return null;
      const turned = black ? -1 : 1;
      const next: [number, number] = [onBoard(at[0] + way[0] * turned), onBoard(at[1] + way[1] * turned)];
      setAt(next);
      return nameOf(next);
    },
  };
}
