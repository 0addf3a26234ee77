// A review as one HTML file that needs nothing else: to send to somebody, or to print.
import { scoreText, sentence } from './format';
import { positionPicture } from './picture';
import type { Color, Game, JudgedMove, ReviewResult } from './protocol';
import { squaresOf } from './chess';

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter]!);

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fdfbf5}
h1,h2{font-family:Georgia,serif}table{border-collapse:collapse;width:100%}th,td{padding:.3rem .5rem;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right}section{display:flex;gap:1rem;margin:1.5rem 0;break-inside:avoid}section img{width:14rem;height:14rem}
.blunder{color:#a3241c}.mistake{color:#b4571a}.inaccuracy{color:#8a6a10}svg{width:100%;height:8rem;background:#4b5157}
@media(max-width:40rem){section{flex-direction:column}}`;

const isFault = (move: JudgedMove): boolean => ['inaccuracy', 'mistake', 'blunder'].includes(move.label ?? '');

async function asDataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:${blob.type};base64,${btoa(text)}`;
}

function graph(result: ReviewResult): string {
  const wins = [result.start.win, ...result.moves.map((move) => move.win)];
  const points = wins.map((win, i) => `${((i / Math.max(1, wins.length - 1)) * 600).toFixed(1)},${(100 - win).toFixed(1)}`);
  return `<svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label="White's winning chances"><polygon fill="#f4eedd" points="0,100 ${points.join(' ')} 600,100"/></svg>`;
}

function summary(game: Game, result: ReviewResult): string {
  const row = (color: Color) => {
    const counts = result.counts[color];
    return `<tr><td>${escapeHtml(game[color].title)}</td><td class="n">${result.accuracy[color].toFixed(0)} %</td><td class="n">${counts.inaccuracy}</td><td class="n">${counts.mistake}</td><td class="n">${counts.blunder}</td></tr>`;
  };
  return `<table><tr><th></th><th>Accuracy</th><th>Inaccuracies</th><th>Mistakes</th><th>Blunders</th></tr>${row('white')}${row('black')}</table>`;
}

async function faultSection(game: Game, judged: JudgedMove, number: string): Promise<string> {
  const move = game.moves[judged.ply - 1]!;
  const before = game.moves[judged.ply - 2]?.fen ?? game.start_fen;
  const picture = await positionPicture({ fen: move.fen, last: squaresOf(move.uci, before) }, game.you ?? 'white', 320);
  const better = judged.best
    ? `<p>Better: ${escapeHtml(judged.best.line.slice(0, 8).map((step) => step.san).join(' '))}${judged.best.score ? ` (${scoreText(judged.best.score)})` : ''}</p>`
    : '';
  return `<section><img alt="" src="${await asDataUrl(picture)}"><div><h2 class="${judged.label}">${number} ${escapeHtml(move.san)}: ${judged.label}</h2>${judged.reason ? `<p>${escapeHtml(sentence(judged.reason))}</p>` : ''}${better}</div></section>`;
}

export async function reviewReport(game: Game, result: ReviewResult, numberOf: (ply: number) => string, pgn: string): Promise<string> {
  const title = `${game.white.title} – ${game.black.title}`;
  const faults = [];
  for (const judged of result.moves.filter(isFault)) faults.push(await faultSection(game, judged, numberOf(judged.ply)));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(title)} <small>${escapeHtml(game.result?.score ?? '*')}</small></h1>
<p>${escapeHtml(result.opening ? `${result.opening.eco} ${result.opening.name}` : '')}</p>
${summary(game, result)}${graph(result)}
${faults.join('\n') || '<p>No inaccuracies, mistakes or blunders.</p>'}
<h2>Moves</h2><pre style="white-space:pre-wrap">${escapeHtml(pgn)}</pre></html>
`;
}
