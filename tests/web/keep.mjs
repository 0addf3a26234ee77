// Nothing that was shown is ever lost: reloads, other tabs, a server that is killed.
import { assert, newGame, openGame, run, shows, snapshot, until, untilPly } from './harness.mjs';

const TWO_MOVES = 2;

async function beginGame(page, fields) {
  const id = await newGame(page, fields);
  await page.board.drag('e2', 'e4');
  await untilPly(page, id, TWO_MOVES);
  return id;
}

// The pieces, once the last move has been drawn.
async function settled(page, id) {
  const { from, to } = snapshot(page, id).last;
  await until('the last move', async () => {
    const pieces = await page.board.pieces();
    return pieces[to] && !pieces[from];
  });
  return page.board.pieces();
}

await run('web/keep', {
  'a reload in mid-game': async ({ open }) => {
    const page = await open();
    const id = await beginGame(page, { clock: { initial: 60_000, increment: 0 } });
    const before = await settled(page, id);
    page.games.clear();
    await page.reload();
    await page.waitForSelector('.stage .ground cg-board piece');
    await shows(page, before);
    const { clock } = snapshot(page, id);
    assert.equal(clock.running, 'white');
    assert.ok(clock.white < 60_000 && clock.white > 20_000, 'the clock went on');
    await page.board.drag('d2', 'd4');
    await untilPly(page, id, 4);
  },

  'two tabs show the same game': async ({ open, openIn }) => {
    const first = await open();
    const second = await openIn(first.context(), '');
    const id = await beginGame(first);
    await openGame(second, id);
    await shows(second, await settled(first, id));
    await second.board.drag('d2', 'd4');
    await untilPly(second, id, 4);
    await untilPly(first, id, 4);
    assert.equal(snapshot(first, id).moves[2].uci, 'd2d4');
    const pieces = JSON.stringify(await settled(first, id));
    await until('both boards agree', async () => JSON.stringify(await second.board.pieces()) === pieces);
    assert.deepEqual(second.faults, []);
  },

  'kill -9 in mid-game, and on it goes': async ({ open, server }) => {
    const page = await open();
    page.forgives = /ERR_CONNECTION_REFUSED|WebSocket|ERR_EMPTY_RESPONSE|403|Failed to load/;
    const id = await beginGame(page);
    const before = await settled(page, id);
    const { moves } = snapshot(page, id);
    const { signal } = await server.kill('SIGKILL');
    assert.equal(signal, 'SIGKILL');
    await page.waitForSelector('.gone:has-text("No connection to the server")');
    assert.deepEqual(await page.board.pieces(), before, 'the position stays on the board');
    page.games.clear();
    await server.start();
    await page.waitForSelector('.gone', { state: 'detached' });
    await until('the game comes back', () => snapshot(page, id));
    assert.deepEqual(
      snapshot(page, id).moves.map((move) => move.uci),
      moves.map((move) => move.uci),
    );
    await page.board.drag('d2', 'd4');
    await untilPly(page, id, 4);
  },

  'a move made when the server dies arrives after all': async ({ open, server }) => {
    const page = await open();
    page.forgives = /ERR_CONNECTION_REFUSED|WebSocket|ERR_EMPTY_RESPONSE|403|Failed to load/;
    const id = await beginGame(page);
    // Stopped, the server receives the move but never answers.
    server.child.kill('SIGSTOP');
    await page.board.drag('d2', 'd4');
    await until('the move stands on the board', async () => (await page.board.pieces()).d4 === 'white pawn');
    await server.kill('SIGKILL');
    await page.waitForSelector('.gone');
    assert.equal((await page.board.pieces()).d4, 'white pawn');
    await server.start();
    const game = await untilPly(page, id, 3);
    assert.equal(game.moves[2].uci, 'd2d4');
  },
});
