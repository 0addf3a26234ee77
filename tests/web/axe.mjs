// What axe-core says of every screen. Without motion: a colour on its way to another is not what people read.
import { assert, axeFaults, run } from './harness.mjs';
import { furnish, readLanguage, walk } from './scenes.mjs';

const { strings } = await readLanguage('en');

async function faultsEverywhere(page, player) {
  const faults = [];
  const ids = await furnish(page, player);
  await walk(page, ids, (key) => strings[key], async (name) => {
    for (const fault of await axeFaults(page)) faults.push(`${name}: ${fault}`);
  });
  return faults;
}

await run('web/axe', {
  'axe finds no serious fault, light': async ({ open }) => {
    const page = await open('', { colorScheme: 'light', reducedMotion: 'reduce' });
    assert.deepEqual(await faultsEverywhere(page, 'Light'), []);
  },

  'axe finds no serious fault, dark, on a phone': async ({ open }) => {
    const page = await open('', {
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
    });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(await faultsEverywhere(page, 'Dark'), []);
  },
});
