// Links that move a seat to another device (T54). A player makes one for their own seat, a host for
// somebody else's, and the operator for a host's. Everybody is notified of the latter two (T55).

import { openDialog } from './dialog.js';
import { el, setText } from '../../view/dom.js';
import { linkBox } from './invite.js';
import { seatlinkwords as t } from './seatlinkwords.js';
import { strings } from '../../strings.js';

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
  const make = el('button', { type: 'button', class: 'primary' }, t.make);
  const body = el('div', { class: 'links', 'aria-live': 'polite' }, failed, make);
  make.addEventListener('click', async () => {
    make.disabled = failed.hidden = true;
    const made = await makeLink(s, seat);
    if (typeof made !== 'string') {
      const box = linkBox(s, 'seat', t.label, made.url, t.share);
      body.replaceChildren(box, el('p', { class: 'quiet' }, t.until(timeOf(made.until))));
      box.querySelector('button')?.focus();
      return;
    }
    make.disabled = failed.hidden = false;
    setText(failed, made);
    make.focus();
  });
  const about = own ? [t.ownAbout, t.ownCare] : [t.about(seat.nick), t.care(seat.nick)];
  openDialog(
    s.page.main, 'seat-link', own ? t.ownTitle : t.title(seat.nick), t.close,
    ...about.map((text) => el('p', {}, text)), body,
  );
  make.focus();
}

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
    return answer.status === 429 ? t.often : t.failed;
  } catch {
    return t.failed;
  }
}

/**
 * Announces that a host made a link for somebody else, or that it was used.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @param {Seat} seat
 */
export function tellLink(s, voice, seat) {
  if (seat.linkUsed) voice.notice(t.used(nameOf(s, seat.linkBy, t.you, t.theOperator), seat.nick));
  else if (seat.id === s.sync.you) voice.alarm(t.madeForYou(nameOf(s, seat.linkBy, t.youHost)));
  else voice.notice(t.made(nameOf(s, seat.linkBy, t.youHost), seat.nick));
}

/**
 * Returns what the list of people says about the link of a seat.
 * @param {State} s
 * @param {Seat} seat
 */
export function linkNote(s, { linkBy, linkAt = 0, linkUsed = 0 }) {
  return t.note(nameOf(s, linkBy, t.youHost), timeOf(linkAt), linkUsed ? timeOf(linkUsed) : '');
}

/**
 * Returns the name of whoever made a link.
 * @param {State} s
 * @param {number|undefined} id missing: the operator
 * @param {string} you the word for this person
 * @param {string} operator the word for the operator
 */
function nameOf(s, id, you, operator = t.operator) {
  if (!id) return operator;
  return id === s.sync.you ? you : (s.sync.seats.get(id)?.nick ?? strings.somebody);
}

/** Returns a time of day in the format of the browser's language. @param {number} ms */
function timeOf(ms) {
  return new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
