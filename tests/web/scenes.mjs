// A player with something on every screen, and a walk through all of them in any language: for tests and pictures.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, assert, until, visit } from './harness.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '../../web');
const { buildSync } = createRequire(join(web, 'package.json'))('esbuild');

export const REVIEW = 120_000;

// What a file of web/src/lang has: {strings, service}.
export async function readLanguage(name) {
  const { outputFiles } = buildSync({
    entryPoints: [join(web, `src/lang/${name}.ts`)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
  return { strings: module.en ?? module.strings, service: module.service ?? {} };
}

// ---- Players and their games ------------------------------------------------------------------

// A player of its own for a test; the browser belongs to it from now on.
export async function newPlayer(page, name) {
  const { player } = await ask(page, 'players.create', { name });
  await page.evaluate((id) => {
    const kept = JSON.parse(localStorage.getItem('castellan.settings'));
    localStorage.setItem('castellan.settings', JSON.stringify({ ...kept, player: id }));
  }, player.id);
  await page.reload();
  await page.waitForSelector(`.me:has-text("${name}")`, { state: 'attached' });
}

// Into the list of games; `again`: also games that are there already.
export async function importText(page, text, again = false) {
  await page.locator('button:has-text("Import")').first().click();
  await page.locator('dialog textarea').fill(text);
  if (again) await page.locator('dialog .switch').click();
  await page.locator('dialog button[type=submit]').click();
  await page.waitForSelector('dialog:has-text("imported")');
}

export async function reviewed(page, game) {
  await ask(page, 'review.start', { game, effort: 'quick' });
  await until('the review', async () => (await ask(page, 'review.get', { game })).review.state === 'done', REVIEW);
}

export const CLUB_GAME = `[Event "Club evening"]
[Site "?"]
[Date "2024.05.06"]
[Round "2"]
[White "Brandt, Ida"]
[Black "Okafor, Ben"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 1-0
`;

// White can take a queen, and does not.
export const BLUNDERS = ['4k3/8/8/3q4/8/8/3Q4/3K4 w - - 0 1', '4k3/8/8/2q5/8/8/2R5/1K6 w - - 0 1'];
const PASSED_BY = ['d1e1', 'b1a1'];

// Two reviewed games with a mistake each; their ids.
export async function makeMistakes(page) {
  const games = [];
  for (const [i, fen] of BLUNDERS.entries()) {
    const { game } = await ask(page, 'game.new', { opponent: { kind: 'level', elo: 400 }, color: 'white', fen });
    await ask(page, 'game.move', { game: game.id, ply: 0, uci: PASSED_BY[i] });
    // Where the answer comes first, it may be stalemate.
    await ask(page, 'game.resign', { game: game.id }).catch((error) => assert.match(error.message, /over: the game is over/));
    await reviewed(page, game.id);
    games.push(game.id);
  }
  return games;
}

// Legal's mate makes the puzzle; the first game has clocks.
const PGN = `[Event "Club"]
[Date "2024.05.??"]
[White "Brandt, Ida"]
[Black "Okafor, Ben"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:30]} d6 {[%clk 0:04:50]} 3. Bc4 {[%clk 0:04:20]}
Bg4 {[%clk 0:04:40]} 4. Nc3 {[%clk 0:03:50]} g6 {[%clk 0:03:40]} 5. Nxe5 {[%clk 0:03:00]} Bxd1 {[%clk 0:03:30]}
6. Bxf7+ {[%clk 0:02:50]} Ke7 {[%clk 0:03:20]} 7. Nd5# {[%clk 0:02:45]} 1-0

[Event "Club"]
[Date "2024.05.07"]
[White "Sato, Yui"]
[Black "Brandt, Ida"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 1/2-1/2
`;

// A player with games, a rated one among them, reviews, exercises, a puzzle, a drill and unfinished games.
export async function furnish(page, name) {
  await newPlayer(page, name);
  const { games } = await ask(page, 'pgn.import', { pgn: PGN });
  await ask(page, 'games.claim', { name: 'Brandt, Ida' });
  await reviewed(page, games[0]);
  const [blundered] = await makeMistakes(page);
  const level = { opponent: { kind: 'level', elo: 400 }, color: 'white' };
  const { game: over } = await ask(page, 'game.new', { ...level, clock: { initial: 300_000, increment: 3000 } });
  await ask(page, 'game.move', { game: over.id, ply: 0, uci: 'e2e4' });
  await until('an answer', async () => (await ask(page, 'game.open', { game: over.id })).game.ply >= 2);
  await ask(page, 'game.resign', { game: over.id });
  const { game: running } = await ask(page, 'game.new', { ...level, opponent: { kind: 'program', name: 'kanji' } });
  const { game: invitation } = await ask(page, 'game.people', { color: 'white' });
  await ask(page, 'drill.add', { color: 'white', moves: ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'] });
  await ask(page, 'puzzles.make', {});
  await until('the puzzle', async () => (await ask(page, 'puzzles.state')).state.job === null, REVIEW);
  return { imported: games[0], timed: games[0], blundered, over: over.id, running: running.id, invitation: invitation.id };
}

// As `furnish`, with the games of a PGN file beside; the player named has them, and one of a length that people play is reviewed.
export async function furnishWithGames(page, name, pgn) {
  const ids = await furnish(page, name);
  const { games } = await ask(page, 'pgn.import', { pgn });
  await ask(page, 'games.claim', { name });
  for (const game of games.slice(0, 3)) await reviewed(page, game);
  await ask(page, 'puzzles.make', {});
  await until('the puzzles', async () => (await ask(page, 'puzzles.state')).state.job === null, 5 * REVIEW);
  const { game } = await ask(page, 'game.new', {
    opponent: { kind: 'level', elo: 1200 },
    color: 'black',
    clock: { initial: 900_000, increment: 10_000 }, // with more the opponent thinks for minutes
  });
  await playOn(page, game.id, 12);
  return { ...ids, blundered: games[0], imported: games[1], running: game.id };
}

// Moves of the player, as hints propose them.
async function playOn(page, id, moves) {
  const ready = async () => {
    const { game } = await ask(page, 'game.open', { game: id });
    return game.result || game.turn === game.you ? game : null;
  };
  for (let i = 0; i < moves; i++) {
    const game = await until('the turn of the player', ready, REVIEW);
    if (game.result) return;
    const { uci } = await ask(page, 'game.hint', { game: id, stage: 2 });
    await ask(page, 'game.move', { game: id, ply: game.ply, uci });
  }
}

// ---- The walk ---------------------------------------------------------------------------------

const control = (page, text) => page.locator(`.controls button:has-text("${text}")`).first();
const shown = (selector) => (page) => page.waitForSelector(selector);
const dialog = (key) => async (page, say) => {
  await control(page, say(key)).click();
  await page.waitForSelector('dialog[open]');
};

async function learn(page) {
  await page.locator('button.learn').click();
  await page.waitForSelector('.exercise.ask');
}

// [name, place, what to do there]: `say` has the strings of the page's language by their keys.
export const screens = (ids) => [
  ['play', 'play', shown('.family .pick')],
  ['play-people', 'play', async (page) => {
    await page.locator('.people input[type=radio]').first().check({ force: true });
    await page.waitForSelector('.people .switch');
  }],
  ['play-program', 'play', async (page) => {
    await page.locator('.family input[type=radio]').nth(2).check({ force: true });
    await page.waitForSelector('.opponent-settings');
  }],
  ['game', `game/${ids.running}`, shown('.stage .ground cg-board piece')],
  ['game-over', `game/${ids.over}`, shown('.result')],
  ['game-imported', `game/${ids.imported}`, shown('.result')],
  ['game-resign', `game/${ids.running}`, dialog('resign')],
  ['invitation', `game/${ids.invitation}`, shown('.invitation')],
  ['train', 'train', shown('.exercise.ask')],
  ['train-shown', 'train', async (page, say) => {
    await control(page, say('showAnswer')).click();
    await page.waitForSelector('.exercise.shown .line .move');
  }],
  ['review', `review/${ids.blundered}`, shown('.summary')],
  ['review-mistake', `review/${ids.blundered}`, async (page) => {
    await page.keyboard.press('n');
    await page.waitForSelector('.comment .label:is(.blunder, .mistake, .inaccuracy)');
  }],
  ['review-times', `review/${ids.timed}`, async (page, say) => {
    await page.waitForSelector('.summary');
    await control(page, say('review.times')).click();
    await page.waitForSelector('.graph.times');
  }],
  ['review-export', `review/${ids.imported}`, dialog('export')],
  ['learn', `review/${ids.blundered}`, learn],
  ['learn-summary', `review/${ids.blundered}`, async (page, say) => {
    await learn(page);
    while (!(await page.locator('.learn-summary').count())) {
      await control(page, say('showAnswer')).click();
      await page.locator('.controls .primary').click();
      await page.waitForSelector('.exercise.ask, .learn-summary');
    }
  }],
  ['analyse', `analyse?game=${ids.imported}&ply=9`, shown('.engine-lines .move')],
  ['analyse-paste', 'analyse', dialog('paste')],
  ['analyse-export', 'analyse', dialog('export')],
  ['analyse-details', 'analyse', dialog('analyse.details')],
  ['analyse-engine', 'analyse', async (page, say) => {
    await page.locator(`button[aria-label="${say('engine.settings')}"]`).click();
    await page.waitForSelector('dialog[open]');
  }],
  ['editor', 'analyse?edit=1', shown('.stage.editor')],
  ['games', 'games', shown('.game-row')],
  ['games-select', 'games', async (page) => {
    await page.locator('.choose-bar button').click();
    await page.locator('.game-row input[type=checkbox]').first().check();
  }],
  ['games-import', 'games', async (page, say) => {
    await page.locator(`.page-head button:has-text("${say('import')}")`).click();
    await page.waitForSelector('dialog[open]');
  }],
  ['games-empty', 'games?search=nobody', shown('.empty')],
  ['statistics', 'statistics', shown('.stats-table')],
  ['puzzles', 'puzzles', shown('.stage.puzzle')],
  ['puzzles-shown', 'puzzles', async (page, say) => {
    await control(page, say('puzzle.show')).click();
    await page.waitForSelector('.exercise.shown .line .move');
  }],
  ['openings', 'openings', shown('.explorer-table')],
  ['openings-drill', 'openings', async (page) => {
    await page.locator('.drills li button').first().click();
    await page.waitForSelector('.stage.drill');
  }],
  ['watch', 'watch', shown('.rivals')],
  ['lab', 'lab', (page) => page.waitForSelector('.lab-table tbody tr', { timeout: REVIEW })],
  ['players', 'players', shown('.rating-now')],
  ['players-new', 'players', async (page) => {
    await page.locator('.page-head button').click();
    await page.waitForSelector('dialog[open]');
  }],
  ['settings', 'settings', shown('.swatch')],
  ['shortcuts', 'settings', async (page) => {
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
  }],
  ['missing', 'game/999999', shown('.empty')],
];

// Calls `look(name)` on every screen; what was opened on it is closed again.
export async function walk(page, ids, say, look) {
  for (const [name, place, act] of screens(ids)) {
    await visit(page, 'settings'); // so that the next screen begins as if it were entered
    await visit(page, place);
    await act(page, say);
    await look(name);
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
  }
}
