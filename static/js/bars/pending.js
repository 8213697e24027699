// Changes that wait for their answer longer than is usual get a mark, so that nobody takes them for done. When all are answered, and no other
// follows for a while, what play without a connection needs is fetched. What moves the stream over to datagrams comes when the page has settled.

/** @typedef {import('../state.js').State} State */

/** Milliseconds after which a change that is not answered is marked. */
const LATE = 1000;

/** How often it is looked after them, in milliseconds. */
const BEAT = 250;

/** So many beats without a change of one's own are a pause. */
const PAUSE = 12;

/** The page has settled after so many on line. */
const SETTLED = 8;

/**
 * Watches over s.sent.
 * @param {State} s
 * @returns {() => void} stops watching
 */
export function watchPending(s) {
  let beats = Number.POSITIVE_INFINITY; // since the last change was answered
  let calm = 0;
  const look = () => {
    const now = performance.now();
    beats = s.carry || s.sent.size + waitingWrites(s) > 0 ? 0 : beats + 1;
    if (s.link.state === 'online' && ++calm === SETTLED && hasDatagrams(s) && !isMetered())
      s.load('datagrams').catch(() => {});
    if (beats === PAUSE && !isMetered())
      s.load('components').then(
        (shared) => shared.fetchAhead(s),
        () => {},
      );
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
export function waitingWrites({ parts: { components } }) {
  return components?.replica.waiting() ?? 0;
}

/** Whether this browser and the server have datagrams. @param {State} s */
function hasDatagrams({ page }) {
  return 'WebTransport' in window && page.main.dataset.parts?.includes('datagrams');
}

/** Whether this person wants to be sent little. */
function isMetered() {
  return /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData;
}

/** @param {State} s @param {number} id */
function draw(s, id) {
  s.dirty.add(id);
  s.dirtyBars = true;
  s.redraw();
}
