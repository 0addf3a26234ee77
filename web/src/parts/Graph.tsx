// Graphs drawn as SVG: the evaluation of a game, and a rating over time.
import { useRef } from 'preact/hooks';
import type { JudgedMove, Label } from '../lib/protocol';
import { t } from '../lib/text';
import { GLYPHS, labelText } from './MoveList';

const WIDTH = 600;
const HEIGHT = 140;

const MARKED: Label[] = ['inaccuracy', 'mistake', 'blunder'];

// White's winning chances after each move; inaccuracies, of which there are many, are dots without a sign. A click or the arrow keys choose a move.
export function EvaluationGraph(props: {
  start: number;
  moves: JudgedMove[];
  current: number;
  onPick: (ply: number) => void;
}) {
  const { moves, current } = props;
  const box = useRef<SVGSVGElement>(null);
  const last = Math.max(1, moves.length);
  const x = (ply: number) => (ply / last) * WIDTH;
  const y = (win: number) => HEIGHT - (Math.max(0, Math.min(100, win)) / 100) * HEIGHT;
  const wins = [props.start, ...moves.map((move) => move.win)];
  const line = wins.map((win, ply) => `${ply ? 'L' : 'M'}${x(ply).toFixed(1)} ${y(win).toFixed(1)}`).join('');
  const area = `${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`;
  const pickAt = (event: MouseEvent) => {
    const frame = box.current!.getBoundingClientRect();
    props.onPick(Math.round(((event.clientX - frame.left) / frame.width) * last));
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: moves.length,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    props.onPick(Math.max(0, Math.min(moves.length, to)));
  };
  const label = moves[current - 1]?.label;
  return (
    <div
      class="graph"
      role="slider"
      tabIndex={0}
      aria-label={t('graph.label')}
      aria-valuemin={0}
      aria-valuemax={moves.length}
      aria-valuenow={current}
      aria-valuetext={t('graph.value', { ply: current, percent: Math.round(wins[current] ?? 50) }) + (label ? `, ${labelText(label)}` : '')}
      onKeyDown={onKey}
    >
      <svg ref={box} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" onClick={pickAt} aria-hidden="true">
        <rect class="graph-black" width={WIDTH} height={HEIGHT} />
        <path class="graph-white" d={area} />
        <line class="graph-middle" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <path class="graph-line" d={line} />
        <line class="graph-now" x1={x(current)} x2={x(current)} y1={0} y2={HEIGHT} />
      </svg>
      <div class="graph-marks" aria-hidden="true">
        {moves.map((move) =>
          move.label && MARKED.includes(move.label) ? (
            <span
              key={move.ply}
              class={`mark ${move.label}`}
              style={{ left: `${Math.max(4, Math.min(96, (move.ply / last) * 100))}%`, top: `${100 - Math.max(6, Math.min(94, move.win))}%` }}
            >
              {move.label === 'inaccuracy' ? '' : GLYPHS[move.label]}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}

export interface RatingPoint {
  at: number;
  rating: number;
  deviation: number;
}

// A rating after each game, with the band in which it lies with 95 %.
export function RatingGraph({ points }: { points: RatingPoint[] }) {
  // Drawn as large as it will be shown, or its words would shrink with it.
  const narrow = matchMedia('(max-width: 620px)').matches;
  const width = narrow ? 320 : 720;
  const height = narrow ? 200 : 260;
  const left = 46;
  const bottom = 26;
  const lows = points.map((point) => point.rating - 2 * point.deviation);
  const highs = points.map((point) => point.rating + 2 * point.deviation);
  const low = Math.floor(Math.min(...lows) / 100) * 100;
  const high = Math.ceil(Math.max(...highs) / 100) * 100;
  const x = (i: number) => left + (points.length === 1 ? 0.5 : i / (points.length - 1)) * (width - left - 8);
  const y = (rating: number) => 8 + ((high - rating) / Math.max(1, high - low)) * (height - bottom - 8);
  const path = (values: number[], order: number[]) =>
    order.map((i, at) => `${at ? 'L' : 'M'}${x(i).toFixed(1)} ${y(values[i]!).toFixed(1)}`).join('');
  const forth = points.map((_, i) => i);
  const back = [...forth].reverse();
  const band = `${path(highs, forth)}${path(lows, back).replace(/^M/, 'L')}Z`;
  const ratings = points.map((point) => point.rating);
  const step = high - low > 1200 ? 400 : high - low > 500 ? 200 : 100;
  const grid = [];
  for (let rating = Math.ceil(low / step) * step; rating <= high; rating += step) grid.push(rating);
  const latest = points[points.length - 1]!;
  const words = t('graph.rating', { n: points.length, rating: Math.round(latest.rating), error: Math.round(2 * latest.deviation) });
  return (
    <svg class="rating-graph" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      {grid.map((rating) => (
        <g key={rating}>
          <line class="grid" x1={left} x2={width} y1={y(rating)} y2={y(rating)} />
          <text class="grid-text" x={left - 8} y={y(rating) + 4} text-anchor="end">
            {rating}
          </text>
        </g>
      ))}
      <path class="band" d={band} />
      <path class="line" d={path(ratings, forth)} />
      {points.length <= 60 && ratings.map((rating, i) => <circle key={i} class="dot" cx={x(i)} cy={y(rating)} r={3} />)}
      <text class="grid-text" x={left} y={height - 6}>
        {t('graph.first')}
      </text>
      <text class="grid-text" x={width - 4} y={height - 6} text-anchor="end">
        {t('graph.latest')}
      </text>
    </svg>
  );
}
