// The engine's view of the current position of an analysis, while it is wanted.
import { useEffect, useRef, useState } from 'preact/hooks';
import { tellError } from './announce';
import { ask, hear, link } from './net';
import type { Analysis, BoardState } from './protocol';
import { settings } from './settings';
import { pathOf, type Node, type Tree } from './tree';
import { useStore } from './use';

// The other side to move: what would it do?
export function passedFen(fen: string): string {
  const [board, turn, castling, , ...rest] = fen.split(' ');
  return [board, turn === 'w' ? 'b' : 'w', castling, '-', ...rest].join(' ');
}

export function useAnalysis(tree: Tree, node: Node, on: boolean, threat: boolean) {
  const { state } = useStore(link);
  const { lines, threads, hash } = useStore(settings);
  const [board, setBoard] = useState<BoardState | null>(null);
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const key = useRef(-1);

  useEffect(() => {
    if (state !== 'open') return;
    return hear('analysis', (next) => {
      if (next.key === key.current) setAnalysis(next);
    });
  }, [state]);

  useEffect(() => {
    if (state !== 'open') return;
    let stale = false;
    const variant = tree.chess960 ? { chess960: true } : {};
    const where = { fen: tree.startFen, ...variant, moves: pathOf(node).map((move) => move.uci) };
    const looked = threat ? { fen: passedFen(node.move?.fen ?? tree.startFen), ...variant } : where;
    key.current = -1;
    // Stepping quickly through a game sends one request, at the end.
    const timer = setTimeout(async () => {
      try {
        if (!on) {
          void ask('analysis.stop', {}).catch(() => undefined);
          const answer = await ask('position', where);
          if (!stale) setBoard(answer.board);
          return;
        }
        const answer = await ask('analysis.start', { ...looked, lines, threads, hash });
        if (stale) return;
        key.current = answer.key;
        if (!threat) setBoard(answer.board);
      } catch (why) {
        if (!stale) tellError(why);
      }
    }, 60);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [tree, node, on, threat, lines, threads, hash, state]);

  useEffect(
    () => () => {
      if (link.get().state === 'open') ask('analysis.stop', {}).catch(() => undefined);
    },
    [],
  );
  // Lines of another position must not be shown.
  useEffect(() => setAnalysis(null), [tree, node, threat]);
  return { board, analysis };
}
