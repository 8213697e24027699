// Sentences for the player: a notice that is visible, and live regions for screen readers. Actions
// of others often come in bunches; the page collects them and speaks them together, so that they do
// not flood the listener.

import { setText } from '../view/dom.js';
import { strings } from '../strings.js';

/** @typedef {import('../state.js').State} State */

/** Milliseconds for which news are collected before they are spoken. */
const GATHER = 500;

/** Number of sentences spoken at a time. The rest is counted. */
const AT_ONCE = 3;

/** Milliseconds for which a notice is visible. */
const STAYS = 5000;

/**
 * News of one person and one operation. `what` has the names of the pieces, by id.
 * @typedef {{who: string, op: string, what: Map<number, string>}} Told
 */

/**
 * The ways to notify a player, with their timers.
 * @typedef {object} Voice
 * @property {(text: string) => void} notice shows and speaks, politely
 * @property {(text: string) => void} alarm shows and speaks at once
 * @property {(text: string) => void} warn speaks at once
 * @property {(text: string) => void} whisper speaks only
 * @property {(text: string) => void} caption shows only
 * @property {(who: string, op: string, piece: number, name: string) => void} news speaks what
 *   somebody else did; piece 0 if it was done to no piece
 * @property {() => void} hush hides the notice
 * @property {() => void} stop
 */

/** Creates the voice of the page. @param {import('../page.js').Page} page @returns {Voice} */
export function createVoice(page) {
  /** @type {Map<string, Told>} */
  const gathered = new Map();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let telling;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
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
    caption(text) {
      show(text);
    },
    news(who, op, piece, name) {
      const key = `${who} ${op}`;
      const told = gathered.get(key) ?? { who, op, what: new Map() };
      gathered.set(key, told);
      if (piece) told.what.set(piece, name);
      if (op === 'release') overtake(gathered, `${who} grab`, piece);
      telling ??= setTimeout(tell, GATHER);
    },
    hush() {
      page.notice.classList.remove('shown');
    },
    stop() {
      clearTimeout(telling);
      clearTimeout(hiding);
    },
  };
}

/**
 * Drops the news that somebody picked a piece up, because the same person has put it down since.
 * @param {Map<string, Told>} gathered
 * @param {string} key
 * @param {number} piece
 */
function overtake(gathered, key, piece) {
  const earlier = gathered.get(key);
  if (earlier?.what.delete(piece) && earlier.what.size === 0) gathered.delete(key);
}

/** @param {Told} told */
function sentence({ who, op, what }) {
  /** @type {Record<string, any>} */
  const did = strings.did;
  if (what.size === 0) return did[op](who);
  const [name] = what.values();
  return did[op](
    who,
    what.size === 1 ? strings.did.the(name) : strings.did.pieces(what.size),
    what.size,
  );
}

/**
 * Adds a line to a live region, so that a repeated sentence is spoken again. Only the last five
 * lines stay.
 * @param {HTMLElement} region
 * @param {string} text
 */
function append(region, text) {
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 5) region.firstElementChild?.remove();
}
