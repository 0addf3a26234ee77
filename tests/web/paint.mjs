// How soon the page is seen, how much of it travels, and how soon a move is shown: for docs/log/measurements.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, launch, openGame, openPage, Server } from './harness.mjs';

const LOADS = 15;
const folder = mkdtempSync(join(tmpdir(), 'castellan-paint-'));
const server = new Server(folder);
await server.start();
const browser = await launch();
const paints = [];
let bytes = 0;
for (let i = 0; i < LOADS; i++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector('.rail .me', { state: 'attached' });
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    bytes: performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0),
  }));
  paints.push(seen.paint);
  bytes = seen.bytes;
  await context.close();
}

paints.sort((one, two) => one - two);
const at = (share) => Math.round(paints[Math.floor((LOADS - 1) * share)]);
console.log(`first paint of ${LOADS} loads without cache: ${at(0)} ms at best, ${at(0.5)} in the middle, ${at(1)} at worst`);
console.log(`${Math.round(bytes / 1024)} KB travel`);

// From the message with a move to the changed board, in a game of two engines.
const MOVES = 40;
const context = await browser.newContext();
await context.addInitScript(() => {
  window.delays = [];
  let came = 0;
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', (event) => {
        if (String(event.data).startsWith('{"event":"game"')) came = performance.now();
      });
    }
  };
  new MutationObserver((changes) => {
    if (!came || !changes.some(({ target }) => target.closest?.('.ground cg-board'))) return;
    window.delays.push(performance.now() - came);
    came = 0;
  }).observe(document, { attributes: true, attributeFilter: ['style'], childList: true, subtree: true });
});
const watcher = await openPage(context, server);
const level = { kind: 'level', elo: 400 };
// A game may be over before there are enough moves.
let seen = 0;
while (seen < MOVES) {
  const { game } = await ask(watcher, 'game.watch', { white: level, black: level, pace: 150 });
  await openGame(watcher, game.id);
  const enough = (count) => window.delays.length >= count || document.querySelector('.result');
  await watcher.waitForFunction(enough, MOVES, { timeout: 120_000 });
  seen = await watcher.evaluate(() => window.delays.length);
}
const delays = (await watcher.evaluate(() => window.delays)).slice(0, MOVES).sort((one, two) => one - two);
await browser.close();
await server.kill('SIGTERM');
rmSync(folder, { recursive: true, force: true });
console.log(
  `a move is shown ${delays[0].toFixed(1)} ms after its message at best, ${delays[MOVES / 2].toFixed(1)} in the middle, ${delays[MOVES - 1].toFixed(1)} at worst (${MOVES} moves)`,
);
