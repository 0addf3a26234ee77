// Bugs that people have found on the page, each as they met it.
import { ask, assert, newGame, openGame, resign, run, until, untilPly, visit } from './harness.mjs';
import { BLUNDERS, CLUB_GAME, makeMistakes, newPlayer, REVIEW, reviewed } from './scenes.mjs';

const LONG = Array.from({ length: 10 }, (_, i) => `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8`).join(' ');
const PGN = CLUB_GAME.replace('2024.05.06', '2019.03.??');

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

  'an only move is praised for what it keeps': async ({ open, server }) => {
    const page = await open();
    const { games } = await ask(page, 'pgn.import', { pgn: PGN });
    await reviewed(page, games[0]);
    // Only moves are rare: the third move of White is made one, in a won, an even and a lost position.
    let win = 90;
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const connected = socket.connectToServer();
      connected.onMessage((text) => {
        const message = JSON.parse(text);
        const move = message.data?.review?.result?.moves[4];
        if (move) Object.assign(move, { label: 'only', win, reason: undefined, best: undefined });
        socket.send(JSON.stringify(message));
      });
    });
    for (const [share, words] of [[90, 'keeps the advantage'], [50, 'keeps the balance'], [20, 'does not lose at once']]) {
      win = share;
      await page.goto(server.url);
      await page.waitForSelector('.rail .me', { state: 'attached' });
      await visit(page, `review/${games[0]}`);
      await page.waitForSelector('.summary');
      await page.locator('.moves .move').nth(4).click();
      await page.waitForSelector(`.comment:has-text("The only move that ${words}.")`);
    }
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

  'an imported game without a date does not show the day of the import': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Undated');
    await ask(page, 'pgn.import', { pgn: PGN.replace(/\[Date .*\n/, '') });
    await visit(page, 'games');
    await page.waitForSelector('.game-row:has-text("date unknown")');
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
    await page.locator('label:has-text("Two people")').click();
    await visit(page, 'settings');
    await visit(page, 'play');
    await page.waitForSelector('.pick.chosen .pick-head:has-text("Level 1400")');
  },

  'a start position of one\'s own is for one game': async ({ open }) => {
    const page = await open(`#/play?fen=${encodeURIComponent(BLUNDERS[0])}`);
    await page.waitForSelector('.from-position');
    const button = page.locator('button[type=submit]');
    const frame = await button.boundingBox();
    assert.ok(frame.y + frame.height <= 800, `the button ends at ${frame.y + frame.height}, inside the window`);
    await button.click();
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

  'an exercise of a review begins at the top of the page': async ({ open }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    await newPlayer(page, 'Scroller');
    const [game] = await makeMistakes(page);
    await visit(page, `review/${game}`);
    await page.locator('button.learn').click();
    await page.waitForSelector('.exercise.ask');
    const head = await page.locator('.review-head').boundingBox();
    assert.ok(head.y >= 0, `the heading is at ${head.y}`);
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

  'the summary of the exercises begins at the top of the page': async ({ open }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    await newPlayer(page, 'Reader');
    const [game] = await makeMistakes(page);
    await visit(page, `review/${game}`);
    await page.locator('button.learn').click();
    await page.locator('button:has-text("Show answer")').click();
    await page.locator('.controls .primary').scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.locator('.controls .primary').click();
    await page.waitForSelector('.learn-summary');
    const head = await page.locator('.learn-summary h1').boundingBox();
    assert.ok(head.y >= 0, `the heading is at ${head.y}`);
  },

  'pieces stand on their squares without motion, too': async ({ open }) => {
    // A size that eight does not divide, so that the board is smaller than its place.
    const page = await open('', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await newPlayer(page, 'Still');
    await ask(page, 'pgn.import', { pgn: PGN });
    await visit(page, 'games');
    await page.waitForSelector('.game-row .mini piece');
    const beyond = await page.locator('.game-row .mini').first().evaluate((mini) => {
      const board = mini.querySelector('cg-board').getBoundingClientRect();
      const pieces = [...mini.querySelectorAll('piece')].map((piece) => piece.getBoundingClientRect());
      return Math.max(...pieces.map((piece) => Math.max(piece.right - board.right, piece.bottom - board.bottom)));
    });
    assert.ok(beyond < 0.5, `a piece ends ${beyond} pixels outside of the board`);
  },

  'chances are those of the side that moved, when Black began': async ({ open, server }) => {
    const page = await open();
    const pgn = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R b - - 0 1"]\n\n1... Kd7 2. Kd2 1-0';
    const { games } = await ask(page, 'pgn.import', { pgn });
    await reviewed(page, games[0]);
    // What a review of such a game says about its first move, if it were a mistake.
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const connected = socket.connectToServer();
      connected.onMessage((text) => {
        const message = JSON.parse(text);
        const move = message.data?.review?.result?.moves[0];
        if (move) Object.assign(move, { label: 'mistake', win: 90, loss: 30, reason: undefined, best: undefined });
        socket.send(JSON.stringify(message));
      });
    });
    await page.goto(server.url);
    await page.waitForSelector('.rail .me', { state: 'attached' });
    await visit(page, `review/${games[0]}`);
    await page.waitForSelector('.summary');
    await page.locator('.moves .move').first().click();
    await page.waitForSelector('.comment h2:has-text("1… Kd7")');
    await page.waitForSelector('.comment:has-text("from 40 % to 10 %")');
  },

  'a filter that came with a link can be cleared': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Filter');
    await ask(page, 'pgn.import', { pgn: PGN });
    await visit(page, 'games?search=nobody');
    await page.locator('button:has-text("Clear filters")').click();
    await page.waitForSelector('.game-row');
    assert.equal(await page.inputValue('input[type=search]'), '');
    await page.reload();
    await page.waitForSelector('.game-row');
  },

  'nothing is imported before there is a game': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Careful');
    await visit(page, 'games');
    await page.locator('button:has-text("Import")').first().click();
    const button = page.locator('dialog button[type=submit]');
    assert.ok(await button.isDisabled(), 'neither file nor text');
    await page.locator('dialog textarea').fill('1. e4 *');
    await until('it can be imported', () => button.isEnabled());
    await page.locator('dialog textarea').fill('');
    await page.locator('dialog input[type=file]').setInputFiles({ name: 'a.pgn', mimeType: 'text/plain', buffer: Buffer.from(PGN) });
    await until('a file can be imported', () => button.isEnabled());
    await button.click();
    await page.waitForSelector('dialog:has-text("1 game imported")');
  },

  'a message does not cover the notice of a lost server': async ({ open, server }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    page.forgives = /./;
    await newGame(page);
    await server.kill();
    await page.waitForSelector('.gone');
    await page.locator('.controls button:has-text("Offer draw")').click();
    // The message rises to its place; where it comes to rest is what counts.
    await page.locator('.toast').evaluate((toast) => Promise.all(toast.getAnimations().map((animation) => animation.finished)));
    const [notice, toast] = [await page.locator('.gone').boundingBox(), await page.locator('.toast').boundingBox()];
    assert.ok(toast.y + toast.height <= notice.y, 'the message is above the notice');
    await server.start();
    await page.waitForSelector('.gone', { state: 'detached' });
    await resign(page);
  },
});
