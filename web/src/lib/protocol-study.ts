// Puzzles, the opening explorer and drills: the part of docs/dev/service.md that is about studying.
import type { Color, Dests, GameKind, LastMove, Opening, Played, Step, Variant } from './protocol';

export interface Puzzle {
  id: number;
  game: number;
  ply: number;
  fen: string;
  color: Color;
  variant: Variant;
  last: LastMove | null;
  dests: Dests;
  promotions: string[];
  length: number;
  rating: number;
  deviation: number;
  attempts: number;
  result: 'solved' | 'failed' | null;
}

export interface PuzzleState {
  rating: number;
  deviation: number;
  total: number;
  unseen: number;
  today: { done: number; solved: number; goal: number };
  streak: number;
  job: { done: number; total: number } | null;
}

export interface Theme {
  name: string;
  title: string;
}

export interface ThemeCount extends Theme {
  total: number;
  solved: number;
}

export interface Solution {
  line: Played[];
  themes: Theme[];
}

export interface PuzzleTry {
  verdict: 'right' | 'solved' | 'wrong';
  san: string;
  fen: string;
  reply?: Played;
  dests?: Dests;
  promotions?: string[];
  state: PuzzleState;
  solution?: Solution;
}

export type BookMove = Step & { share: number };

export interface ExplorerMove extends Step {
  games: number;
  white: number;
  draws: number;
  black: number;
  score: number | null;
  last: number;
  name: string | null;
}

export interface Explorer {
  opening: Opening | null;
  book: BookMove[];
  games: number;
  moves: ExplorerMove[];
  recent: number[];
}

export interface LeftTheory {
  known: number;
  ply: number | null;
  color?: Color;
  san?: string;
  book: BookMove[];
  before: number;
}

export interface DrillLine {
  id: number;
  name: string;
  color: Color;
  moves: Played[];
  due: number;
  box: number;
  solved: number;
  failed: number;
}

export interface StudyQuestions {
  'puzzles.state': { ask: object; data: { state: PuzzleState; themes: ThemeCount[] } };
  'puzzles.next': { ask: { theme?: string; not?: number }; data: { puzzle: Puzzle | null; state: PuzzleState } };
  'puzzles.get': { ask: { puzzle: number }; data: { puzzle: Puzzle } };
  'puzzles.try': { ask: { puzzle: number; moves: string[] }; data: PuzzleTry };
  'puzzles.hint': { ask: { puzzle: number; moves: string[] }; data: { from: string; state: PuzzleState } };
  'puzzles.show': { ask: { puzzle: number }; data: Solution & { state: PuzzleState } };
  'puzzles.make': { ask: { games?: number[] }; data: { state: PuzzleState } };
  'puzzles.drop': { ask: { puzzle: number }; data: object };
  explorer: {
    ask: { fen?: string; chess960?: boolean; moves?: string[]; color?: Color; kind?: GameKind };
    data: Explorer;
  };
  'explorer.left': { ask: { game: number }; data: LeftTheory };
  'drill.list': { ask: object; data: { lines: DrillLine[]; due: number } };
  'drill.add': { ask: { color: Color; moves: string[]; name?: string }; data: { line: DrillLine } };
  'drill.done': { ask: { line: number; errors: number }; data: { line: DrillLine } };
  'drill.remove': { ask: { line: number }; data: object };
}

export interface StudyEvents {
  puzzles: { state: PuzzleState };
}
