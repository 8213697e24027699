// The dialog that sets a clock: minutes, seconds, increment, and buttons for usual times.

import { increments } from '../../sync/clock.js';
import { kindAt, kindOf } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { change, refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { lower, nameOf } from '../../view/describe.js';

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
      { class: 'usual', role: 'group', 'aria-label': msg('dialogs.clock.usual') },
      ...usual.map(([m, gain]) =>
        el('button', {
          class: 'secondary', 'aria-label': preset(m, gain),
          onclick: () => set(m, gain),
        }, gains ? msg('dialogs.clock.game', { minutes: m, seconds: gain }) : wait(m)),
      ),
    ),
    el(
      'div', { class: 'times' }, field(msg('dialogs.clock.minutes'), minutes),
      field(msg('dialogs.clock.seconds'), seconds),
      gains && field(msg('dialogs.clock.increment'), increment),
    ),
    el('p', { class: 'quiet' }, msg('dialogs.clock.stops')),
    el('button', { type: 'submit', class: 'primary' }, msg('dialogs.clock.set')),
  );
  const title = msg('dialogs.clock.title', { name: lower(nameOf(s, pieces[0])) });
  const d = openDialog(s.page.main, 'clock', title, msg('dialogs.clock.close'), form);
  minutes.focus();
  minutes.select();
}

/** Names a usual time of a timer. @param {number} minutes */
function wait(minutes) {
  return minutes < 1
    ? msg('dialogs.clock.waitSeconds', { seconds: minutes * 60 })
    : msg('dialogs.clock.waitMinutes', { minutes });
}

/** Describes a usual time in words. @param {number} minutes @param {number} gain */
function preset(minutes, gain) {
  const time = minutes < 1
    ? msg('dialogs.clock.presetSeconds', { n: minutes * 60 })
    : msg('dialogs.clock.presetMinutes', { n: minutes });
  return gain > 0 ? msg('dialogs.clock.presetGain', { time, n: gain }) : time;
}

/** Reports whether a clock gives increments. @param {State} s @param {Piece} piece */
function gives(s, piece) {
  const kind = kindOf(s, piece).clock;
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
