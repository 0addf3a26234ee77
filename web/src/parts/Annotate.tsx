// Signs and a comment for the current move.
import type { Node } from '../lib/tree';
import { NAG_SIGNS } from './TreeView';

const QUALITY = [1, 2, 3, 4, 5, 6]; // one of them at a time
const POSITION = [10, 13, 14, 15, 16, 17, 18, 19];
const NAMES: Record<number, string> = {
  1: 'Good move',
  2: 'Mistake',
  3: 'Brilliant move',
  4: 'Blunder',
  5: 'Interesting move',
  6: 'Dubious move',
  10: 'Equal position',
  13: 'Unclear position',
  14: 'White is slightly better',
  15: 'Black is slightly better',
  16: 'White is better',
  17: 'Black is better',
  18: 'White is winning',
  19: 'Black is winning',
};

export function Annotate({ node, change }: { node: Node; change: (part: Partial<Pick<Node, 'comment' | 'nags'>>) => void }) {
  const nags = node.nags ?? [];
  const toggle = (nag: number, group: number[]) => {
    const others = nags.filter((one) => !group.includes(one));
    change({ nags: nags.includes(nag) ? others : [...others, nag] });
  };
  const row = (group: number[], label: string) => (
    <div class="nags" role="group" aria-label={label}>
      {group.map((nag) => (
        <button
          key={nag}
          type="button"
          class="plain small"
          aria-pressed={nags.includes(nag)}
          aria-label={NAMES[nag]}
          title={NAMES[nag]}
          onClick={() => toggle(nag, group)}
        >
          {NAG_SIGNS[nag]!.trim()}
        </button>
      ))}
    </div>
  );
  const about = node.move ? node.move.san : 'the start position';
  return (
    <details class="annotate" open={Boolean(node.comment || nags.length)}>
      <summary>Comment on {about}</summary>
      {node.move && row(QUALITY, 'Quality of the move')}
      {node.move && row(POSITION, 'Evaluation of the position')}
      <textarea
        key={node.id}
        rows={2}
        aria-label={`Comment on ${about}`}
        value={node.comment ?? ''}
        onChange={(event) => change({ comment: event.currentTarget.value.trim() })}
      />
    </details>
  );
}
