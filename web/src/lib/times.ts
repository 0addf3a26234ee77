// How long each move of a game took, in milliseconds; null where nobody knows.
import { turnOf } from './chess';
import type { Color, Game, GameClock } from './protocol';
import { numberText } from './text';

// Games that were played here know it; imported ones have what was left on the clocks.
export function moveTimes(game: Game): (number | null)[] {
  const increment = game.clock?.increment ?? 0;
  return game.moves.map((move, i) => {
    if (move.spent > 0) return move.spent;
    const before = game.moves[i - 2]?.clock ?? null;
    if (game.kind !== 'import' || move.clock === null || before === null) return null;
    return Math.max(0, before + increment - move.clock);
  });
}

// The clocks after `ply` half moves. Null: none, or an imported game that does not say what was left on them.
export function clocksAt(game: Game, ply: number): GameClock | null {
  const { clock, moves } = game;
  if (!clock || (game.kind !== 'import' && ply === moves.length)) return clock;
  if (moves.every((move) => move.clock === null)) return null;
  const first = turnOf(game.start_fen) === 'white' ? 0 : 1;
  const left = (color: Color): number => {
    const own = moves.slice(0, ply).filter((_, i) => (i + first) % 2 === (color === 'white' ? 0 : 1));
    return own.reduce((before, move) => move.clock ?? before, clock.initial);
  };
  return { ...clock, white: left('white'), black: left('black'), running: null };
}

export const hasTimes = (times: (number | null)[]): boolean => times.some((time) => time !== null && time > 0);

// 0.4 s, 12 s, 3:05.
export function spentText(ms: number): string {
  if (ms < 10_000) return `${numberText(ms / 1000, 1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
