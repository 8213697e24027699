// Whether the person looks at the page: the others are told when they do not (S11), and the connection when they come back.

import { all, on } from '../view/dom.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Status} Status */

/** Milliseconds for which a page may be hidden before the others are told: a glance at something else is no absence. */
const GLANCE = 1000;

/** Milliseconds after which what did not get through is said again. */
const AGAIN = 1000;

/**
 * Watches over the page.
 * @param {State} s
 * @param {Document} page @param {EventTarget} win its window
 * @returns {{onStatus: (status: Status) => void, stop: () => void}}
 */
export function bindPresence(s, page = document, win = window) {
  let told = false; // what this stream has been told: a new one takes everybody for here
  let online = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const isHidden = () => page.visibilityState === 'hidden';
  const tell = () => {
    clearTimeout(timer);
    const away = isHidden();
    if (!online || away === told) return;
    if (s.net.send({ type: 'away', away })) told = away;
    else timer = setTimeout(tell, AGAIN);
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (isHidden()) {
      timer = setTimeout(tell, GLANCE);
      return;
    }
    s.net.kick();
    tell();
  };
  const wake = () => {
    s.net.wake();
    tell();
  };
  return {
    onStatus({ state }) {
      const was = online;
      online = state === 'online';
      if (!online) clearTimeout(timer);
      if (!online || was) return;
      told = false;
      tell();
    },
    stop: all(
      on(win, 'online', () => s.net.kick()),
      on(win, 'pageshow', wake),
      on(page, 'visibilitychange', onVisibility),
      on(page, 'freeze', tell), // it will not come to the timer
      on(page, 'resume', wake),
      () => clearTimeout(timer),
    ),
  };
}
