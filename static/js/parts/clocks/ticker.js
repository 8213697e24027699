// Keeps the times on clocks (T27) going. The server sends nothing while a clock runs: its curves
// say what its sides show (K16). One timer for all clocks wakes when the next digit changes, and
// writes only the clocks that run.

import { msg } from './msg.js';
import { fallen, untilChange } from '../../sync/clock.js';
import { shows, write } from './dial.js';
import { all, on } from '../../view/dom.js';
import { drawLabel } from '../../view/piece.js';
import { createStrip } from './strip.js';
import { sideName } from './times.js';
import { nameOf, the } from '../../view/describe.js';
import { createClocks, renameClock } from './state.js';
import { onRename } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./dial.js').Dial} Dial */

/** The longest time that a timer of a browser can wait, in ms. */
const LONGEST = 2 ** 31 - 1;

/** The part of a clock that must be in the window for it to count as visible. */
const HALF = 0.5;

/**
 * Keeps the times going, announces when a flag falls, and updates the label of a clock when it gets
 * the focus.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bindDials(s, voice) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const clocks = createClocks();
  s.partState.clocks = clocks;
  onRename(s, (from, to) => renameClock(clocks, from, to));
  const strip = createStrip(s, voice);
  const look = (/** @type {IntersectionObserverEntry[]} */ entries) => {
    for (const { target, intersectionRatio } of entries) {
      const dial = clocks.dials.get(Number(target.getAttribute('data-piece')));
      if (dial?.p.el === target) dial.isVisible = intersectionRatio >= HALF;
    }
    tick();
  };
  const watcher = new IntersectionObserver(look, { threshold: HALF });
  const tick = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') return;
    strip.draw();
    let wait = Number.POSITIVE_INFINITY;
    for (const [id, dial] of clocks.dials) {
      if (s.view.shown.get(id) !== dial.p) drop(id, dial);
      else wait = Math.min(wait, run(s, dial, voice));
    }
    if (wait < Number.POSITIVE_INFINITY) timer = setTimeout(tick, Math.min(wait, LONGEST));
  };
  const drop = (/** @type {number} */ id, /** @type {Dial} */ dial) => {
    watcher.unobserve(dial.p.el);
    clocks.dials.delete(id);
    clocks.last.delete(id);
  };
  clocks.changed = tick;
  clocks.watch = (e) => watcher.observe(e);
  for (const dial of clocks.dials.values()) watcher.observe(dial.p.el);
  return all(
    on(document, 'visibilitychange', tick),
    on(s.page.outer, 'focusin', (/** @type {FocusEvent} */ e) => {
      const dial = clocks.dials.get(
        Number(/** @type {Element} */ (e.target).getAttribute('data-piece')),
      );
      if (dial) drawLabel(s, dial.p, dial.piece);
    }),
    () => clearTimeout(timer),
    () => watcher.disconnect(),
  );
}

/**
 * Updates one clock to the present time.
 * @param {State} s
 * @param {Dial} dial
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {number} ms until something changes; Infinity if nothing does by itself
 */
function run(s, dial, voice) {
  const { kind, piece, running: side } = dial;
  if (side === 0) return Number.POSITIVE_INFINITY;
  const ms = shows(s, dial, side);
  const visible = dial.isVisible || dial.strip.length > 0;
  if (visible) write(s, dial);
  if (!dial.announced && ms === 0 && fallen(kind, piece, side, s.net.serverNow())) {
    dial.announced = true;
    const what = the(nameOf(s, dial.piece));
    voice.notice(
      dial.sides.length === 2
        ? msg('clocks.fell', { side: sideName(s, dial.piece, side), what })
        : msg('clocks.over', { what }),
    );
  }
  if (visible) return untilChange(kind, ms);
  return kind.counts === 'down' && ms > 0 ? ms : Number.POSITIVE_INFINITY;
}
