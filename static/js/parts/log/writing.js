// The field in which people write to each other, with the reactions and the choice of who can read
// it. Whoever may not write sees no more than what they had written.

import { nickOf } from '../../view/names.js';
import { el, setAttr } from '../../view/dom.js';
import { msg } from './msg.js';
import { lineOf, mayWrite, whisperedTo } from './sending.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./sending.js').Sent} Sent */

/** The most characters of a line of chat (T64), and what one press can say. */
const MOST_TEXT = 500;
export const REACTIONS = ['👍', '👏', '😄', '🤔', '🎉'];

/**
 * Makes the field to write in.
 * @param {State} s
 * @param {(line: Sent) => boolean} say returns whether the line is sent
 */
export function createWriting(s, say) {
  const text = el('input', {
    type: 'text', class: 'log-text', maxlength: MOST_TEXT, placeholder: msg('log.write'),
    'aria-label': msg('log.write'), autocomplete: 'off', enterkeyhint: 'send',
  });
  const to = el('select', { class: 'log-to', 'aria-label': msg('log.to') });
  const send = el('button', { class: 'primary log-send', type: 'submit' }, msg('log.send'));
  const react = (/** @type {string} */ sign) =>
    say({ text: sign, to: Number(to.value), isTyped: false });
  const reactions = el(
    'div', { class: 'log-reactions', role: 'group', 'aria-label': msg('log.reactions') },
    ...REACTIONS.map((sign) =>
      el('button', { class: 'log-reaction', onclick: () => react(sign) }, sign)),
  );
  const above = el('div', { class: 'log-row' }, to, reactions);
  /** Lines that were refused, and that have had no room in the field yet. @type {Sent[]} */
  const refused = [];
  const fill = () => {
    const next = text.value === '' ? refused.shift() : undefined;
    if (!next) return;
    text.value = next.text;
    if (Number(to.value) !== next.to) choose(next.to);
  };
  /** Chooses who reads it, also somebody to whom nobody can write now. @param {number} seat */
  const choose = (seat) => {
    listReaders(s, to, seat);
    to.value = seat ? String(seat) : '';
  };
  const root = el(
    'form',
    {
      class: 'log-writing',
      onsubmit: (/** @type {SubmitEvent} */ e) => {
        e.preventDefault();
        const line = lineOf(text.value);
        if (line === '' || !say({ text: line, to: Number(to.value), isTyped: true })) return;
        text.value = '';
        fill();
      },
    },
    above, el('div', { class: 'log-row' }, text, send),
  );
  return {
    root,
    /** Returns whether somebody can write here. */
    focus() {
      text.focus({ preventScroll: true });
      return !root.hidden;
    },
    /** Puts a line that was refused back into the field, as soon as that is empty.
     * @param {Sent} line */
    giveBack(line) {
      refused.push(line);
      fill();
    },
    draw() {
      const may = mayWrite(s);
      root.hidden = s.net.status.state === 'closed';
      if (!may && root.contains(document.activeElement)) text.focus({ preventScroll: true });
      above.hidden = send.hidden = !may;
      text.readOnly = !may;
      setAttr(text, 'placeholder', msg(may ? 'log.write' : 'log.mayNot'));
      const count = listReaders(s, to, Number(to.value));
      to.hidden = count < 2;
    },
  };
}

/**
 * Lists who can read what is written: everybody, or one of those who play. Whoever is chosen stays
 * chosen: what was meant for one person never goes to everybody because that person has left.
 * @param {State} s
 * @param {HTMLSelectElement} to
 * @param {number} chosen a seat; 0: everybody
 * @returns {number} how many choices there are
 */
function listReaders(s, to, chosen) {
  const seats = whisperedTo(s).map(({ id }) => id);
  if (chosen && !seats.includes(chosen)) seats.push(chosen);
  options(to, [
    ['', msg('log.toAll')],
    ...seats.map((seat) => /** @type {[string, string]} */ (
      [String(seat), msg('log.toOne', { nick: nickOf(s, seat) })])),
  ]);
  return seats.length + 1;
}

/**
 * Sets the options of a field, if they differ.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} wanted values and texts
 */
export function options(select, wanted) {
  const key = JSON.stringify(wanted);
  if (select.dataset.options === key) return;
  select.dataset.options = key;
  const { value } = select;
  select.replaceChildren(...wanted.map(([v, text]) => el('option', { value: v }, text)));
  select.value = wanted.some(([v]) => v === value) ? value : '';
}
