// Whether the person looks at the page. The others learn when the person does not (S11). The
// connection learns when the person comes back.

import { all, on } from '../view/dom.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Status} Status */

/**
 * How long a page may be hidden before the page sends `away`, in milliseconds. A glance at
 * something else is not an absence.
 */
const GLANCE = 1000;

/** After how many milliseconds the page tries again what could not be sent. */
const RETRY = 1000;

/**
 * Watches whether the page is seen.
 * @param {State} s
 * @param {Document} page
 * @param {EventTarget} win its window
 * @returns {{onStatus: (status: Status) => void, stop: () => void}}
 */
export function bindPresence(s, page = document, win = window) {
  let sent = false; // the last `away` of this stream; a new stream begins without
  let online = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const isHidden = () => page.visibilityState === 'hidden';
  const report = () => {
    clearTimeout(timer);
    const away = isHidden();
    if (!online || away === sent) return;
    if (s.net.send({ type: 'away', away })) sent = away;
    else timer = setTimeout(report, RETRY);
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (isHidden()) {
      timer = setTimeout(report, GLANCE);
      return;
    }
    s.net.kick();
    report();
  };
  const wake = () => {
    s.net.wake();
    report();
  };
  return {
    onStatus({ state }) {
      const was = online;
      online = state === 'online';
      if (!online) clearTimeout(timer);
      if (!online || was) return;
      sent = false;
      report();
    },
    stop: all(
      on(win, 'online', () => s.net.kick()),
      on(win, 'pageshow', wake),
      on(page, 'visibilitychange', onVisibility),
      on(page, 'freeze', report), // a frozen page runs no timer
      on(page, 'resume', wake),
      () => clearTimeout(timer),
    ),
  };
}
