// The moves of an analysis: the main line with its variations, comments and signs.
import { useEffect, useRef } from 'preact/hooks';
import { sanText } from '../lib/format';
import { t } from '../lib/text';
import type { Node, Tree } from '../lib/tree';
import { numberAt } from './MoveList';

// The NAGs that have a sign of their own; others are shown by number.
export const NAG_SIGNS: Record<number, string> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: ' =',
  13: ' ∞',
  14: ' ⩲',
  15: ' ⩱',
  16: ' ±',
  17: ' ∓',
  18: ' +−',
  19: ' −+',
};

export function moveNumber(startFen: string, ply: number, first: boolean): string {
  const at = numberAt(startFen, ply);
  return at.black ? (first ? `${at.number}… ` : '') : `${at.number}. `;
}

export function TreeView({ tree, node, onPick }: { tree: Tree; node: Node; onPick: (node: Node) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = box.current?.querySelector<HTMLElement>('[aria-current]');
    if (mark) box.current!.scrollTo({ top: mark.offsetTop - box.current!.clientHeight / 2 });
  }, [node]);
  const button = (at: Node, ply: number, first: boolean) => (
    <button
      key={at.id}
      type="button"
      class="move"
      aria-current={at === node ? 'true' : undefined}
      onClick={() => onPick(at)}
    >
      <span class="number">{moveNumber(tree.startFen, ply, first)}</span>
      {sanText(at.move!.san)}
      {(at.nags ?? []).map((nag) => NAG_SIGNS[nag] ?? ` $${nag}`).join('')}
    </button>
  );
  const comment = (at: Node) => (
    <span key={`c${at.id}`} class="tree-comment">
      {at.comment}
    </span>
  );
  const from = (parent: Node, ply: number, first: boolean): preact.ComponentChildren[] => {
    const shown: preact.ComponentChildren[] = [];
    let at: Node | undefined = parent;
    let numbered = first;
    for (; at; ply++) {
      const [main, ...others]: Node[] = at.children;
      if (!main) break;
      shown.push(button(main, ply, numbered));
      if (main.comment) shown.push(comment(main));
      for (const one of others) {
        shown.push(
          <span key={`v${one.id}`} class="variation">
            {button(one, ply, true)}
            {one.comment && comment(one)}
            {from(one, ply + 1, false)}
          </span>,
        );
      }
      numbered = others.length > 0 || Boolean(main.comment);
      at = main;
    }
    return shown;
  };
  return (
    <div class="tree" ref={box} role="group" aria-label={t('moves')}>
      {tree.root.comment && comment(tree.root)}
      {tree.root.children.length ? from(tree.root, 0, true) : <p class="no-moves">{t('tree.empty')}</p>}
    </div>
  );
}
