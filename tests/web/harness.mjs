// Real browser, real server: what the tests of the page share.
//
// A test is a function that throws when it is not content. Whatever a test waits for has a long
// limit and goes on as soon as it is there, so that a busy machine makes it slower, not wrong.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export { assert };

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(join(root, 'web/package.json'));
const { chromium } = require('playwright-core');
const axeSource = require.resolve('axe-core/axe.min.js');

export const PATIENCE = 20_000;
export const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

// ---- The server -----------------------------------------------------------------------------

export class Server {
  constructor(folder, options = []) {
    this.folder = folder;
    this.options = options; // of `castellan web`, besides
    this.port = 0;
  }

  // Begins, or begins again: on the port it had, with the games it had.
  async start() {
    this.said = '';
    this.child = spawn(
      process.env.CASTELLAN,
      ['web', '--port', String(this.port), '--data', this.folder, '--no-open', ...this.options],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const child = this.child;
    this.url = await new Promise((done, failed) => {
      const hear = (bytes) => {
        this.said += bytes;
        const found = /http:\/\/[^\s/]+:(\d+)/.exec(this.said);
        if (found) {
          this.port = Number(found[1]);
          done(`http://127.0.0.1:${this.port}/`);
        }
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('exit', (code) => failed(new Error(`castellan web ended (${code}): ${this.said}`)));
      setTimeout(() => failed(new Error(`castellan web says no address: ${this.said}`)), PATIENCE).unref();
    });
    this.ended = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
    this.wanted = false;
    void this.ended.then(({ code, signal }) => {
      if (!this.wanted) console.log(`the server ended by itself (${signal ?? code}): ${this.said}`);
    });
  }

  async kill(signal = 'SIGKILL') {
    this.wanted = true;
    this.child.kill(signal);
    return this.ended;
  }
}

// ---- The page -------------------------------------------------------------------------------

const SETTINGS = { sound: false, animation: false, confirmResign: true };

export class Board {
  constructor(page) {
    this.page = page;
  }

  // {e4: 'white pawn', ...} as the board shows it.
  pieces() {
    return this.page.evaluate(() => {
      const pieces = {};
      for (const piece of document.querySelectorAll('.ground cg-board piece')) {
        if (piece.cgKey && piece.cgPiece && !piece.classList.contains('fading')) {
          pieces[piece.cgKey] = piece.cgPiece;
        }
      }
      return Object.fromEntries(Object.entries(pieces).sort());
    });
  }

  async point(square) {
    const ground = this.page.locator('.ground').first();
    const black = await ground.evaluate((place) => place.classList.contains('orientation-black'));
    const frame = await ground.locator('cg-board').boundingBox();
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const side = frame.width / 8;
    return {
      x: frame.x + side * ((black ? 7 - file : file) + 0.5),
      y: frame.y + side * ((black ? rank : 7 - rank) + 0.5),
    };
  }

  async drag(from, to) {
    const [a, b] = [await this.point(from), await this.point(to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
    await this.page.mouse.move(b.x, b.y, { steps: 3 });
    await this.page.mouse.up();
  }

  async click(from, to) {
    for (const square of [from, to]) {
      const { x, y } = await this.point(square);
      await this.page.mouse.click(x, y);
    }
  }

  async tap(from, to) {
    for (const square of [from, to]) {
      const { x, y } = await this.point(square);
      await this.page.touchscreen.tap(x, y);
    }
  }

  async type(text) {
    await this.page.fill('#typed-move', text);
    await this.page.press('#typed-move', 'Enter');
  }

  // With arrow keys from wherever the square of the keyboard stands.
  async keys(from, to) {
    await this.page.focus('.board-keys');
    for (const square of [from, to]) {
      await this.goTo(square);
      await this.page.keyboard.press('Enter');
    }
  }

  async goTo(square) {
    for (let i = 0; i < 7; i++) await this.page.keyboard.press('ArrowLeft');
    for (let i = 0; i < 7; i++) await this.page.keyboard.press('ArrowDown');
    const black = await this.page
      .locator('.ground')
      .first()
      .evaluate((place) => place.classList.contains('orientation-black'));
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    for (let i = 0; i < (black ? 7 - file : file); i++) await this.page.keyboard.press('ArrowRight');
    for (let i = 0; i < (black ? 7 - rank : rank); i++) await this.page.keyboard.press('ArrowUp');
  }
}

// PAGE=web/dist: scripts and styles of that folder instead of those in the program, which then needs no new build.
async function takeFiles(context, folder) {
  await context.route(
    ({ pathname }) => pathname.startsWith('/assets/'),
    (route) => route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
  );
}

// A page with its own memory, and the last snapshot of each game that came over its connection.
export async function openPage(context, server, path = '', settings = {}) {
  await context.addInitScript((stored) => {
    if (!localStorage.getItem('castellan.settings')) {
      localStorage.setItem('castellan.settings', JSON.stringify(stored));
    }
  }, { ...SETTINGS, ...settings });
  if (process.env.PAGE) await takeFiles(context, process.env.PAGE);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.games = new Map();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') page.faults.push(message.text());
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload));
      const game = message.event === 'game' ? message.data : message.data?.game;
      if (game?.moves) page.games.set(game.id, game);
    });
  });
  await page.goto(server.url + path);
  await page.waitForSelector('.rail .me', { state: 'attached' });
  page.board = new Board(page);
  return page;
}

// Asks the server over a connection of its own, as the page does: to set a scene quickly.
export function ask(page, what, fields = {}) {
  return page.evaluate(
    ([name, rest]) =>
      new Promise((done, failed) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        const { player } = JSON.parse(localStorage.getItem('castellan.settings') ?? '{}');
        socket.onopen = () => {
          socket.send(JSON.stringify({ id: 0, do: 'hello', ...(player ? { player } : {}) }));
          socket.send(JSON.stringify({ id: 1, do: name, ...rest }));
        };
        socket.onerror = () => failed(new Error('no connection'));
        socket.onmessage = (event) => {
          const message = JSON.parse(event.data);
          if (message.id !== 1) return;
          socket.close();
          if (message.ok) done(message.data);
          else failed(new Error(`${message.error.code}: ${message.error.message}`));
        };
      }),
    [what, fields],
  );
}

export async function until(what, condition, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}

const OPPONENT = { kind: 'level', elo: 400 };

// A new game from a position; the page is at its board.
export async function newGame(page, fields = {}) {
  const { game } = await ask(page, 'game.new', { opponent: OPPONENT, color: 'white', ...fields });
  await openGame(page, game.id);
  return game.id;
}

export async function openGame(page, id) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/game/${id}`);
  await until('the game is shown', () => page.games.get(id));
  await page.waitForSelector('.stage .ground cg-board piece');
}

// What the connection brought is drawn a moment later.
export async function shows(page, expected) {
  let pieces = {};
  const right = () => Object.entries(expected).every(([square, piece]) => (pieces[square] ?? null) === piece);
  await until('the board', async () => {
    pieces = await page.board.pieces();
    return right();
  }).catch(() => {
    throw new Error(`the board shows ${JSON.stringify(pieces)}, not ${JSON.stringify(expected)}`);
  });
}

export const snapshot = (page, id) => page.games.get(id);
export const untilPly = (page, id, ply) =>
  until(`half move ${ply}`, () => {
    const game = page.games.get(id);
    return game && (game.ply >= ply || game.result) ? game : null;
  });
export const yourTurn = (page, id) =>
  until('your turn', () => {
    const game = page.games.get(id);
    return game && (game.result || game.turn === game.you) ? game : null;
  });

// ---- Scenes that several tests need -----------------------------------------------------------

// 1.Ra7 leaves Kg8 alone, 2.Rb8 mates: a whole game that goes the same way every time.
export const LADDER = '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1';

export async function mateShown(page) {
  await page.waitForSelector('.result.won');
  assert.match(await page.textContent('.result'), /You won.*1–0.*checkmate/s);
}

export const PLACES = ['play', 'train', 'analyse', 'games', 'puzzles', 'openings', 'statistics', 'watch', 'lab', 'players', 'settings'];

export async function visit(page, place) {
  await page.evaluate((name) => {
    location.hash = `#/${name}`;
  }, place);
  await page.waitForSelector('main h1, main h2');
  await page.waitForSelector('main [aria-busy]', { state: 'detached' });
}

export async function resign(page) {
  await page.locator('button:has-text("Resign")').click();
  await page.locator('dialog button:has-text("Resign")').click();
  await page.waitForSelector('.result');
}

// ---- Slow and lost connections ------------------------------------------------------------------

// Between page and server: answers to the questions named in `held` wait for `release`, `cut` ends the connection.
export async function hold(page, ...questions) {
  const line = { held: new Set(questions), waiting: [], asked: [], sockets: new Set() };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const names = new Map();
    line.sockets.add(socket);
    socket.onMessage((text) => {
      const { id, do: name } = JSON.parse(text);
      names.set(id, name);
      line.asked.push(name);
      server.send(text);
    });
    server.onMessage((text) => {
      const name = names.get(JSON.parse(text).id);
      if (line.held.has(name)) line.waiting.push({ name, go: () => socket.send(text) });
      else socket.send(text);
    });
  });
  line.come = (count = 1) => until('a held answer', () => line.waiting.length >= count);
  line.release = async () => {
    line.held.clear();
    for (const { go } of line.waiting.splice(0)) go();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
  };
  line.cut = async () => {
    line.waiting.length = 0;
    const before = line.asked.length;
    for (const socket of line.sockets) await socket.close({ code: 1001 });
    line.sockets.clear();
    await until('the next connection', () => line.asked.slice(before).includes('hello'));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))));
  };
  page.forgives = /WebSocket/;
  await page.reload();
  await page.waitForSelector('.rail .me', { state: 'attached' });
  return line;
}

// ---- Accessibility --------------------------------------------------------------------------

export async function axeFaults(page) {
  // The page's policy forbids inline script, so the checker comes in as the tests' own code.
  await page.evaluate((await import('node:fs')).readFileSync(axeSource, 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
  });
}

export const launch = () =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--mute-audio'],
  });

// ---- Running --------------------------------------------------------------------------------

// tests: {name: async (scene) => ...}; a scene has browser, server and open(path, options).
export async function run(group, tests) {
  const only = process.argv[2];
  const folder = mkdtempSync(join(tmpdir(), 'castellan-web-'));
  const server = new Server(folder);
  let browser;
  let failed = 0;
  try {
    await server.start();
    browser = await launch();
    for (const [name, test] of Object.entries(tests)) {
      if (only && !name.includes(only)) continue;
      const contexts = [];
      const pages = [];
      const open = async (path = '', { settings, ...options } = {}) => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
        contexts.push(context);
        const page = await openPage(context, server, path, settings);
        pages.push(page);
        return page;
      };
      const begin = Date.now();
      try {
        await test({ browser, server, open, openIn: (context, path) => openPage(context, server, path), pages });
        const faults = pages.flatMap((page) => page.faults.filter((fault) => !page.forgives?.test(fault)));
        assert.deepEqual(faults, [], 'the console stays empty');
        console.log(`ok ${group}: ${name} (${Date.now() - begin} ms)`);
      } catch (why) {
        failed++;
        console.log(`not ok ${group}: ${name}: ${String(why.message).split('\n').slice(0, 12).join(' / ')}`);
        console.log(String(why.stack).split('\n').filter((line) => line.includes('tests/web')).slice(0, 4).join('\n'));
        if (process.env.SHOTS) await pages[0]?.screenshot({ path: join(process.env.SHOTS, `${name.replace(/\W+/g, '-')}.png`) });
      }
      for (const context of contexts) await context.close();
      if (server.child.exitCode !== null || server.child.signalCode !== null) throw new Error('the server is gone');
    }
  } catch (why) {
    failed++;
    console.log(`not ok ${group}: ${why.stack}`);
  }
  await browser?.close();
  if (server.child?.exitCode === null) await server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed ? 1 : 0);
}
