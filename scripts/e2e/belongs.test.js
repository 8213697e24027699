// Sets in the bag that belong together: their person says so, puts them on the table at once, and
// throws them away (O53).

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { barriers } from './axe.js';
import { loadBag, openBag, stow } from './bag.js';
import { arrive, atTable, desktop, phone } from './party.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

/** Moves the focus to a button and presses Enter. @param {import('playwright-core').Locator} b */
async function enter(b) {
  await b.focus();
  await b.press('Enter');
}

for (const [device, context] of /** @type {const} */ ([
  ['a desktop', desktop],
  ['a phone', phone],
])) {
  // Clauses: O53.1, O53.10, O53.11, O53.13, O53.18
  test(`O53 Ada's two decks belong together, by keys on ${device}`, async (t) => {
    const server = await Server.start(false, ['--name', 'Ada’s']);
    t.after(() => server.discard());
    const { page } = await arrive('Ada', { context });
    const seated = async () => {
      const answer = await page.context().request.post(`${server.url}/tables`, {
        form: { game: 'cards', nick: 'Ada', colour: '#c0392b' }, maxRedirects: 0,
      });
      await page.goto(server.url + answer.headers().location);
      await atTable(page);
    };
    const look = async (/** @type {string} */ name) => {
      const folder = process.env.HOLT_SHOTS;
      if (folder) await page.screenshot({ path: join(folder, `belongs-${device}-${name}.png`) });
    };
    for (let n = 0; n < 2; n++) {
      await seated();
      await loadBag(page);
      await stow(page, 'Deck');
    }

    const bag = await openBag(page);
    const rows = bag.locator('li[data-place="home"]');
    await rows.nth(1).waitFor();
    await enter(rows.first().getByRole('button', { name: 'Belongs with…: Deck' }));
    await bag.getByText('What does this belong with: Deck?').waitFor();
    const cancel = bag.getByRole('button', { name: 'Cancel: Deck' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    assert.deepEqual(await barriers(page), []);
    await look('asks');
    await cancel.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Belongs with…');
    await page.keyboard.press('Enter');
    await enter(bag.getByRole('button', { name: 'Belongs with Deck: Deck' }));
    await bag.getByText('These belong together now: Deck, Deck.').waitFor();
    assert.equal(await bag.getByText('Belongs with: Deck', { exact: true }).count(), 2);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Belongs with…');
    assert.deepEqual(await barriers(page), []);
    await look('together');

    // It is asked before anything is thrown away, and the answer that does nothing has the focus.
    await enter(rows.first().getByRole('button', { name: 'Throw away…: Deck' }));
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    assert.deepEqual(await barriers(page), []);
    await look('throws');
    await page.keyboard.press('Enter');
    assert.equal(await rows.count(), 2);
    await enter(rows.first().getByRole('button', { name: 'Throw away…: Deck' }));
    await enter(bag.getByRole('button', { name: 'Throw it away: Deck' }));
    await bag.getByText('Belongs with this, and was thrown away: Deck').waitFor();
    assert.equal(await rows.count(), 1);
    await look('thrown');
    await enter(bag.getByRole('button', { name: 'Take it back: Deck' }));
    await bag.getByText('Back in your bag: Deck').waitFor();
    assert.equal(await rows.count(), 2);

    // The table has no deck: its own is in the bag.
    await enter(rows.first().getByRole('button', { name: 'Put all on the table: Deck' }));
    await page.waitForFunction(
      () => document.querySelectorAll('[data-piece][aria-label^="Deck"]').length === 2,
    );
    const boxes = await page.locator('[data-piece][aria-label^="Deck"]').evaluateAll((all) =>
      all.map((e) => e.getBoundingClientRect()).sort((a, b) => a.left - b.left));
    assert.ok(boxes[0].right <= boxes[1].left, 'they lie beside each other');
    await look('table');

    await seated();
    const again = await openBag(page);
    await again.locator('li[data-place="other"]').nth(1).waitFor();
    await enter(again.getByRole('button', { name: 'Belongs with nothing: Deck' }).first());
    await again.getByText('Belongs with nothing any more: Deck').waitFor();
    assert.equal(await again.getByText('Belongs with: Deck', { exact: true }).count(), 0);
  });
}
