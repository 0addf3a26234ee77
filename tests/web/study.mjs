// Learning on the page: review, exercises, games that come and go as PGN, players, the laboratory.
import { readFileSync } from 'node:fs';
import { ask, assert, axeFaults, newGame, openGame, resign, run, shows, snapshot, until, untilPly, visit } from './harness.mjs';
import { CLUB_GAME as PGN, importText } from './scenes.mjs';

// White can take a queen, and does not.
const BLUNDER = '4k3/8/8/3q4/8/8/3Q4/3K4 w - - 0 1';
// A review and the laboratory think for a while, and the machine may be busy.
const REVIEW = 60_000;

const movesOf = (pgn) => pgn.split('\n\n')[1].replace(/\{[^}]*\}/g, ' ').replace(/\s+/g, ' ').trim();

async function importAll(page, text, again = false) {
  await importText(page, text, again);
  await page.locator('dialog button:has-text("Done")').click();
}

await run('web/study', {
  'review, and the mistake tried again': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: BLUNDER });
    await page.board.drag('d1', 'c2');
    await untilPly(page, id, 2);
    await resign(page);
    await page.locator('.result a:has-text("Review")').click();
    // One click: it is under way, or done already.
    await page.waitForSelector('.summary', { timeout: REVIEW });
    assert.match(await page.textContent('.summary'), /Accuracy/);
    assert.deepEqual(await axeFaults(page), [], 'axe is content with the review');
    await page.waitForSelector('.graph .mark.blunder');
    // A click on the left of the graph goes to the start, the arrow to the move.
    const graph = await page.locator('.graph svg').boundingBox();
    await page.mouse.click(graph.x + 3, graph.y + graph.height / 2);
    await page.waitForSelector('.comment h2:has-text("Start position")');
    // The mistake itself hides its answer until it is solved.
    await page.locator('.graph .mark.blunder').first().waitFor({ state: 'attached' });
    await page.keyboard.press('n');
    await page.waitForSelector('.comment .label.blunder');
    assert.doesNotMatch(await page.textContent('.comment'), /Qxd5/, 'the answer does not show');
    await page.locator('button:has-text("Learn from your mistake")').click();
    await page.waitForSelector('.stage.train');
    assert.match(page.url(), /#\/review\//, 'it is solved inside the review');
    assert.deepEqual(await axeFaults(page), [], 'axe is content with the exercise');
    await page.board.drag('d2', 'd4');
    await page.waitForSelector('.exercise.wrong');
    assert.doesNotMatch(await page.textContent('.exercise'), /Qxd5\+?\./);
    await page.locator('button:has-text("Take back and try again")').click();
    await shows(page, { d2: 'white queen', d4: null, d1: 'white king' });
    await page.board.drag('d2', 'd5');
    await page.waitForSelector('.exercise.solved');
    await page.waitForSelector('.facts:has-text("solved 1")');
    await page.locator('.controls button:has-text("Summary")').click();
    await page.waitForSelector('.learn-summary h1:has-text("0 of 1 mistake")');
    await page.waitForSelector('.outcomes .helped');
    assert.deepEqual(await axeFaults(page), [], 'axe is content with the summary');
    // The repetition goes well.
    await page.locator('button:has-text("Repeat 1 mistake")').click();
    await page.waitForSelector('.exercise.ask');
    await page.board.drag('d2', 'd5');
    await page.waitForSelector('.exercise.solved .line .move');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.exercise .line .move[aria-current]:has-text("Qxd5")');
    await page.locator('.controls button:has-text("Summary")').click();
    await page.waitForSelector('.learn-summary h1:has-text("1 of 1 mistake")');
    await page.locator('button:has-text("Back to review")').click();
    await page.waitForSelector('.summary');
    await page.waitForSelector('.bar[role=meter]');
    await page.locator('button[aria-label="Next mistake"], button[aria-label="Previous mistake"]').first().click();
    // The reason, and the better line with its numbers.
    await page.waitForSelector('.comment p:has-text("queen"), .comment p:has-text("mate")');
    assert.match(await page.textContent('.comment .line'), /1\. Qxd5\+?/);
    await page.locator('button:has-text("Show better line")').click();
    await page.waitForSelector('.cg-shapes line', { state: 'attached' });
    await page.keyboard.press('ArrowRight');
    await shows(page, { d5: 'white queen' });
    const queue = await ask(page, 'train.queue');
    assert.ok(queue.total >= 1);
  },

  'a review that is cancelled, and begun again': async ({ open }) => {
    const page = await open('#/games');
    await importAll(page, PGN);
    const { games } = await ask(page, 'games.list', { search: 'Okafor' });
    await visit(page, `review/${games[0].id}?start`);
    await page.waitForSelector('progress');
    await page.locator('button:has-text("Cancel")').click();
    await page.locator('button:has-text("Quick")').click();
    await page.waitForSelector('.summary', { timeout: REVIEW });
    await page.reload();
    await page.waitForSelector('.summary');
    await ask(page, 'game.delete', { game: games[0].id });
  },

  'PGN in, PGN out, the same game': async ({ open }) => {
    const page = await open('#/games');
    await importAll(page, PGN);
    await page.locator('input[type=search]').fill('Okafor');
    await page.waitForSelector('.game-row:has-text("Brandt, Ida")');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.game-row a[aria-label="Download PGN"]').first().click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.equal(movesOf(text), movesOf(PGN));
    for (const tag of ['Event "Club evening"', 'White "Brandt, Ida"', 'Black "Okafor, Ben"', 'Date "2024.05.06"', 'Round "2"', 'Result "1-0"']) {
      assert.ok(text.includes(`[${tag}]`), `${tag} is kept`);
    }
    await importAll(page, text, true);
    await until('twice in the list', async () => (await page.locator('.game-row').count()) === 2);
    await page.locator('.game-row .game-link').first().click();
    await page.waitForSelector('.moves .move:has-text("Be2")');
    // And out of the list again.
    await visit(page, 'games');
    await page.locator('.game-row button[aria-label=Delete]').first().click();
    await page.locator('dialog button:has-text("Delete")').click();
    await until('once less', async () => (await page.textContent('.page-head p')) !== null);
  },

  'the list can be filtered': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await ask(page, 'game.resign', { game: id });
    await visit(page, 'games');
    await page.waitForSelector('.game-row');
    await page.locator('select').first().selectOption('won');
    await page.waitForSelector('.empty');
    await page.locator('select').first().selectOption('lost');
    await page.waitForSelector('.outcome.lost');
    const all = await page.evaluate(async () => {
      const href = [...document.querySelectorAll('a')].find((one) => one.textContent.includes('Download all')).href;
      return (await fetch(href)).text();
    });
    assert.match(all, /\[Event /);
  },

  'players': async ({ open }) => {
    const page = await open('#/players');
    await page.locator('button:has-text("New player")').click();
    await page.locator('dialog input').fill('Grace');
    await page.locator('dialog button:has-text("Create")').click();
    await page.waitForSelector('.me:has-text("Grace")');
    await page.waitForSelector('.player-row.chosen:has-text("Grace")');
    await visit(page, 'games');
    await page.waitForSelector('.empty');
    await page.reload();
    await page.waitForSelector('.me:has-text("Grace")');
    // A rated game ends: the graph has its first point.
    const id = await newGame(page, { player: undefined });
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await resign(page);
    await until('the result', () => snapshot(page, id).result);
    await openGame(page, id);
  },

  'the laboratory': async ({ open }) => {
    const page = await open('#/lab');
    await page.waitForSelector('.lab-table tbody tr', { timeout: REVIEW });
    assert.match(await page.textContent('.lab-table'), /minimax/i);
  },
});
