// Answers that come late in analysis, exercises and puzzles: what the player has opened or begun meanwhile stays.
import { ask, assert, hold, run, until, visit } from './harness.mjs';
import { CLUB_GAME, makeMistakes, newPlayer } from './scenes.mjs';

const legalMates = `[White "Ida"]
[Black "Zoe"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
`;

await run('web/late-study', {
  'a game that comes late does not close the editor, nor replace what was opened meanwhile': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Analyst');
    const { games } = await ask(page, 'pgn.import', { pgn: CLUB_GAME });
    await visit(page, 'settings');
    const line = await hold(page, 'game.open');
    await visit(page, `analyse?game=${games[0]}`);
    await line.come();
    await page.locator('.controls button:has-text("Edit")').click();
    await page.waitForSelector('.stage.editor');
    await line.release();
    await page.waitForSelector('.stage.editor');
    await page.keyboard.press('Escape');
    await visit(page, 'settings');
    line.held.add('game.open');
    await visit(page, `analyse?game=${games[0]}`);
    await line.come();
    await page.locator('.controls button:has-text("Paste")').click();
    await page.locator('dialog textarea').fill('1. d4 d5 *');
    await page.locator('dialog button:has-text("Open")').click();
    await page.waitForSelector('.tree .move:has-text("d5")');
    await line.release();
    await page.waitForSelector('.tree .move:has-text("d5")');
    assert.equal(await page.locator('.tree .move:has-text("Nxf7")').count(), 0);
  },

  'a lost connection does not open the game of the address again': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Traveller');
    const { games } = await ask(page, 'pgn.import', { pgn: CLUB_GAME });
    const line = await hold(page);
    await visit(page, `analyse?game=${games[0]}&ply=2`);
    await page.waitForSelector('.tree .move:has-text("Nxf7")');
    await page.board.type('Bc4');
    await page.waitForSelector('.variation .move:has-text("Bc4")');
    await line.cut();
    await page.waitForSelector('.variation .move:has-text("Bc4")');
    // Another way to the same address opens it.
    await visit(page, 'analyse');
    await visit(page, `analyse?game=${games[0]}&ply=2`);
    await page.waitForSelector('.variation .move:has-text("Bc4")', { state: 'detached' });
    await page.waitForSelector('.tree .move:has-text("Nxf7")');
  },

  'a move that is confirmed late does not bring back what was left': async ({ open }) => {
    const page = await open('#/analyse');
    const line = await hold(page);
    await page.board.type('d4');
    await page.waitForSelector('.tree .move:has-text("d4")');
    await page.board.type('d5');
    await page.waitForSelector('.tree .move[aria-current]:has-text("d5")');
    line.held.add('position');
    await page.board.type('c4');
    await line.come();
    await page.locator('button[aria-label="Previous move"]').click();
    await line.release();
    await page.waitForSelector('.tree .move:has-text("c4")');
    await page.waitForSelector('.tree .move[aria-current]:has-text("d4")');
    line.held.add('position');
    await page.board.type('Nf6');
    await line.come();
    await page.locator('.controls button:has-text("New")').click();
    await page.waitForSelector('.tree .move', { state: 'detached' });
    await line.release();
    assert.equal(await page.locator('.tree .move').count(), 0);
  },

  'a text that is read late is not opened once the dialog was closed or the text changed': async ({ open }) => {
    const page = await open('#/analyse');
    const line = await hold(page, 'pgn.read');
    const begin = async () => {
      await page.locator('.controls button:has-text("Paste")').click();
      await page.locator('dialog textarea').fill('1. d4 d5 *');
      await page.locator('dialog button:has-text("Open")').click();
      await line.come();
    };
    await begin();
    await page.locator('dialog button:has-text("Cancel")').click();
    await line.release();
    assert.equal(await page.locator('.tree .move').count(), 0);
    line.held.add('pgn.read');
    await begin();
    await page.locator('dialog textarea').fill('1. e4 *');
    await line.release();
    assert.equal(await page.inputValue('dialog textarea'), '1. e4 *');
    await page.locator('dialog button:has-text("Open")').click();
    await page.waitForSelector('.tree .move:has-text("e4")');
  },

  'an exercise that has been begun stays after a lost connection, and a late verdict does not hide the answer': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Learner');
    await makeMistakes(page);
    const { mistakes } = await ask(page, 'train.queue');
    const line = await hold(page);
    for (const place of ['train', `train/${mistakes[1].id}`]) {
      await visit(page, place);
      await page.waitForSelector('.exercise.ask');
      const pieces = await page.board.pieces();
      line.held.add('train.try');
      await page.board.drag(...(pieces.d5 ? ['d1', 'e1'] : ['b1', 'a1']));
      await line.come();
      await page.locator('button:has-text("Show answer")').click();
      await page.waitForSelector('.exercise.shown');
      await line.release();
      await page.waitForSelector('.exercise.shown');
      const before = await page.board.pieces();
      await line.cut();
      await page.waitForSelector('.exercise.shown');
      assert.deepEqual(await page.board.pieces(), before, place);
    }
  },

  'a reply of a puzzle does not hide the solution, and a lost connection does not replace the screen': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Puzzler');
    await ask(page, 'pgn.import', { pgn: legalMates });
    await ask(page, 'puzzles.make');
    await until('the puzzle', async () => {
      const { state } = await ask(page, 'puzzles.state');
      return state.job === null && state.total > 0;
    }, 120_000);
    const line = await hold(page, 'puzzles.try');
    await visit(page, 'puzzles');
    await page.waitForSelector('.stage.puzzle .ground.orientation-white');
    await page.board.drag('c4', 'f7');
    await line.come();
    await page.locator('button:has-text("Show solution")').click();
    await page.waitForSelector('.exercise.shown');
    await line.release();
    await page.waitForTimeout(700); // longer than a reply waits
    assert.equal(await page.locator('.exercise.shown').count(), 1);
    await visit(page, 'settings');
    line.held.add('puzzles.state');
    await page.evaluate(() => {
      location.hash = '#/puzzles';
    });
    await line.come();
    line.held.clear();
    await line.cut();
    await page.waitForSelector('.stage.puzzle');
  },
});
