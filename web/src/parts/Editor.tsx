// The board editor: pieces are placed by mouse, touch or keyboard.
import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Key, Piece } from 'chessground/types';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce';
import { EMPTY_FEN, pieceOn, START_FEN, type Role } from '../lib/chess';
import { useCursor } from '../lib/cursor';
import { ask } from '../lib/net';
import type { Color } from '../lib/protocol';
import { sayOn, sayPiece } from '../lib/speech';
import { t } from '../lib/text';
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
  if (ranks.length !== 8) return t('fen.ranks');
  for (const rank of ranks) {
    if (!/^[1-8pnbrqkPNBRQK]+$/.test(rank)) return t('fen.character', { rank });
    const files = [...rank].reduce((sum, c) => sum + (Number(c) || 1), 0);
    if (files !== 8) return t('fen.squares', { rank, n: files });
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
  const [refusal, setRefusal] = useState(''); // of the position on the board, by the server
  const [typedError, setTypedError] = useState(''); // of a typed FEN, which never reached the board
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

  useEffect(() => setTypedError(''), [fen]);

  // The server validates the position.
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => {
      ask('position', { fen, ...(chess960 ? { chess960: true } : {}) }).then(
        () => stale || setRefusal(''),
        (refused: Error) => stale || setRefusal(refused.message),
      );
    }, 150);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [fen, chess960]);

  const put = (square: string, wanted: Tool) => {
    if (wanted === 'move') return;
    const pieces = new Map<Key, Piece | undefined>();
    const there = pieceOn(`${placement} w`, square);
    const same = wanted !== 'clear' && there?.color === wanted.color && there.role === wanted.role;
    pieces.set(square as Key, wanted === 'clear' || same ? undefined : { ...wanted });
    ground.current!.setPieces(pieces);
    reread();
    announce(sayOn(square, wanted === 'clear' || same ? null : { square, ...wanted }));
  };
  // An invalid FEN is reported and leaves the board as it is.
  const setAll = (next: string) => {
    const wrong = placementError(next);
    setTypedError(wrong);
    if (wrong) return;
    ground.current!.set({ fen: next });
    setRights(rightsOf(next));
    reread();
  };
  const paint = (event: PointerEvent) => {
    if (latestTool.current === 'move' || event.button !== 0) return;
    const key = ground.current!.getKeyAtDomPos([event.clientX, event.clientY]);
    if (key) put(key, latestTool.current);
  };
  const why = typedError || refusal;
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
    <div class="piece-box" role="group" aria-label={t(`editor.pieces.${color}`)}>
      {ROLES.map((role) => {
        const chosen = typeof tool === 'object' && tool.color === color && tool.role === role;
        return (
          <button
            key={role}
            type="button"
            class="piece-tool"
            aria-pressed={chosen}
            aria-label={sayPiece({ color, role })}
            title={sayPiece({ color, role })}
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
          <h1>{t('editor')}</h1>
        </div>
        <div class="board" onPointerDown={paint}>
          <div class="ground" ref={place} aria-hidden="true" />
          <EditorKeys placement={placement} flipped={flipped} put={put} tool={tool} />
        </div>
      </div>
      <aside class="panel">
        {box('black')}
        {box('white')}
        <div class="controls" role="group" aria-label={t('board')}>
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="trash" label={t('editor.remove')} text pressed={tool === 'clear'} onClick={() => setTool(tool === 'clear' ? 'move' : 'clear')} />
          <IconButton icon="again" label={t('startPosition')} text onClick={() => setAll(START_FEN)} />
          <IconButton icon="stop" label={t('editor.empty')} text onClick={() => setAll(EMPTY_FEN)} />
        </div>
        <Choice
          legend={t('toMove')}
          name="turn"
          value={rights.turn}
          options={[
            ['white', t('color.white')],
            ['black', t('color.black')],
          ]}
          onChange={(turn) => setRights({ ...rights, turn })}
        />
        <fieldset class="checks">
          <legend>{t('editor.castling')}</legend>
          {!chess960 && (
            [
              ['K', `${t('color.white')} O-O`],
              ['Q', `${t('color.white')} O-O-O`],
              ['k', `${t('color.black')} O-O`],
              ['q', `${t('color.black')} O-O-O`],
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
            <span>{t('editor.files')}</span>
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
          <span>{t('editor.passant')}</span>
          <select
            value={rights.passant}
            onChange={(event) => setRights({ ...rights, passant: event.currentTarget.value })}
          >
            {['-', ...passantSquares(placement, rights.turn)].map((square) => (
              <option key={square} value={square}>
                {square === '-' ? t('none') : square}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t('positionFen')}</span>
          <input
            type="text"
            spellcheck={false}
            value={fen}
            onChange={(event) => setAll(event.currentTarget.value.trim())}
          />
        </label>
        <p class={`verdict${why ? ' bad' : ''}`} role="status">
          {why || t('editor.valid')}
        </p>
        <div class="buttons">
          <button type="button" class="primary" disabled={Boolean(why)} onClick={() => props.onDone(fen, chess960)}>
            {t('nav.analyse')}
          </button>
          <button type="button" disabled={Boolean(why)} onClick={() => props.onPlay(fen)}>
            {t('playFromHere')}
          </button>
          <button type="button" class="plain" onClick={props.onCancel}>
            {t('cancel')}
          </button>
        </div>
      </aside>
    </div>
  );
}

// Keyboard: arrows move the cursor, letters place pieces (capitals: White), Delete clears.
function EditorKeys(props: { placement: string; flipped: boolean; tool: Tool; put: (square: string, tool: Tool) => void }) {
  const cursor = useCursor([4, 0], props.flipped);
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const reached = cursor.press(event.key);
    const role = ROLES.find((one) => LETTER[one] === event.key.toLowerCase());
    if (reached) announce(sayOn(reached, pieceOn(`${props.placement} w`, reached)));
    else if (event.key === 'Delete' || event.key === 'Backspace') props.put(cursor.square, 'clear');
    else if (event.key === 'Enter' || event.key === ' ') props.put(cursor.square, props.tool);
    else if (role) props.put(cursor.square, { role, color: event.key === event.key.toLowerCase() ? 'black' : 'white' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="board-keys"
      role="application"
      tabIndex={0}
      aria-label={t('editor.keys')}
      onKeyDown={onKey}
    >
      <div class="cursor" style={cursor.style} />
    </div>
  );
}
