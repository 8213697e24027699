// How the connection is: a quiet line at the top while something is wrong, gone by itself when all is well.

import { el, setAttr } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { waitingWrites } from './pending.js';
import { strings } from '../strings.js';
import { forgetTable, thrownSentence } from './ended.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Status} Status */

/** Milliseconds that a connection may take before anything is said. */
const PATIENCE = 1200;

/** Why a stream ends for good: the table was thrown away (T42), or the seat is over (S20). */
const OVER = ['table-closed', 'seat-withdrawn'];

/**
 * Makes the banner, and draws it when the connection changes.
 * @param {State} s @param {import('./say.js').Voice} voice
 * @returns {{onStatus: (status: Status) => void, stop: () => void}}
 */
export function bindBanner(s, voice) {
  const { banner, main } = s.page;
  const text = el('span', { class: 'banner-text' });
  const count = el('span', { class: 'banner-count' });
  const again = el('button', { type: 'button', class: 'secondary' }, strings.link.retry);
  banner.append(icon('unplugged'), text, count, again);
  let told = false;
  let patient = false;
  /** @type {number|undefined} */
  let timer;

  const draw = () => {
    const { state, reason } = s.link;
    setAttr(main, 'data-status', state);
    const sentence = sentenceOf(s, s.link);
    banner.hidden = sentence === '' || patient;
    if (banner.hidden) return;
    text.textContent = sentence;
    const waiting = s.waiting.size + waitingWrites(s);
    count.textContent = waiting > 0 ? strings.link.waiting(waiting) : '';
    banner.classList.toggle('final', state === 'closed');
    again.textContent = OVER.includes(reason)
      ? strings.link.front
      : state === 'closed'
        ? strings.link.reload
        : strings.link.retry;
    again.hidden = state === 'online' || ['no-seat', 'no-table', 'damaged'].includes(reason);
  };
  again.addEventListener('click', () => {
    if (OVER.includes(s.link.reason)) location.assign('/');
    else if (s.link.state === 'closed') location.reload();
    else s.net.kick();
  });
  s.bars.push(draw);
  const say = () => {
    patient = false;
    s.dirtyBars = true;
    s.redraw();
    if (!told) voice.warn(sentenceOf(s, s.link)); // the eyes have the banner
    told = true;
  };
  return {
    onStatus(status) {
      s.link = status;
      if (OVER.includes(status.reason)) {
        forgetTable(s.table);
        main.querySelector('dialog')?.close(); // it would lie over what is to be read now
      }
      s.dirtyBars = true;
      s.redraw();
      const bad = sentenceOf(s, status) !== '';
      if (bad && status.state !== 'closed') {
        if (told || patient) return; // attempts to reconnect do not begin the patience anew
        patient = true; // a blink of the network is not worth a word
        timer = setTimeout(say, PATIENCE);
        return;
      }
      clearTimeout(timer);
      patient = false;
      if (bad) say();
      else if (told) {
        told = false;
        voice.whisper(strings.link.back); // the eyes see that the banner is gone
      }
    },
    stop: () => clearTimeout(timer),
  };
}

/** What is to be said about the connection; empty if it is well. @param {State} s @param {Status} status */
function sentenceOf(s, { state, reason }) {
  const t = /** @type {Record<string, any>} */ (strings.link);
  if (OVER.includes(reason)) return thrownSentence(s);
  if (state === 'closed') return reason === 'left' ? '' : (t[reason] ?? t.closed);
  if (state === 'online') return t[reason] ?? (s.sync.trouble ? t.storage : '');
  if (state === 'connecting' && s.sync.epoch === 0) return t.connecting;
  if (s.sync.trouble && reason !== 'network') return t.storage; // the stream has ended because of that
  if (reason === 'stopping') return t.stopping;
  return navigator.onLine === false ? t.offlineBrowser : t.offline; // also while it tries again: the line does not flicker
}
