// Taking a part off a heap of currency (T34) or out of a supply of it (T89): asks how much, with a
// button for half of a heap. From other supplies it takes one piece.

import { stepper } from './asking.js';
import { kindNamed, kindOf } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { clamp, turned } from '../../view/geometry.js';
import { halfOf, MOST } from '../../kinds/values.js';
import { sendBlind } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { nameOf, written } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** Parts that are often taken. */
const PARTS = [1, 5, 10, 25, 100];

/**
 * Asks how much to take, and lays it beside the heap or the supply. Of what has no value it takes
 * one at once.
 * @param {State} s
 * @param {Piece} piece
 * @param {import('../../bars/say.js').Voice} voice
 */
export function openSplit(s, piece, voice) {
  const { supply } = kindOf(s, piece);
  const of = supply && kindNamed(s.catalog, supply.of);
  if (supply && !of?.currency) {
    sendBlind(s, piece.id, 'split', { n: 1, ...beside(s, piece, of?.width) });
    return;
  }
  const value = of ? MOST + 1 : piece.value ?? 0;
  const begin = of?.currency?.initial ?? halfOf(piece);
  const field = stepper(
    'split-n', msg('dialogs.split.label'), { min: 1, max: value - 1, value: begin },
  );
  const rest = el('p', { class: 'quiet', role: 'status' });
  const showParts = () => {
    const n = Math.round(Number(field.input.value));
    rest.textContent = !of && n >= 1 && n < value
      ? msg('dialogs.split.rest', { value: written(value - n) })
      : '';
  };
  const quick = (/** @type {number} */ n, /** @type {string} */ label) => {
    const set = () => {
      field.input.value = String(n);
      showParts();
    };
    return el('button', { class: 'secondary', onclick: set }, label);
  };
  const parts = PARTS.filter((n) => n < value).map((n) => quick(n, String(n)));
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    d.close();
    const now = s.sync.pieces.get(piece.id);
    const n = Math.round(Number(field.input.value));
    if (now && n >= 1 && n < (of ? value : now.value ?? 0))
      sendBlind(s, now.id, 'split', { n, ...beside(s, now, of?.width) });
    else explain(s, { reason: now ? 'range' : 'gone', piece: piece.id, by: 0 }, voice);
  };
  field.input.addEventListener('input', showParts);
  const form = el(
    'form',
    { class: 'asking', onsubmit: submit },
    field.root,
    el(
      'div', { class: 'usual', role: 'group', 'aria-label': msg('dialogs.split.usual') },
      !of && quick(halfOf(piece), msg('dialogs.split.half')),
      ...parts
    ),
    rest,
    el(
      'button', { type: 'submit', class: 'primary' },
      of ? msg('dialogs.split.fromSupply') : msg('dialogs.split.take'),
    ),
  );
  const d = openDialog(
    s.page.main, 'split',
    of ? nameOf(s, piece)
      : msg('dialogs.split.title', { name: nameOf(s, piece), value: written(value) }),
    msg('dialogs.ask.close'), form,
  );
  showParts();
  field.input.focus();
  field.input.select();
}

/**
 * Directions in which to look for a free place, in degrees, and distances from the edge, as parts
 * of the width.
 */
const AROUND = [0, 180, 90, 270, 45, 135, 225, 315];
const FAR = [0.1, 1.2, 2.3];

/** @param {State} s @param {{x: number, y: number}} at */
function isOnTable(s, at) {
  const { width, height } = s.view.camera;
  return Math.abs(at.x) <= width / 2 && Math.abs(at.y) <= height / 2;
}

/**
 * Returns a free place on the table beside a heap or a supply, as this person sees it. If there is
 * none, it returns a place that overlaps it.
 * @param {State} s
 * @param {Piece} p
 * @param {number} [piece] the width of what is taken; left out: that of the heap
 */
function beside(s, p, piece) {
  const own = kindOf(s, p).width;
  const width = piece ?? own;
  const first = (own + width) / 2;
  const lying = [...s.view.piles.pieces.values()];
  for (const far of FAR) {
    for (const degrees of AROUND) {
      const v = turned(first + width * far, 0, degrees - s.view.camera.turn);
      const at = { x: Math.round(p.x + v.x), y: Math.round(p.y + v.y) };
      const isFree = lying.every(
        (q) => Math.hypot(q.x - at.x, q.y - at.y) >= (q.w + width) * 0.4,
      );
      if (isOnTable(s, at) && isFree) return at;
    }
  }
  const half = { w: s.view.camera.width / 2, h: s.view.camera.height / 2 };
  return {
    x: clamp(p.x + Math.round(width / 3), -half.w, half.w),
    y: clamp(p.y + Math.round(width / 3), -half.h, half.h),
  };
}
