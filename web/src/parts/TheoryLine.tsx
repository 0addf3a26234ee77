// Where a game left theory, and what theory plays there.
import { useEffect, useState } from 'preact/hooks';
import { percentText, sanText } from '../lib/format';
import { ask } from '../lib/net';
import type { Game } from '../lib/protocol';
import type { LeftTheory } from '../lib/protocol-study';
import { t } from '../lib/text';
import { moveNumberText } from './MoveList';

export function TheoryLine({ game }: { game: Game }) {
  const [left, setLeft] = useState<LeftTheory | null>(null);
  useEffect(() => {
    // A game from another start position has no theory: then nothing is said about it.
    ask('explorer.left', { game: game.id }).then(setLeft, () => undefined);
  }, [game.id]);
  if (!left || left.known === 0) return null;
  const moves = game.moves.slice(0, left.known).map((move) => move.uci);
  return (
    <p class="theory">
      {theoryText(game, left)} <a href={`#/openings?moves=${moves.join(',')}`}>{t('nav.openings')}</a>
    </p>
  );
}

function theoryText(game: Game, left: LeftTheory): string {
  if (left.ply === null) return t('theory.whole');
  const move = `${moveNumberText(game.start_fen, left.ply - 1)} ${sanText(game.moves[left.ply - 1]?.san ?? '')}`;
  const played = left.book.slice(0, 2).map((one) => `${sanText(one.san)} (${percentText(one.share)})`);
  const sentences = [
    played.length ? t('theory.leftFor', { move, moves: played.join(` ${t('or')} `) }) : t('theory.left', { move }),
    left.before > 1 ? t('theory.before', { n: left.before }) : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
