// Shows how far something is that takes long, with a button that ends it.

import { el, setText } from '../../../view/dom.js';
import { msg } from './msg.js';

/** From when on it is shown, in ms. */
const SOON = 400;

/** @typedef {(text: string, done: number, of: number) => void} Progress */

/**
 * Makes the line. `during` shows it while a task runs, and gives the task a signal for its end.
 */
export function createBusy() {
  const text = el('span', { class: 'deck-busy-text' });
  const bar = el('progress', { max: 1, value: 0, 'aria-label': msg('decks.busy') });
  /** @type {AbortController|null} */
  let control = null;
  const stop = el('button', { class: 'secondary', onclick: () => control?.abort() },
    msg('decks.cancel'));
  const root = el('div', { class: 'deck-busy', hidden: true }, text, bar, stop);
  return {
    root,
    isBusy: () => control !== null,
    /**
     * @template T
     * @param {(signal: AbortSignal, progress: Progress) => Promise<T>} task
     * @returns {Promise<T|null>} null: something else is running
     */
    during: async (task) => {
      if (control) return null;
      const own = new AbortController();
      control = own;
      const timer = setTimeout(() => {
        root.hidden = false;
      }, SOON);
      try {
        return await task(own.signal, (is, done, of) => {
          setText(text, is);
          bar.max = of;
          bar.value = done;
        });
      } finally {
        clearTimeout(timer);
        root.hidden = true;
        control = null;
      }
    },
  };
}
