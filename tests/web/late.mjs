// Answers that come late: what the player has chosen, typed or begun meanwhile stays, and nothing moves away from the pointer.
import { assert, run, until } from './harness.mjs';

// Between page and server: answers to the questions named in `held` wait for `release`.
async function hold(page, ...questions) {
  const line = { held: new Set(questions), waiting: [] };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const names = new Map();
    socket.onMessage((text) => {
      const { id, do: name } = JSON.parse(text);
      names.set(id, name);
      server.send(text);
    });
    server.onMessage((text) => {
      const name = names.get(JSON.parse(text).id);
      if (line.held.has(name)) line.waiting.push({ name, go: () => socket.send(text) });
      else socket.send(text);
    });
  });
  line.come = (count = 1) => until('a held answer', () => line.waiting.length >= count);
  line.release = async () => {
    line.held.clear();
    for (const { go } of line.waiting.splice(0)) go();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
  };
  await page.reload();
  await page.waitForSelector('.rail .me', { state: 'attached' });
  return line;
}

const places = (page) =>
  page.$$eval('.level-cards > *', (all) => all.map((card) => {
    const { x, y, width, height } = card.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(' ');
  }));

// Points of a card: its middle and near its corners.
const POINTS = [[0.5, 0.5], [0.06, 0.1], [0.94, 0.1], [0.06, 0.9], [0.94, 0.9]];

const SIZES = [[360, 740], [768, 1024], [1280, 800]];

await run('web/late', {
  'a card can be clicked everywhere, and no card moves when the opponents come': async ({ open }) => {
    for (const [width, height, language] of [...SIZES, [360, 740, 'de']]) {
      const page = await open('', { viewport: { width, height }, reducedMotion: 'reduce', settings: { language: language ?? 'en' } });
      const line = await hold(page, 'opponents');
      await line.come();
      const people = page.locator('.people');
      const level = page.locator('.pick').first();
      const clickAll = async (when) => {
        for (const [x, y] of POINTS) {
          await level.locator('label').click();
          const frame = await people.boundingBox();
          await people.click({ position: { x: frame.width * x, y: frame.height * y } });
          assert.ok(await people.locator('input[type=radio]').first().isChecked(), `${language ?? 'en'}, ${width} px, ${when}: at ${x} ${y}`);
        }
        await level.locator('label').click();
      };
      await clickAll('without opponents');
      const before = await places(page);
      await line.release();
      await page.waitForSelector('.cards .pick:not(.ghost)');
      assert.deepEqual(await places(page), before, `${language ?? 'en'}, ${width} px: the cards stay where they are`);
      await clickAll('with opponents');
      await page.context().close();
    }
  },
});
