// The worker of the static site: loads the service (src/wasm/service_wasm.c) and passes messages on. It never waits itself: the
// service's threads do, and files and messages of theirs are worked on here.
import { mountFiles, openFiles, type EmscriptenFS } from './files';
import type { FromWorker, ServiceRequest, ToWorker } from './messages';

declare function importScripts(...urls: string[]): void;

interface ServiceModule {
  FS: EmscriptenFS;
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(at: number): void;
  _service_module_open(): number;
  _service_module_send(service: number, kind: number, text: number, length: number): void;
  _threads_run?(ms: number): void;
  _threads_wait_ms?(): number;
}

const MESSAGE = 0;
const IMPORT = 1;
const EXPORT = 2;
const SLICE_MS = 20;

const encoder = new TextEncoder();
let module: ServiceModule;
let service = 0;
let turn: (() => void) | null = null;

function tell(message: FromWorker): void {
  (postMessage as (message: FromWorker) => void)(message);
}

function send(kind: number, text: string): void {
  const bytes = encoder.encode(text);
  const at = module._malloc(bytes.length + 1);
  if (!at) return;
  module.HEAPU8.set(bytes, at);
  module._service_module_send(service, kind, at, bytes.length);
  module._free(at);
  turn?.();
}

function sendRequest({ id, path, body }: ServiceRequest): void {
  const query = new URL(path, 'http://localhost').searchParams;
  const line = (name: string) => (query.get(name) ?? '').replace(/[\r\n]/g, ' ');
  const number = (name: string) => query.get(name)?.match(/^\d{1,15}$/)?.[0] ?? '0';
  if (path.startsWith('/api/import')) send(IMPORT, `${id} ${number('player')} ${number('skip_known')}\n${body}`);
  else {
    const filters = [line('search'), line('color'), line('result')].join('\n');
    send(EXPORT, `${id} ${number('game')} ${number('player')}\n${filters}\n`);
  }
}

// Without threads of its own the module's are run here, a little at a time.
function startTurns(run: (ms: number) => void, waitMs: () => number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = false; // a turn is: one is enough
  const channel = new MessageChannel(); // timers would come too late
  const again = () => {
    if (due) return;
    due = true;
    channel.port2.postMessage(null);
  };
  channel.port1.onmessage = () => {
    due = false;
    clearTimeout(timer);
    run(SLICE_MS);
    const wait = waitMs();
    if (wait > 0) timer = setTimeout(again, wait);
    else again();
  };
  turn = again;
  again();
}

// Two tabs on one file would each believe that the games are theirs.
async function lockGames(): Promise<void> {
  if (!navigator.locks) return;
  const hold = new Promise<void>(() => {});
  const got = await new Promise<boolean>((done) => {
    void navigator.locks.request('castellan', { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock ? hold : undefined;
    });
  });
  if (got) return;
  tell({ state: 'waiting' });
  await new Promise<void>((done) => {
    void navigator.locks.request('castellan', () => {
      done();
      return hold;
    });
  });
}

async function start(): Promise<void> {
  await lockGames();
  const files = await openFiles().catch(() => null);
  const name = crossOriginIsolated ? 'service-threads' : 'service-single';
  importScripts(`${name}.js`);
  const create = (self as unknown as { CastellanModule(options: object): Promise<ServiceModule> }).CastellanModule;
  module = await create({
    mainScriptUrlOrBlob: new URL(`${name}.js`, location.href).href,
    onText: (text: string) => tell({ text }),
    onReply: (id: number, status: number, type: string, file: string, body: string) =>
      tell({ reply: { id, status, type, file, body } }),
    onReady: (notice: string) => tell({ state: 'ready', notice }),
    onFailed: (why: string) => tell({ state: 'failed', why }),
    onAbort: (why: unknown) => tell({ state: 'failed', why: String(why) }),
  });
  if (files) mountFiles(module.FS, files, '/data');
  service = module._service_module_open();
  if (!service) throw new Error('not enough memory');
  if (module._threads_run) startTurns(module._threads_run, module._threads_wait_ms!);
}

const opened = start().catch((why: unknown) => {
  tell({ state: 'failed', why: why instanceof Error ? why.message : String(why) });
});

onmessage = (event) => {
  const message = event.data as ToWorker;
  void opened.then(() => ('text' in message ? send(MESSAGE, message.text) : sendRequest(message.request)));
};
