// What axe-core says of every screen. Without motion: a colour on its way to another is not what people read.
import { assert, axeFaults, newGame, PLACES, run, untilPly, visit } from './harness.mjs';

async function faultsEverywhere(page) {
  const faults = [];
  const id = await newGame(page);
  await page.board.drag('e2', 'e4');
  await untilPly(page, id, 2);
  for (const place of [`game/${id}`, ...PLACES, 'analyse?edit=1']) {
    await visit(page, place);
    for (const fault of await axeFaults(page)) faults.push(`${place}: ${fault}`);
  }
  return faults;
}

await run('web/axe', {
  'axe finds no serious fault, light': async ({ open }) => {
    const page = await open('', { colorScheme: 'light', reducedMotion: 'reduce' });
    assert.deepEqual(await faultsEverywhere(page), []);
  },

  'axe finds no serious fault, dark, on a phone': async ({ open }) => {
    const page = await open('', {
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
    });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(await faultsEverywhere(page), []);
  },
});
