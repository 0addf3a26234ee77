// The static site on a phone, offline after the first load: a whole game by touch, a reload in mid-game, a review, a puzzle from
// it, analysis with three lines. Then a browser without service workers, where one thread does everything.
//
//   CASTELLAN=binary node site.mjs FOLDER      the folder of the site
import { resolve } from 'node:path';
import { assert, resign, shows, until } from '../web/harness.mjs';
import { openPhone, ready, startAdviser, startHost, yourTurn } from './site_harness.mjs';

const BLUNDER = '4k3/8/8/3q4/8/8/3Q4/3K4 w - - 0 1'; // White can take a queen, and does not
const REVIEW = 240_000;
const PAINT_MS = 500;

const folder = resolve(process.argv[2]);
const host = await startHost(folder);
const adviser = startAdviser(process.env.CASTELLAN);
const first = await openPhone(host.url);
let { page } = first;
let failed = 0;

async function test(name, work) {
  const begin = Date.now();
  try {
    const seen = await work();
    const faults = page.faults.splice(0).filter((fault) => !page.forgives?.test(fault));
    assert.deepEqual(faults, [], 'the console stays empty');
    console.log(`ok wasm/site: ${name}${seen ? `: ${seen}` : ''} (${Date.now() - begin} ms)`);
  } catch (why) {
    failed++;
    console.log(`not ok wasm/site: ${name}: ${String(why.message).split('\n').slice(0, 12).join(' | ')}`);
    await page.screenshot({ path: `${process.env.PICTURES ?? '/tmp'}/castellan-site-${failed}.png` }).catch(() => {});
  }
}

async function openGame(fields) {
  const { game } = await page.ask('game.new', { opponent: { kind: 'level', elo: 400 }, color: 'white', ...fields });
  await page.evaluate((id) => {
    location.hash = `#/game/${id}`;
  }, game.id);
  await page.waitForSelector('.stage .ground cg-board piece');
  return game.id;
}

const noWider = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

// One move by touch; false when the game is over.
async function playMove(id) {
  const game = await yourTurn(page, id);
  if (game.result) return false;
  const move = await adviser.best(game.fen);
  await page.board.tap(move.slice(0, 2), move.slice(2, 4));
  if (move[4]) await page.locator('.promotion button, [role=dialog] button').first().tap();
  await until(`${move} is played`, async () => (await page.game(id)).ply > game.ply);
  return true;
}

await test('the first load isolates the page and keeps the site', async () => {
  await until('isolated', () => page.evaluate(() => window.crossOriginIsolated).catch(() => false), 60_000);
  await ready(page);
});

await first.context.setOffline(true);
await host.stop();

await test('offline, the page is painted from what is kept', async () => {
  const times = [];
  for (let i = 0; i < 5; i++) {
    await page.reload();
    await ready(page);
    times.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  }
  times.sort((a, b) => a - b);
  assert.ok(times[2] < PAINT_MS, `first paint after ${times.map(Math.round)} ms`);
  return `first paint after ${times.map(Math.round).join(', ')} ms`;
});

let game = 0;
await test('a game is begun by touch, and survives a reload', async () => {
  await page.locator('.rail a:has-text("Play")').first().tap();
  await page.waitForSelector('.cards .pick:not(.ghost)');
  assert.ok(await noWider(), 'the page is no wider than the screen');
  game = await openGame({});
  for (let i = 0; i < 3; i++) await playMove(game);
  const before = await yourTurn(page, game);
  const pieces = await page.board.pieces();
  await page.reload();
  await page.waitForSelector('.stage .ground cg-board piece');
  const after = await until('the game is there', () => page.game(game));
  assert.deepEqual(after.moves.map(({ uci }) => uci), before.moves.map(({ uci }) => uci));
  await shows(page, pieces);
  assert.ok(await noWider(), 'the page is no wider than the screen');
});

await test('the game is played to its end by touch', async () => {
  while (await playMove(game));
  const { result, moves } = await page.game(game);
  assert.equal(result.score, '1-0');
  await page.waitForSelector('.result.won');
  return `${moves.length} half-moves, ${result.reason}`;
});

await test('a review of it', async () => {
  await page.locator('.result a:has-text("Review")').tap();
  await page.waitForSelector('.summary', { timeout: REVIEW });
  assert.match(await page.textContent('.summary'), /Accuracy/);
  assert.ok(await noWider(), 'the page is no wider than the screen');
});

await test('a mistake becomes a puzzle, which is solved', async () => {
  const id = await openGame({ fen: BLUNDER });
  await page.board.tap('d1', 'c2');
  await until('the answer', async () => (await page.game(id)).ply >= 2);
  await resign(page);
  await page.locator('.result a:has-text("Review")').tap();
  await page.waitForSelector('.summary', { timeout: REVIEW });
  await page.locator('button:has-text("Learn from your mistake")').tap();
  await page.waitForSelector('.stage.train');
  await page.board.tap('d2', 'd5');
  await page.waitForSelector('.exercise.solved');
});

await test('analysis with three lines', async () => {
  await page.evaluate(() => {
    location.hash = '#/analyse';
  });
  await page.waitForSelector('.engine-lines li:nth-child(3) b');
  return (await page.textContent('.engine-lines')).replace(/\s+/g, ' ').slice(0, 60);
});

await test('nothing is lost when the browser is reloaded', async () => {
  await page.evaluate(() => {
    location.hash = '#/games';
  });
  await page.reload();
  await page.waitForSelector('.game-row');
  const { games } = await page.ask('games.list', {});
  assert.equal(games.length, 2);
  const { total } = await page.ask('train.queue');
  assert.ok(total >= 1);
});

await first.close();
const plainHost = await startHost(folder);
const second = await openPhone(plainHost.url, { serviceWorkers: 'block' });
page = second.page;
page.forgives = /blocked by Playwright/;

await test('without a service worker the page is not isolated, and works', async () => {
  await ready(page);
  assert.equal(await page.evaluate(() => window.crossOriginIsolated), false);
  game = await openGame({});
  for (let i = 0; i < 2; i++) await playMove(game);
  const before = await yourTurn(page, game);
  await page.reload();
  await page.waitForSelector('.stage .ground cg-board piece');
  const after = await until('the game is there', () => page.game(game));
  assert.deepEqual(after.moves.map(({ uci }) => uci), before.moves.map(({ uci }) => uci));
});

await test('one thread analyses three lines, and stops when it is told', async () => {
  await page.evaluate(() => {
    location.hash = '#/analyse';
  });
  await page.waitForSelector('.engine-lines li:nth-child(3) b');
  await page.ask('analysis.stop');
});

adviser.stop();
await second.close();
await plainHost.stop();
process.exit(failed ? 1 : 0);
