// Links that move a seat to another device (T54). A player makes one for their own seat, a host for
// somebody else's, and the operator for a host's. Everybody is notified of the latter two (T55).

import { openDialog } from './dialog.js';
import { el, setText } from '../../view/dom.js';
import { linkBox } from './invite.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */

/**
 * Opens a dialog that says what a link for a seat does, and makes one.
 * @param {State} s
 * @param {Seat} seat
 */
export function openSeatLink(s, seat) {
  const own = seat.id === s.sync.you;
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const make = el('button', { class: 'primary' }, msg('dialogs.seatlink.make'));
  const body = el('div', { class: 'links', 'aria-live': 'polite' }, failed, make);
  make.addEventListener('click', async () => {
    make.disabled = failed.hidden = true;
    const made = await makeLink(s, seat);
    if (typeof made !== 'string') {
      const box = linkBox(s, 'seat', msg('dialogs.seatlink.label'), made.url, shareText);
      const until = msg('dialogs.seatlink.until', { time: timeOf(made.until) });
      body.replaceChildren(box, el('p', { class: 'quiet' }, until));
      box.querySelector('button')?.focus();
      return;
    }
    make.disabled = failed.hidden = false;
    setText(failed, made);
    make.focus();
  });
  const { nick } = seat;
  const title = own ? msg('dialogs.seatlink.ownTitle') : msg('dialogs.seatlink.title', { nick });
  const about = own
    ? [msg('dialogs.seatlink.ownAbout'), msg('dialogs.seatlink.ownCare')]
    : [msg('dialogs.seatlink.about', { nick }), msg('dialogs.seatlink.care', { nick })];
  openDialog(
    s.page.main, 'seat-link', title, msg('dialogs.seatlink.close'),
    ...about.map((text) => el('p', {}, text)), body,
  );
  make.focus();
}

/** The text to share with the link. @param {string} title */
const shareText = (title) => msg('dialogs.seatlink.share', { title });

/**
 * Makes a link.
 * @param {State} s
 * @param {Seat} seat
 * @returns {Promise<{url: string, until: number}|string>} the link and when it expires, or a text
 *   that says why there is none
 */
async function makeLink(s, seat) {
  try {
    const answer = await fetch(`${s.api}/seats/${seat.id}/link`, { method: 'POST' });
    if (answer.ok) return await answer.json();
    return answer.status === 429 ? msg('dialogs.seatlink.often') : msg('dialogs.seatlink.failed');
  } catch {
    return msg('dialogs.seatlink.failed');
  }
}

/**
 * Announces that a host made a link for somebody else, or that it was used.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @param {Seat} seat
 */
export function announceLink(s, voice, seat) {
  const { nick } = seat;
  if (seat.linkUsed) {
    const [you, operator] = [msg('dialogs.seatlink.you'), msg('dialogs.seatlink.theOperator')];
    const host = nameOf(s, seat.linkBy, you, operator);
    voice.notice(msg('dialogs.seatlink.used', { host, nick }));
    return;
  }
  const host = nameOf(s, seat.linkBy, msg('dialogs.seatlink.youHost'));
  if (seat.id === s.sync.you) voice.alarm(msg('dialogs.seatlink.madeForYou', { host }));
  else voice.notice(msg('dialogs.seatlink.made', { host, nick }));
}

/**
 * Returns what the list of people says about the link of a seat.
 * @param {State} s
 * @param {Seat} seat
 */
export function linkNote(s, { linkBy, linkAt = 0, linkUsed = 0 }) {
  const host = nameOf(s, linkBy, msg('dialogs.seatlink.youHost'));
  const time = timeOf(linkAt);
  return linkUsed
    ? msg('dialogs.seatlink.noteUsed', { host, time, used: timeOf(linkUsed) })
    : msg('dialogs.seatlink.note', { host, time });
}

/**
 * Returns the name of whoever made a link.
 * @param {State} s
 * @param {number|undefined} id missing: the operator
 * @param {string} you the word for this person
 * @param {string} operator the word for the operator
 */
function nameOf(s, id, you, operator = msg('dialogs.seatlink.operator')) {
  if (!id) return operator;
  return id === s.sync.you ? you : (s.sync.seats.get(id)?.nick ?? msg('core.somebody'));
}

/** Returns a time of day in the format of the browser's language. @param {number} ms */
function timeOf(ms) {
  return new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
