// How the page looks and speaks: sizes, dark and light, reader mode, settings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, assert, newGame, openGame, openPage, PLACES, resign, run, Server, until, untilPly, visit } from './harness.mjs';
import { furnish, readLanguage, REVIEW, walk } from './scenes.mjs';

const SIZES = { phone: [360, 740], laptop: [1280, 800], large: [3840, 2160] };

// Once the page has taken in its new size.
async function resize(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
}

const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Pairs of texts, or a text and a control, that lie on each other. What floats above the page on purpose is left out.
const coveredOn = (page) =>
  page.evaluate(() => {
    const floats = (one) => {
      for (let at = one; at; at = at.parentElement) if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
      return Boolean(one.closest('.unseen, .ground, .mini, .swatch, svg, .graph, .bar, select, .rail'));
    };
    // What scrolls inside a box is seen there alone.
    const seen = (from, frame) => {
      let { left, top, right, bottom } = frame;
      for (let at = from; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue;
        const box = at.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      return { left, top, right, bottom };
    };
    const place = document.querySelector('dialog[open]') ?? document.querySelector('main');
    const parts = [];
    for (const one of place.querySelectorAll('*')) {
      if (floats(one) || !one.checkVisibility({ visibilityProperty: true })) continue;
      if (one.matches('button, .button, input[type=text], input[type=search], textarea')) parts.push({ one, frame: seen(one.parentElement, one.getBoundingClientRect()) });
      for (const node of one.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim()) continue;
        const words = document.createRange();
        words.selectNodeContents(node);
        for (const line of words.getClientRects()) parts.push({ one, text: node.textContent.trim(), frame: seen(one, line) });
      }
    }
    const wrong = new Set();
    parts.forEach((a, i) => {
      for (const b of parts.slice(i + 1)) {
        if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
        const wide = Math.min(a.frame.right, b.frame.right) - Math.max(a.frame.left, b.frame.left);
        const high = Math.min(a.frame.bottom, b.frame.bottom) - Math.max(a.frame.top, b.frame.top);
        if (wide > 3 && high > 5) wrong.add(`'${(a.text ?? a.one.className).slice(0, 30)}' and '${(b.text ?? b.one.className).slice(0, 30)}'`);
      }
    });
    return [...wrong].slice(0, 3);
  });

await run('web/looks', {
  'no text lies on another, on any screen of a phone, a tablet and a laptop': async ({ open }) => {
    const page = await open('', { reducedMotion: 'reduce' });
    const ids = await furnish(page, 'Reader');
    const { strings } = await readLanguage('en');
    const wrong = [];
    for (const [width, height] of [[360, 740], [768, 1024], [1280, 800]]) {
      await resize(page, width, height);
      await walk(page, ids, (key) => strings[key], async (name) => {
        for (const pair of await coveredOn(page)) wrong.push(`${name} at ${width} px: ${pair}`);
      });
    }
    assert.deepEqual(wrong, []);
  },

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

  'tables and cards of a phone end where the page does': async ({ open }) => {
    const page = await open('', { viewport: { width: SIZES.phone[0], height: SIZES.phone[1] } });
    await ask(page, 'pgn.import', { pgn: '[White "Ada"]\n[Black "Ben"]\n[TimeControl "900+10"]\n\n1. e4 e5 1-0' });
    await ask(page, 'games.claim', { name: 'Ada' });
    for (const place of ['statistics', 'lab']) {
      await visit(page, place);
      await page.waitForSelector('main table tbody tr', { timeout: REVIEW });
      const ends = await page.$$eval('main .card, main table', (all) => all.map((one) => one.getBoundingClientRect().right));
      assert.ok(Math.max(...ends) <= SIZES.phone[0] - 8, `${place}: ends at ${Math.max(...ends)}`);
    }
  },

  'the controls of a game are above the fold of a phone': async ({ open }) => {
    for (const language of ['en', 'de']) {
      const page = await open('', { viewport: { width: SIZES.phone[0], height: SIZES.phone[1] }, settings: { language } });
      await newGame(page, { clock: { initial: 300_000, increment: 3000 } });
      const controls = await page.locator('.controls').boundingBox();
      const rail = await page.locator('.rail').boundingBox();
      assert.ok(controls.y + controls.height <= rail.y + 1, `${language}: they end at ${controls.y + controls.height}, the rail begins at ${rail.y}`);
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

  'on a phone, More shows where a screen behind it belongs': async ({ open }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    for (const [place, marked] of [['settings', 1], ['puzzles', 1], ['games', 0]]) {
      await visit(page, place);
      await until(place, async () => (await page.locator('.place.more.current').count()) === marked);
    }
  },

  'the settings name the endgame tables': async ({ open, browser }) => {
    const without = await open('#/settings');
    await without.waitForSelector('.about:has-text("Endgame tables: none")');
    const folder = mkdtempSync(join(tmpdir(), 'castellan-tables-'));
    const server = new Server(join(folder, 'data'), ['--syzygy', folder]);
    const context = await browser.newContext();
    try {
      writeFileSync(join(folder, 'KQvK.rtbw'), 'no table');
      await server.start();
      const page = await openPage(context, server, '#/settings');
      await page.waitForSelector('.about:has-text("Endgame tables: none")');
      await page.waitForSelector('.about .bad:has-text("KQvK.rtbw")');
    } finally {
      await context.close();
      await server.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    }
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
