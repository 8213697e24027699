// Shows the state of the connection: a quiet line at the top while something is wrong. It
// disappears when all is well.

import { el, setAttr } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { waitingWrites } from './pending.js';
import { strings } from '../strings.js';
import { forgetTable, thrownSentence } from './ended.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Status} Status */

/** Milliseconds that a connection may take before the banner appears. */
const PATIENCE = 1200;

/** Reasons why a stream ends for good: the table was deleted (T42), or the seat has ended (S20). */
const OVER = ['table-closed', 'seat-withdrawn'];

/**
 * Fills the banner, and draws it when the connection changes.
 * @param {State} s
 * @param {import('./say.js').Voice} voice
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
    // the banner is visible anyway; this is for screen readers
    if (!told) voice.warn(sentenceOf(s, s.link));
    told = true;
  };
  return {
    onStatus(status) {
      s.link = status;
      if (OVER.includes(status.reason)) {
        forgetTable(s.table);
        main.querySelector('dialog')?.close(); // it would cover the banner
      }
      s.dirtyBars = true;
      s.redraw();
      const bad = sentenceOf(s, status) !== '';
      if (bad && status.state !== 'closed') {
        if (told || patient) return; // further attempts to reconnect do not restart the timer
        patient = true; // a short interruption is not worth a message
        timer = setTimeout(say, PATIENCE);
        return;
      }
      clearTimeout(timer);
      patient = false;
      if (bad) say();
      else if (told) {
        told = false;
        voice.whisper(strings.link.back); // the banner has disappeared; this is for screen readers
      }
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Returns the sentence about the connection; empty if nothing is wrong.
 * @param {State} s
 * @param {Status} status
 */
function sentenceOf(s, { state, reason }) {
  const t = /** @type {Record<string, any>} */ (strings.link);
  if (OVER.includes(reason)) return thrownSentence(s);
  if (state === 'closed') return reason === 'left' ? '' : (t[reason] ?? t.closed);
  if (state === 'online') return t[reason] ?? (s.sync.trouble ? t.storage : '');
  if (state === 'connecting' && s.sync.epoch === 0) return t.connecting;
  if (s.sync.trouble && reason !== 'network') return t.storage; // the stream ended because of that
  if (reason === 'stopping') return t.stopping;
  // also during another attempt, so that the text does not flicker
  return navigator.onLine === false ? t.offlineBrowser : t.offline;
}
