// Sentences for the player: a notice that is visible, and live regions for screen readers. Actions
// of others often come in bunches; the page collects them and speaks them together, so that they do
// not flood the listener.

import { setText } from '../view/dom.js';
import { msg } from '../msg.js';
import { dropNews, movesApart, sentenceOf, withCaptures } from './news.js';

/** @typedef {import('./news.js').Move} Move */
/** @typedef {import('./news.js').News} News */

/** Milliseconds for which news are collected before they are spoken. */
const GATHER = 500;

/** Number of sentences spoken at a time. The rest is counted. */
const AT_ONCE = 3;

/** Milliseconds for which a notice is visible. */
const STAYS = 5000;

/**
 * The ways to notify a player, with their timers.
 * @typedef {object} Voice
 * @property {(text: string) => void} notice shows and speaks, politely
 * @property {(text: string) => void} alarm shows and speaks at once
 * @property {(text: string) => void} warn speaks at once
 * @property {(text: string) => void} whisper speaks only
 * @property {(text: string) => void} caption shows only
 * @property {(who: string, op: string, piece: number, name: string, move?: Move) => void} news
 *   speaks what somebody else did; piece 0 if it was done to no piece
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
    const all = withCaptures(movesApart([...pending.values()]));
    pending.clear();
    const spoken = all.slice(0, AT_ONCE).map((n) => sentenceOf(n));
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
    news(who, did, piece, name, move) {
      // What somebody puts on a supply is deleted (T89).
      const isBack = did === 'delete' && dropNews(pending, `${who} release`, piece);
      const op = isBack ? 'gaveBack' : did;
      const key = `${who} ${op}`;
      const group = pending.get(key) ?? { who, op, what: new Map() };
      pending.set(key, group);
      if (piece) group.what.set(piece, { name, move });
      if (op === 'release') dropNews(pending, `${who} grab`, piece);
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
