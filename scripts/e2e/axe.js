// What axe knows of barriers for people who do not see, hear or point as others do.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Page} Page */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The faults that axe finds in the page, one a line.
 *
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function barriers(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations, passes } = await /** @type {any} */ (window).axe.run();
    if (passes.length < 5) return ['axe has checked almost nothing'];
    return violations.flatMap((/** @type {any} */ v) =>
      v.nodes.map(
        (/** @type {any} */ n) =>
          `${v.id} (${v.impact}): ${v.help}: ${n.html} ${n.failureSummary ?? ''}`,
      ),
    );
  });
}
