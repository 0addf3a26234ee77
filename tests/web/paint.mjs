// How soon the page is seen, and how much of it travels: for docs/log/measurements.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, Server } from './harness.mjs';

const LOADS = 15;
const folder = mkdtempSync(join(tmpdir(), 'castellan-paint-'));
const server = new Server(folder);
await server.start();
const browser = await launch();
const paints = [];
let bytes = 0;
for (let i = 0; i < LOADS; i++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector('.rail .me', { state: 'attached' });
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    bytes: performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0),
  }));
  paints.push(seen.paint);
  bytes = seen.bytes;
  await context.close();
}
await browser.close();
await server.kill('SIGTERM');
rmSync(folder, { recursive: true, force: true });
paints.sort((one, two) => one - two);
const at = (share) => Math.round(paints[Math.floor((LOADS - 1) * share)]);
console.log(`first paint of ${LOADS} loads without cache: ${at(0)} ms at best, ${at(0.5)} in the middle, ${at(1)} at worst`);
console.log(`${Math.round(bytes / 1024)} KB travel`);
