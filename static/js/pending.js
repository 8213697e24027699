// Changes that wait for their answer longer than is usual get a mark, so that nobody takes them for done.

/** @typedef {import('./state.js').State} State */

/** Milliseconds after which a change that is not answered is marked. */
const LATE = 1000;

/** How often it is looked after them, in milliseconds. */
const BEAT = 250;

/**
 * Watches over s.sent.
 * @param {State} s
 * @returns {() => void} stops watching
 */
export function watchPending(s) {
  const look = () => {
    const now = performance.now();
    for (const [id, since] of s.sent) {
      if (!s.sync.pending(id)) {
        s.sent.delete(id);
        if (s.waiting.delete(id)) draw(s, id);
      } else if (now - since > LATE && !s.waiting.has(id)) {
        s.waiting.add(id);
        draw(s, id);
      }
    }
  };
  const timer = setInterval(look, BEAT);
  return () => clearInterval(timer);
}

/** How many changes of components are not, or not surely, known to the others. @param {State} s */
export function waitingWrites({ parts: { shared } }) {
  return shared?.replica.waiting() ?? 0;
}

/** @param {State} s @param {number} id */
function draw(s, id) {
  s.dirty.add(id);
  s.dirtyBars = true;
  s.redraw();
}
