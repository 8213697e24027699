// Shows how far something is that takes long, and lets people give it up.

import { el, setAttr } from '../../view/dom.js';
import { msg } from './msg.js';

/** What takes no longer is not shown, in ms. */
const SOON = 500;

/** Returns whether somebody has given something up. @param {unknown} error */
export const isGivenUp = (error) => error instanceof DOMException && error.name === 'AbortError';

/**
 * Makes a place for the progress of one thing at a time.
 */
export function progressPlace() {
  const label = el('span', {});
  const bar = el('progress', { max: 1, value: 0 });
  const cancel = el('button', { class: 'secondary', type: 'button' }, msg('edit.progress.cancel'));
  const root = el('div', { class: 'edit-progress', hidden: true }, label, bar, cancel);
  let giveUp = () => {};
  return {
    root,
    giveUp: () => giveUp(),
    /**
     * Does something that reports its progress, and can be given up: then it rejects.
     * @template T
     * @param {string} what is said of it
     * @param {(watching: Required<import('./upload.js').Watching>) => Promise<T>} work
     * @returns {Promise<T>}
     */
    during: async (what, work) => {
      const giving = new AbortController();
      giveUp = () => {
        if (!cancel.disabled) giving.abort();
      };
      cancel.onclick = giveUp;
      cancel.disabled = false;
      label.textContent = what;
      setAttr(bar, 'aria-label', what);
      bar.value = 0;
      const showing = setTimeout(() => {
        root.hidden = false;
      }, SOON);
      try {
        return await work({
          signal: giving.signal,
          progress: (done) => {
            bar.value = done;
            cancel.disabled = done >= 1; // it cannot be given up any more
          },
        });
      } finally {
        clearTimeout(showing);
        root.hidden = true;
      }
    },
  };
}
