// Signs and a comment for the current move.
import { sanText } from '../lib/format';
import { t } from '../lib/text';
import type { Node } from '../lib/tree';
import { NAG_SIGNS } from './TreeView';

const QUALITY = [1, 2, 3, 4, 5, 6] as const; // one of them at a time
const POSITION = [10, 13, 14, 15, 16, 17, 18, 19] as const;
type Nag = (typeof QUALITY | typeof POSITION)[number];

export function Annotate({ node, change }: { node: Node; change: (part: Partial<Pick<Node, 'comment' | 'nags'>>) => void }) {
  const nags = node.nags ?? [];
  const toggle = (nag: Nag, group: readonly number[]) => {
    const others = nags.filter((one) => !group.includes(one));
    change({ nags: nags.includes(nag) ? others : [...others, nag] });
  };
  const row = (group: readonly Nag[], label: string) => (
    <div class="nags" role="group" aria-label={label}>
      {group.map((nag) => (
        <button
          key={nag}
          type="button"
          class="plain small"
          aria-pressed={nags.includes(nag)}
          aria-label={t(`nag.${nag}`)}
          title={t(`nag.${nag}`)}
          onClick={() => toggle(nag, group)}
        >
          {NAG_SIGNS[nag]!.trim()}
        </button>
      ))}
    </div>
  );
  const about = node.move ? t('comment.on', { move: sanText(node.move.san) }) : t('comment.start');
  return (
    <details class="annotate" open={Boolean(node.comment || nags.length)}>
      <summary>{about}</summary>
      {node.move && row(QUALITY, t('nag.quality'))}
      {node.move && row(POSITION, t('nag.position'))}
      <textarea
        key={node.id}
        rows={2}
        aria-label={about}
        value={node.comment ?? ''}
        onChange={(event) => change({ comment: event.currentTarget.value.trim() })}
      />
    </details>
  );
}
