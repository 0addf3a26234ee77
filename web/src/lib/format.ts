// Numbers and dates as people read them.
import type { Player, Score, TimeControl } from './protocol';

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
  if (!clock) return 'No clock';
  const minutes = clock.initial / 60_000;
  const shown = Number.isInteger(minutes) ? String(minutes) : minutes.toFixed(1);
  return `${shown} + ${clock.increment / 1000}`;
}

// A win that the tables know is 20000 less the moves to it; evaluations are cut off at 15000.
const TABLES_CP = 19000;

export function scoreText(score: Score): string {
  if (score.mate !== undefined) return score.mate === 0 ? 'mate' : `#${score.mate}`;
  if (Math.abs(score.cp) >= TABLES_CP) return score.cp > 0 ? '+TB' : '−TB';
  const pawns = score.cp / 100;
  return (pawns > 0 ? '+' : pawns < 0 ? '−' : '') + Math.abs(pawns).toFixed(2);
}

export function scoreWords(score: Score): string {
  if (score.mate !== undefined) {
    if (score.mate === 0) return 'checkmate';
    return `${score.mate > 0 ? 'White' : 'Black'} mates in ${Math.abs(score.mate)}`;
  }
  if (Math.abs(score.cp) >= TABLES_CP) return `${score.cp > 0 ? 'White' : 'Black'} wins (tablebase)`;
  const pawns = Math.abs(score.cp / 100).toFixed(1);
  if (Math.abs(score.cp) < 20) return 'equal';
  return `${score.cp > 0 ? 'White' : 'Black'} is better by ${pawns}`;
}

// Chances of White in percent, for a bar; the graph has the server's own.
export function chances(score: Score): number {
  if (score.mate !== undefined) return score.mate > 0 ? 100 : score.mate < 0 ? 0 : 50;
  return 100 / (1 + Math.exp(-score.cp / 250));
}

export const ratingText = (player: Player): string =>
  player.games === 0 ? 'new' : `${Math.round(player.rating)}${player.deviation > 110 ? '?' : ''}`;

export function countText(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(0)} k`;
  return String(count);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

// A remark as a sentence, whatever it began and ended with.
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const MONTH = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short' });
export const dayText = (at: number): string => DAY.format(at);
export const momentText = (at: number): string => MINUTE.format(at);

// When a game was played: imported ones have a PGN date, of which parts may be unknown ("2024.05.??").
export function playedText(game: { date?: string; created: number }): string {
  const known = /^(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?/.exec(game.date ?? '');
  if (!known) return game.date ? 'Date unknown' : momentText(game.created);
  const [, year, month, day] = known;
  if (!month) return year!;
  const at = new Date(Number(year), Number(month) - 1, Number(day ?? 1));
  return day ? dayText(at.getTime()) : MONTH.format(at);
}

export function untilText(at: number): string {
  const hours = (at - Date.now()) / 3_600_000;
  if (hours < 1) return 'within the hour';
  if (hours < 24) return `in ${plural(Math.round(hours), 'hour')}`;
  return `in ${plural(Math.round(hours / 24), 'day')}`;
}
