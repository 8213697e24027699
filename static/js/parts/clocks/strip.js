// Shows the times of a clock that is in use but out of the window, as on a phone where the board
// fills the window. The times stand in a strip at the edge of the window and can be pressed there.

import { msg } from './msg.js';
import { shows, sideElement, write } from './dial.js';
import { el, setAttr } from '../../view/dom.js';
import { change, refusal } from '../../input/ops.js';
import { pressClock } from '../../kinds/clock.js';
import { explain } from '../../reasons.js';
import { positionOf, sideName } from './times.js';
import { nameOf } from '../../view/describe.js';
import { clocksOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./dial.js').Dial} Dial */

/** The most clocks in the strip. Those with two sides come first. */
const MOST = 2;

/**
 * Makes the strip. draw() shows the clocks that must be in it now.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export function createStrip(s, voice) {
  const strip = el('div', { class: 'strip', hidden: true });
  s.page.bar.after(strip);
  let drawn = '';
  const draw = () => {
    const wanted = [...clocksOf(s).dials.values()]
      .filter((dial) => !dial.isVisible && s.view.shown.get(dial.p.id) === dial.p && inUse(s, dial))
      .sort((a, b) => b.sides.length - a.sides.length || a.p.id - b.p.id)
      .slice(0, MOST);
    const key = wanted.map((dial) => `${dial.p.id} ${namesOf(s, dial)}`).join();
    if (key === drawn) return;
    drawn = key;
    for (const dial of clocksOf(s).dials.values()) dial.strip = [];
    strip.hidden = wanted.length === 0;
    strip.replaceChildren(...wanted.map((dial) => group(s, dial, voice)));
    for (const dial of wanted) write(s, dial);
  };
  return { draw };
}

/**
 * Reports whether a clock runs, or has run since it was last reset.
 * @param {State} s
 * @param {Dial} dial
 */
function inUse(s, dial) {
  const initial = dial.piece.clock?.initial ?? 0;
  return dial.running !== 0 || dial.sides.some((_, i) => shows(s, dial, i + 1) !== initial);
}

/** @param {State} s @param {Dial} dial */
function namesOf(s, dial) {
  return dial.sides.map((_, i) => sideName(s, dial.piece, i + 1)).join();
}

/**
 * Makes the group of buttons for one clock, with the upper or left side first.
 * @param {State} s
 * @param {Dial} dial
 * @param {import('../../bars/say.js').Voice} voice
 */
function group(s, dial, voice) {
  const name = nameOf(s, dial.piece);
  dial.strip = dial.sides.map((_, i) => {
    const label = dial.sides.length === 2
      ? msg('clocks.press', { side: sideName(s, dial.piece, i + 1) })
      : msg('clocks.startPause');
    const run = () => {
      const piece = s.sync.pieces.get(dial.p.id);
      const no = piece && pressClock(s, piece, i + 1, { change, refusal });
      if (no) explain(s, no, voice);
    };
    return sideElement(
      'button', i + 1, { type: 'button', class: 'dial', 'aria-label': label, onclick: run },
    );
  });
  const first = ['upper', 'left'].includes(positionOf(s, dial.piece, 2));
  const box = el(
    'div', { class: 'strip-clock', role: 'group', 'aria-label': name },
    ...(first ? [...dial.strip].reverse() : dial.strip)
  );
  setAttr(box, 'data-clock', dial.p.id);
  return box;
}
