// How the player likes the page. Kept in the browser: it is about this screen, not about the player.
import { createStore } from './store';

export const BOARDS = ['sandstone', 'verdigris', 'slate', 'walnut', 'ink'] as const;
export const PIECES = ['keep', 'cburnett', 'letters', 'blindfold'] as const;

export interface Settings {
  language: string; // of lib/language.ts, or 'auto'
  theme: 'auto' | 'light' | 'dark';
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  sound: boolean;
  volume: number;
  animation: boolean;
  coordinates: boolean;
  dests: boolean;
  autoQueen: boolean;
  reader: boolean;
  confirmResign: boolean;
  rotate: boolean; // two people at one screen: the board turns to the side to move
  lines: number; // of the analysis
  threads: number;
  hash: number; // MB
  password: boolean; // this server has one: there is something to sign out of
  player: number | null;
}

const KEY = 'castellan.settings';

const FIRST: Settings = {
  language: 'auto',
  theme: 'auto',
  board: 'sandstone',
  pieces: 'keep',
  sound: true,
  volume: 0.6,
  animation: true,
  coordinates: true,
  dests: true,
  autoQueen: false,
  reader: false,
  confirmResign: true,
  rotate: true,
  lines: 3,
  threads: 1,
  hash: 32,
  password: false,
  player: null,
};

// What is stored may be of another version, or written by hand: only known fields of the right
// type and, where there is a choice, a choice that exists.
function load(): Settings {
  const settings: Record<string, unknown> = { ...FIRST };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    for (const [name, value] of Object.entries(stored as object)) {
      const first = settings[name];
      if (name === 'player' ? typeof value === 'number' : typeof value === typeof first) {
        settings[name] = value;
      }
    }
  } catch {
    // Private windows may have no storage; the first settings do.
  }
  const found = settings as unknown as Settings;
  if (!['auto', 'light', 'dark'].includes(found.theme)) found.theme = FIRST.theme;
  if (!BOARDS.includes(found.board)) found.board = FIRST.board;
  if (!PIECES.includes(found.pieces)) found.pieces = FIRST.pieces;
  found.volume = Math.min(1, Math.max(0, found.volume));
  return found;
}

export const settings = createStore<Settings>(load());

settings.listen((value) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // As above: then they last as long as the page.
  }
  applySettings();
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export function applySettings(): void {
  const { theme, board, pieces } = settings.get();
  const root = document.documentElement;
  root.dataset.theme = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
  root.dataset.board = board;
  root.dataset.pieces = pieces;
}

export function moveDuration(): number {
  return settings.get().animation && !calm.matches ? 180 : 0;
}

dark.addEventListener('change', applySettings);
