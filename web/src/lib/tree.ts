// The moves of an analysis: a tree whose first children are the main line.
import type { Played, ReadMove } from './protocol';

export interface Node {
  id: number;
  move: Played | null; // null: the root
  parent: Node | null;
  children: Node[];
  comment?: string;
  nags?: number[];
}

export interface Tree {
  root: Node;
  startFen: string;
  chess960: boolean;
  tags: Record<string, string>;
  result: string;
}

let nextId = 1;

export function createTree(startFen: string, chess960 = false): Tree {
  return {
    root: { id: nextId++, move: null, parent: null, children: [] },
    startFen,
    chess960,
    tags: {},
    result: '*',
  };
}

export function addMove(node: Node, move: Played): Node {
  const known = node.children.find((child) => child.move!.uci === move.uci);
  if (known) return known;
  const child: Node = { id: nextId++, move, parent: node, children: [] };
  node.children.push(child);
  return child;
}

// A line with its variations; the node where it ends.
export function addLine(from: Node, moves: ReadMove[]): Node {
  return moves.reduce((at, { uci, san, fen, comment, nags, variations }) => {
    const next = addMove(at, { uci, san, fen });
    if (comment) next.comment = comment;
    if (nags?.length) next.nags = nags;
    for (const variation of variations ?? []) addLine(at, variation);
    return next;
  }, from);
}

// The inverse of addLine: what follows a node, with its variations.
export function lineOf(node: Node): ReadMove[] {
  const line: ReadMove[] = [];
  const entry = (at: Node): ReadMove => ({
    ...at.move!,
    ...(at.comment ? { comment: at.comment } : {}),
    ...(at.nags ? { nags: at.nags } : {}),
  });
  for (let at = node; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children;
    const variations = others.map((one) => [entry(one), ...lineOf(one)]);
    line.push({ ...entry(main!), ...(variations.length ? { variations } : {}) });
  }
  return line;
}

// How many moves a node and everything after it have.
export const sizeOf = (node: Node): number => node.children.reduce((sum, child) => sum + sizeOf(child), 1);

// Puts a removed node back where it was.
export function restoreNode(node: Node, index: number): void {
  node.parent!.children.splice(index, 0, node);
}

export function pathOf(node: Node): Played[] {
  const path: Played[] = [];
  for (let at: Node | null = node; at?.move; at = at.parent) path.unshift(at.move);
  return path;
}

export const plyOf = (node: Node): number => pathOf(node).length;

export function lastOf(node: Node): Node {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

export function removeNode(node: Node): Node {
  const parent = node.parent!;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

// Makes the line to this node the main line.
export function promoteNode(node: Node): void {
  for (let at: Node | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    parent.children = [at, ...parent.children.filter((child) => child !== at)];
  }
}

function numberText(startFen: string, ply: number, always: boolean): string {
  const parts = startFen.split(' ');
  const half = ply + (parts[1] === 'b' ? 1 : 0);
  const number = (Number(parts[5]) || 1) + Math.floor(half / 2);
  if (half % 2 === 0) return `${number}. `;
  return always ? `${number}... ` : '';
}

// A move with its NAGs and comment, as PGN writes them.
function moveText(node: Node): string {
  const nags = (node.nags ?? []).map((nag) => ` $${nag}`).join('');
  const comment = node.comment ? ` {${node.comment.replace(/[{}]/g, '')}}` : '';
  return node.move!.san + nags + comment;
}

function movesText(node: Node, startFen: string, ply: number, numbered: boolean): string {
  const [first, ...others] = node.children;
  if (!first) return '';
  let text = numberText(startFen, ply, numbered) + moveText(first);
  for (const variation of others) {
    const begin = numberText(startFen, ply, true) + moveText(variation);
    const rest = movesText(variation, startFen, ply + 1, Boolean(variation.comment));
    text += ` (${begin}${rest ? ` ${rest}` : ''})`;
  }
  const rest = movesText(first, startFen, ply + 1, others.length > 0 || Boolean(first.comment));
  return rest ? `${text} ${rest}` : text;
}

const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];
const escapeTag = (value: string): string => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"');

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + word.length + 1 > 80) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}

export function treePgn(tree: Tree, standardFen: string): string {
  const tags: Record<string, string> = { ...tree.tags, Result: tree.result };
  if (tree.chess960) tags.Variant = 'Chess960';
  if (tree.startFen !== standardFen) Object.assign(tags, { SetUp: '1', FEN: tree.startFen });
  const names = [...ROSTER, ...Object.keys(tags).filter((name) => !ROSTER.includes(name))];
  const head = names.map((name) => {
    const fallback = name === 'Date' ? '????.??.??' : '?';
    return `[${name} "${escapeTag(tags[name] ?? fallback)}"]`;
  });
  const moves = movesText(tree.root, tree.startFen, 0, true);
  return `${head.join('\n')}\n\n${wrap(`${moves} ${tree.result}`.trim())}\n`;
}
