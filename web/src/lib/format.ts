// Numbers and dates as people read them.
import type { Color, GameKind, Player, Result, Score, Side, TimeControl } from './protocol';
import { currentLocale, fromService, numberText, t, type Key } from './text';

export const colorText = (color: Color): string => t(color === 'white' ? 'color.white' : 'color.black');
export const toMoveText = (color: Color): string => t(color === 'white' ? 'toMove.white' : 'toMove.black');

// 5:03, and tenths when they begin to matter.
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.floor(left / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

export function controlText(clock: TimeControl | null): string {
  if (!clock) return t('clock.none');
  const minutes = clock.initial / 60_000;
  const shown = numberText(minutes, Number.isInteger(minutes) ? 0 : 1);
  return `${shown}\u00a0+\u00a0${clock.increment / 1000}`; // in one piece at the end of a line
}

// A win that the tables know is 20000 less the moves to it; evaluations are cut off at 15000.
const TABLES_CP = 19000;

export function scoreText(score: Score): string {
  if (score.mate !== undefined) return score.mate === 0 ? t('score.mate') : `#${score.mate}`;
  if (Math.abs(score.cp) >= TABLES_CP) return score.cp > 0 ? '+TB' : '−TB';
  const pawns = score.cp / 100;
  return (pawns > 0 ? '+' : pawns < 0 ? '−' : '') + Math.abs(pawns).toFixed(2);
}

export function scoreWords(score: Score): string {
  if (score.mate !== undefined) {
    if (score.mate === 0) return t('score.checkmate');
    return t('score.mates', { side: side(score.mate), n: Math.abs(score.mate) });
  }
  if (Math.abs(score.cp) >= TABLES_CP) return t('score.tablebase', { side: side(score.cp) });
  if (Math.abs(score.cp) < 20) return t('score.equal');
  return t('score.better', { side: side(score.cp), pawns: numberText(Math.abs(score.cp / 100), 1) });
}

const side = (score: number): string => colorText(score > 0 ? 'white' : 'black');

// Chances of White in percent, for a bar; the graph has the server's own.
export function chances(score: Score): number {
  if (score.mate !== undefined) return score.mate > 0 ? 100 : score.mate < 0 ? 0 : 50;
  return 100 / (1 + Math.exp(-score.cp / 250));
}

export const ratingText = (player: Player): string =>
  player.games === 0 ? t('rating.new') : `${Math.round(player.rating)}${player.deviation > 110 ? '?' : ''}`;

export function countText(count: number): string {
  if (count >= 1e9) return `${numberText(count / 1e9, 1)} G`;
  if (count >= 1e6) return `${numberText(count / 1e6, 1)} M`;
  if (count >= 1e3) return `${numberText(count / 1e3)} k`;
  return numberText(count);
}

export const percentText = (share: number, digits = 0): string => `${numberText(share, digits)} %`;

// ---- What the service sends as codes or in English ----

// An opponent as the service names it: "Level 1200", "Adaptive level 900", "Kanji (book=off)", or a person.
export function titleText(title: string): string {
  const [, kind, elo = ''] = /^(Level|Adaptive level) (\d+)$/.exec(title) ?? [];
  if (kind) return t(kind === 'Level' ? 'side.level' : 'side.adaptive', { elo });
  const [name = '', changed] = title.split(/ (?=\()/);
  return changed ? `${fromService(name)} ${changed}` : fromService(name);
}

// "5 WDL and 4 DTZ tables, up to 4 pieces; 1 refused: KQvK.rtbw: ...": what was refused stays as the service says it.
export function tablesText(tables: string): { found: string; refused: string } {
  const [, wdl, dtz, pieces, rest] = /^(\d+) WDL and (\d+) DTZ tables(?:, up to (\d+) pieces)?(?:; (.*))?$/s.exec(tables) ?? [];
  if (!wdl) return { found: tables, refused: '' };
  return { found: pieces ? t('tables.found', { wdl, dtz: dtz!, pieces }) : t('tables.none'), refused: rest ?? '' };
}

// Who plays; empty while nobody has joined.
export const sideTitle = (side: Side): string =>
  side.kind === 'human' || side.kind === 'other' ? side.title : titleText(side.title);

export const versusText = (game: { white: Side; black: Side }): string =>
  `${sideTitle(game.white) || t('side.open')} – ${sideTitle(game.black) || t('side.open')}`;

const REASONS = [
  'checkmate',
  'stalemate',
  'material',
  'fivefold',
  'seventyfive',
  'threefold',
  'fifty',
  'agreement',
  'resignation',
  'time',
  'time-material',
] as const;

function outcomeText(result: Result): string {
  if (result.score === '*') return t('outcome.none');
  return result.winner === null ? t('outcome.draw') : t('outcome.wins', { side: colorText(result.winner) });
}

// An imported or a stopped game ended for no reason that is known.
export function resultText(result: Result): string {
  const known = REASONS.find((one) => one === result.reason);
  if (!known) return outcomeText(result);
  return t('outcome.by', { outcome: outcomeText(result), reason: t(`reason.${known}` satisfies Key) });
}

// A draw that can be claimed.
export const claimText = (claim: string): string =>
  t(claim.startsWith('threefold') ? 'reason.threefold' : 'reason.fifty');

export const scoreSign = (result: Result): string => result.score.replace('1/2-1/2', '½–½').replace('-', '–');

// ---- Sentences, moves and dates ----

// A remark as a sentence, whatever it began and ended with.
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

// A move or a line of moves with the letters that the page's language has for the pieces.
export const sanText = (text: string): string =>
  text.replace(/\b[KQRBN](?=[a-h1-8x])|(?<==)[QRBN]/g, (letter) => t('piece.letters').charAt('KQRBN'.indexOf(letter)));

const dateText = (at: number, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(currentLocale(), style).format(at);
export const dayText = (at: number): string => dateText(at, { dateStyle: 'medium' });
const momentText = (at: number): string => dateText(at, { dateStyle: 'medium', timeStyle: 'short' });

// When a game was played: imported ones have a PGN date, of which parts may be unknown ("2024.05.??").
export function playedText(game: { kind: GameKind; date?: string; created: number }): string {
  const known = /^(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?/.exec(game.date ?? '');
  if (!known) return game.date || game.kind === 'import' ? t('date.unknown') : momentText(game.created);
  const [, year, month, day] = known;
  if (!month) return year!;
  const at = new Date(Number(year), Number(month) - 1, Number(day ?? 1)).getTime();
  return day ? dayText(at) : dateText(at, { year: 'numeric', month: 'short' });
}

export function untilText(at: number): string {
  const hours = (at - Date.now()) / 3_600_000;
  if (hours < 1) return t('until.soon');
  if (hours < 24) return t('until.hours', { n: Math.round(hours) });
  return t('until.days', { n: Math.round(hours / 24) });
}
