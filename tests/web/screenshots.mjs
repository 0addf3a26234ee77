// Pictures of the main screens for docs/, taken from the real page: `make screenshots`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, launch, newGame, openPage, Server, snapshot, until, yourTurn } from './harness.mjs';

const out = process.argv[2];
const LIMIT = 100 * 1024;

// Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const OPERA = `[Event "Paris Opera"]
[Date "1858.11.02"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
`;

async function save(browser, page, name) {
  const png = await page.screenshot();
  // WebP is a third of PNG's size, and the browser can write it.
  const painter = await browser.newPage();
  const webp = await painter.evaluate(async (bytes) => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.86).split(',')[1];
  }, png.toString('base64'));
  await painter.close();
  const bytes = Buffer.from(webp, 'base64');
  if (bytes.length > LIMIT) throw new Error(`${name} has ${bytes.length} bytes`);
  writeFileSync(join(out, `${name}.webp`), bytes);
  console.log(`  ${name}.webp, ${Math.round(bytes.length / 1024)} KB`);
}

async function visit(page, place) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);
  await page.waitForTimeout(700);
}

// A good move, from a hint in another game: this one shall stay a rated one.
async function advice(page, fen) {
  const { game } = await ask(page, 'game.new', { opponent: { kind: 'level', elo: 400 }, color: 'white', fen });
  const { uci } = await ask(page, 'game.hint', { game: game.id, stage: 2 });
  await ask(page, 'game.delete', { game: game.id });
  return uci;
}

async function playOpening(page, id, moves) {
  let game = await yourTurn(page, id);
  for (let i = 0; i < moves && !game.result; i++) {
    const uci = await advice(page, game.fen);
    const { ply } = game;
    await page.board.click(uci.slice(0, 2), uci.slice(2));
    game = await until('the answer', () => {
      const now = snapshot(page, id);
      return now.ply >= ply + 2 || now.result ? now : null;
    }, 60_000);
  }
}

mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'castellan-shots-'));
const server = new Server(folder);
await server.start();
const browser = await launch();
const open = async (options) => openPage(await browser.newContext(options), server);
try {
  const page = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  const first = await ask(page, 'hello');
  await ask(page, 'players.rename', { player: first.player.id, name: 'Ada' });
  await page.reload();
  await page.waitForSelector('.me:has-text("Ada")');
  await visit(page, 'play');
  await save(browser, page, 'play');
  const id = await newGame(page, {
    opponent: { kind: 'level', elo: 1200 },
    clock: { initial: 600_000, increment: 5000 },
  });
  await playOpening(page, id, 8);
  await page.mouse.move(5, 500);
  await page.waitForTimeout(300);
  await save(browser, page, 'game');
  await visit(page, `analyse?game=${id}`);
  await page.waitForTimeout(4000);
  await save(browser, page, 'analyse');

  const dark = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
  const { games } = await ask(dark, 'pgn.import', { pgn: OPERA });
  await ask(dark, 'review.start', { game: games[0], effort: 'normal' });
  await visit(dark, `review/${games[0]}`);
  await dark.waitForSelector('.summary', { timeout: 300_000 });
  await dark.locator('.graph .mark').first().waitFor();
  await dark.locator('button[aria-label="Previous mistake"]').click();
  await dark.mouse.move(5, 500);
  await dark.waitForTimeout(300);
  await save(browser, dark, 'review');

  const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', deviceScaleFactor: 2 });
  await visit(phone, `game/${id}`);
  await save(browser, phone, 'phone');
} finally {
  await browser.close();
  await server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
