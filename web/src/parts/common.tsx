// Small parts that many screens share.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tell } from '../lib/announce';
import { ROLE_OF } from '../lib/chess';
import { clockText, colorText, sideTitle, toMoveText } from '../lib/format';
import type { Color, GameClock, Side } from '../lib/protocol';
import { play } from '../lib/sound';
import { roleText } from '../lib/speech';
import { t } from '../lib/text';
import { Icon, type IconName } from './Icon';

export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  why?: string | null; // it is disabled
  pressed?: boolean;
  text?: boolean;
  class?: string;
}) {
  return (
    <button
      type="button"
      class={`icon-button ${props.text ? 'with-text' : ''} ${props.class ?? ''}`}
      aria-label={props.text ? undefined : props.label}
      aria-pressed={props.pressed}
      title={(props.disabled && props.why) || props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      {props.text && <span>{props.label}</span>}
    </button>
  );
}

// One of several: radio buttons that look like one control.
export function Choice<T extends string>(props: {
  legend: string;
  name: string;
  value: T;
  options: readonly (readonly [T, ComponentChildren, string?])[];
  onChange: (value: T) => void;
  hidden?: boolean;
}) {
  return (
    <fieldset class="choice">
      <legend class={props.hidden ? 'unseen' : ''}>{props.legend}</legend>
      <div class="choice-row">
        {props.options.map(([value, shown, title]) => (
          <label key={value} class={value === props.value ? 'chosen' : ''} title={title}>
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span>{shown}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch(props: { label: string; note?: string; value: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="switch">
      <span>
        {props.label}
        {props.note && <small>{props.note}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={props.value}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

// The browser's own dialog: it keeps the focus inside and gives it back.
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  const gone = useRef(false);
  useEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      gone.current = true;
      dialog?.close();
    };
  }, []);
  // The event comes later: it must not close the dialog that has been opened meanwhile.
  const onClose = () => {
    if (!gone.current) props.onClose();
  };
  return (
    <dialog
      ref={box}
      aria-label={props.title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === box.current) props.onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{props.title}</h2>
          <IconButton icon="close" label={t('close')} onClick={props.onClose} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

export function Confirm(props: {
  title: string;
  text: string;
  yes: string;
  harmless?: boolean; // nothing is lost by it
  onYes: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      <div class="buttons end">
        <button type="button" class="plain" onClick={props.onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class={props.harmless ? 'primary' : 'danger'}
          onClick={() => {
            props.onClose();
            props.onYes();
          }}
        >
          {props.yes}
        </button>
      </div>
    </Dialog>
  );
}

export function CopyField({ label, text, rows }: { label: string; text: string; rows: number }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell(t('copied'));
    } catch {
      // Without access to the clipboard the text is selected instead.
      field.current?.select();
    }
  };
  return (
    <div class="copy-field">
      <label class="field">
        <span>{label}</span>
        <textarea ref={field} rows={rows} readOnly value={text} spellcheck={false} />
      </label>
      <IconButton icon="copy" label={t('copy')} text onClick={() => void copy()} />
    </div>
  );
}

export function Empty(props: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

const LOW = 15_000;

// A clock counts down from the moment its snapshot arrived; the server alone says when it is over.
export function Clock({ clock, side, at }: { clock: GameClock; side: Color; at: number }) {
  const running = clock.running === side;
  const [, setTick] = useState(0);
  const warned = useRef(false);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 100);
    return () => clearInterval(timer);
  }, [running, at]);
  const left = clock[side] - (running ? performance.now() - at : 0);
  const low = left < LOW;
  useEffect(() => {
    if (running && low && !warned.current && clock.initial > 2 * LOW) {
      warned.current = true;
      play('low');
    }
  }, [running, low]);
  return (
    <div class={`clock${running ? ' running' : ''}${low ? ' low' : ''}`} role="timer" aria-label={t('clock.of', { side: colorText(side) })}>
      {clockText(left)}
    </div>
  );
}

export function Captured({ pieces, lead }: { pieces: string; lead: number }) {
  const order = 'pnbrq';
  const sorted = [...pieces].sort((a, b) => order.indexOf(a.toLowerCase()) - order.indexOf(b.toLowerCase()));
  const words = sorted.length
    ? t('captured.pieces', { pieces: sorted.map((piece) => roleText(ROLE_OF[piece.toLowerCase()]!)).join(', ') })
    : t('captured.none');
  return (
    <div class="captured" role="img" aria-label={words + (lead > 0 ? `, ${t('captured.ahead', { lead })}` : '')}>
      {sorted.map((piece, i) => {
        const role = ROLE_OF[piece.toLowerCase()]!;
        const again = i > 0 && sorted[i - 1] === piece;
        return (
          <piece
            key={i}
            class={`${role} ${piece === piece.toLowerCase() ? 'black' : 'white'}${again ? ' again' : ''}`}
          />
        );
      })}
      {lead > 0 && <span class="lead">+{lead}</span>}
    </div>
  );
}

export function PlayerStrip(props: {
  side: Side;
  color: Color;
  captured: string;
  lead: number;
  clock: GameClock | null;
  at: number;
  thinking: boolean;
  turn: boolean;
  you: boolean;
}) {
  const { side } = props;
  return (
    <div class={`strip${props.turn ? ' turn' : ''}`}>
      <span class={`piece-badge ${props.color}`} aria-hidden="true">
        <piece class={`${side.kind === 'human' ? 'pawn' : 'rook'} ${props.color}`} />
      </span>
      <div class="strip-who">
        <div class="strip-name">
          <span class="name">{sideTitle(side) || side.name || t('invitation.waiting')}</span>
          {side.rating !== null && <span class="rating">{Math.round(side.rating)}</span>}
          {props.thinking && (
            <span class="thinking" role="status">
              <span class="unseen">{t('strip.thinking')}</span>
              <i />
              <i />
              <i />
            </span>
          )}
        </div>
        <Captured pieces={props.captured} lead={props.lead} />
      </div>
      <span class="unseen">
        {props.turn ? toMoveText(props.color) : colorText(props.color)}
        {props.you ? `, ${t('strip.you')}` : ''}
      </span>
      {props.clock && <Clock clock={props.clock} side={props.color} at={props.at} />}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Castellan` : 'Castellan';
  }, [title]);
}

// Keyboard shortcuts of a screen. They do not apply in text fields and on the board, and Space and Enter on a
// focused control activate that control.
export function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      if (target.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, dialog, [role=application]')) return;
      if (/^(Arrow|Home|End)/.test(event.key) && target.closest('input, [role=slider], .graph')) return;
      if ((event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary, input, label')) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
