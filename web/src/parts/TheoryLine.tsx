// Where a game left theory, and what theory plays there.
import { useEffect, useState } from 'preact/hooks';
import { plural } from '../lib/format';
import { ask } from '../lib/net';
import type { Game } from '../lib/protocol';
import type { LeftTheory } from '../lib/protocol-study';
import { numberAt } from './MoveList';

export function TheoryLine({ game }: { game: Game }) {
  const [left, setLeft] = useState<LeftTheory | null>(null);
  useEffect(() => {
    // A game from another start position has no theory: then nothing is said about it.
    ask('explorer.left', { game: game.id }).then(setLeft, () => undefined);
  }, [game.id]);
  if (!left || left.known === 0) return null;
  const moves = game.moves.slice(0, left.known).map((move) => move.uci);
  const link = `#/openings?moves=${moves.join(',')}`;
  if (left.ply === null) return <p class="theory">The whole game is theory. <a href={link}>Openings</a></p>;
  const at = numberAt(game.start_fen, left.ply - 1);
  const played = left.book.slice(0, 2).map((move) => `${move.san} (${Math.round(move.share)} %)`);
  return (
    <p class="theory">
      Left theory with {at.number}
      {at.black ? '…' : '.'} {game.moves[left.ply - 1]?.san}
      {played.length ? `; theory plays ${played.join(' or ')}` : ''}
      {left.before > 1 ? `. ${plural(left.before, 'game')} of yours had this position` : ''}. <a href={link}>Openings</a>
    </p>
  );
}
