// Dialogs that ask for the arguments of an operation (T36): a number with buttons for less and
// more, a player, a text, or a container.

import { kindOf } from '../../view/catalog.js';
import { css, initials, inkOn } from '../../view/colour.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { nameOf, placeOf } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').Args} Args */
/** @typedef {import('../../view/catalog.js').Ask} Ask */
/** @typedef {import('../abilities/offers.js').Offer} Offer */

/**
 * A question of the dialog: its element, the element that gets the focus, and a function that reads
 * the answer.
 * @typedef {{
 *   root: HTMLElement, first: HTMLElement|null, read: () => number|string|undefined
 * }} Question
 */

/**
 * Asks for arguments of an offer.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Offer} offer
 * @param {Ask[]} asks
 * @param {(args: Args) => void} done
 */
export function askFor(s, pieces, offer, asks, done) {
  const choice = asks.length === 1 && (asks[0].name === 'seat' || asks[0].name === 'into');
  const finish = (/** @type {Args} */ args) => {
    d.close();
    done(args);
  };
  const questions = asks.map(
    (ask, i) => questionFor(s, pieces, offer.op, ask, i, choice ? finish : null),
  );
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    /** @type {Record<string, number|string>} */
    const args = {};
    for (const [i, ask] of asks.entries()) {
      const answer = questions[i].read();
      if (answer === undefined) return;
      args[ask.name] = answer;
    }
    finish(args);
  };
  const form = el(
    'form', { class: 'asking', onsubmit: submit }, ...questions.map((q) => q.root),
    !choice && el('button', { type: 'submit', class: 'primary' }, offer.label),
  );
  const d = openDialog(s.page.main, 'ask', offer.label, msg('dialogs.ask.close'), form);
  const first = questions[0].first;
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

/**
 * Makes a question.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {string} op
 * @param {Ask} ask
 * @param {number} i
 * @param {((args: Args) => void)|null} finish ends the dialog; not null if a choice is the only
 *   question
 * @returns {Question}
 */
function questionFor(s, pieces, op, ask, i, finish) {
  const { abilities } = s.parts;
  const take = finish && ((/** @type {number} */ id) => finish({ [ask.name]: id }));
  if (ask.name === 'seat')
    return choices(
      ask.label,
      (abilities?.seatsFor(s, op, pieces) ?? []).map(
        (seat) => ({ id: seat.id, content: seatLine(s, seat) }),
      ),
      take,
    );
  if (ask.name === 'into') {
    const all = (abilities?.containersFor(s, pieces[0]) ?? []).map((c) => ({
      id: c.id,
      content: [el('span', {}, nameOf(s, c)), el('span', { class: 'quiet' }, placeOf(s, c))],
    }));
    return choices(ask.label, all, take);
  }
  if (ask.name === 'text') return textQuestion(ask, `ask-${i}`, pieces[0]?.text ?? '');
  return numberQuestion(ask, `ask-${i}`, mostOf(s, op, pieces));
}

/**
 * Returns the greatest number that makes sense now, Infinity if it is unknown.
 * @param {State} s
 * @param {string} op
 * @param {Piece[]} pieces
 */
function mostOf(s, op, pieces) {
  const [piece] = pieces;
  if (!piece || pieces.length > 1) return Number.POSITIVE_INFINITY;
  const k = kindOf(s, piece);
  if (op === 'split') return Math.max(1, (piece.value ?? 1) - 1);
  if (k.container === undefined || !s.sync.holds.has(piece.id) || k.counted === false)
    return Number.POSITIVE_INFINITY;
  const n = (s.sync.holds.get(piece.id) ?? []).reduce((sum, { count }) => sum + count, 0);
  return Math.max(1, n);
}

/**
 * Asks for a number, with buttons for less and more.
 * @param {Pick<Ask, 'label'|'min'|'max'|'initial'>} ask
 * @param {string} id
 * @param {number} [most]
 * @returns {Question}
 */
export function numberQuestion({ label, min = 0, max = 2 ** 30, initial = min }, id, most = max) {
  const hi = Math.max(min, Math.min(max, most));
  const field = stepper(id, label, { min, max: hi, value: clamp(initial, min, hi) });
  return {
    root: field.root, first: field.input,
    read: () => (field.input.checkValidity() ? Math.round(Number(field.input.value)) : undefined),
  };
}

/**
 * Makes a field for a whole number, with buttons for less and more.
 * @param {string} id
 * @param {string} label
 * @param {{min: number, max: number, value: number}} bounds
 */
export function stepper(id, label, { min, max, value }) {
  const input = el('input', {
    type: 'number', id, min, max, step: 1, value, required: true,
    inputmode: min < 0 ? 'text' : 'numeric',
  });
  const by = (/** @type {number} */ n) => {
    input.value = String(clamp((Math.round(Number(input.value)) || 0) + n, min, max));
    input.dispatchEvent(new Event('input'));
  };
  const less = el('button', {
    class: 'secondary', 'aria-label': msg('dialogs.ask.less'),
    onclick: () => by(-1),
  }, icon('minus'));
  const more = el('button', {
    class: 'secondary', 'aria-label': msg('dialogs.ask.more'), onclick: () => by(1),
  }, icon('add'));
  return {
    root: el(
      'div', { class: 'field' }, el('label', { for: id }, label),
      el('div', { class: 'stepper' }, less, input, more),
    ),
    input,
  };
}

/**
 * Asks for a text.
 * @param {Ask} ask
 * @param {string} id
 * @param {string} text the present text
 * @returns {Question}
 */
function textQuestion({ label, max = 2000 }, id, text) {
  const area = el('textarea', { id, rows: 5 });
  area.value = text;
  const problem = el(
    'p', { class: 'problem', role: 'alert', hidden: true }, msg('dialogs.ask.tooLong', { max }),
  );
  const read = () => {
    const written = area.value.replaceAll('\r\n', '\n');
    problem.hidden = new TextEncoder().encode(written).length <= max;
    return problem.hidden ? written : undefined;
  };
  return {
    root: el('div', { class: 'field' }, el('label', { for: id }, label), area, problem),
    first: area, read,
  };
}

/**
 * Asks for one of several things. As the only question, a button answers at once. Among other
 * questions, the choice is only marked.
 * @param {string} label
 * @param {{id: number, content: (Node|string)[]}[]} all
 * @param {((id: number) => void)|null} take answers at once; null among other questions
 * @returns {Question}
 */
export function choices(label, all, take) {
  let chosen = all[0]?.id;
  const list = el(
    'div', { class: 'choices', role: take ? 'group' : 'radiogroup', 'aria-label': label },
  );
  const mark = () => {
    for (const b of list.children)
      b.setAttribute(
        'aria-checked', b.getAttribute('data-choice') === String(chosen) ? 'true' : 'false',
      );
  };
  for (const { id, content } of all) {
    const pick = () => {
      chosen = id;
      if (take) take(id);
      else mark();
    };
    list.append(el('button', {
      class: 'choice', role: take ? null : 'radio', 'data-choice': id,
      onclick: pick,
    }, ...content));
  }
  if (!take) mark();
  if (all.length === 0) list.append(el('p', { class: 'quiet' }, msg('dialogs.ask.nothing')));
  const first = /** @type {HTMLElement|null} */ (list.firstElementChild);
  return {
    root: el('div', { class: 'field' }, el('p', { class: 'asked' }, label), list), first,
    read: () => chosen,
  };
}

/**
 * Returns a person as a line: disc and name.
 * @param {State} s
 * @param {import('../../types.js').Seat} seat
 */
export function seatLine(s, seat) {
  const disc = el(
    'span', { class: 'disc', 'aria-hidden': 'true' },
    el('span', { class: 'disc-face' }, initials(seat.nick)),
  );
  const face = /** @type {HTMLElement} */ (disc.firstElementChild);
  face.style.background = css(seat.colour);
  face.style.color = inkOn(seat.colour);
  return [
    disc, el('span', {}, seat.nick),
    seat.id === s.sync.you ? el('span', { class: 'seat-you' }, msg('dialogs.people.you')) : '',
  ];
}
