// The dialog that sets a clock: minutes, seconds, increment, and buttons for usual times.

import { increments } from '../../sync/clock.js';
import { kindAt } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { dialogwords } from './words.js';
import { el } from '../../view/dom.js';
import { change, refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { nameOf } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * Usual times for games: minutes, and seconds for each move. WAITS are usual minutes for timers.
 */
const GAMES = [
  [1, 0],
  [3, 2],
  [5, 0],
  [10, 5],
  [15, 10],
  [30, 0],
];
const WAITS = [0.5, 1, 2, 3, 5, 10];

/** The greatest time of a clock, in ms (T27). */
const MOST = 2 ** 30;

/**
 * Opens the dialog for clocks. Those that give increments all get the same increment.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {import('../../bars/say.js').Voice} voice
 */
export function openSetClock(s, pieces, voice) {
  const t = dialogwords.clock;
  const clock = pieces[0].clock;
  const gains = pieces.some((p) => gives(s, p));
  const counts = kindAt(s.catalog, pieces[0].kind).clock?.counts ?? 'down';
  const minutes = number(
    'clock-minutes', Math.floor(MOST / 60_000), Math.floor((clock?.initial ?? 0) / 60_000),
  );
  const seconds = number('clock-seconds', 59, Math.floor((clock?.initial ?? 0) / 1000) % 60);
  const increment = number('clock-increment', 3600, Math.floor((clock?.increment ?? 0) / 1000));
  const set = (/** @type {number} */ m, /** @type {number} */ gain) => {
    minutes.value = String(Math.floor(m));
    seconds.value = String(Math.round((m % 1) * 60));
    increment.value = String(gain);
  };
  const usual = counts === 'up' ? [] : gains ? GAMES : WAITS.map((m) => [m, 0]);
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const ms = Math.min(MOST, (Number(minutes.value) * 60 + Number(seconds.value)) * 1000);
    apply(s, pieces, ms, Number(increment.value) * 1000, voice);
    d.close();
  };
  const form = el(
    'form',
    { onsubmit: submit },
    el(
      'div',
      { class: 'usual', role: 'group', 'aria-label': t.usual },
      ...usual.map(([m, gain]) =>
        el('button', {
          type: 'button', class: 'secondary', 'aria-label': t.preset(m, gain),
          onclick: () => set(m, gain),
        }, gains ? t.game(m, gain) : t.wait(m)),
      ),
    ),
    el(
      'div', { class: 'times' }, field(t.minutes, minutes), field(t.seconds, seconds),
      gains && field(t.increment, increment),
    ),
    el('p', { class: 'quiet' }, t.stops),
    el('button', { type: 'submit', class: 'primary' }, t.set),
  );
  const d = openDialog(s.page.main, 'clock', t.title(nameOf(s, pieces[0])), t.close, form);
  minutes.focus();
  minutes.select();
}

/** Reports whether a clock gives increments. @param {State} s @param {Piece} piece */
function gives(s, piece) {
  const kind = kindAt(s.catalog, piece.kind).clock;
  return kind !== undefined && increments(kind);
}

/**
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {number} ms
 * @param {number} increment
 * @param {import('../../bars/say.js').Voice} voice
 */
function apply(s, pieces, ms, increment, voice) {
  for (const { id } of pieces) {
    const piece = s.sync.pieces.get(id);
    if (!piece) continue; // deleted while the dialog was open
    const no = refusal(s, piece, 'set');
    if (no) explain(s, no, voice);
    else change(s, id, 'set', gives(s, piece) ? { ms, increment } : { ms });
  }
}

/** @param {string} id @param {number} max @param {number} value */
function number(id, max, value) {
  return el(
    'input',
    { type: 'number', id, min: 0, max, step: 1, required: true, inputmode: 'numeric', value },
  );
}

/** @param {string} label @param {HTMLInputElement} input */
function field(label, input) {
  return el('div', {}, el('label', { for: input.id }, label), input);
}
