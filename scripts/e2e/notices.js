// What the eyes are told, for some seconds each (`.notice`): the page itself notes it, so that nobody has to look in time.

/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').Page} Page */

/** Has the pages of a context note what they show. @param {BrowserContext} context */
export async function noteNotices(context) {
  await context.addInitScript(() => {
    /** @type {string[]} */
    const noticed = [];
    Object.assign(window, { noticed });
    const look = (/** @type {Element} */ notice) => {
      const text = notice.textContent ?? '';
      if (text === '') noticed.length = 0; // the test has taken it away
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
 * Waits until the eyes are told something, or have been since something was waited for the last time.
 * @param {Page} page @param {RegExp} text
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
