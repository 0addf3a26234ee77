// Puzzles, the opening explorer and drills.
import { ask, assert, axeFaults, run, until, visit } from './harness.mjs';
import { newPlayer } from './scenes.mjs';

const SEARCH = 120_000;

// Short mates, among them Legal's, which is the one puzzle.
const PGN = `[White "Ida"]
[Black "Ben"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "Ida"]
[Black "Zoe"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[White "Uma"]
[Black "Ida"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
`;

await run('web/puzzles', {
  'puzzles are made from games, solved, failed and shown': async ({ open }) => {
    const page = await open('#/puzzles');
    await newPlayer(page, 'Solver');
    await page.waitForSelector('.empty:has-text("No puzzles yet")');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious without puzzles');
    await ask(page, 'pgn.import', { pgn: PGN });
    await page.locator('button:has-text("Find puzzles in my games")').click();
    await page.waitForSelector('.stage.puzzle', { timeout: SEARCH });
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious in a puzzle');
    await page.waitForSelector('.toast:has-text("1 new puzzle found.")', { timeout: SEARCH });
    await until('all games are searched', async () => (await ask(page, 'puzzles.state')).state.job === null, SEARCH);
    await page.locator('button:has-text("Find puzzles in my games")').click();
    await page.waitForSelector('.toast:has-text("No new puzzles found")');
    await page.locator('.controls button:has-text("Hint")').click();
    await page.waitForSelector('.cg-shapes circle', { state: 'attached' });
    await page.locator('.controls button:has-text("Show solution")').click();
    await page.waitForSelector('.exercise.shown .line .move');
    await page.keyboard.press('ArrowRight');
    const { state } = await ask(page, 'puzzles.state');
    assert.equal(state.today.done, 1, 'the attempt counts for today');
    assert.equal(state.today.solved, 0);
    await page.waitForSelector('.puzzle-score:has-text("1 of 10 today")');
  },

  'a puzzle is solved on the board': async ({ open }) => {
    const page = await open('#/puzzles');
    await newPlayer(page, 'Mater');
    // One of the games has one puzzle: 6.Bxf7+ Ke7 7.Nd5#.
    await ask(page, 'pgn.import', { pgn: PGN });
    await ask(page, 'puzzles.make');
    await until('the puzzle', async () => {
      const { state } = await ask(page, 'puzzles.state');
      return state.job === null && state.total > 0;
    }, SEARCH);
    await visit(page, 'play');
    await visit(page, 'puzzles');
    await page.waitForSelector('.stage.puzzle .ground.orientation-white');
    const { state: fresh } = await ask(page, 'puzzles.state');
    await page.waitForSelector(`.puzzle-score:has-text("${Math.round(fresh.rating)}?")`);
    await page.board.drag('c4', 'b5');
    await page.waitForSelector('.exercise.wrong');
    // The first attempt is rated, and the rating shown.
    const { state: failed } = await ask(page, 'puzzles.state');
    assert.ok(failed.rating < fresh.rating && failed.deviation < fresh.deviation);
    await page.waitForSelector(`.puzzle-score:has-text("${Math.round(failed.rating)}?")`);
    await page.locator('button:has-text("Take back and try again")').click();
    await page.waitForSelector('.exercise.ask');
    await page.board.drag('c4', 'f7');
    await until('the reply', async () => /king/.test((await page.board.pieces()).e7 ?? ''));
    await page.board.drag('c3', 'd5');
    await page.waitForSelector('.exercise.solved:has-text("Solved with help")');
    await page.waitForSelector('.exercise.solved:has-text("Checkmate")');
    const { state } = await ask(page, 'puzzles.state');
    assert.equal(state.today.done, 1);
    assert.equal(state.unseen, 0);
    const themes = await page.locator('.stage.puzzle select option').allTextContents();
    assert.ok(themes.some((theme) => /^Checkmate \(\d of 1 solved\)/.test(theme)), themes.join());
  },

  'the explorer shows theory and the own games': async ({ open }) => {
    const page = await open('#/openings');
    await newPlayer(page, 'Explorer');
    await ask(page, 'pgn.import', { pgn: PGN });
    await ask(page, 'games.claim', { name: 'Ida' });
    await page.reload();
    await page.waitForSelector('.explorer-table .move:has-text("e4")');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    await until('the own games are counted', async () => {
      const row = await page.locator('.explorer-table tr', { has: page.locator('.move:text-is("e4")') }).textContent();
      return /e4\d+ %2100 %/.test(row);
    });
    await page.locator('.explorer-table .move:text-is("e4")').click();
    await page.waitForSelector('.explorer .opening:has-text("King")');
    await page.board.drag('e7', 'e5');
    await page.waitForSelector('.moves .move:has-text("e5")');
    await page.locator('.choice label:has-text("As Black")').click();
    await until('no game as Black', async () => {
      const games = await page.locator('.explorer-table tbody td:nth-child(3)').allTextContents();
      return games.length > 0 && games.every((count) => count === '0');
    });
  },

  'a line is drilled': async ({ open }) => {
    const page = await open('#/openings?moves=e2e4,e7e5,g1f3,b8c6,f1b5');
    await newPlayer(page, 'Driller');
    await page.waitForSelector('.moves .move:has-text("Bb5")');
    await page.locator('.controls button:has-text("Drill as White")').click();
    await page.waitForSelector('.drills li');
    await page.locator('.drills button:has-text("Drill")').click();
    await page.waitForSelector('.stage.drill');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    await page.board.drag('d2', 'd4');
    await page.waitForSelector('.exercise.wrong:has-text("The line plays e4")');
    await page.board.drag('e2', 'e4');
    await page.waitForSelector('.progress-text:has-text("2 of 5")');
    await page.board.drag('g1', 'f3');
    await page.waitForSelector('.progress-text:has-text("4 of 5")');
    await page.board.drag('f1', 'b5');
    await page.waitForSelector('.exercise.solved:has-text("1 wrong move")');
    await page.waitForSelector('.exercise:has-text("due again")');
    await page.locator('button:has-text("Openings")').last().click();
    await page.waitForSelector('.drills');
    const { lines } = await ask(page, 'drill.list');
    assert.equal(lines[0].failed, 1);
  },

  'a review says where theory was left': async ({ open }) => {
    const page = await open();
    const { games } = await ask(page, 'pgn.import', { pgn: '1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. a4 1-0' });
    await ask(page, 'review.start', { game: games[0], effort: 'quick' });
    await until('the review', async () => (await ask(page, 'review.get', { game: games[0] })).review.state === 'done', SEARCH);
    await visit(page, `review/${games[0]}`);
    await page.waitForSelector('.theory:has-text("Left theory with 3… h5")');
    await page.locator('.theory a').click();
    await page.waitForSelector('.stage.openings .moves .move:has-text("Bb5")');
  },
});
