// The free board: lines, variations, pasted games, and the editor.
import { assert, run, shows, until } from './harness.mjs';

const PGN = `[Event "Club evening"]
[Site "?"]
[Date "2024.05.06"]
[Round "2"]
[White "Brandt, Ida"]
[Black "Okafor, Ben"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 1-0
`;

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
    await page.locator('button[aria-label="One move back"]').click();
    await shows(page, { c7: 'black pawn', c5: null });
    await page.board.type('e5');
    await page.waitForSelector('.variation .move:has-text("e5")');
    await page.waitForSelector('.board-foot .opening:has-text("King")');
    await page.locator('.controls button:has-text("Export")').click();
    const pgn = await page.locator('dialog textarea').nth(1).inputValue();
    assert.match(pgn, /1\. e4 c5 \(1\.\.\. e5\) \*/);
    await page.keyboard.press('Escape');
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
    await until('the position', async () => Object.keys(await page.board.men()).length === 3);
    await paste(PGN);
    await page.waitForSelector('.tree .move:has-text("Be2")');
    await paste('1. d4 d5 (1... Nf6 2. c4) 2. c4 *');
    await page.waitForSelector('.variation .move:has-text("Nf6")');
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
    await page.locator('.panel button:has-text("Play from here")').click();
    await page.waitForSelector('.from-position');
    const fen = await page.locator('.from-position textarea').inputValue();
    assert.equal(fen.split(' ')[0], '4k3/P7/8/8/8/8/8/4K3');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(/#\/game\/\d+/);
    await shows(page, { a7: 'white pawn', e1: 'white king' });
  },
});
