// Pictures of every screen in four sizes, light and dark, to be looked at:
//   CASTELLAN=./castellan [GAMES=games.pgn] [DATA=FOLDER] node tests/web/screens.mjs FOLDER [LANGUAGE [SIZE [SCREEN]]]
// With GAMES the player, Ada, has the games of that file as well. DATA keeps the server's data for another run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, openPage, Server } from './harness.mjs';
import { furnish, furnishWithGames, readLanguage, walk } from './scenes.mjs';

const [out, language = 'en', onlySize, onlyScreen] = process.argv.slice(2);
const SIZES = { 360: 740, 768: 1024, 1440: 900, 1920: 1080 };
const games = process.env.GAMES && readFileSync(process.env.GAMES, 'utf8');
const { strings } = await readLanguage(language);
const data = process.env.DATA ?? mkdtempSync(join(tmpdir(), 'castellan-screens-'));
const kept = join(data, 'screens.json');
mkdirSync(data, { recursive: true });
const server = new Server(data);
await server.start();
const browser = await launch();
try {
  let { ids = null, stored = {} } = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  for (const [width, height] of Object.entries(SIZES).filter(([size]) => !onlySize || size === onlySize)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width: Number(width), height }, colorScheme, reducedMotion: 'reduce' });
      const page = await openPage(context, server, '', { ...stored, language });
      ids ??= await (games ? furnishWithGames(page, 'Ada', games) : furnish(page, 'Ada'));
      stored = JSON.parse(await page.evaluate(() => localStorage.getItem('castellan.settings')));
      writeFileSync(kept, JSON.stringify({ ids, stored }));
      const folder = join(out, `${width}-${colorScheme}`);
      mkdirSync(folder, { recursive: true });
      await walk(page, ids, (key) => strings[key], async (name) => {
        if (onlyScreen && name !== onlyScreen) return;
        await page.waitForTimeout(250);
        await page.screenshot({ path: join(folder, `${name}.png`) });
      });
      for (const fault of page.faults) console.log(`${width}-${colorScheme}: ${fault}`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.kill('SIGTERM');
  if (!process.env.DATA) rmSync(data, { recursive: true, force: true });
}
