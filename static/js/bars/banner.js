// Shows the state of the connection: a quiet line at the top while something is wrong. It
// disappears when all is well.

import { el, setAttr } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { waitingWrites } from './pending.js';
import { msg } from '../msg.js';
import { firstMessage } from '../messages.js';
import { forgetTable, endedSentence, ownTable } from './ended.js';
import { drawWithBars, redrawBars } from './state.js';

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
  const again = el('button', { class: 'secondary' }, msg('core.banner.retry'));
  banner.append(icon('unplugged'), text, count, again);
  let announced = false;
  let patient = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const draw = () => {
    const { state, reason } = s.net.status;
    setAttr(main, 'data-status', state);
    const sentence = sentenceOf(s, s.net.status);
    banner.hidden = sentence === '' || patient;
    if (banner.hidden) return;
    text.textContent = sentence;
    const waiting = s.pending.late.size + waitingWrites(s);
    count.textContent = waiting > 0 ? msg('core.banner.waiting', { n: waiting }) : '';
    banner.classList.toggle('final', state === 'closed');
    again.textContent = OVER.includes(reason)
      ? msg(ownTable(s) ? 'core.banner.own' : 'core.banner.front')
      : state === 'closed'
        ? msg('core.banner.reload')
        : msg('core.banner.retry');
    again.hidden = state === 'online' || ['no-seat', 'no-table', 'damaged'].includes(reason);
  };
  again.addEventListener('click', () => {
    if (OVER.includes(s.net.status.reason)) location.assign(ownTable(s) || '/');
    else if (s.net.status.state === 'closed') location.reload();
    else s.net.kick();
  });
  drawWithBars(s, draw);
  const say = () => {
    patient = false;
    redrawBars(s);
    // the banner is visible anyway; this is for screen readers
    if (!announced) voice.warn(sentenceOf(s, s.net.status));
    announced = true;
  };
  return {
    onStatus(status) {
      if (OVER.includes(status.reason)) {
        forgetTable(s.table);
        main.querySelector('dialog')?.close(); // it would cover the banner
      }
      redrawBars(s);
      const bad = sentenceOf(s, status) !== '';
      if (bad && status.state !== 'closed') {
        if (announced || patient) return; // further attempts to reconnect do not restart the timer
        patient = true; // a short interruption is not worth a message
        timer = setTimeout(say, PATIENCE);
        return;
      }
      clearTimeout(timer);
      patient = false;
      if (bad) say();
      else if (announced) {
        announced = false;
        // the banner has disappeared; this is for screen readers
        voice.whisper(msg('core.link.back'));
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
  if (OVER.includes(reason)) return endedSentence(s);
  if (state === 'closed') {
    if (reason === 'left') return '';
    return firstMessage([`core.link.${reason}`, 'core.link.closed']);
  }
  if (state === 'online') 
    return firstMessage([`core.link.${reason}`, s.sync.trouble ? 'core.link.storage' : '']);
  if (state === 'connecting' && s.sync.epoch === 0) return msg('core.link.connecting');
  // the stream ended because of that
  if (s.sync.trouble && reason !== 'network') return msg('core.link.storage');
  if (reason === 'stopping') return msg('core.link.stopping');
  // also during another attempt, so that the text does not flicker
  return msg(navigator.onLine === false ? 'core.link.offlineBrowser' : 'core.link.offline');
}
