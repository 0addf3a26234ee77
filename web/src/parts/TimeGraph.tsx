// The time of each move as a bar: White's upward, Black's downward. A click chooses a move.
import { useRef } from 'preact/hooks';
import { turnOf } from '../lib/chess';
import { sanText } from '../lib/format';
import type { Game } from '../lib/protocol';
import { t } from '../lib/text';
import { spentText } from '../lib/times';

const WIDTH = 600;
const HEIGHT = 140;

export function TimeGraph(props: { game: Game; times: (number | null)[]; current: number; onPick: (ply: number) => void }) {
  const { game, times, current } = props;
  const box = useRef<SVGSVGElement>(null);
  const longest = Math.max(1, ...times.map((time) => time ?? 0));
  const width = WIDTH / Math.max(1, times.length);
  const firstBlack = turnOf(game.start_fen) === 'black' ? 1 : 0;
  const total = (black: number) =>
    times.reduce<number>((sum, time, i) => sum + ((i + firstBlack) % 2 === black ? (time ?? 0) : 0), 0);
  const pickAt = (event: MouseEvent) => {
    const frame = box.current!.getBoundingClientRect();
    props.onPick(Math.min(times.length, Math.floor(((event.clientX - frame.left) / frame.width) * times.length) + 1));
  };
  const now = times[current - 1];
  return (
    <div class="graph times" role="img" aria-label={t('times.label', { white: spentText(total(0)), black: spentText(total(1)) })}>
      <svg ref={box} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" onClick={pickAt} aria-hidden="true">
        <rect class="times-back" width={WIDTH} height={HEIGHT} />
        {times.map((time, i) => {
          const height = ((time ?? 0) / longest) * (HEIGHT / 2 - 2);
          const black = (i + firstBlack) % 2 === 1;
          return (
            <rect
              key={i}
              class={`${black ? 'times-black' : 'times-white'}${current === i + 1 ? ' now' : ''}`}
              x={i * width}
              y={black ? HEIGHT / 2 : HEIGHT / 2 - height}
              width={Math.max(1, width - 1)}
              height={height}
            />
          );
        })}
        <line class="graph-middle" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      </svg>
      <span class="times-now">
        {now !== null && now !== undefined ? `${sanText(game.moves[current - 1]!.san)}: ${spentText(now)}` : ''} ({t('times.longest', { time: spentText(longest) })})
      </span>
    </div>
  );
}
