// Whole games on the page: by mouse, by keys, by touch, and engines among themselves.
import { assert, LADDER, mateShown, newGame, openGame, resign, run, shows, snapshot, until, untilPly, yourTurn } from './harness.mjs';

await run('web/play', {
  'a game by mouse, to mate': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: LADDER });
    await page.board.drag('a2', 'a7');
    await untilPly(page, id, 2);
    await shows(page, { g8: 'black king', h8: null, a7: 'white rook' });
    await page.board.click('b1', 'b8');
    await mateShown(page);
    assert.equal(snapshot(page, id).result.reason, 'checkmate');
    await page.waitForSelector('.moves .move[aria-current]:has-text("Rb8#")');
  },

  'a game by keys alone, to mate': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: LADDER });
    await page.board.keys('a2', 'a7');
    await untilPly(page, id, 2);
    await page.board.type('Rb8#');
    await mateShown(page);
    // And back through the game with the arrows.
    await page.locator('h1').first().evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('Home');
    await shows(page, { a2: 'white rook', h8: 'black king' });
    await page.keyboard.press('ArrowRight');
    await shows(page, { a7: 'white rook', h8: 'black king' });
    await page.keyboard.press('End');
    await shows(page, { b8: 'white rook', g8: 'black king' });
  },

  'a game by touch, to mate': async ({ open }) => {
    const page = await open('', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const id = await newGame(page, { fen: LADDER });
    await page.board.tap('a2', 'a7');
    await untilPly(page, id, 2);
    await page.board.tap('b1', 'b8');
    await mateShown(page);
  },

  'a game from the choice of the opponent to resigning': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.cards .pick:not(.ghost)');
    await page.locator('label:has-text("At my level")').click();
    await page.locator('label.pick:has-text("Castellan")').first().click();
    await page.locator('.choice label:has-text("1 + 0")').click();
    await page.locator('input[type=range]').fill('600');
    await page.locator('button:has-text("Play level 600")').click();
    await page.waitForURL(/#\/game\/\d+/);
    const id = Number(page.url().split('/').pop());
    await yourTurn(page, id);
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await page.board.click('d2', 'd4');
    const game = await untilPly(page, id, 4);
    assert.equal(game.clock.initial, 60_000);
    assert.match(await page.textContent('.strip >> nth=0'), /600/);
    await resign(page);
    assert.equal(snapshot(page, id).result.reason, 'resignation');
  },

  'historical programs are grouped by the program they come from': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.family .pick');
    const families = await page.$$eval('.family', (all) =>
      all.map((one) => [one.querySelector('h3').firstChild.textContent, one.querySelector('.pick b').textContent, one.querySelectorAll('.pick').length]),
    );
    assert.deepEqual(families, [
      ['JavaChess', 'JavaChess', 2],
      ['Chess Mantis', 'Chess Mantis', 7],
      ['ChessBin', 'ChessBin, medium', 2],
      ['The adaptive program', 'The adaptive program', 2],
      ['Kanji', 'Kanji', 7],
    ]);
    // A variant has the settings of its program, with its own values.
    await page.locator('.family .pick:has-text("Capuchin")').click();
    await page.waitForSelector('.opponent-settings summary:has-text("Settings of Capuchin")');
    assert.equal(await page.locator('.opponent-settings select').nth(1).inputValue(), 'capuchin');
  },

  'the settings of a historical program': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.cards .pick:not(.ghost)');
    await page.locator('label.pick:has(b:text-is("Chess Mantis"))').first().click();
    await page.locator('.opponent-settings select').nth(0).selectOption('minimax');
    await page.locator('.opponent-settings select').nth(1).selectOption('sifaka');
    await page.waitForSelector('.opponent-settings :text("not rated")');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(/#\/game\/\d+/);
    const game = await yourTurn(page, Number(page.url().split('/').pop()));
    assert.equal(game.black.name, 'mantis,analyser=minimax,evaluator=sifaka');
    assert.equal(game.rated, false);
  },

  'a wrong setting is refused with what is accepted': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.cards .pick:not(.ghost)');
    await page.locator('label.pick:has-text("JavaChess")').first().click();
    await page.locator('.opponent-settings input[type=text]').first().fill('../secret');
    await page.locator('button[type=submit]').click();
    await page.waitForSelector(":text(\"book: invalid value '../secret': none, or ruy-lopez and book files\")");
    assert.match(page.url(), /#\/play/);
  },

  'an unfinished game is offered to go on with': async ({ open }) => {
    const page = await open('#/play');
    await page.waitForSelector('.cards .pick:not(.ghost)');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(/#\/game\/\d+/);
    const id = Number(page.url().split('/').pop());
    await page.locator('.rail a:has-text("Play")').first().click();
    await page.locator(`a[href="#/game/${id}"]`).first().click();
    await until('the same game', () => page.url().endsWith(`/${id}`));
    await page.waitForSelector('.stage .ground cg-board piece');
  },

  'an illegal move goes back': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    await page.board.drag('e2', 'e5');
    await page.board.type('Ke4');
    await page.waitForSelector('.typed output:has-text("not a legal move")');
    assert.equal(snapshot(page, id).ply, 0);
    await shows(page, { e2: 'white pawn', e5: null, e1: 'white king' });
  },

  'rematch with colours changed': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: LADDER });
    await page.board.drag('a2', 'a7');
    await untilPly(page, id, 2);
    await page.board.drag('b1', 'b8');
    await page.locator('.result button:has-text("Rematch")').click();
    await page.waitForURL((url) => /#\/game\/\d+/.test(url.hash) && !url.hash.endsWith(`/${id}`));
    const next = Number(page.url().split('/').pop());
    const game = await until('the new game', () => snapshot(page, next));
    assert.equal(game.you, 'black');
    await page.waitForSelector('.ground.orientation-black');
  },

  'two engines, watched and paused': async ({ open }) => {
    const page = await open('#/watch');
    await page.locator('.rival select').first().selectOption('level:400');
    await page.locator('.rival select').last().selectOption('level:600');
    await page.locator('.choice label:has-text("Fast")').click();
    await page.locator('button:has-text("Start")').click();
    await page.waitForURL(/#\/game\/\d+/);
    const id = Number(page.url().split('/').pop());
    await untilPly(page, id, 3);
    await page.locator('button:has-text("Pause")').click();
    await until('paused', () => snapshot(page, id).paused);
    const { ply } = snapshot(page, id);
    await new Promise((done) => setTimeout(done, 900));
    assert.ok(snapshot(page, id).ply <= ply + 1, 'a paused game stands still');
    await page.locator('button:has-text("End")').click();
    await page.waitForSelector('.result');
    await openGame(page, id);
  },
});
