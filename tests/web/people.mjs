// Two people: at one screen, and from two browsers.
import { assert, axeFaults, run, shows, snapshot, until, untilPly } from './harness.mjs';

async function chooseTwoPeople(page, where) {
  await page.waitForSelector('.cards .pick:not(.ghost)');
  await page.locator('label:has-text("Two people")').click();
  await page.locator(`.people .choice label:has-text("${where}")`).click();
}

const idOf = (page) => Number(/#\/game\/(\d+)/.exec(page.url())[1]);

async function invite(open, options = {}) {
  const ada = await open('#/play', options);
  await chooseTwoPeople(ada, 'By invitation');
  await ada.locator('.choice label:has-text("5 + 3")').click();
  await ada.locator('button:has-text("Create invitation")').click();
  await ada.waitForSelector('.invitation:has-text("Waiting for an opponent")');
  const link = await ada.locator('.invitation textarea').inputValue();
  const ben = await open(new URL(link).hash);
  await ben.locator('.invitation input').fill(`Ben ${Date.now() % 100000}`);
  await ben.locator('button:has-text("Join")').click();
  await ben.waitForSelector('.ground.orientation-black');
  await ada.waitForSelector('.invitation', { state: 'detached' });
  return { ada, ben, id: idOf(ada) };
}

await run('web/people', {
  'one screen: the board turns, moves of both, takeback, draw': async ({ open }) => {
    const page = await open('#/play');
    await chooseTwoPeople(page, 'At this screen');
    await page.locator('.people input[type=text]').fill('Grandpa');
    await page.locator('button:has-text("Play with two people")').click();
    await page.waitForURL(/#\/game\/\d+/);
    const id = idOf(page);
    await page.waitForSelector('.ground.orientation-white cg-board piece');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    assert.equal(await page.locator('.controls button:has-text("Hint")').count(), 0);
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 1);
    await page.waitForSelector('.ground.orientation-black');
    await page.board.drag('e7', 'e5');
    await untilPly(page, id, 2);
    await page.waitForSelector('.ground.orientation-white');
    // Without rotation the board stays.
    await page.locator('.controls button:has-text("Rotate")').click();
    await page.board.drag('g1', 'f3');
    await untilPly(page, id, 3);
    await page.waitForSelector('.status:has-text("Grandpa to move")');
    assert.equal(await page.locator('.ground.orientation-white').count(), 1);
    await page.locator('.controls button:has-text("Take back")').click();
    await until('one move less', () => snapshot(page, id).ply === 2);
    await shows(page, { g1: 'white knight', f3: null });
    await page.locator('.controls button:has-text("Draw")').click();
    await page.locator('dialog button:has-text("Draw")').click();
    await page.waitForSelector('.result:has-text("Draw")');
    await page.locator('.result button:has-text("Rematch")').click();
    await until('the rematch', () => idOf(page) !== id);
    await page.waitForSelector('.strip:has-text("Grandpa")');
  },

  'two browsers: invitation, moves, clocks, takeback and draw by consent, rematch': async ({ open }) => {
    const { ada, ben, id } = await invite(open);
    await ada.board.drag('e2', 'e4');
    await untilPly(ben, id, 1);
    await shows(ben, { e4: 'white pawn' });
    await ben.board.drag('c7', 'c5');
    await untilPly(ada, id, 2);
    await ada.waitForSelector('.clock.running');
    await ben.waitForSelector('.clock.running');
    // A takeback is declined, then granted.
    await ben.locator('.controls button:has-text("Take back")').click();
    await ada.waitForSelector('.offer:has-text("take back")');
    await ada.locator('.offer button:has-text("Decline")').click();
    await ben.waitForSelector('.toast:has-text("Takeback declined")');
    await ben.locator('.controls button:has-text("Take back")').click();
    await ada.locator('.offer button:has-text("Accept")').click();
    await shows(ben, { c7: 'black pawn', c5: null });
    await ben.board.drag('e7', 'e5');
    await untilPly(ada, id, 2);
    await ada.locator('.controls button:has-text("Offer draw")').click();
    await ben.locator('.offer button:has-text("Accept")').click();
    await ada.waitForSelector('.result:has-text("Draw")');
    await ben.waitForSelector('.result:has-text("Draw")');
    await ada.locator('.result button:has-text("Rematch")').click();
    await until('the rematch', () => idOf(ada) !== id);
    await ben.locator('.result button:has-text("Accept rematch")').click();
    await until('the same game', () => idOf(ben) === idOf(ada));
    await ada.waitForSelector('.ground.orientation-black');
    await ben.board.drag('d2', 'd4');
    await untilPly(ada, idOf(ada), 1);
  },

  'a third person watches and cannot move, and both find the game in their list': async ({ open }) => {
    const { ada, ben, id } = await invite(open);
    const eve = await open('#/players');
    await eve.locator('button:has-text("New player")').click();
    await eve.locator('dialog input').fill(`Eve ${Date.now() % 100000}`);
    await eve.locator('dialog button:has-text("Create")').click();
    await eve.waitForSelector('.me:has-text("Eve")');
    await eve.evaluate((hash) => {
      location.hash = hash;
    }, `#/game/${id}`);
    await eve.waitForSelector('.stage .ground cg-board piece');
    await ada.board.drag('e2', 'e4');
    await shows(eve, { e4: 'white pawn' });
    assert.equal(await eve.locator('.controls button:has-text("Resign")').count(), 0);
    await eve.board.drag('e7', 'e5');
    await eve.waitForTimeout(150);
    assert.equal(snapshot(ada, id).ply, 1);
    await ben.evaluate(() => {
      location.hash = '#/games';
    });
    await ben.waitForSelector('.game-row .outcome:has-text("Unfinished")');
    await ben.evaluate(() => {
      location.hash = '#/play';
    });
    await ben.waitForSelector('.running-game:has-text("Your move")');
  },

  'an invitation is cancelled': async ({ open }) => {
    const page = await open('#/play');
    await chooseTwoPeople(page, 'By invitation');
    await page.locator('button:has-text("Create invitation")').click();
    await page.waitForSelector('.invitation');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    await page.locator('.controls button:has-text("Cancel game")').click();
    await page.locator('dialog button:has-text("Cancel game")').click();
    await page.waitForSelector('.result:has-text("aborted")');
  },
});
