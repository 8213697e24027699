// The notices on the screen, for some seconds each (`.notice`). The page itself records them, so
// that no test has to look in time.

/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').Page} Page */

/** Makes the pages of a context record what they show. @param {BrowserContext} context */
export async function noteNotices(context) {
  await context.addInitScript(() => {
    /** @type {string[]} */
    const noticed = [];
    Object.assign(window, { noticed });
    const look = (/** @type {Element} */ notice) => {
      const text = notice.textContent ?? '';
      if (text === '') noticed.length = 0; // the test has removed it
      else if (notice.classList.contains('shown') && noticed.at(-1) !== text) noticed.push(text);
    };
    const search = new MutationObserver(() => {
      const notice = document.querySelector('.notice');
      if (!notice) return;
      search.disconnect();
      new MutationObserver(() => look(notice)).observe(notice, {
        attributeFilter: ['class'], childList: true, characterData: true, subtree: true,
      });
      look(notice);
    });
    search.observe(document, { childList: true, subtree: true });
  });
}

/**
 * Waits until the page shows a notice, or has shown it since the last wait.
 *
 * @param {Page} page
 * @param {RegExp} text
 */
export async function seen(page, text) {
  await page.waitForFunction(
    ({ source, flags }) => {
      const noticed =
        /** @type {{noticed?: string[]}} */ (/** @type {unknown} */ (window)).noticed ?? [];
      const at = noticed.findIndex((text) => new RegExp(source, flags).test(text));
      if (at >= 0) noticed.splice(0, at + 1);
      return (
        at >= 0 ||
        new RegExp(source, flags).test(document.querySelector('.notice.shown')?.textContent ?? '')
      );
    },
    { source: text.source, flags: text.flags },
  );
}
