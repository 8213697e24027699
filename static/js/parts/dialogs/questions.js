// The dialog for the questions of a button (T95): a number, one of several choices, somebody who
// plays, or a piece that lies open. It asks all of them at once.

import { choices, numberQuestion, seatLine } from './asking.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { kindOf } from '../../view/catalog.js';
import { nameOf, placeOf } from '../../view/describe.js';
import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../kinds/button.js').Step} Step */
/** @typedef {import('./asking.js').Question} Question */

/**
 * Asks what a button asks. Nothing is done if the player closes the dialog.
 * @param {State} s
 * @param {Piece} piece the button
 * @param {Step[]} asked
 * @param {string} label of what the answers are for
 * @param {(answers: number[]) => void} done
 */
export function askQuestions(s, piece, asked, label, done) {
  const isAtOnce = asked.length === 1 && asked[0].for !== 'number';
  const finish = (/** @type {number[]} */ answers) => {
    d.close();
    done(answers);
  };
  const take = isAtOnce ? (/** @type {number} */ answer) => finish([answer]) : null;
  const questions = asked.map((step, i) => questionFor(s, step, `question-${i}`, take));
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const answers = questions.map((q) => q.read());
    if (answers.every((a) => typeof a === 'number')) finish(answers);
  };
  const go = el('button', { type: 'submit', class: 'primary' }, label);
  go.disabled = questions.some(({ first }) => !first || first.tagName === 'P');
  const form = el(
    'form', { class: 'asking', onsubmit: submit }, ...questions.map((q) => q.root),
    !isAtOnce && go,
  );
  const d = openDialog(s.page.main, 'ask', nameOf(s, piece), msg('dialogs.ask.close'), form);
  const [{ first }] = questions;
  if (first?.tagName !== 'P') first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

/**
 * Makes a question.
 * @param {State} s
 * @param {Step} step
 * @param {string} id
 * @param {((answer: number) => void)|null} take answers at once, if it is the only question
 * @returns {Question}
 */
function questionFor(s, { question: label = '', for: what, ...step }, id, take) {
  switch (what) {
    case 'number':
      return numberQuestion({ label, ...step }, id);
    case 'choice': {
      const all = (step.choices ?? []).map((text, i) => ({ id: i, content: [text] }));
      return choices(label, all, take);
    }
    case 'seat': {
      const all = seats(s).map((seat) => ({ id: seat.id, content: seatLine(s, seat) }));
      return choices(label, all, take);
    }
    default:
      return choices(label, piecesOf(s, step).map((p) => ({
        id: p.id,
        content: [el('span', {}, nameOf(s, p)), el('span', { class: 'quiet' }, placeOf(s, p))],
      })), take);
  }
}

/** Returns who plays: this person first, then in the order of their seats. @param {State} s */
function seats(s) {
  const isOther = (/** @type {{id: number}} */ { id }) => (id === s.sync.you ? 0 : 1);
  return (s.parts.abilities?.seatsFor(s, 'run', []) ?? []).sort((a, b) => isOther(a) - isOther(b));
}

/**
 * Returns the pieces that can be chosen: those of the kind that everybody sees, from the top of the
 * table to its bottom.
 * @param {State} s
 * @param {Step} step
 */
function piecesOf(s, { kind }) {
  const isMeant = (/** @type {Piece} */ p) => {
    const k = kindOf(s, p);
    return k.name === kind && !p.set && !(k.private && p.owner !== 0);
  };
  return [...s.sync.pieces.values()].filter(isMeant).sort((a, b) => a.y - b.y || a.x - b.x);
}
