// Answers that come late: what the player has chosen or typed meanwhile stays, and nothing moves away from the pointer.
import { assert, hold, run, shows } from './harness.mjs';

const places = (page) =>
  page.$$eval('.level-cards > *', (all) => all.map((card) => {
    const { x, y, width, height } = card.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(' ');
  }));

// Points of a card: its middle and near its corners.
const POINTS = [[0.5, 0.5], [0.06, 0.1], [0.94, 0.1], [0.06, 0.9], [0.94, 0.9]];

const SIZES = [[360, 740], [768, 1024], [1280, 800]];

await run('web/late', {
  'a card can be clicked everywhere, and no card moves when the opponents come': async ({ open }) => {
    for (const [width, height, language] of [...SIZES, [360, 740, 'de']]) {
      const page = await open('', { viewport: { width, height }, reducedMotion: 'reduce', settings: { language: language ?? 'en' } });
      const line = await hold(page, 'opponents');
      await line.come();
      const people = page.locator('.people');
      const level = page.locator('.pick').first();
      const clickAll = async (when) => {
        for (const [x, y] of POINTS) {
          await level.locator('label').click();
          const frame = await people.boundingBox();
          await people.click({ position: { x: frame.width * x, y: frame.height * y } });
          assert.ok(await people.locator('input[type=radio]').first().isChecked(), `${language ?? 'en'}, ${width} px, ${when}: at ${x} ${y}`);
        }
        await level.locator('label').click();
      };
      await clickAll('without opponents');
      const before = await places(page);
      await line.release();
      await page.waitForSelector('.cards .pick:not(.ghost)');
      assert.deepEqual(await places(page), before, `${language ?? 'en'}, ${width} px: the cards stay where they are`);
      await clickAll('with opponents');
      await page.context().close();
    }
  },

  'no control moves when the list of games or the explorer comes': async ({ open }) => {
    for (const [width, height] of SIZES) {
      const page = await open('#/settings', { viewport: { width, height } });
      const line = await hold(page, 'games.list', 'explorer');
      for (const [place, wanted] of [['games', ['.page-head a', '.page-head button', 'input[type=search]', 'select']], ['openings', ['.choice', '.controls button']]]) {
        await page.evaluate((name) => {
          location.hash = `#/${name}`;
        }, place);
        await line.come();
        const look = () => Promise.all(wanted.map((selector) => page.locator(`main ${selector}`).first().boundingBox()));
        const before = await look();
        await line.release();
        const after = await look();
        before.forEach((frame, i) => {
          assert.ok(Math.abs(after[i].y - frame.y) < 1 && Math.abs(after[i].x - frame.x) < 1, `${place}, ${width} px: ${wanted[i]} is at ${after[i].y}, was at ${frame.y}`);
        });
        line.held.add('games.list').add('explorer');
      }
    }
  },

  'what is chosen and typed before the opponents come stays': async ({ open }) => {
    const page = await open();
    const line = await hold(page, 'opponents');
    await line.come();
    await page.locator('.people input[type=radio]').first().check();
    await page.locator('.people input[type=text]').fill('Grandpa');
    await page.locator('.choice label:has-text("5 + 3")').click();
    await line.release();
    await page.waitForSelector('.cards .pick:not(.ghost)');
    assert.equal(await page.inputValue('.people input[type=text]'), 'Grandpa');
    assert.ok(await page.locator('.people input[type=radio]').first().isChecked());
    await page.waitForSelector('.choice label.chosen:has-text("5 + 3")');
    await line.cut();
    assert.equal(await page.inputValue('.people input[type=text]'), 'Grandpa', 'after a lost connection');
  },

  'a word that is typed at once stays in the search field': async ({ open }) => {
    const page = await open('#/settings');
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const field = document.querySelector('input[type=search]');
        if (!field) return;
        observer.disconnect();
        field.value = 'nobody';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }).observe(document.body, { childList: true, subtree: true });
      location.hash = '#/games';
    });
    await page.waitForSelector('.empty:has-text("match")');
    assert.equal(await page.inputValue('input[type=search]'), 'nobody');
  },

  'moves of the explorer stay on the board while the server is slow or gone': async ({ open }) => {
    const page = await open('#/openings');
    const line = await hold(page);
    await page.waitForSelector('.explorer-table');
    line.held.add('position').add('explorer');
    await page.board.drag('e2', 'e4');
    await line.come(2);
    await shows(page, { e4: 'white pawn', e2: null });
    await page.board.drag('e7', 'e5');
    await line.come(4);
    await shows(page, { e4: 'white pawn', e2: null, e5: 'black pawn', e7: null });
    await line.cut();
    await shows(page, { e4: 'white pawn', e5: 'black pawn' });
    await line.come(2);
    await line.release();
    await page.waitForSelector('.moves .move:has-text("e5")');
    // A variation: nothing of the other one is shown.
    await page.keyboard.press('ArrowLeft');
    line.held.add('position');
    await page.board.drag('c7', 'c5');
    await line.come();
    await shows(page, { e4: 'white pawn', c5: 'black pawn', e7: 'black pawn' });
    assert.equal(await page.locator('.moves .move:has-text("e5")').count(), 0);
    await line.release();
    await page.waitForSelector('.moves .move:has-text("c5")');
  },
});
