// The service worker of the static site: the files are kept, so that the site works offline, and every answer gets the headers
// that isolate the page, which threads need. A new version is fetched as a whole, and used when no page of the old one is open.
export {};

interface Waitable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetch extends Waitable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Scope {
  clients: { claim(): Promise<void> };
  registration: { scope: string };
  addEventListener(type: 'install' | 'activate', take: (event: Waitable) => void): void;
  addEventListener(type: 'fetch', take: (event: Fetch) => void): void;
}

const scope = self as unknown as Scope;
const NAME = `castellan-${VERSION}`;

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith('castellan-') && name !== NAME) await caches.delete(name);
  }
  await scope.clients.claim();
}

function isolated(answer: Response): Response {
  if (answer.type === 'opaque' || answer.type === 'error' || answer.type === 'opaqueredirect') return answer;
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

// Kept answers first; what is not among FILES, for example the module for one thread, is kept when it was asked for once.
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const asked = request.mode === 'navigate' ? new Request('./') : request;
  const kept = await cache.match(asked, { ignoreSearch: true });
  if (kept) return isolated(kept);
  const fresh = await fetch(request);
  if (fresh.ok && fresh.type === 'basic') await cache.put(asked, fresh.clone());
  return isolated(fresh);
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope)) {
    event.respondWith(answer(request));
  }
});
