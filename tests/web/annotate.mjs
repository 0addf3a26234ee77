// Analysis keeps everything: arrows, signs, tags, undo, the engine's lines, and what is pasted.
import { assert, axeFaults, run, shows, until } from './harness.mjs';

async function paste(page, text) {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

async function exported(page) {
  await page.locator('.controls button:has-text("Export")').click();
  // Before it is modal, Escape does not reach it.
  const pgn = await page.locator('dialog:modal textarea').nth(1).inputValue();
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  return pgn;
}

async function drawArrow(page, from, to) {
  const [a, b] = [await page.board.point(from), await page.board.point(to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
}

await run('web/annotate', {
  'a position or a game is pasted anywhere': async ({ open }) => {
    const page = await open('#/settings');
    await paste(page, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
    await page.waitForURL(/#\/analyse/);
    await shows(page, { e2: 'white pawn', e8: 'black king', d8: null });
    await paste(page, '[White "Ada"]\n\n1. d4 d5 (1... Nf6 {[%cal Gd7d5,Rg8f6][%csl Ye4] solid} 2. c4) 2. c4 {[%clk 0:05:00] gambit} *');
    await page.waitForSelector('.variation .move:has-text("Nf6")');
    await page.waitForSelector('.tree-comment:has-text("gambit")');
    assert.doesNotMatch(await page.textContent('.tree'), /clk|cal/);
    const pgn = await exported(page);
    assert.match(pgn, /\[%csl Ye4\] \[%cal Gd7d5,Rg8f6\] solid/);
    assert.match(pgn, /\[%clk 0:05:00\] gambit/);
    assert.match(pgn, /\[White "Ada"\]/);
    // What is neither stays where it belongs.
    await paste(page, 'nothing of chess');
    await page.waitForSelector('.variation .move:has-text("Nf6")');
  },

  'arrows, signs and tags persist and are exported, and undo takes them back': async ({ open }) => {
    const page = await open('#/analyse');
    await page.board.drag('e2', 'e4');
    await page.waitForSelector('.tree .move:has-text("e4")');
    await drawArrow(page, 'd2', 'd4');
    await page.locator('.annotate summary').click();
    await page.locator('.nags button[aria-label="Good move"]').click();
    await page.waitForSelector('.tree .move:has-text("e4!")');
    await page.locator('.controls button:has-text("Details")').click();
    await page.locator('.tags-form label:has-text("White") input').first().fill('Ada');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious in the dialog');
    await page.locator('.tags-form button:has-text("Save")').click();
    const check = async () => {
      const pgn = await exported(page);
      assert.match(pgn, /1\. e4 \$1 \{\[%cal Gd2d4\]\}/);
      assert.match(pgn, /\[White "Ada"\]/);
    };
    await check();
    await page.reload();
    await page.waitForSelector('.tree .move[aria-current]:has-text("e4!")');
    await check();
    // Another window begins with the same analysis.
    const [again] = [await page.context().newPage()];
    await again.goto(page.url());
    await again.waitForSelector('.tree .move:has-text("e4!")');
    await again.close();
    // Undo, step by step.
    await page.locator('.nags button[aria-label="Blunder"]').click();
    await page.waitForSelector('.tree .move:has-text("e4??")');
    await page.locator('.controls button:has-text("Undo")').click();
    await page.waitForSelector('.tree .move:has-text("e4!")');
    await page.locator('.controls button:has-text("New")').click();
    await until('an empty tree', async () => (await page.locator('.tree .move').count()) === 0);
    await page.keyboard.press('z');
    await page.waitForSelector('.tree .move:has-text("e4!")');
  },

  'a line is expanded, stepped through and inserted': async ({ open }) => {
    // A position of its own: the board without one keeps the tree of the test before.
    const page = await open('#/analyse?fen=' + encodeURIComponent('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'));
    await until('some depth', async () => /depth ([6-9]|\d\d)/.test(await page.textContent('.engine-facts')));
    await page.locator('button[aria-label="Expand line"]').first().click();
    await page.waitForSelector('.engine-lines li.open');
    await page.locator('.engine-lines li:first-child .move').first().click();
    await page.waitForSelector('.preview-bar');
    assert.equal(await page.locator('.tree .move').count(), 0, 'a preview changes nothing');
    const first = await page.textContent('.preview-bar b');
    await page.keyboard.press('ArrowRight');
    await until('the next move', async () => (await page.textContent('.preview-bar b')) !== first);
    await page.locator('.preview-bar button:has-text("Insert")').click();
    await until('two moves', async () => (await page.locator('.tree .move').count()) === 2);
    await until('no preview', async () => (await page.locator('.preview-bar').count()) === 0);
  },

  'threat, lines, threads and hash': async ({ open }) => {
    const page = await open('#/analyse?fen=' + encodeURIComponent('4k3/8/8/3q4/8/8/3Q4/6K1 w - - 0 1'));
    await page.waitForSelector('.engine-lines li:first-child .move:has-text("Qxd5")');
    await page.locator('button[aria-label="Show the threat"]').click();
    await page.waitForSelector('.engine-facts:has-text("Threat")');
    await page.waitForSelector('.engine-lines li:first-child .move:has-text("Qxd2")');
    await page.keyboard.press('x');
    await page.waitForSelector('.engine-lines li:first-child .move:has-text("Qxd5")');
    await page.locator('.lines-field select').selectOption('1');
    await until('one line', async () => (await page.locator('.engine-lines li').count()) === 1);
    await page.locator('button[aria-label="Engine settings"]').click();
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious in the dialog');
    await page.locator('dialog label:has-text("Hash") select').selectOption('64');
    await page.locator('dialog label:has-text("Threads") select').selectOption({ index: 0 });
    await page.locator('dialog button:has-text("Done")').click();
    await page.waitForSelector('.engine-lines li:first-child .move:has-text("Qxd5")');
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('castellan.settings')).hash);
    assert.equal(stored, 64);
  },
});
