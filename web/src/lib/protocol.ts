// What page and server say to each other; docs/dev/service.md is the contract, this file its types.
import type { Role } from './chess';
import type { StudyEvents, StudyQuestions } from './protocol-study';

export type Color = 'white' | 'black';
export type Dests = Record<string, string[]>;

export interface Player {
  id: number;
  name: string;
  rating: number;
  deviation: number;
  games: number;
  created: number;
}

export interface Side {
  kind: 'human' | 'program' | 'level' | 'adaptive' | 'other';
  name: string;
  title: string;
  rating: number | null;
}

export interface Opening {
  eco: string;
  name: string;
}

export interface Result {
  score: '1-0' | '0-1' | '1/2-1/2' | '*';
  winner: Color | null;
  reason: string;
  text: string;
}

export interface Played {
  uci: string;
  san: string;
  fen: string;
}

export interface GameMove extends Played {
  clock: number | null;
  spent: number;
}

export interface LastMove {
  from: string;
  to: string;
}

export interface TimeControl {
  initial: number;
  increment: number;
}

export interface GameClock extends TimeControl {
  white: number;
  black: number;
  running: Color | null;
}

export type GameKind = 'play' | 'watch' | 'import';
export type Variant = 'standard' | 'chess960';
export type ReviewState = 'none' | 'queued' | 'running' | 'done' | 'failed';

export interface Game {
  id: number;
  version: number;
  kind: GameKind;
  white: Side;
  black: Side;
  you: Color | null;
  variant: Variant;
  start_fen: string;
  fen: string;
  turn: Color;
  ply: number;
  check: boolean;
  moves: GameMove[];
  dests: Dests;
  promotions: string[];
  last: LastMove | null;
  opening: Opening | null;
  captured: { white: string; black: string };
  balance: number;
  clock: GameClock | null;
  now: number;
  thinking: boolean;
  offer: Color | null;
  claim: string | null;
  result: Result | null;
  talk: { ply: number; side: Color; text: string }[];
  rated: boolean;
  hints: number;
  takebacks: number;
  rating_change: { before: number; after: number } | null;
  paused: boolean;
  next: number | null;
  review: ReviewState;
  created: number;
  updated: number;
  date?: string; // of an imported game, as its PGN writes it
  people?: 'here' | 'invited'; // two people, at one screen or from two browsers
  seat?: Color | null; // the one that is still free
  takeback?: Color | null; // the side that asks for one
}

// The last game of a page of a list: the next page begins behind it.
export interface ListKey {
  created: number;
  id: number;
}

export interface GameSummary {
  id: number;
  kind: GameKind;
  white: Side;
  black: Side;
  you: Color | null;
  variant: Variant;
  result: Result | null;
  ply: number;
  fen: string;
  last: LastMove | null;
  opening: Opening | null;
  clock: TimeControl | null;
  rated: boolean;
  review: ReviewState;
  accuracy: { white: number; black: number } | null;
  created: number;
  updated: number;
  event?: string;
  date?: string;
}

export interface Hello {
  program: string;
  now: number;
  player: Player;
  players: Player[];
  running: GameSummary[];
  due: number;
  tablebases: boolean;
  tables?: string; // which were found, and which were refused and why
  limits: { message: number; lines: number; boards: number; threads: number; hash: number };
  warning?: string;
}

export interface OpponentSetting {
  key: string;
  kind: 'choice' | 'number' | 'files';
  words: string[]; // of a choice; of files: those that name no file
  default: string;
  accepted: string; // for people
  help: string;
  min?: number;
  max?: number;
}

export interface Opponent {
  name: string;
  title: string;
  family: string; // the name of the program that this is, or is a variant of
  year: number;
  rating: number | null;
  style: string;
  settings: OpponentSetting[];
}

export interface Opponents {
  opponents: Opponent[];
  files: string[]; // that settings may name
  levels: { min: number; max: number; step: number; like: string[] };
  adaptive: { elo: number };
}

export type OpponentChoice =
  | { kind: 'program'; name: string; settings?: Record<string, string> }
  | { kind: 'level'; elo: number }
  | { kind: 'adaptive' };

export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
export type Step = { uci: string; san: string };
export type Label = 'inaccuracy' | 'mistake' | 'blunder' | 'only' | 'book';

// A reason in parts: `text` has the names of the others in braces.
export interface Reason {
  text: string;
  piece: Role | '';
  square: string;
  moves: number;
  gone: Role[];
  got: Role[];
  line?: string;
  move?: string;
  threat?: string;
}

export interface Explained {
  reason?: string | null; // in English
  reasons?: Reason[];
}

export interface JudgedMove extends Explained {
  ply: number;
  score: Score;
  win: number;
  label: Label | null;
  loss: number;
  best?: Step & { score?: Score; line: Step[] };
  reply?: { line: Step[] };
  mistake?: number;
}

export interface ReviewResult {
  accuracy: Record<Color, number>;
  loss: Record<Color, number>;
  counts: Record<Color, { inaccuracy: number; mistake: number; blunder: number }>;
  opening: (Opening & { ply: number }) | null;
  start: { score: Score; win: number };
  moves: JudgedMove[];
}

export interface Review {
  game: number;
  state: ReviewState;
  done: number;
  total: number;
  message?: string;
  result?: ReviewResult;
}

export interface Mistake {
  id: number;
  game: number;
  ply: number;
  color: Color;
  fen: string;
  dests: Dests;
  promotions: string[];
  last: LastMove | null;
  played: Step;
  label: Label;
  opponent: string;
  at: number;
  box: number;
  due: number;
  solved: number;
  failed: number;
}

export interface TryAnswer {
  verdict: 'best' | 'good' | 'wrong';
  san: string;
  fen: string;
  loss: number;
  reply?: Played;
  mistake: Mistake;
}

export interface ShownAnswer extends Explained {
  best: Step & { line: Step[] };
  reply?: { line: Step[] } | null;
}

export interface Queue {
  due: number;
  total: number;
  next: number | null;
  mistakes: Mistake[];
}

export interface Tablebase {
  verdict: string;
  dtz: number | null;
  best: string | null;
}

export interface BoardState {
  fen: string;
  start_fen: string;
  variant: Variant;
  turn: Color;
  check: boolean;
  ply: number;
  moves: Played[];
  dests: Dests;
  promotions: string[];
  last: LastMove | null;
  opening: Opening | null;
  captured: { white: string; black: string };
  balance: number;
  end: Result | null;
  claim: string | null;
  tablebase: Tablebase | null;
}

export interface AnalysisLine {
  rank: number;
  depth: number;
  score: Score;
  wdl: [number, number, number];
  moves: Step[];
}

export interface Analysis {
  key: number;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time: number;
  running: boolean;
  lines: AnalysisLine[];
}

export interface LabRow {
  name: string;
  exact: boolean;
  nodes: number;
  time: number;
  finished: boolean;
  value: number;
  move: string;
  saving: number | null;
}

export interface Lab {
  state: 'running' | 'done';
  positions: { name: string; fen: string; depth: number; rows: LabRow[] }[];
}

export interface ReadGame {
  tags: Record<string, string>;
  variant: Variant;
  start_fen: string;
  comment?: string; // before the first move
  moves: ReadMove[];
  result: string;
}

export interface ReadMove extends Played {
  comment?: string;
  nags?: number[];
  variations?: ReadMove[][];
}

export interface Imported {
  ok?: boolean;
  imported: number;
  known: number; // were there already
  names: { name: string; games: number }[];
  skipped: number;
  errors: string[];
  games: number[];
}

export interface StatsGroup {
  name: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  last: number;
}

export interface Stats {
  openings: StatsGroup[];
  opponents: StatsGroup[];
  colors: StatsGroup[];
  clocks: StatsGroup[];
}

// How a game begins.
interface GameStart {
  clock?: TimeControl;
  chess960?: boolean;
  number?: number; // of a Chess960 position
  fen?: string;
}

// Every question and its answer.
export interface Questions extends StudyQuestions {
  hello: { ask: { player?: number }; data: Hello };
  ping: { ask: object; data: { now: number } };
  opponents: { ask: object; data: Opponents };
  'players.list': { ask: object; data: { players: Player[] } };
  'players.create': { ask: { name: string }; data: { player: Player } };
  'players.choose': { ask: { player: number }; data: { player: Player } };
  'players.rename': { ask: { player: number; name: string }; data: { player: Player } };
  'players.ratings': {
    ask: { player?: number };
    data: { points: { at: number; rating: number; deviation: number; game: number }[] };
  };
  'game.new': {
    ask: GameStart & { opponent: OpponentChoice; color: Color | 'random' };
    data: { game: Game };
  };
  'game.people': {
    ask: GameStart & { here?: boolean; name?: string; color: Color | 'random' };
    data: { game: Game };
  };
  'game.join': { ask: { game: number }; data: { game: Game } };
  'game.watch': {
    ask: GameStart & { white: OpponentChoice; black: OpponentChoice; pace?: number };
    data: { game: Game };
  };
  'game.open': { ask: { game: number }; data: { game: Game } };
  'game.close': { ask: { game: number }; data: object };
  'game.move': { ask: { game: number; ply: number; uci: string }; data: { game: Game } };
  'game.takeback': { ask: { game: number }; data: { game: Game } };
  'game.hint': {
    ask: { game: number; stage: 1 | 2 };
    data: { from: string; ply: number; uci?: string; san?: string };
  };
  'game.resign': { ask: { game: number }; data: { game: Game } };
  'game.draw': { ask: { game: number }; data: { game: Game } };
  'game.decline': { ask: { game: number }; data: { game: Game } };
  'game.rematch': { ask: { game: number }; data: { game: Game } };
  'game.delete': { ask: { game: number }; data: object };
  'watch.pause': { ask: { game: number }; data: { game: Game } };
  'watch.resume': { ask: { game: number }; data: { game: Game } };
  'games.list': {
    ask: {
      player?: number;
      search?: string;
      kind?: GameKind;
      result?: 'won' | 'lost' | 'drawn' | 'running';
      color?: Color;
      reviewed?: boolean;
      since?: number;
      until?: number;
      after?: ListKey;
      limit?: number;
    };
    data: { total?: number; games: GameSummary[]; next: ListKey | null };
  };
  'games.delete': { ask: { games: number[] }; data: { deleted: number } };
  'games.stats': { ask: object; data: Stats };
  'games.claim': { ask: { name: string }; data: { games: number } };
  'players.delete': { ask: { player: number }; data: object };
  'pgn.get': { ask: { game: number }; data: { pgn: string } };
  'pgn.read': { ask: { pgn: string }; data: { games: ReadGame[]; errors: string[] } };
  'pgn.import': { ask: { pgn: string }; data: Imported };
  'review.start': {
    ask: { game: number; effort?: 'quick' | 'normal' | 'deep' };
    data: { review: Review };
  };
  'review.get': { ask: { game: number }; data: { review: Review } };
  'review.cancel': { ask: { game: number }; data: object };
  'train.queue': { ask: { limit?: number }; data: Queue };
  'train.get': { ask: { mistake: number }; data: { mistake: Mistake } };
  'train.try': { ask: { mistake: number; uci: string }; data: TryAnswer };
  'train.hint': { ask: { mistake: number }; data: { from: string } };
  'train.show': { ask: { mistake: number }; data: ShownAnswer };
  'train.drop': { ask: { mistake: number }; data: object };
  position: {
    ask: { fen?: string; chess960?: boolean; moves?: string[] };
    data: { board: BoardState };
  };
  'analysis.start': {
    ask: { fen?: string; chess960?: boolean; moves?: string[]; lines?: number; threads?: number; hash?: number };
    data: { board: BoardState; key: number };
  };
  'analysis.stop': { ask: object; data: object };
  lab: { ask: object; data: Lab };
}

export interface Events extends StudyEvents {
  game: Game;
  review: Review;
  analysis: Analysis;
  lab: Lab;
}
