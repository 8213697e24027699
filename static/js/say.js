// Sentences for the player: a notice for the eyes, a live region for the ears. What others do comes in bunches and
// is told together, so that it does not flood.

import { setText } from './dom.js';
import { strings } from './strings.js';

/** @typedef {import('./state.js').State} State */

/** Milliseconds for which news are gathered before they are told. */
const GATHER = 500;

/** Sentences told at a time; the rest is counted. */
const AT_ONCE = 3;

/** Milliseconds for which a notice stays. */
const STAYS = 5000;

/**
 * What can be said, with its timers.
 * @typedef {object} Voice
 * @property {(text: string) => void} notice  for eyes and ears, politely
 * @property {(text: string) => void} alarm   for eyes and ears, at once
 * @property {(text: string) => void} warn    for the ears only, at once
 * @property {(text: string) => void} whisper for the ears only
 * @property {(who: string, op: string, what: string) => void} news what somebody else did, for the ears only
 * @property {() => void} stop
 */

/**
 * Gives the page its voice.
 * @param {import('./page.js').Page} page
 * @returns {Voice}
 */
export function createVoice(page) {
  /** @type {Map<string, {who: string, op: string, what: string[]}>} */
  const gathered = new Map();
  /** @type {number|undefined} */
  let telling;
  /** @type {number|undefined} */
  let hiding;
  const show = (/** @type {string} */ text, urgent = false) => {
    setText(page.notice, text);
    page.notice.classList.add('shown');
    page.notice.classList.toggle('urgent', urgent);
    clearTimeout(hiding);
    hiding = setTimeout(() => page.notice.classList.remove('shown'), STAYS);
  };
  const tell = () => {
    telling = undefined;
    const all = [...gathered.values()];
    gathered.clear();
    const told = all.slice(0, AT_ONCE).map((n) => sentence(n));
    if (all.length > AT_ONCE) told.push(strings.did.more(all.length - AT_ONCE));
    append(page.polite, told.join(' '));
  };
  return {
    notice(text) {
      show(text);
      append(page.polite, text);
    },
    alarm(text) {
      show(text, true);
      append(page.assertive, text);
    },
    warn(text) {
      append(page.assertive, text);
    },
    whisper(text) {
      append(page.polite, text);
    },
    news(who, op, what) {
      const key = `${who} ${op}`;
      const known = gathered.get(key);
      if (!known) gathered.set(key, { who, op, what: what ? [what] : [] });
      else if (!known.what.includes(what)) known.what.push(what);
      telling ??= setTimeout(tell, GATHER);
    },
    stop() {
      clearTimeout(telling);
      clearTimeout(hiding);
    },
  };
}

/** @param {{who: string, op: string, what: string[]}} n */
function sentence({ who, op, what }) {
  /** @type {Record<string, any>} */
  const did = strings.did;
  if (what.length === 0) return did[op](who);
  return did[op](who, what.length === 1 ? strings.did.the(what[0]) : strings.did.pieces(what.length));
}

/** A new line, so that the same sentence is read again; old ones go. @param {HTMLElement} region @param {string} text */
function append(region, text) {
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 5) region.firstElementChild?.remove();
}
