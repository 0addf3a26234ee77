// Bugs that people have found on the page, each as they met it.
import { ask, assert, newGame, openGame, resign, run, until, untilPly, visit } from './harness.mjs';

const REVIEW = 120_000;

// White can take a queen, and does not.
const BLUNDERS = ['4k3/8/8/3q4/8/8/3Q4/3K4 w - - 0 1', '4k3/8/8/2q5/8/8/2R5/1K6 w - - 0 1'];
const PASSED_BY = ['d1e1', 'b1a1'];

const LONG = Array.from({ length: 10 }, (_, i) => `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8`).join(' ');
const PGN = `[Event "Club evening"]
[Date "2019.03.??"]
[White "Brandt, Ida"]
[Black "Okafor, Ben"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 1-0
`;

async function reviewed(page, game) {
  await ask(page, 'review.start', { game, effort: 'quick' });
  await until('the review', async () => (await ask(page, 'review.get', { game })).review.state === 'done', REVIEW);
}

async function makeMistakes(page) {
  for (const [i, fen] of BLUNDERS.entries()) {
    const { game } = await ask(page, 'game.new', { opponent: { kind: 'level', elo: 400 }, color: 'white', fen });
    await ask(page, 'game.move', { game: game.id, ply: 0, uci: PASSED_BY[i] });
    await ask(page, 'game.resign', { game: game.id });
    await reviewed(page, game.id);
  }
}

const newPlayer = async (page, name) => {
  const { player } = await ask(page, 'players.create', { name });
  await page.evaluate((id) => {
    const kept = JSON.parse(localStorage.getItem('castellan.settings'));
    localStorage.setItem('castellan.settings', JSON.stringify({ ...kept, player: id }));
  }, player.id);
  await page.reload();
  await page.waitForSelector(`.me:has-text("${name}")`, { state: 'attached' });
};

await run('web/regress', {
  'a failed exercise comes behind the others, and counts are shown': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Trainee');
    await makeMistakes(page);
    await visit(page, 'train');
    const shown = () => page.board.pieces().then((pieces) => JSON.stringify(pieces));
    const first = await shown();
    await page.locator('button:has-text("Show answer")').click();
    await page.waitForSelector('.exercise.shown');
    await page.locator('button:has-text("Next")').click();
    await until('another exercise', async () => (await page.locator('.exercise.ask').count()) && (await shown()) !== first);
    const pieces = await page.board.pieces();
    const [from, to] = pieces.d5 ? ['d2', 'd5'] : ['c2', 'c5'];
    await page.board.drag(from, to);
    await page.waitForSelector('.exercise.solved');
    await page.waitForSelector('.facts:has-text("solved 1")');
  },

  'a move that loses nothing has no better line': async ({ open }) => {
    const page = await open();
    const { games } = await ask(page, 'pgn.import', { pgn: PGN });
    await reviewed(page, games[0]);
    await visit(page, `review/${games[0]}`);
    await page.waitForSelector('.summary');
    await page.locator('.moves .move').first().click();
    await page.waitForSelector('.comment h2:has-text("1. e4")');
    assert.equal(await page.locator('button:has-text("better line")').count(), 0);
    assert.match(await page.textContent('.comment'), /Book move/);
  },

  'an imported game shows its own date': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Importer');
    await ask(page, 'pgn.import', { pgn: PGN });
    await visit(page, 'games');
    const row = page.locator('.game-row', { hasText: 'Brandt, Ida' });
    await row.first().waitFor();
    const text = await row.first().textContent();
    assert.match(text, /Mar.* 2019/);
    assert.ok(!text.includes(String(new Date().getFullYear())), text);
  },

  'only rated games are counted as rated': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Rated');
    for (const fields of [{}, { fen: BLUNDERS[0] }]) {
      const id = await newGame(page, fields);
      await page.board.drag(fields.fen ? 'd1' : 'e2', fields.fen ? 'c2' : 'e4');
      await untilPly(page, id, 2);
      await ask(page, 'game.resign', { game: id });
    }
    await page.reload();
    await visit(page, 'players');
    await page.waitForSelector('.rating-now:has-text("1 rated game")');
  },

  'the level is kept while another opponent is looked at': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.cards .pick:not(.ghost)');
    await page.locator('input[type=range]').fill('1400');
    await page.locator('label:has-text("At my level")').click();
    await page.waitForSelector('.pick-head:has-text("Level 1400")');
    await page.reload();
    await page.waitForSelector('.pick-head:has-text("Level 1400")');
  },

  'a start position of one\'s own is for one game': async ({ open }) => {
    const page = await open(`#/play?fen=${encodeURIComponent(BLUNDERS[0])}`);
    await page.waitForSelector('.from-position');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(/#\/game\/\d+/);
    await visit(page, 'play');
    await page.waitForSelector('.play-grid');
    assert.equal(await page.locator('.from-position').count(), 0);
  },

  'the current move is in view when the review is there': async ({ open }) => {
    const page = await open('', { viewport: { width: 1280, height: 720 } });
    const { games } = await ask(page, 'pgn.import', { pgn: `${LONG} 1/2-1/2` });
    await visit(page, `review/${games[0]}`);
    await page.locator('button:has-text("Quick")').click();
    await page.waitForSelector('.summary', { timeout: REVIEW });
    await page.waitForTimeout(200);
    const [list, mark] = [await page.locator('.moves').boundingBox(), await page.locator('.moves [aria-current]').boundingBox()];
    assert.ok(mark.y >= list.y && mark.y + mark.height <= list.y + list.height, 'the marked move is inside the list');
  },

  'promotion, clocks and board end at the same pixel': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: '7k/P7/8/8/8/8/7P/7K w - - 0 1', clock: { initial: 300000, increment: 0 } });
    for (const [width, height] of [[1284, 803], [1441, 907], [391, 743], [1024, 768]]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(150);
      await openGame(page, id);
      await page.board.click('a7', 'a8');
      await page.waitForSelector('.promotion');
      const board = await page.locator('.ground cg-board').boundingBox();
      const choice = await page.locator('.promotion').boundingBox();
      const clock = await page.locator('.clock').last().boundingBox();
      assert.ok(Math.abs(choice.width - board.width / 8) < 1, `${width}: the promotion is one square wide`);
      assert.ok(Math.abs(choice.x - board.x) < 1 && Math.abs(choice.y - board.y) < 1, `${width}: and begins in the corner`);
      assert.ok(clock.x + clock.width <= board.x + board.width + 1, `${width}: the clock ends with the board`);
      await page.keyboard.press('Escape');
    }
  },

  'the heading of an exercise fits a phone': async ({ open }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    await newPlayer(page, 'Phone');
    await makeMistakes(page);
    await visit(page, 'train');
    const clipped = await page.locator('.review-head h1').evaluate((head) => head.scrollWidth > head.clientWidth);
    assert.equal(clipped, false, 'the heading is not clipped');
    const { total } = await ask(page, 'train.queue');
    assert.equal(total, 2);
  },

  'the comment of a review is above the fold': async ({ open }) => {
    const page = await open();
    const { games } = await ask(page, 'pgn.import', { pgn: PGN });
    await reviewed(page, games[0]);
    for (const [width, height] of [[768, 1024], [360, 740], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await visit(page, `review/${games[0]}`);
      await page.waitForSelector('.comment p');
      const comment = await page.locator('.comment p').first().boundingBox();
      assert.ok(comment.y + comment.height <= height - 40, `${width}x${height}: ends at ${comment.y + comment.height}`);
    }
  },

  'a message does not cover the notice of a lost server': async ({ open, server }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    page.forgives = /./;
    await newGame(page);
    await server.kill();
    await page.waitForSelector('.gone');
    await page.locator('.controls button:has-text("Offer draw")').click();
    const [notice, toast] = [await page.locator('.gone').boundingBox(), await page.locator('.toast').boundingBox()];
    assert.ok(toast.y + toast.height <= notice.y, 'the message is above the notice');
    await server.start();
    await page.waitForSelector('.gone', { state: 'detached' });
    await resign(page);
  },
});
