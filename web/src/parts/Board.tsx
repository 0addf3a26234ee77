// The board: chessground for mouse and touch, a square that the arrow keys move for the keyboard,
// and the choice of a piece when a pawn arrives.
import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Config } from 'chessground/config';
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce';
import { pieceOn } from '../lib/chess';
import { useCursor } from '../lib/cursor';
import type { Color, Dests, LastMove } from '../lib/protocol';
import { moveDuration, settings } from '../lib/settings';
import { roleText, sayOn } from '../lib/speech';
import { t } from '../lib/text';
import { useStore } from '../lib/use';

export interface BoardProps {
  fen: string;
  orientation: Color;
  turn: Color;
  label: string;
  movable?: Color | 'both' | null;
  dests?: Dests;
  promotions?: string[];
  premove?: boolean;
  last?: LastMove | null;
  check?: boolean;
  shapes?: DrawShape[];
  drawn?: DrawnShape[]; // by the player
  onDraw?: (shapes: DrawnShape[]) => void;
  // Anything that, when it changes, puts the pieces back to where `fen` says, also when that stayed.
  version?: unknown;
  onMove?: (uci: string) => void;
  dim?: boolean;
}

export interface DrawnShape {
  orig: string;
  dest?: string;
  brush: string;
}

const ROLES = [
  ['q', 'queen'],
  ['n', 'knight'],
  ['r', 'rook'],
  ['b', 'bishop'],
] as const;

const BRUSHES = {
  green: { key: 'g', color: '#1f7a4d', opacity: 1, lineWidth: 10 },
  red: { key: 'r', color: '#a8322a', opacity: 1, lineWidth: 10 },
  blue: { key: 'b', color: '#2b5f9e', opacity: 1, lineWidth: 10 },
  yellow: { key: 'y', color: '#b98310', opacity: 1, lineWidth: 10 },
  best: { key: 'best', color: '#1f6b5d', opacity: 0.9, lineWidth: 9 },
  next: { key: 'next', color: '#1f6b5d', opacity: 0.55, lineWidth: 7 },
  later: { key: 'later', color: '#5b6a72', opacity: 0.5, lineWidth: 5 },
  threat: { key: 'threat', color: '#a8322a', opacity: 0.75, lineWidth: 8 },
};

function configOf(props: BoardProps, shown: { coordinates: boolean; dests: boolean }): Config {
  const dests = new Map<Key, Key[]>();
  for (const [from, to] of Object.entries(props.dests ?? {})) dests.set(from as Key, to as Key[]);
  const duration = moveDuration();
  return {
    fen: props.fen,
    orientation: props.orientation,
    turnColor: props.turn,
    check: props.check ? props.turn : false,
    lastMove: props.last ? [props.last.from as Key, props.last.to as Key] : [],
    // Not viewOnly, ever: a board that begins so would never listen to the mouse.
    viewOnly: false,
    coordinates: shown.coordinates,
    animation: { enabled: duration > 0, duration },
    highlight: { lastMove: true, check: true },
    movable: {
      free: false,
      color: props.movable ?? undefined,
      dests,
      showDests: shown.dests,
      rookCastle: true,
    },
    premovable: { enabled: Boolean(props.premove), showDests: shown.dests },
    draggable: { showGhost: true },
    drawable: {
      enabled: true,
      eraseOnClick: !props.onDraw, // what is kept goes only where it is drawn again
      autoShapes: props.shapes ?? [],
      shapes: (props.drawn ?? []) as DrawShape[],
    },
  };
}

export function Board(props: BoardProps) {
  const { fen, orientation, turn, movable, dests, last, check, shapes, version, premove } = props;
  const shown = useStore(settings);
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [promotion, setPromotion] = useState<{ from: string; to: string } | null>(null);

  const finish = (uci: string) => {
    setPromotion(null);
    latest.current.onMove?.(uci);
  };

  const arrive = (from: string, to: string) => {
    const now = latest.current;
    if (!now.promotions?.includes(from + to)) finish(from + to);
    else if (settings.get().autoQueen) finish(`${from}${to}q`);
    else setPromotion({ from, to });
  };

  const tellDrawn = (shapes: DrawShape[]) =>
    latest.current.onDraw?.(shapes.map(({ orig, dest, brush }) => ({ orig, ...(dest ? { dest } : {}), brush: brush ?? 'green' })));

  const putBack = () => {
    setPromotion(null);
    ground.current?.set(configOf(latest.current, settings.get()));
  };

  useLayoutEffect(() => {
    const config = configOf(latest.current, settings.get());
    const api = Chessground(place.current!, {
      ...config,
      disableContextMenu: true,
      addDimensionsCssVarsTo: frame.current!,
      movable: { ...config.movable, events: { after: arrive } },
      drawable: { ...config.drawable, brushes: BRUSHES, onChange: tellDrawn },
    });
    ground.current = api;
    return () => {
      api.destroy();
      ground.current = null;
    };
  }, [shown.coordinates]);

  useLayoutEffect(() => {
    const api = ground.current;
    if (!api) return;
    setPromotion(null);
    api.set(configOf(latest.current, shown));
    if (!premove || !movable) api.cancelPremove();
    else if (turn === movable && api.state.premovable.current) api.playPremove();
  }, [fen, orientation, turn, movable, JSON.stringify(dests), last?.from, last?.to, check, version, premove, shown, JSON.stringify(props.drawn)]);

  useLayoutEffect(() => {
    ground.current?.setAutoShapes(shapes ?? []);
  }, [JSON.stringify(shapes)]);

  return (
    <div class={`board${props.dim ? ' dim' : ''}`} ref={frame}>
      <div class="ground" ref={place} aria-hidden="true" />
      <KeyboardBoard props={props} ground={ground} />
      {promotion && (
        <Promotion
          to={promotion.to}
          color={turn}
          orientation={orientation}
          choose={(role) => finish(promotion.from + promotion.to + role)}
          cancel={putBack}
        />
      )}
    </div>
  );
}

function Promotion(props: {
  to: string;
  color: Color;
  orientation: Color;
  choose: (role: string) => void;
  cancel: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector('button')?.focus();
    announce(t('promotion.choose'));
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const file = props.to.charCodeAt(0) - 97;
  const column = props.orientation === 'white' ? file : 7 - file;
  const top = (props.to[1] === '8') === (props.orientation === 'white');
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const letter = event.key.toLowerCase();
    if (event.key === 'Escape') props.cancel();
    else if (ROLES.some(([role]) => role === letter)) props.choose(letter);
    else if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === 'ArrowUp') buttons[(at + buttons.length - 1) % buttons.length]?.focus();
    else if (event.key === 'Tab') return;
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="promotion-veil" onClick={props.cancel}>
      <div
        ref={box}
        class={`promotion ${top ? 'from-top' : 'from-bottom'} column-${column}`}
        role="dialog"
        aria-label={t('promotion')}
        onKeyDown={onKey}
        onClick={(event) => event.stopPropagation()}
      >
        {ROLES.map(([role, name]) => (
          <button key={role} type="button" aria-label={roleText(name)} title={roleText(name)} onClick={() => props.choose(role)}>
            <piece class={`${name} ${props.color}`} />
          </button>
        ))}
      </div>
    </div>
  );
}

// The board for the keyboard lies over the other one and lets the mouse through.
function KeyboardBoard({ props, ground }: { props: BoardProps; ground: { current: Api | null } }) {
  const black = props.orientation === 'black';
  const cursor = useCursor([4, black ? 6 : 1], black);
  const [selected, setSelected] = useState<string | null>(null);

  useEffect(() => setSelected(null), [props.fen, props.version]);

  const describe = (square: string) => sayOn(square, pieceOn(props.fen, square));

  const press = () => {
    const api = ground.current;
    if (!api || !props.movable) return;
    const key = cursor.square as Key;
    const before = api.state.selected;
    api.selectSquare(key);
    const now = api.state.selected ?? null;
    setSelected(now);
    if (now && now !== before) announce(t('board.selected', { square: describe(key) }));
    else if (!now && before === key) announce(t('board.cleared'));
    else if (api.state.premovable.current) announce(t('board.premove'));
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const reached = cursor.press(event.key);
    if (reached) announce(describe(reached));
    else if (event.key === 'Enter' || event.key === ' ') press();
    else if (event.key === 'Escape') {
      ground.current?.cancelMove();
      ground.current?.cancelPremove();
      setSelected(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="board-keys"
      role="application"
      tabIndex={0}
      aria-label={`${props.label}. ${t('board.keys')}`}
      onKeyDown={onKey}
      onFocus={() => announce(describe(cursor.square))}
    >
      <div class={`cursor${selected ? ' holding' : ''}`} style={cursor.style} />
    </div>
  );
}

// A small picture of a position, for lists and cards.
export function MiniBoard({ fen, orientation, last }: { fen: string; orientation?: Color; last?: LastMove | null }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const api = Chessground(place.current!, {
      fen,
      orientation: orientation ?? 'white',
      viewOnly: true,
      coordinates: false,
      lastMove: last ? [last.from as Key, last.to as Key] : [],
      animation: { enabled: false },
      drawable: { enabled: false, visible: false },
    });
    return () => api.destroy();
  }, [fen, orientation, last?.from, last?.to]);
  return <div class="mini" ref={place} aria-hidden="true" />;
}
