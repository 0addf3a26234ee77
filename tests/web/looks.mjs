// How the page looks and speaks: sizes, dark and light, reader mode, settings.
import { ask, assert, newGame, openGame, PLACES, resign, run, until, untilPly, visit } from './harness.mjs';

const SIZES = { phone: [360, 740], laptop: [1280, 800], large: [3840, 2160] };

// Once the page has taken in its new size.
async function resize(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
}

const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

await run('web/looks', {
  'no screen is wider than the window': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    for (const [name, [width, height]] of Object.entries(SIZES)) {
      await resize(page, width, height);
      for (const place of [`game/${id}`, ...PLACES]) {
        await visit(page, place);
        assert.equal(await overflow(page), 0, `${place} on ${name}`);
      }
    }
  },

  'a game can be begun without scrolling': async ({ open }) => {
    const page = await open('#/play', { viewport: { width: SIZES.phone[0], height: SIZES.phone[1] } });
    await page.waitForSelector('.cards .pick:not(.ghost)');
    const button = page.locator('button[type=submit]');
    for (const card of [page.locator('.pick').first(), page.locator('.cards .pick').last()]) {
      await card.scrollIntoViewIfNeeded();
      const frame = await button.boundingBox();
      assert.ok(frame.y > 0 && frame.y + frame.height <= SIZES.phone[1], 'the button is in the window');
    }
    await page.locator('.cards .pick').last().click();
    await button.click();
    await page.waitForURL(/#\/game\/\d+/);
  },

  'who plays by keyboard sees what has the focus, from top to bottom': async ({ open }) => {
    const page = await open('#/play', { viewport: { width: SIZES.phone[0], height: SIZES.phone[1] } });
    await page.waitForSelector('.cards .pick:not(.ghost)');
    const tops = await page.$$eval('.play-grid > section', (all) => all.map((one) => one.getBoundingClientRect().top));
    assert.deepEqual(tops, [...tops].sort((a, b) => a - b), 'the sections stand as they follow each other');
    const button = await page.locator('button[type=submit]').boundingBox();
    await page.locator('.level-cards .pick input[type=radio]').first().focus();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('ArrowDown');
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      const card = await page.locator('.pick:has(input:focus)').boundingBox();
      assert.ok(card.y >= 0 && card.y + card.height <= button.y, `card ${i} is in the window, above the button`);
    }
  },

  'the board fits the window and does not jump': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    for (const [name, [width, height]] of Object.entries(SIZES)) {
      await resize(page, width, height);
      await visit(page, `game/${id}`);
      const frame = await page.locator('.ground').boundingBox();
      assert.ok(frame.x >= 0 && frame.x + frame.width <= width + 1, `board within the ${name}`);
      assert.ok(frame.y + frame.height <= height, `board above the fold of the ${name}`);
      assert.ok(frame.width >= Math.min(width, height) * 0.6, `board large on the ${name}`);
    }
    await resize(page, 1280, 800);
    await page.evaluate(() => {
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: false });
    });
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await resign(page);
    await page.waitForTimeout(100);
    assert.ok((await page.evaluate(() => window.shifted)) < 0.02, 'nothing jumps');
  },

  'dark and light, boards and pieces are kept': async ({ open }) => {
    const page = await open('#/settings', { colorScheme: 'light' });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.locator('.choice label:has-text("Dark")').click();
    await until('dark paper', async () => (await paper()) !== light);
    await page.locator('label:has(.swatch[data-board=walnut])').first().click();
    await page.locator('label:has(.swatch[data-pieces=cburnett])').last().click();
    await page.reload();
    await page.waitForSelector('.rail .me', { state: 'attached' });
    assert.deepEqual(
      await page.evaluate(() => ({ ...document.documentElement.dataset })),
      { theme: 'dark', board: 'walnut', pieces: 'cburnett' },
    );
    assert.notEqual(await paper(), light);
  },

  'blindfold: the pieces are not seen, but they move': async ({ open }) => {
    const page = await open('', { settings: { pieces: 'blindfold' } });
    const id = await newGame(page);
    const seen = await page.evaluate(() => getComputedStyle(document.querySelector('.ground piece')).backgroundImage);
    assert.equal(seen, 'none');
    await page.board.type('Nf3');
    await untilPly(page, id, 2);
  },

  'reader mode speaks': async ({ open }) => {
    const page = await open('', { settings: { reader: true } });
    const id = await newGame(page);
    await page.waitForSelector('.spoken-position:has-text("king e 1")');
    await page.board.type('board');
    await page.waitForSelector('.typed output:has-text("White: king e 1; queen d 1; rooks a 1, h 1")');
    await page.board.type('1');
    await page.waitForSelector('.typed output:has-text("Rank 1: white rook a 1, white knight b 1")');
    const heard = [];
    await page.exposeFunction('hearVoice', (text) => heard.push(text));
    await page.evaluate(() => {
      new MutationObserver(() => window.hearVoice(document.getElementById('voice').textContent)).observe(
        document.getElementById('voice'),
        { childList: true, subtree: true, characterData: true },
      );
    });
    await page.board.type('Nf3');
    await untilPly(page, id, 2);
    await until('the own move is spoken', () => heard.some((text) => /You: knight f 3/.test(text)));
    await until('the answer is spoken', () => heard.some((text) => /^Level 400.*: /i.test(text)));
    await page.focus('.board-keys');
    await page.keyboard.press('ArrowUp');
    await until('squares are spoken', () => heard.some((text) => /[a-h] [1-8], /.test(text)));
  },

  'the rail shows where a game belongs': async ({ open }) => {
    const page = await open();
    const current = (word) => page.waitForSelector(`.rail .place[aria-current=page]:has-text("${word}")`);
    await newGame(page);
    await current('Play');
    const rival = { kind: 'level', elo: 400 };
    const { game } = await ask(page, 'game.watch', { white: rival, black: rival, pace: 5000 });
    await openGame(page, game.id);
    await current('Watch');
    const { games } = await ask(page, 'pgn.import', { pgn: '1. e4 e5 1-0' });
    await openGame(page, games[0]);
    await current('My games');
  },

  'reduced motion is respected': async ({ open }) => {
    const page = await open('', { reducedMotion: 'reduce', settings: { animation: true } });
    await newGame(page);
    const durations = await page.evaluate(() =>
      [...document.querySelectorAll('.thinking i, .button, button')].map((one) => getComputedStyle(one).transitionDuration),
    );
    assert.ok(durations.every((duration) => parseFloat(duration) < 0.001));
  },
});
