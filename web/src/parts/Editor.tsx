// The board editor: pieces are placed by mouse, touch or keyboard.
import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Key, Piece } from 'chessground/types';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce';
import { EMPTY_FEN, pieceOn, START_FEN, type Role } from '../lib/chess';
import { ask } from '../lib/net';
import type { Color } from '../lib/protocol';
import { sayPiece, saySquare } from '../lib/speech';
import { Choice, IconButton } from './common';

const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const LETTER: Record<Role, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };

type Tool = { color: Color; role: Role } | 'move' | 'clear';

interface Rights {
  turn: Color;
  castling: string;
  passant: string;
}

function rightsOf(fen: string): Rights {
  const [, turn = 'w', castling = '-', passant = '-'] = fen.split(' ');
  return { turn: turn === 'b' ? 'black' : 'white', castling: castling === '-' ? '' : castling, passant };
}

// Why the first field of a FEN is not a board; empty when it is one.
function placementError(fen: string): string {
  const ranks = fen.split(' ')[0]!.split('/');
  if (ranks.length !== 8) return 'Invalid FEN: the board needs 8 ranks.';
  for (const rank of ranks) {
    if (!/^[1-8pnbrqkPNBRQK]+$/.test(rank)) return `Invalid FEN: unexpected character in rank '${rank}'.`;
    const files = [...rank].reduce((sum, c) => sum + (Number(c) || 1), 0);
    if (files !== 8) return `Invalid FEN: rank '${rank}' has ${files} squares.`;
  }
  return '';
}

// Squares behind a pawn that may just have advanced two squares.
function passantSquares(placement: string, turn: Color): string[] {
  const [pawnRank, squareRank, fromRank] = turn === 'white' ? [5, 6, 7] : [4, 3, 2];
  const at = (square: string) => pieceOn(`${placement} w`, square);
  return [...'abcdefgh'].flatMap((file) => {
    const pawn = at(`${file}${pawnRank}`);
    if (pawn?.role !== 'pawn' || pawn.color === turn) return [];
    return at(`${file}${squareRank}`) || at(`${file}${fromRank}`) ? [] : [`${file}${squareRank}`];
  });
}

export function Editor(props: {
  fen: string;
  onCancel: () => void;
  onDone: (fen: string, chess960: boolean) => void;
  onPlay: (fen: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [placement, setPlacement] = useState(props.fen.split(' ')[0]!);
  const [rights, setRights] = useState<Rights>(() => rightsOf(props.fen));
  const [tool, setTool] = useState<Tool>('move');
  const [flipped, setFlipped] = useState(false);
  const [why, setWhy] = useState('');
  const [chess960, setChess960] = useState(/[A-Ha-h]/.test(rightsOf(props.fen).castling));
  const latestTool = useRef(tool);
  latestTool.current = tool;

  const passant = passantSquares(placement, rights.turn).includes(rights.passant) ? rights.passant : '-';
  const fen = `${placement} ${rights.turn === 'white' ? 'w' : 'b'} ${rights.castling || '-'} ${passant} 0 1`;
  const reread = () => setPlacement(ground.current!.getFen());

  useLayoutEffect(() => {
    const api = Chessground(place.current!, {
      fen: placement,
      coordinates: true,
      autoCastle: false,
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      selectable: { enabled: true },
      drawable: { enabled: false },
      disableContextMenu: true,
      animation: { enabled: false },
      highlight: { lastMove: false },
      events: { change: reread },
    });
    ground.current = api;
    return () => api.destroy();
  }, []);
  useEffect(() => ground.current?.set({ orientation: flipped ? 'black' : 'white' }), [flipped]);
  useEffect(() => {
    const api = ground.current;
    api?.set({ movable: { color: tool === 'move' ? 'both' : undefined }, viewOnly: tool !== 'move' });
  }, [tool]);

  // The server validates the position.
  useEffect(() => {
    const timer = setTimeout(() => {
      ask('position', { fen, ...(chess960 ? { chess960: true } : {}) }).then(
        () => setWhy(''),
        (refused: Error) => setWhy(refused.message),
      );
    }, 150);
    return () => clearTimeout(timer);
  }, [fen, chess960]);

  const put = (square: string, wanted: Tool) => {
    if (wanted === 'move') return;
    const pieces = new Map<Key, Piece | undefined>();
    const there = pieceOn(`${placement} w`, square);
    const same = wanted !== 'clear' && there?.color === wanted.color && there.role === wanted.role;
    pieces.set(square as Key, wanted === 'clear' || same ? undefined : { ...wanted });
    ground.current!.setPieces(pieces);
    reread();
    announce(`${saySquare(square)}: ${wanted === 'clear' || same ? 'empty' : `${wanted.color} ${wanted.role}`}`);
  };
  // An invalid FEN is reported and leaves the board as it is.
  const setAll = (next: string) => {
    const wrong = placementError(next);
    if (wrong) {
      setWhy(wrong);
      return;
    }
    ground.current!.set({ fen: next });
    setRights(rightsOf(next));
    reread();
  };
  const paint = (event: PointerEvent) => {
    if (latestTool.current === 'move' || event.button !== 0) return;
    const key = ground.current!.getKeyAtDomPos([event.clientX, event.clientY]);
    if (key) put(key, latestTool.current);
  };
  const right = (letter: string, on: boolean) => {
    const all = [...'KQkq'].filter((one) => (one === letter ? on : rights.castling.includes(one)));
    setRights({ ...rights, castling: all.join('') });
  };

  // Dragging from the palette; a click without a drag selects the piece as a tool.
  const dragNew = (event: MouseEvent | TouchEvent, piece: { color: Color; role: Role }) => {
    ground.current!.set({ viewOnly: false });
    ground.current!.dragNewPiece(piece, event, true);
  };
  const box = (color: Color) => (
    <div class="piece-box" role="group" aria-label={`${color} pieces`}>
      {ROLES.map((role) => {
        const chosen = typeof tool === 'object' && tool.color === color && tool.role === role;
        return (
          <button
            key={role}
            type="button"
            class="piece-tool"
            aria-pressed={chosen}
            aria-label={`${color} ${role}`}
            title={`${color} ${role}`}
            onClick={() => setTool(chosen ? 'move' : { color, role })}
            onMouseDown={(event) => dragNew(event, { color, role })}
            onTouchStart={(event) => dragNew(event, { color, role })}
          >
            <piece class={`${role} ${color}`} />
          </button>
        );
      })}
    </div>
  );

  return (
    <div class="stage editor">
      <div class="table">
        <div class="review-head">
          <h1>Set up a position</h1>
        </div>
        <div class="board" onPointerDown={paint}>
          <div class="ground" ref={place} aria-hidden="true" />
          <EditorKeys placement={placement} flipped={flipped} put={put} tool={tool} />
        </div>
      </div>
      <aside class="panel">
        {box('black')}
        {box('white')}
        <div class="controls" role="group" aria-label="Board">
          <IconButton icon="flip" label="Flip" text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="trash" label="Remove pieces" text pressed={tool === 'clear'} onClick={() => setTool(tool === 'clear' ? 'move' : 'clear')} />
          <IconButton icon="plus" label="Start position" text onClick={() => setAll(START_FEN)} />
          <IconButton icon="stop" label="Empty board" text onClick={() => setAll(EMPTY_FEN)} />
        </div>
        <Choice
          legend="To move"
          name="turn"
          value={rights.turn}
          options={[
            ['white', 'White'],
            ['black', 'Black'],
          ]}
          onChange={(turn) => setRights({ ...rights, turn })}
        />
        <fieldset class="checks">
          <legend>Castling rights</legend>
          {!chess960 && (
            [
              ['K', 'White O-O'],
              ['Q', 'White O-O-O'],
              ['k', 'Black O-O'],
              ['q', 'Black O-O-O'],
            ] as const
          ).map(([letter, word]) => (
            <label key={letter}>
              <input
                type="checkbox"
                checked={rights.castling.includes(letter)}
                onChange={(event) => right(letter, event.currentTarget.checked)}
              />
              {word}
            </label>
          ))}
        </fieldset>
        {chess960 && (
          <label class="field">
            <span>Castling files (HAha)</span>
            <input
              type="text"
              spellcheck={false}
              maxLength={4}
              value={rights.castling}
              onChange={(event) => setRights({ ...rights, castling: event.currentTarget.value.replace(/[^A-Ha-hKQkq]/g, '') })}
            />
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={chess960} onChange={(event) => setChess960(event.currentTarget.checked)} />
          Chess960
        </label>
        <label class="field">
          <span>En passant square</span>
          <select
            value={rights.passant}
            onChange={(event) => setRights({ ...rights, passant: event.currentTarget.value })}
          >
            {['-', ...passantSquares(placement, rights.turn)].map((square) => (
              <option key={square} value={square}>
                {square === '-' ? 'none' : square}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Position (FEN)</span>
          <input
            type="text"
            spellcheck={false}
            value={fen}
            onChange={(event) => setAll(event.currentTarget.value.trim())}
          />
        </label>
        <p class={`verdict${why ? ' bad' : ''}`} role="status">
          {why || 'Valid position.'}
        </p>
        <div class="buttons">
          <button type="button" class="primary" disabled={Boolean(why)} onClick={() => props.onDone(fen, chess960)}>
            Analyse
          </button>
          <button type="button" disabled={Boolean(why)} onClick={() => props.onPlay(fen)}>
            Play from here
          </button>
          <button type="button" class="plain" onClick={props.onCancel}>
            Cancel
          </button>
        </div>
      </aside>
    </div>
  );
}

// Keyboard: arrows move the cursor, letters place pieces (capitals: White), Delete clears.
function EditorKeys(props: { placement: string; flipped: boolean; tool: Tool; put: (square: string, tool: Tool) => void }) {
  const [at, setAt] = useState<[number, number]>([4, 0]);
  const name = (square: [number, number]) => 'abcdefgh'[square[0]]! + String(square[1] + 1);
  const step = (right: number, up: number) => {
    const turned = props.flipped ? -1 : 1;
    const next: [number, number] = [
      Math.min(7, Math.max(0, at[0] + right * turned)),
      Math.min(7, Math.max(0, at[1] + up * turned)),
    ];
    setAt(next);
    const piece = pieceOn(`${props.placement} w`, name(next));
    announce(`${saySquare(name(next))}, ${piece ? sayPiece(piece) : 'empty'}`);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const way = steps[event.key];
    const role = ROLES.find((one) => LETTER[one] === event.key.toLowerCase());
    if (way) step(...way);
    else if (event.key === 'Delete' || event.key === 'Backspace') props.put(name(at), 'clear');
    else if (event.key === 'Enter' || event.key === ' ') props.put(name(at), props.tool);
    else if (role) props.put(name(at), { role, color: event.key === event.key.toLowerCase() ? 'black' : 'white' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const column = props.flipped ? 7 - at[0] : at[0];
  const row = props.flipped ? at[1] : 7 - at[1];
  return (
    <div
      class="board-keys"
      role="application"
      tabIndex={0}
      aria-label="Editor board. Arrow keys move around the board; k, q, r, b, n and p place black pieces, capital letters white pieces; Delete clears the square."
      onKeyDown={onKey}
    >
      <div class="cursor" style={{ transform: `translate(${column * 100}%, ${row * 100}%)` }} />
    </div>
  );
}
