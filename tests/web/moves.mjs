// Moves that are special: castling, en passant, promotion, premoves, taking back, and the flag.
import { ask, assert, LADDER, mateShown, newGame, resign, run, shows, snapshot, until, untilPly } from './harness.mjs';

// Lets through what the server says only when the test wants it to.
async function holdServer(page) {
  const gate = { shut: false, kept: [] };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (gate.shut) gate.kept.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  gate.open = () => {
    gate.shut = false;
    for (const send of gate.kept.splice(0)) send();
  };
  return gate;
}

await run('web/moves', {
  'castling, by the king and onto the rook': async ({ open }) => {
    const page = await open();
    const fen = '4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1';
    const short = await newGame(page, { fen });
    await page.board.drag('e1', 'g1');
    await untilPly(page, short, 1);
    assert.equal(snapshot(page, short).moves[0].san, 'O-O');
    await shows(page, { g1: 'white king', f1: 'white rook', h1: null });
    const long = await newGame(page, { fen });
    await page.board.drag('e1', 'a1');
    await untilPly(page, long, 1);
    assert.equal(snapshot(page, long).moves[0].san, 'O-O-O');
    await shows(page, { c1: 'white king', d1: 'white rook', a1: null });
  },

  'castling in Chess960': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: '4k3/7p/8/8/8/8/8/1K4R1 w G - 0 1', chess960: true });
    assert.equal(snapshot(page, id).variant, 'chess960');
    await page.board.drag('b1', 'g1');
    await untilPly(page, id, 1);
    assert.equal(snapshot(page, id).moves[0].san, 'O-O');
    await shows(page, { g1: 'white king', f1: 'white rook', b1: null });
  },

  'en passant': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { fen: '4k3/7p/8/3pP3/8/8/8/4K3 w - d6 0 2' });
    await page.board.drag('e5', 'd6');
    await untilPly(page, id, 1);
    await shows(page, { d6: 'white pawn', d5: null, e5: null });
  },

  'promotion to a knight, by mouse and by keys': async ({ open }) => {
    const page = await open();
    const fen = '7k/P6p/8/8/8/8/8/K7 w - - 0 1';
    const first = await newGame(page, { fen });
    await page.board.drag('a7', 'a8');
    await page.locator('.promotion button[aria-label=knight]').click();
    await untilPly(page, first, 1);
    assert.equal(snapshot(page, first).moves[0].san, 'a8=N');
    const second = await newGame(page, { fen });
    await page.board.keys('a7', 'a8');
    await page.waitForSelector('.promotion');
    await page.keyboard.press('r');
    await untilPly(page, second, 1);
    assert.equal(snapshot(page, second).moves[0].san, 'a8=R+');
    const third = await newGame(page, { fen });
    await page.board.drag('a7', 'a8');
    await page.waitForSelector('.promotion');
    await page.keyboard.press('Escape');
    await shows(page, { a7: 'white pawn', a8: null });
    await page.board.type('a8=B');
    await untilPly(page, third, 1);
    assert.equal(snapshot(page, third).moves[0].san, 'a8=B');
  },

  'a premove is played when its time comes': async ({ open, server }) => {
    const page = await open();
    const gate = await holdServer(page);
    await page.goto(server.url);
    await page.waitForSelector('.rail .me', { state: 'attached' });
    const { game } = await ask(page, 'game.new', {
      opponent: { kind: 'level', elo: 400 },
      color: 'white',
      fen: LADDER,
    });
    await page.evaluate((id) => {
      location.hash = `#/game/${id}`;
    }, game.id);
    await page.waitForSelector('.stage .ground cg-board piece');
    gate.shut = true;
    await page.board.drag('a2', 'a7');
    await page.board.drag('b1', 'b8');
    await page.waitForSelector('cg-board square.current-premove');
    await shows(page, { b1: 'white rook' });
    gate.open();
    await mateShown(page);
  },

  'the clock runs out': async ({ open }) => {
    const page = await open();
    const id = await newGame(page, { clock: { initial: 1500, increment: 0 } });
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await page.waitForSelector('.strip.turn .clock.running');
    await page.waitForSelector('.result.lost');
    assert.equal(snapshot(page, id).result.reason, 'time');
    assert.match(await page.textContent('.strip >> nth=1'), /0:00\.0/);
  },

  'a rated game that is over is not taken back': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    const back = page.locator('.controls button:has-text("Take back")');
    assert.ok(await back.isDisabled(), 'nothing to take back yet');
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await until('it can be taken back', () => back.isEnabled());
    await resign(page);
    await until('no more', async () => (await back.count()) === 0);
    await page.waitForSelector('.controls a:has-text("New opponent")');
    const pgn = await page.evaluate(async () => {
      const link = [...document.querySelectorAll('.controls a')].find((one) => one.textContent.includes('PGN'));
      return (await fetch(link.href)).text();
    });
    assert.match(pgn, /\[Result "0-1"\].*1\. e4/s);
    await page.locator('.controls a:has-text("Analyse from here")').click();
    await page.waitForSelector('.tree .move:has-text("e4")');
  },

  'the key h asks before a rated game becomes unrated, once': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    await page.waitForSelector('.facts span:text-is("Rated")');
    await page.keyboard.press('h');
    await page.locator('dialog:has-text("unrated") button:has-text("Cancel")').click();
    await page.waitForSelector('dialog', { state: 'detached' }); // the key does nothing while it is there
    assert.equal(snapshot(page, id).hints, 0);
    await page.keyboard.press('h');
    await page.locator('dialog button:has-text("Show hint")').click();
    await page.waitForSelector('.say:has-text("move the piece on")');
    await page.keyboard.press('h');
    await page.waitForSelector('.cg-shapes line', { state: 'attached' });
    assert.equal(await page.locator('dialog').count(), 0, 'it is not asked again');
  },

  'a draw that is offered on the own turn is answered': async ({ open }) => {
    const page = await open();
    // With a queen more it declines.
    await newGame(page, { fen: '3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1' });
    await page.locator('.controls button:has-text("Offer draw")').click();
    await page.waitForSelector('.toast:has-text("Draw declined.")');
    assert.equal(await page.locator('.result').count(), 0);
  },

  'an earlier position says so, and leads back to the game': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await page.locator('.moves .move').first().click();
    await page.waitForSelector('.viewing:has-text("Viewing move 1.")');
    // On a phone it is in view, too, and nothing moves under the thumb.
    await page.setViewportSize({ width: 360, height: 740 });
    const top = async (selector) => (await page.locator(selector).boundingBox()).y;
    assert.ok((await top('.viewing')) < (await top('.moves')), 'above the moves');
    const stepper = await top('.stepper');
    await page.locator('button[aria-label="Previous move"]').click();
    await page.waitForSelector('.viewing:has-text("Viewing the start position.")');
    await page.locator('button[aria-label="Last move"]').click();
    await page.waitForSelector('.viewing', { state: 'detached' });
    assert.ok(Math.abs((await top('.stepper')) - stepper) < 1, 'the buttons stay where they are');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('.moves .move').first().click();
    await page.waitForSelector('.viewing');
    await shows(page, { e4: 'white pawn' });
    await page.board.drag('d2', 'd4');
    assert.equal(snapshot(page, id).ply, 2, 'no move is made in a position of the past');
    await page.locator('button:has-text("Back to the game")').click();
    await page.waitForSelector('.viewing', { state: 'detached' });
    await page.board.drag('d2', 'd4');
    await untilPly(page, id, 3);
  },

  'takeback, hint and a draw offer': async ({ open }) => {
    const page = await open();
    const id = await newGame(page);
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    // A rated game asks once before it becomes unrated.
    await page.locator('.controls button:has-text("Take back")').click();
    await page.waitForSelector('dialog:has-text("unrated")');
    await page.locator('dialog button:has-text("Cancel")').click();
    assert.equal(snapshot(page, id).ply, 2);
    await page.locator('.controls button:has-text("Take back")').click();
    await page.locator('dialog button:has-text("Take back")').click();
    await until('the start again', () => snapshot(page, id).ply === 0);
    await shows(page, { e2: 'white pawn', e4: null });
    await page.locator('.controls button:has-text("Hint")').click();
    await page.waitForSelector('.say:has-text("move the piece on")');
    await page.waitForSelector('.cg-shapes circle', { state: 'attached' });
    await page.locator('.controls button:has-text("Show move")').click();
    await page.waitForSelector('.say:has-text("Hint: ")');
    await page.waitForSelector('.cg-shapes line', { state: 'attached' });
    await page.waitForSelector('.facts:has-text("Unrated")');
    await page.locator('.controls button:has-text("Offer draw")').click();
    await page.waitForSelector('.toast:has-text("Draw"), .result');
    await until('the offer stands or is answered', () => {
      const game = snapshot(page, id);
      return game.offer === 'white' || game.result || game.version > 4;
    });
  },
});
