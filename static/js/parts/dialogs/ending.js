// What dialogs share that end a seat: what happens to its cards, a button that shows when it fails,
// and the request.

import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { isHand, isHost } from '../../rights.js';
import { isPlayer } from '../../roles.js';
import { forgetTable } from '../../bars/ended.js';
import { el, setText } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */

/** Returns whether this person is the only host of the table. @param {State} s */
export function isOnlyHost(s) {
  return isHost(s) && ![...s.sync.seats.values()].some(
    (seat) => seat.role === 'host' && !seat.left && seat.id !== s.sync.you,
  );
}

/** Reports whether a seat has a hand. @param {State} s @param {number} seat */
export function handsOf(s, seat) {
  return [...s.sync.pieces.values()].some((p) => p.owner === seat && isHand(s, p));
}

/**
 * Makes the choice of what happens to the cards of a seat.
 * @param {State} s
 * @param {Seat} seat
 * @param {string} legend
 * @param {boolean} gives whether somebody else may get them
 * @param {string} [of] what the choice belongs to
 */
export function handChoice(s, seat, legend, gives, of = 'leaving') {
  const others = [...s.sync.seats.values()].filter(
    (other) => other.id !== seat.id && isPlayer(other),
  );
  const to = el(
    'select', { 'aria-label': msg('dialogs.leaving.whom') },
    ...others.map(({ id, nick }) => el('option', { value: id }, nick))
  );
  const ways = gives && others.length > 0 ? ['back', 'stay', 'give'] : ['back', 'stay'];
  const radios = ways.map(
    (value) => el('input', {
      type: 'radio', name: `hands-${of}`, value, checked: value === 'back',
    }),
  );
  to.addEventListener('change', () => {
    for (const radio of radios) radio.checked = radio.value === 'give';
  });
  const lines = radios.map(
    (radio) => el(
      'label', { class: 'hand-way' }, radio,
      el('span', {}, firstMessage(
        [`dialogs.${of}.ways.${radio.value}`, `dialogs.leaving.ways.${radio.value}`],
      )),
    ),
  );
  const root = el(
    'fieldset', { class: 'hands-to' }, el('legend', {}, legend), ...lines,
    ways.includes('give') ? to : '',
  );
  const read = () => {
    const value = radios.find(({ checked }) => checked)?.value ?? 'back';
    return value === 'give' ? `hand=give&to=${to.value}` : `hand=${value}`;
  };
  return { root, read };
}

/**
 * Makes a button that shows when its action fails.
 * @param {string} text
 * @param {string} look
 * @param {() => unknown} run returns false if it failed
 * @param {boolean} [again] whether it can be done again when it has worked
 */
export function actionButton(text, look, run, again = false) {
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { class: look }, text);
  button.addEventListener('click', async () => {
    button.disabled = failed.hidden = true;
    const worked = (await run()) !== false;
    button.disabled = worked && !again;
    failed.hidden = worked;
    if (!worked) setText(failed, msg('dialogs.leaving.failed'));
  });
  return el('div', { class: 'leave-door' }, button, failed);
}

/**
 * Asks the server to end a seat or a login.
 * @param {string} url
 * @returns {Promise<Response|null>} null if it failed
 */
export async function end(url, method = 'DELETE') {
  try {
    const answer = await fetch(url, { method });
    // After these statuses it had ended before.
    return answer.ok || [401, 404, 410].includes(answer.status) ? answer : null;
  } catch {
    return null; // it may have ended nevertheless: then the stream says so
  }
}

/** Leaves the page and forgets the table. @param {State} s */
export function goAway(s) {
  s.net.close();
  forgetTable(s.table);
  s.page.window.ownerDocument.location.assign('/');
}
