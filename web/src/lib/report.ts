// A review as one HTML file that needs nothing else: to send to somebody, or to print.
import { percentText, sanText, scoreSign, scoreText, sideTitle, versusText } from './format';
import { positionPicture } from './picture';
import type { Color, Game, JudgedMove, Label, ReviewResult } from './protocol';
import { squaresOf } from './chess';
import { reasonText } from './reason';
import { language, t } from './text';

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
  return `<svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(t('graph.chances'))}"><polygon fill="#f4eedd" points="0,100 ${points.join(' ')} 600,100"/></svg>`;
}

function summary(game: Game, result: ReviewResult): string {
  const row = (color: Color) => {
    const counts = result.counts[color];
    return `<tr><td>${escapeHtml(sideTitle(game[color]))}</td><td class="n">${percentText(result.accuracy[color])}</td><td class="n">${counts.inaccuracy}</td><td class="n">${counts.mistake}</td><td class="n">${counts.blunder}</td></tr>`;
  };
  const heads = [t('review.accuracy'), t('review.inaccuracies'), t('review.mistakes'), t('review.blunders')];
  return `<table><tr><th></th>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${row('white')}${row('black')}</table>`;
}

async function faultSection(game: Game, judged: JudgedMove, number: string): Promise<string> {
  const move = game.moves[judged.ply - 1]!;
  const before = game.moves[judged.ply - 2]?.fen ?? game.start_fen;
  const picture = await positionPicture({ fen: move.fen, last: squaresOf(move.uci, before) }, game.you ?? 'white', 320);
  const better = judged.best
    ? `<p>${t('report.better')} ${escapeHtml(judged.best.line.slice(0, 8).map((step) => sanText(step.san)).join(' '))}${judged.best.score ? ` (${scoreText(judged.best.score)})` : ''}</p>`
    : '';
  const reason = reasonText(judged);
  return `<section><img alt="" src="${await asDataUrl(picture)}"><div><h2 class="${judged.label}">${number} ${escapeHtml(sanText(move.san))}: ${t(`label.${judged.label as Label}`)}</h2>${reason ? `<p>${escapeHtml(reason)}</p>` : ''}${better}</div></section>`;
}

export async function reviewReport(game: Game, result: ReviewResult, numberOf: (ply: number) => string, pgn: string): Promise<string> {
  const title = versusText(game);
  const faults = [];
  for (const judged of result.moves.filter(isFault)) faults.push(await faultSection(game, judged, numberOf(judged.ply)));
  return `<!doctype html><html lang="${language.get()}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(title)} <small>${game.result ? scoreSign(game.result) : '*'}</small></h1>
<p>${escapeHtml(result.opening ? `${result.opening.eco} ${result.opening.name}` : '')}</p>
${summary(game, result)}${graph(result)}
${faults.join('\n') || `<p>${t('report.none')}</p>`}
<h2>${t('moves')}</h2><pre style="white-space:pre-wrap">${escapeHtml(pgn)}</pre></html>
`;
}
