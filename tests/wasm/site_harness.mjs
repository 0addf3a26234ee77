// The static site in a real browser, without a server: a host that serves files, and the page with what its worker sends.
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Board, CHROMIUM, until } from '../web/harness.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { chromium } = createRequire(join(root, 'web/package.json'))('playwright-core');

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

// A host as simple as they are: files of a folder under /castellan/, no headers but the type.
export async function startHost(folder) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/castellan\//, '');
    const file = join(folder, normalize(path.endsWith('/') || !path ? `${path}index.html` : path));
    const found = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile();
    response.writeHead(found ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' });
    if (found) createReadStream(file).pipe(response);
    else response.end('no such file');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/castellan/`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

// Runs in the page before its own code: keeps the last snapshot of each game, and asks as the page does.
function watchWorker() {
  localStorage.setItem(
    'castellan.settings',
    localStorage.getItem('castellan.settings') ?? JSON.stringify({ sound: false, animation: false }),
  );
  const games = (window.testGames = {});
  const answers = new Map();
  let worker = null;
  let next = 1_000_000;
  window.testAsk = (what, fields) =>
    new Promise((done, failed) => {
      const id = next++;
      answers.set(id, (message) => (message.ok ? done(message.data) : failed(new Error(message.error.message))));
      worker.postMessage({ text: JSON.stringify({ id, do: what, ...fields }) });
    });
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      worker = this;
      this.addEventListener('message', ({ data }) => {
        if (!data.text) return;
        const message = JSON.parse(data.text);
        const game = message.event === 'game' ? message.data : message.data?.game;
        if (game?.moves) games[game.id] = game;
        answers.get(message.id)?.(message);
        answers.delete(message.id);
      });
    }
  };
}

// A phone 360 px wide with the page on it.
export async function openPhone(url, options = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'castellan-site-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--mute-audio'],
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    ...options,
  });
  await context.addInitScript(watchWorker);
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(60_000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') page.faults.push(message.text());
  });
  page.board = new Board(page);
  page.game = (id) => page.evaluate((number) => window.testGames[number] ?? null, id);
  page.ask = (what, fields = {}) => page.evaluate(([name, rest]) => window.testAsk(name, rest), [what, fields]);
  await page.goto(url);
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, page, close };
}

export const ready = (page) => page.waitForSelector('.rail .me', { state: 'attached' });

// Waits until it is the player's turn, or the game is over.
export const yourTurn = (page, id) =>
  until('your turn', async () => {
    const game = await page.game(id);
    return game && (game.result || game.turn === game.you) ? game : null;
  }, 120_000);

// An engine that finds good moves for the player: the native program.
export function startAdviser(program) {
  const child = spawn(program, ['uci'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  return {
    best(fen) {
      return new Promise((done) => {
        const hear = (line) => {
          if (!line.startsWith('bestmove')) return;
          lines.off('line', hear);
          done(line.split(' ')[1]);
        };
        lines.on('line', hear);
        child.stdin.write(`position fen ${fen}\ngo nodes 20000\n`);
      });
    },
    stop: () => child.stdin.end('quit\n'),
  };
}
