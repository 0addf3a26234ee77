// White's share of the chances beside the board, above it on a phone.
import type { Color } from '../lib/protocol';
import { t } from '../lib/text';

export function EvaluationBar({ white, bottom }: { white: number; bottom: Color }) {
  return (
    <div
      class={`bar ${bottom}`}
      role="meter"
      aria-label={t('graph.chances')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(white)}
    >
      <div class="bar-white" style={{ '--white': (white / 100).toFixed(3) }} />
    </div>
  );
}
