// The analysis board: lines, variations, pasted games, and the editor.
import { assert, run, shows, until } from './harness.mjs';
import { CLUB_GAME as PGN } from './scenes.mjs';

await run('web/analyse', {
  'analysis: lines, variations, export': async ({ open }) => {
    const page = await open('#/analyse');
    await page.waitForSelector('.engine-lines li:nth-child(3) b');
    await until('some depth', async () => /depth ([5-9]|\d\d)/.test(await page.textContent('.engine-facts')));
    assert.match(await page.textContent('.engine-facts'), /nodes .*\/s/);
    await page.waitForSelector('.cg-shapes line', { state: 'attached' });
    await page.board.drag('e2', 'e4');
    await page.waitForSelector('.tree .move:has-text("e4")');
    await page.board.type('c5');
    await page.waitForSelector('.tree .move:has-text("c5")');
    await page.keyboard.press('Escape');
    await page.locator('button[aria-label="Previous move"]').click();
    await shows(page, { c7: 'black pawn', c5: null });
    await page.board.type('e5');
    await page.waitForSelector('.variation .move:has-text("e5")');
    await page.waitForSelector('.board-foot .opening:has-text("King")');
    await page.locator('.controls button:has-text("Export")').click();
    await page.waitForSelector('dialog[open]');
    const pgn = await page.locator('dialog textarea').nth(1).inputValue();
    assert.match(pgn, /1\. e4 c5 \(1\.\.\. e5\) \*/);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    await page.locator('.engine .switch').click();
    await page.waitForSelector('.engine-facts:has-text("Engine off")');
  },

  'a position and a game are pasted, a wrong one is explained': async ({ open }) => {
    const page = await open('#/analyse');
    const paste = async (text) => {
      await page.locator('.controls button:has-text("Paste")').click();
      await page.locator('dialog textarea').fill(text);
      await page.locator('dialog button:has-text("Open")').click();
    };
    await paste('8/8/8/8/8/8/8/8 w - - 0 1');
    assert.ok((await page.textContent('dialog [role=alert]')).length > 10);
    await page.keyboard.press('Escape');
    await paste('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
    await until('the position', async () => Object.keys(await page.board.pieces()).length === 3);
    await paste(PGN);
    await page.waitForSelector('.tree .move:has-text("Be2")');
    await paste('1. d4 d5 (1... Nf6 2. c4) 2. c4 *');
    await page.waitForSelector('.variation .move:has-text("Nf6")');
  },

  'variations, comments, NAGs and tags survive a reload and are exported': async ({ open }) => {
    const page = await open('#/analyse');
    await page.locator('.controls button:has-text("Paste")').click();
    await page.locator('dialog textarea').fill(PGN.replace('1. e4 e5', '1. e4 $1 {best by test} e5 (1... c5 $6 {sharp} 2. Nf3)'));
    await page.locator('dialog button:has-text("Open")').click();
    await page.waitForSelector('.tree .move:has-text("Be2")');
    const check = async () => {
      await page.waitForSelector('.tree .move:has-text("e4!")');
      await page.waitForSelector('.tree-comment:has-text("best by test")');
      await page.waitForSelector('.variation .move:has-text("c5?!")');
      await page.locator('.controls button:has-text("Export")').click();
      const pgn = await page.locator('dialog textarea').nth(1).inputValue();
      assert.match(pgn, /1\. e4 \$1 \{best by test\} 1\.\.\. e5 \(1\.\.\. c5 \$6 \{sharp\} 2\. Nf3\)/);
      assert.match(pgn, /\[White "Brandt, Ida"\]/);
      await page.keyboard.press('Escape');
    };
    await check();
    await page.reload();
    await check();
  },

  'a long line is deleted after a question, and undo brings it back': async ({ open }) => {
    const page = await open('#/analyse');
    await page.locator('.controls button:has-text("Paste")').click();
    const moves = Array.from({ length: 12 }, (_, i) => `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8`).join(' ');
    await page.locator('dialog textarea').fill(`${moves} *`);
    await page.locator('dialog button:has-text("Open")').click();
    await until('all moves', async () => (await page.locator('.tree .move').count()) === 48);
    await page.locator('.tree .move').nth(1).click();
    await page.locator('.controls button:has-text("Delete")').click();
    await page.locator('dialog button:has-text("Delete")').click();
    await until('one move left', async () => (await page.locator('.tree .move').count()) === 1);
    await page.locator('.controls button:has-text("Undo")').click();
    await until('all moves again', async () => (await page.locator('.tree .move').count()) === 48);
  },

  'Space on a focused button presses the button': async ({ open }) => {
    const page = await open('#/analyse');
    await page.waitForSelector('.engine-lines li:nth-child(1) b');
    await page.locator('.controls button:has-text("Flip")').focus();
    await page.keyboard.press('Space');
    await page.waitForSelector('.ground.orientation-black');
    assert.equal(await page.locator('.tree .move').count(), 0);
  },

  'an invalid position in the address is refused and forgotten': async ({ open }) => {
    const page = await open('#/analyse?fen=junk');
    await page.waitForSelector('.toast.bad');
    await page.waitForSelector('.engine-lines li:nth-child(1) b');
    await page.board.drag('e2', 'e4');
    await page.waitForSelector('.tree .move:has-text("e4")');
    // A later address and a reload find a board that works.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, '#/analyse?fen=' + encodeURIComponent('4k3/8/8/8/8/8/3R4/4K3 w - - 0 1'));
    await shows(page, { d2: 'white rook', d1: null });
    await page.reload();
    await shows(page, { d2: 'white rook', d1: null });
    await page.waitForSelector('.engine-lines li:nth-child(1) b');
    assert.equal(await page.locator('.toast.bad').count(), 0, 'nothing is refused any more');
  },

  'at checkmate the bar shows the winner': async ({ open }) => {
    const page = await open('#/analyse?fen=' + encodeURIComponent('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'));
    await until('Black has won', async () => (await page.getAttribute('.bar', 'aria-valuenow')) === '0');
    await page.waitForSelector('.engine-facts:has-text("game over")');
  },

  'the editor knows en passant squares and castling rights of Chess960': async ({ open }) => {
    const page = await open(`#/analyse?edit=1&fen=${encodeURIComponent('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2')}`);
    await page.waitForSelector('.stage.editor');
    const field = (name) => page.locator(`.panel label:has-text("${name}")`);
    const fen = () => page.locator('.panel input[type=text]').last().inputValue();
    await field('En passant square').locator('select').selectOption('d6');
    assert.match(await fen(), / w - d6 /);
    await page.locator('.panel button:has-text("Analyse")').click();
    await page.board.drag('e5', 'd6');
    await shows(page, { d6: 'white pawn', d5: null });
    // With Chess960 the files of the rooks are named, and castling takes the own rook.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/analyse?edit=1&fen=${encodeURIComponent('4k3/8/8/8/8/8/8/1K4R1 w - - 0 1')}`);
    await field('Chess960').locator('input').check();
    await field('Castling files').locator('input').fill('G');
    await page.keyboard.press('Tab');
    assert.match(await fen(), / w G - /);
    await page.waitForSelector('.verdict:not(.bad)');
    await page.locator('.panel button:has-text("Analyse")').click();
    await page.board.type('O-O');
    await shows(page, { g1: 'white king', f1: 'white rook' });
  },

  'the editor': async ({ open }) => {
    const page = await open('#/analyse?edit=1');
    await page.locator('button:has-text("Empty board")').click();
    await page.waitForSelector('.verdict.bad');
    await page.locator('.piece-tool[aria-label="white king"]').click();
    const king = await page.board.point('e1');
    await page.mouse.click(king.x, king.y);
    await page.locator('.piece-tool[aria-label="black king"]').click();
    const rival = await page.board.point('e8');
    await page.mouse.click(rival.x, rival.y);
    await page.focus('.board-keys');
    await page.board.goTo('a7');
    await page.keyboard.press('P');
    await page.waitForSelector('.verdict:not(.bad)');
    // An invalid FEN is reported and changes nothing.
    await page.locator('.panel input[type=text]').last().fill('8/8/9 w');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.verdict.bad:has-text("8 ranks")');
    await shows(page, { e1: 'white king', a7: 'white pawn' });
    // A piece is dragged from the palette.
    const knight = await page.locator('.piece-tool[aria-label="white knight"]').boundingBox();
    const target = await page.board.point('b1');
    await page.mouse.move(knight.x + knight.width / 2, knight.y + knight.height / 2);
    await page.mouse.down();
    await page.mouse.move(target.x, target.y, { steps: 4 });
    await page.mouse.up();
    await shows(page, { b1: 'white knight' });
    await page.waitForSelector('.verdict:not(.bad)');
    await page.locator('.panel button:has-text("Play from here")').click();
    await page.waitForSelector('.from-position');
    const fen = await page.locator('.from-position textarea').inputValue();
    assert.equal(fen.split(' ')[0], '4k3/P7/8/8/8/8/8/1N2K3');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(/#\/game\/\d+/);
    await shows(page, { a7: 'white pawn', e1: 'white king' });
  },
});
