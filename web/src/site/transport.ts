// The service in a worker, for the page of the static site.
import type { Channel, ChannelEvents, Transport } from '../lib/transport';
import { t } from '../lib/text';
import type { FromWorker, ServiceReply, ToWorker } from './messages';

const RELOADED = 'castellan.reloaded';
const PATIENCE_MS = 15_000;

let worker: Worker | null = null;
let nextRequest = 1;
const replies = new Map<number, (reply: ServiceReply) => void>();

// Shared memory, and threads with it, need two headers, which static hosts do not send: the service worker adds them, from the
// second load on. Where a reload has not helped, one thread has to do.
async function isolate(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registered = navigator.serviceWorker.register('sw.js').then(() => navigator.serviceWorker.ready);
  if (crossOriginIsolated || sessionStorage.getItem(RELOADED)) {
    registered.catch(() => {}); // without it the page works, but not offline
    return;
  }
  // One that cannot be installed is never ready, and says nothing.
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE_MS));
  if (!(await Promise.race([registered.catch(() => null), late]))) return;
  sessionStorage.setItem(RELOADED, '1');
  location.reload();
  await new Promise(() => {}); // the page ends here
}

function send(message: ToWorker): void {
  worker?.postMessage(message);
}

function hear(message: FromWorker, events: ChannelEvents): void {
  if ('text' in message) events.text(message.text);
  else if ('reply' in message) {
    replies.get(message.reply.id)?.(message.reply);
    replies.delete(message.reply.id);
  } else if (message.state === 'ready') events.open();
  else if (message.state === 'waiting') {
    events.waiting(t('site.otherTab'));
  } else {
    worker?.terminate();
    worker = null;
    events.closed(t('site.cannotStart', { why: message.why }));
  }
}

function open(events: ChannelEvents): Channel {
  worker ??= new Worker('assets/worker.js');
  worker.onmessage = (event) => hear(event.data as FromWorker, events);
  worker.onerror = (event) => events.closed(event.message || t('site.noWorker'));
  return { send: (text) => send({ text }), close: () => {} };
}

// Downloads are links, which only a server could answer.
function takeLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[href^="/api/"]');
    if (!link) return;
    event.preventDefault();
    void download(link.getAttribute('href')!);
  });
}

async function download(path: string): Promise<void> {
  const reply = await ask(path, '');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([reply.body], { type: reply.type }));
  link.download = reply.file || 'games.pgn';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function ask(path: string, body: string): Promise<ServiceReply> {
  const id = nextRequest++;
  send({ request: { id, path, body } });
  return new Promise((done) => replies.set(id, done));
}

export const workerTransport: Transport = {
  async open(events) {
    if (!worker) {
      await isolate();
      takeLinks();
    }
    return open(events);
  },
  async request(path, init) {
    const body = await new Response((init?.body as BodyInit | undefined) ?? '').text();
    const reply = await ask(path, body);
    return new Response(reply.body, { status: reply.status, headers: { 'Content-Type': reply.type } });
  },
};
