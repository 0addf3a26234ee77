// The one connection to the server: opens it, asks, hears events, and opens it again when it is lost.
import type { Events, Hello, Questions } from './protocol';
import { settings } from './settings';
import { createStore } from './store';
import { messageText, t } from './text';
import { transport, type Channel } from './transport';

export type Link =
  | { state: 'connecting' }
  | { state: 'open' }
  | { state: 'password'; wrong: boolean }
  | { state: 'lost'; attempt: number; why?: string };

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  message: string;
  again: boolean;
  done: (data: never) => void;
  failed: (why: Refusal) => void;
}

const PING_EVERY = 10_000;
const PING_PATIENCE = 8_000;
const RETRY_LONGEST = 5_000;

export const link = createStore<Link>({ state: 'connecting' });
export const session = createStore<Hello | null>(null);

let channel: Channel | null = null;
let serial = 0; // of the channel
let nextId = 1;
let attempt = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
const waiting = new Map<number, Waiting>();
const hearers: { [E in keyof Events]?: Set<(data: Events[E]) => void> } = {};

export function hear<E extends keyof Events>(event: E, told: (data: Events[E]) => void): () => void {
  const all = (hearers[event] ??= new Set() as never) as Set<(data: Events[E]) => void>;
  all.add(told);
  return () => void all.delete(told);
}

// `again`: a question that may be asked twice waits for the connection, and is asked once more
// when it was lost before the answer came.
export function ask<Q extends keyof Questions>(
  what: Q,
  fields: Questions[Q]['ask'],
  again = false,
): Promise<Questions[Q]['data']> {
  return new Promise((done, failed) => {
    const id = nextId++;
    const message = JSON.stringify({ id, do: what, ...fields });
    const open = link.get().state === 'open' || what === 'hello';
    if (!open && !again) {
      failed(new Refusal('lost', t('server.silent')));
      return;
    }
    waiting.set(id, { message, again, done: done as (data: never) => void, failed });
    if (open) channel?.send(message);
  });
}

function hearMessage(text: string): void {
  let message: {
    id?: number;
    ok?: boolean;
    data?: unknown;
    error?: { code: string; message: string };
    event?: keyof Events;
  };
  try {
    message = JSON.parse(text);
  } catch {
    return;
  }
  if (message.event) {
    const all = hearers[message.event] as Set<(data: unknown) => void> | undefined;
    if (all) for (const told of [...all]) told(message.data);
    return;
  }
  const asked = waiting.get(message.id ?? -1);
  if (!asked) return;
  waiting.delete(message.id!);
  if (message.ok) asked.done(message.data as never);
  else {
    const why = message.error;
    asked.failed(new Refusal(why?.code ?? 'server', why ? messageText(why.message) : t('server.noReason')));
  }
}

export async function connect(password?: string): Promise<void> {
  clearTimeout(retryTimer);
  const mine = ++serial;
  const opened = await transport.open(
    {
      open: () => void greet(),
      text: hearMessage,
      waiting: (why) => link.set({ state: 'lost', attempt, why }),
      closed: (why) => {
        if (serial === mine) lose(why);
      },
    },
    password,
  );
  if (opened === 'password') link.set({ state: 'password', wrong: password !== undefined });
  else if (opened === 'lost') lose();
  else {
    channel = opened;
    if (password !== undefined) settings.update({ password: true });
  }
}

// Ends the session; the server asks for its password again.
export async function signOut(): Promise<void> {
  settings.update({ password: false });
  await transport.request('/api/logout', { method: 'POST' }).catch(() => undefined);
  channel?.close();
  void connect();
}

async function greet(): Promise<void> {
  const player = settings.get().player;
  let hello: Hello;
  try {
    hello = await ask('hello', player === null ? {} : { player });
  } catch (why) {
    // A player of another data folder: let the server choose.
    if (!(why instanceof Refusal) || why.code === 'lost') return;
    hello = await ask('hello', {});
  }
  attempt = 0;
  session.set(hello);
  link.set({ state: 'open' });
  for (const asked of waiting.values()) if (asked.again) channel?.send(asked.message);
}

function lose(why?: string): void {
  channel = null;
  serial++;
  for (const [id, asked] of waiting) {
    if (asked.again) continue;
    waiting.delete(id);
    asked.failed(new Refusal('lost', t('server.lost')));
  }
  attempt++;
  link.set({ state: 'lost', attempt, why });
  clearTimeout(retryTimer);
  if (SITE) return; // the worker itself says when it is there
  retryTimer = setTimeout(() => void connect(), Math.min(RETRY_LONGEST, 250 * 2 ** attempt));
}

export function retryNow(): void {
  if (link.get().state === 'lost') void connect();
}

// A connection can die without a word, on a laptop that slept for instance.
async function beat(): Promise<void> {
  if (link.get().state !== 'open') return;
  const mine = channel;
  const late = setTimeout(() => mine?.close(), PING_PATIENCE);
  try {
    await ask('ping', {});
  } catch {
    // Whatever it was, the close handler knows.
  }
  clearTimeout(late);
}

export function startBeating(): void {
  setInterval(() => void beat(), PING_EVERY);
  addEventListener('online', retryNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retryNow();
  });
}

// From now on this browser belongs to that player.
export async function becomePlayer(id: number): Promise<void> {
  settings.update({ player: id });
  session.set(await ask('hello', { player: id }));
}

export async function refreshSession(): Promise<void> {
  if (link.get().state !== 'open') return;
  try {
    const player = session.get()?.player.id;
    session.set(await ask('hello', player === undefined ? {} : { player }));
  } catch {
    // The counts on the page stay as they were.
  }
}
