// The table by keyboard: focus goes from piece to piece, arrows move held pieces, and letters do
// the operations.

import { actions } from './actions.js';
import { fitting, perform } from './perform.js';
import * as carry from '../../input/drag.js';
import { all, on } from '../../view/dom.js';
import { turned } from '../../view/geometry.js';
import { turnFromSide } from '../../view/sides.js';
import { rotate } from '../../input/ops.js';
import { fit, reveal } from '../../view/camera.js';
import { phrase } from '../../reasons.js';
import {
  firstPiece, focusOn, focused, nextInDirection, select, targets, toggle,
} from '../../input/select.js';
import { msg } from './msg.js';
import { placeOf } from '../../view/describe.js';
import { STEP, turnView, zoomStep } from '../../view/zoom.js';
import { redrawBars } from '../../bars/state.js';
import { goByKeys, noteTyped, selectMany, takeNext } from '../../input/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** For how long the letter of a cell waits for its number, in ms. */
const TYPED = 3000;

/** How far arrows move held pieces, in table units: alone, with Shift, and with Alt. */
const FAR = 50;
const FARTHER = 500;
const FINE = 5;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, string>} keys and their actions */
const LETTERS = {
  f: 'flip',
  u: 'raise',
  d: 'lower',
  s: 'shuffle',
  t: 'stack',
  e: 'spread',
  a: 'pile',
  b: 'below',
  p: 'pin',
  l: 'lock',
  c: 'copy',
  w: 'wrest',
  j: 'press1',
  k: 'press2',
  m: 'run',
  o: 'set',
  z: 'reset',
  Delete: 'remove',
  Backspace: 'remove',
};

/** Keys with modifiers, and their actions: those of hands, and those of all pieces. */
const COMBINED = new Map([
  ['Shift+E', 'sort'],
  ['Shift+O', 'playDown'],
  ...actions.flatMap(({ id, keys }) =>
    keys?.includes('+') ? [/** @type {const} */ ([keys, id])] : []),
]);

/**
 * Keys that open something with Shift.
 * @type {Record<string, 'sheet'|'draw'|'measure'|'point'|'choose'|'bag'|'log'>}
 */
const OPENED = { s: 'sheet', d: 'draw', q: 'measure', p: 'point', v: 'choose', b: 'bag', c: 'log' };

/**
 * The functions that open what keys can open.
 * @typedef {ReturnType<typeof import('./openers.js').openers> &
 *   Record<'sheet'|'draw'|'measure'|'point'|'choose'|'bag'|'undo', () => void>} Openers
 */

/**
 * Listens to keys.
 * @param {State} s @param {Voice} voice @param {Openers} doors
 * @returns {() => void} stops listening
 */
export function bindKeys(s, voice, doors) {
  const pressed = (/** @type {KeyboardEvent} */ e) => {
    const target = /** @type {Element} */ (e.target);
    if (e.key === 'Tab' || e.key in ARROWS) goByKeys(s, true);
    if (
      e.defaultPrevented ||
      e.isComposing ||
      target.closest('input, textarea, select, dialog') ||
      document.querySelector('dialog:modal')
    )
      return;
    if (isOn(target, 'button') && (e.key === 'Enter' || e.key === ' ' || e.key in ARROWS)) return;
    if (onKey(s, voice, doors, e)) e.preventDefault();
  };
  const focusIn = (/** @type {FocusEvent} */ e) => {
    const id = Number(/** @type {Element} */ (e.target).getAttribute('data-piece') ?? 0);
    if (id && s.sync.pieces.has(id)) focusOn(s, id);
  };
  const byPointer = () => {
    goByKeys(s, false);
    noteTyped(s, '');
  };
  return all(
    on(document, 'keydown', pressed),
    on(s.page.outer, 'focusin', focusIn),
    on(document, 'pointerdown', byPointer, { capture: true }),
  );
}

/**
 * Does what a key stands for. Returns whether the key has a meaning here.
 * @param {State} s
 * @param {Voice} voice
 * @param {Openers} doors
 * @param {KeyboardEvent} e
 * @returns {boolean}
 */
function onKey(s, voice, doors, e) {
  if (e.ctrlKey || e.metaKey) return onControlKey(s, voice, doors, e);
  if (e.key in ARROWS) return onArrow(s, e, voice);
  const key = letterOf(e);
  if (onCellName(s, e, key, voice)) return true;
  const offer =
    e.altKey || e.shiftKey ? undefined : s.parts.abilities?.offerOfKey(s, targets(s), key);
  if (offer) {
    s.parts.abilities?.take(s, targets(s), offer, voice);
    return true;
  }
  if (key === 'r') {
    if (e.altKey && targets(s).length > 0) rotate(s, targets(s), e.shiftKey ? -1 : 1, 1);
    else perform(s, e.shiftKey ? 'unrotate' : 'rotate', voice);
    return true;
  }
  const combined = COMBINED.get(combination(e, key));
  if (combined) {
    perform(s, combined, voice);
    return true;
  }
  if (e.altKey) return false;
  if (e.shiftKey && key in OPENED) {
    doors[OPENED[key]]();
    return true;
  }
  if (key in LETTERS) {
    if (key === 'Delete' || key === 'Backspace')
      if (s.input.selection.size === 0 && !focused(s)) return true;
    perform(s, fitting(s, key) ?? LETTERS[key], voice);
    return true;
  }
  if (/^[0-9]$/.test(key) && !(key === '0' && s.input.take === 0))
    return onDigit(s, voice, Number(key));
  switch (key) {
    case 'Enter':
    case ' ':
      if (!focused(s) && !s.input.carry) return false;
      perform(s, 'pick', voice);
      return true;
    case 'Escape':
      giveUp(s, voice);
      return true;
    case 'x':
      if (focused(s)) toggle(s, focused(s));
      voice.whisper(
        s.input.selection.size > 0
          ? msg('controls.selected', { n: s.input.selection.size })
          : msg('controls.unselected'),
      );
      return true;
    case '+':
    case '=':
      zoomStep(s, STEP);
      return true;
    case '-':
    case '_':
      zoomStep(s, 1 / STEP);
      return true;
    case '0':
      fit(s);
      return true;
    case 'g':
      turnView(s);
      voice.notice(msg('controls.view.turnedTo', { n: turnFromSide(s) }));
      return true;
    case 'n':
      doors.box();
      return true;
    case 'i':
      doors.invite();
      return true;
    case ',':
      doors.table();
      return true;
    case 'h':
    case '?':
      doors.help();
      return true;
  }
  return false;
}

/**
 * Takes a key as a part of the name of a cell: "e2" goes to what stands there, or puts down there
 * what keys carry. The same letter twice means what it means elsewhere.
 * @param {State} s
 * @param {KeyboardEvent} e
 * @param {string} key
 * @param {Voice} voice
 * @returns {boolean} whether it is one
 */
function onCellName(s, e, key, voice) {
  const before = e.timeStamp - s.input.typedAt < TYPED ? s.input.typed : '';
  noteTyped(s, '');
  const { boards } = s.parts;
  const plain = key.length === 1 && !e.shiftKey && !e.altKey;
  if (!boards || !plain || before === key || !awaitsCell(s, before, key)) return false;
  for (const text of before ? [before + key, key] : [key]) {
    const { at, more } = boards.typed(s, text);
    if (!at && !more) continue;
    noteTyped(s, more ? text : '', e.timeStamp);
    if (at) goToCell(s, at, more, voice);
    else boards.sayTyped(text, voice);
    return true;
  }
  return false;
}

/**
 * Returns whether letters may name a cell now. They do what they do elsewhere for whoever uses a
 * pointer, and if pieces are selected.
 * @param {State} s
 * @param {string} before
 * @param {string} key
 */
function awaitsCell(s, before, key) {
  const { carry: held, selection, hover, byKeys } = s.input;
  if (held) return held.by === 'keys';
  if (selection.size > 0) return false;
  if (focused(s)) return byKeys;
  // letters that need a piece have none
  return document.activeElement === document.body && !hover && (before !== '' || key in LETTERS);
}

/**
 * @param {State} s
 * @param {{x: number, y: number, name: string, piece: number}} at
 * @param {boolean} more whether the name may go on
 * @param {Voice} voice
 */
function goToCell(s, at, more, voice) {
  const c = s.input.carry;
  const lead = c?.from.get(c.lead);
  if (c && lead) {
    carry.nudge(s, at.x - lead.x - c.dx, at.y - lead.y - c.dy);
    if (more) voice.whisper(placeOf(s, at));
    else perform(s, 'pick', voice);
  } else if (at.piece) {
    goByKeys(s, true);
    focusOn(s, at.piece, true);
    reveal(s, at.piece);
  } else s.parts.boards?.sayEmpty(at.name, voice);
}

/**
 * @param {State} s
 * @param {Voice} voice
 * @param {Openers} doors
 * @param {KeyboardEvent} e
 */
function onControlKey(s, voice, doors, e) {
  if (e.altKey || e.shiftKey) return false;
  if (e.key.toLowerCase() === 'z') {
    doors.undo();
    return true;
  }
  if (e.key.toLowerCase() !== 'a') return false;
  const light = [...s.view.shown.values()]
    .filter((p) => !p.heavy && !p.el.classList.contains('fixed'))
    .map((p) => p.id);
  select(s, light);
  voice.whisper(msg('controls.selected', { n: light.length }));
  return true;
}

/** @param {State} s @param {KeyboardEvent} e @param {Voice} voice */
function onArrow(s, e, voice) {
  const [dx, dy] = ARROWS[e.key];
  if (s.input.carry?.by === 'keys') {
    const cell = e.altKey || e.shiftKey ? null : carry.nudgeToCell(s, dx, dy);
    if (cell) {
      voice.whisper(placeOf(s, cell));
      return true;
    }
    const step = e.altKey ? FINE : e.shiftKey ? FARTHER : FAR;
    const v = turned(dx * step, dy * step, -s.view.camera.turn);
    carry.nudge(s, v.x, v.y);
    return true;
  }
  const from = focused(s);
  if (!from && document.activeElement !== document.body) return false;
  const to = from ? nextInDirection(s, from, dx, dy) : s.input.focus || firstPiece(s);
  if (to) {
    focusOn(s, to, true);
    reveal(s, to);
    if (e.shiftKey) select(s, new Set(s.input.selection).add(to));
  }
  return true;
}

/**
 * Adds a digit to the number of pieces that the next drag takes: 1, then 2, makes twelve. A number
 * above 500 starts again with the digit.
 * @param {State} s
 * @param {Voice} voice
 * @param {number} digit
 */
function onDigit(s, voice, digit) {
  const longer = s.input.take * 10 + digit;
  takeNext(s, longer > 500 ? digit : longer);
  redrawBars(s);
  voice.notice(msg('controls.taking', { n: s.input.take }));
  return true;
}

/**
 * Ends one thing at a time: a fetch, a carry, the number, the mode for selecting several pieces,
 * the selection.
 * @param {State} s
 * @param {Voice} voice
 */
function giveUp(s, voice) {
  const { cards } = s.parts;
  if (cards?.fetch.isFetching(s)) {
    cards.fetch.cancel(s);
  } else if (s.input.carry) {
    const pieces = [...s.input.carry.from.keys()].flatMap((id) => s.sync.pieces.get(id) ?? []);
    carry.cancel(s);
    if (pieces.length > 0) voice.whisper(msg('controls.back', { what: phrase(s, pieces) }));
  } else if (s.input.take > 0) {
    takeNext(s, 0);
    redrawBars(s);
  } else if (s.input.many) {
    selectMany(s, false);
    select(s, []);
  } else if (s.input.selection.size > 0) {
    select(s, []);
    voice.whisper(msg('controls.unselected'));
  }
}

/** Returns the letter of a key in any alphabet and with any modifier. @param {KeyboardEvent} e */
function letterOf(e) {
  if (/^Key[A-Z]$/.test(e.code) && !/^[a-zA-Z]$/.test(e.key)) return e.code.slice(3).toLowerCase();
  return e.key.length === 1 ? e.key.toLowerCase() : e.key;
}

/** Names a key with its modifiers, as actions do: "Alt+Shift+G". @param {KeyboardEvent} e
 * @param {string} key */
function combination(e, key) {
  const name = key.length === 1 ? key.toUpperCase() : key;
  return `${e.altKey ? 'Alt+' : ''}${e.shiftKey ? 'Shift+' : ''}${name}`;
}

/** @param {Element} target @param {string} selector */
function isOn(target, selector) {
  return target.closest(selector) !== null;
}
