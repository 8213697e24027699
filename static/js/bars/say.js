// Sentences for the player: a notice that is visible, and live regions for screen readers. Actions
// of others often come in bunches; the page collects them and speaks them together, so that they do
// not flood the listener.

import { setText } from '../view/dom.js';
import { msg } from '../msg.js';
import { firstMessage, isLoaded } from '../messages.js';
import { the } from '../view/describe.js';

/** @typedef {import('../state.js').State} State */

/** Milliseconds for which news are collected before they are spoken. */
const GATHER = 500;

/** Number of sentences spoken at a time. The rest is counted. */
const AT_ONCE = 3;

/** Milliseconds for which a notice is visible. */
const STAYS = 5000;

/**
 * The files with messages for what others do. Those of parts are there when the part is loaded.
 */
const WITH_NEWS = ['core', 'abilities', 'guests'];

/**
 * News of one person and one operation. `what` has the names of the pieces, by id.
 * @typedef {{who: string, op: string, what: Map<number, string>}} News
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
  /** @type {Map<string, News>} */
  const pending = new Map();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let speaking;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let hiding;
  const show = (/** @type {string} */ text, urgent = false) => {
    setText(page.notice, text);
    page.notice.classList.add('shown');
    page.notice.classList.toggle('urgent', urgent);
    clearTimeout(hiding);
    hiding = setTimeout(() => page.notice.classList.remove('shown'), STAYS);
  };
  const speak = () => {
    speaking = undefined;
    const all = [...pending.values()];
    pending.clear();
    const spoken = all.slice(0, AT_ONCE).map((n) => sentence(n));
    if (all.length > AT_ONCE) spoken.push(msg('core.more', { n: all.length - AT_ONCE }));
    append(page.polite, spoken.join(' '));
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
      const group = pending.get(key) ?? { who, op, what: new Map() };
      pending.set(key, group);
      if (piece) group.what.set(piece, name);
      if (op === 'release') dropGrab(pending, `${who} grab`, piece);
      speaking ??= setTimeout(speak, GATHER);
    },
    hush() {
      page.notice.classList.remove('shown');
    },
    stop() {
      clearTimeout(speaking);
      clearTimeout(hiding);
    },
  };
}

/**
 * Drops the news that somebody picked a piece up, because the same person has put it down since.
 * @param {Map<string, News>} gathered
 * @param {string} key
 * @param {number} piece
 */
function dropGrab(gathered, key, piece) {
  const earlier = gathered.get(key);
  if (earlier?.what.delete(piece) && earlier.what.size === 0) gathered.delete(key);
}

/** The messages for an operation of somebody else. @param {string} op */
function idsOf(op) {
  return WITH_NEWS.map((file) => `${file}.did.${op}`);
}

/** Reports whether there is a message for an operation of somebody else. @param {string} op */
export function isAnnounced(op) {
  return idsOf(op).some(isLoaded);
}

/** @param {News} told */
function sentence({ who, op, what }) {
  const [name = ''] = what.values();
  return firstMessage(idsOf(op), {
    who,
    what: what.size === 1 ? the(name) : msg('core.pieces', { n: what.size }),
    n: what.size,
  });
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
