// Around the games: many at once, imports, statistics, players, exports, shortcuts and looks.
import { readFileSync } from 'node:fs';
import { ask, assert, axeFaults, newGame, run, until, untilPly, visit } from './harness.mjs';
import { importText, newPlayer } from './scenes.mjs';

const REVIEW = 60_000;

const game = (white, black, moves, result) =>
  `[Event "Club"]\n[Date "2024.05.06"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;
const PGN =
  game('Brandt, Ida', 'Okafor, Ben', '1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:30]} Nc6 {[%clk 0:04:50]}', '1-0') +
  game('Sato, Yui', 'Brandt, Ida', '1. d4 d5 2. c4', '0-1') +
  game('Brandt, Ida', 'Sato, Yui', '1. c4 e5', '1/2-1/2');

const TIMED = game(
  'Brandt, Ida',
  'Okafor, Ben',
  '1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:02:45]} Nc6 {[%clk 0:02:50]}',
  '1-0',
).replace('[Result', '[TimeControl "180+2"]\n[Result');

await run('web/manage', {
  'an import: duplicates, the own name, statistics': async ({ open }) => {
    const page = await open('#/games');
    await newPlayer(page, 'Stats');
    await visit(page, 'statistics');
    await page.waitForSelector('.empty:has-text("No finished games")');
    await visit(page, 'games');
    await page.waitForSelector('.empty:has-text("No games yet")');
    await importText(page, PGN);
    await page.waitForSelector('dialog:has-text("Which of these names are you?")');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious in the dialog');
    assert.equal(await page.locator('.toast').count(), 0, 'what the dialog says is not said again below it');
    await page.locator('.claim button:has-text("Brandt, Ida (3)")').click();
    await page.waitForSelector('dialog:has-text("3 games of yours")');
    await page.locator('dialog button:has-text("Done")').click();
    await page.waitForSelector('.outcome.won');
    await importText(page, PGN);
    await page.waitForSelector('dialog:has-text("0 games imported, 3 already there")');
    await page.locator('dialog button:has-text("Done")').click();
    await page.locator('a:has-text("Statistics")').click();
    await page.waitForSelector('.stats-table:has-text("Okafor, Ben")');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious in the statistics');
    await page.waitForSelector('.stats-table:has-text("Openings") tr:has-text("Queen\'s Gambit")');
    const colors = await page.locator('.stats-table', { hasText: 'Colour' }).textContent();
    assert.match(colors, /White2.*75 %.*Black1.*100 %/s);
    await page.locator('.stats-table a:has-text("Okafor, Ben")').click();
    await until('one game', async () => (await page.locator('.game-row').count()) === 1);
  },

  'statistics by time control': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Timed');
    const id = await newGame(page, { clock: { initial: 300_000, increment: 3000 } });
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 2);
    await ask(page, 'game.resign', { game: id });
    await visit(page, 'statistics');
    const row = page.locator('.stats-table', { hasText: 'Time control' }).locator('tbody tr');
    await until('the clock', async () => /5\s\+\s3.*0 %/.test(await row.textContent()));
  },

  'an imported game has its time control': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Brandt, Ida');
    const { games } = await ask(page, 'pgn.import', { pgn: TIMED });
    await visit(page, 'games');
    await page.waitForSelector('.game-row:has-text("3 + 2")');
    await page.locator('.game-row .game-link').first().click();
    // The increment counts: 180 and 2 less 170 seconds.
    await page.waitForSelector('.moves .move[data-spent="12 s"]');
    const clock = (place) => page.locator('.clock').nth(place).textContent();
    await until('the last clocks', async () => (await clock(0)) === '2:50' && (await clock(1)) === '2:45');
    await page.locator('.moves .move').first().click();
    await until('the clocks after the first move', async () => (await clock(0)) === '3:00' && (await clock(1)) === '3:00');
    await visit(page, 'statistics');
    await page.waitForSelector('.stats-table:has-text("Time control") tr:has-text("3 + 2")');
    await ask(page, 'game.delete', { game: games[0] });
  },

  'screens without games say what to do': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Empty');
    for (const [place, words] of [
      ['train', 'No exercises yet'],
      ['puzzles', 'No puzzles yet'],
      ['games', 'No games yet'],
      ['statistics', 'No finished games'],
    ]) {
      await visit(page, place);
      await page.waitForSelector(`.empty:has-text("${words}")`);
      assert.ok((await page.locator('.empty :is(a, button)').count()) > 0, `${place}: something leads on`);
      assert.deepEqual(await axeFaults(page), [], `${place}: axe finds nothing serious`);
    }
  },

  'long names fit the statistics of a phone': async ({ open }) => {
    const page = await open('', { viewport: { width: 360, height: 740 } });
    await newPlayer(page, 'Narrow');
    await ask(page, 'pgn.import', { pgn: game('Brandt, Ida', 'MacAllister-Fotheringham, Archibald', '1. e4 e5', '1-0') });
    await ask(page, 'games.claim', { name: 'Brandt, Ida' });
    for (const [place, table] of [['statistics', '.stats-table'], ['openings', '.explorer-table']]) {
      await visit(page, place);
      await page.waitForSelector(`${table} tbody tr`);
      const ends = await page.locator(table).evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('td')].at(-1).getBoundingClientRect().right - one.closest('section, .card').getBoundingClientRect().right),
      );
      assert.ok(ends.every((end) => end <= 0), `${place}: tables end ${ends} pixels behind their cards`);
    }
  },

  'many games are deleted at once': async ({ open }) => {
    const page = await open('#/games');
    await newPlayer(page, 'Deleter');
    await ask(page, 'pgn.import', { pgn: PGN });
    await visit(page, 'play');
    await visit(page, 'games');
    await until('three games', async () => (await page.locator('.game-row').count()) === 3);
    await page.locator('button:has-text("Select games")').click();
    await page.locator('.game-row input[type=checkbox]').first().check();
    await page.locator('.game-row input[type=checkbox]').last().check();
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    await page.locator('.choose-bar button:has-text("Delete")').click();
    await page.locator('dialog:has-text("Delete 2 games?") button:has-text("Delete")').click();
    await until('one game', async () => (await page.locator('.game-row').count()) === 1);
  },

  'unfinished games are all shown, and discarded': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Unfinished');
    for (let i = 0; i < 6; i++) await ask(page, 'game.new', { opponent: { kind: 'level', elo: 400 }, color: 'white' });
    await page.reload();
    await visit(page, 'play');
    await until('four of them', async () => (await page.locator('.running-card').count()) === 4);
    await page.locator('button:has-text("Show all 6")').click();
    await until('all of them', async () => (await page.locator('.running-card').count()) === 6);
    await page.locator('.running-card button').first().click();
    await page.locator('dialog button:has-text("Discard")').click();
    await until('one less', async () => (await page.locator('.running-card').count()) === 5);
  },

  'a player is deleted': async ({ open }) => {
    const page = await open('#/players');
    await newPlayer(page, 'Mayfly');
    await visit(page, 'players');
    await page.locator('button[aria-label="Delete Mayfly"]').click();
    await page.locator('dialog button:has-text("Delete")').click();
    await until('gone', async () => (await page.locator('.player-row:has-text("Mayfly")').count()) === 0);
    assert.equal(await page.locator('.me:has-text("Mayfly")').count(), 0);
  },

  'move times, and exports of a review': async ({ open }) => {
    const page = await open();
    const { games } = await ask(page, 'pgn.import', { pgn: PGN.replace('2. Nf3', '2. Ba6').replace('{[%clk 0:04:50]}', '') });
    await ask(page, 'review.start', { game: games[0], effort: 'quick' });
    await until('the review', async () => (await ask(page, 'review.get', { game: games[0] })).review.state === 'done', REVIEW);
    await visit(page, `review/${games[0]}`);
    await page.waitForSelector('.summary');
    await page.waitForSelector('.moves .move[data-spent="30 s"]');
    await page.locator('.controls button:has-text("Times")').click();
    await page.waitForSelector('.graph.times');
    const file = async (button) => {
      await page.locator('.controls button:has-text("Export")').click();
      await page.waitForSelector('.export-list');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(`.export-list button:has-text("${button}")`).click(),
      ]);
      await page.keyboard.press('Escape');
      return readFileSync(await download.path());
    };
    const pgn = String(await file('Annotated PGN'));
    assert.match(pgn, /2\. Ba6 \$4 \{\[%eval -?\d+\.\d\d\]/);
    assert.match(pgn, /\(2\. \w+/, 'the better line is a variation');
    const back = await ask(page, 'pgn.read', { pgn });
    assert.equal(back.errors.length, 0);
    assert.equal(back.games[0].moves.length, 4);
    const report = String(await file('Report'));
    assert.match(report, /<h2 class="blunder">2\. Ba6/);
    assert.match(report, /data:image\/png;base64/);
    const png = await file('Picture of this position');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    const gif = await file('Animated game');
    assert.equal(gif.subarray(0, 6).toString(), 'GIF89a');
    const frames = await page.evaluate(async (bytes) => {
      const image = new ImageDecoder({ data: new Uint8Array(bytes), type: 'image/gif' });
      await image.tracks.ready;
      const { frameCount } = image.tracks.selectedTrack;
      for (let i = 0; i < frameCount; i++) await image.decode({ frameIndex: i });
      return frameCount;
    }, [...gif]);
    assert.equal(frames, 5);
  },

  'the shortcuts are shown by ?': async ({ open }) => {
    const page = await open('#/games');
    await page.waitForSelector('h1');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog:has-text("Keyboard shortcuts")');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    const id = await newGame(page);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog:has-text("flip the board")');
    await page.keyboard.press('Escape');
    await page.board.drag('e2', 'e4');
    await untilPly(page, id, 1);
  },

  'boards and pieces are chosen by what they look like': async ({ open }) => {
    const page = await open('#/settings');
    const image = (set) =>
      page.locator(`.swatch[data-pieces=${set}] piece`).first().evaluate((piece) => getComputedStyle(piece).backgroundImage);
    assert.notEqual(await image('cburnett'), await image('keep'));
    assert.notEqual(await image('letters'), await image('keep'));
    await page.locator('label:has(.swatch[data-board=walnut])').first().click();
    await page.locator('label:has(.swatch[data-pieces=cburnett])').last().click();
    await until('taken over', async () => (await page.evaluate(() => document.documentElement.dataset.board)) === 'walnut');
    assert.deepEqual(await axeFaults(page), [], 'axe finds nothing serious');
  },
});
