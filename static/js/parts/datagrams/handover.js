/**
 * Decides when a page moves from its WebSocket to datagrams (docs/protocol/datagram.md, D37, D38):
 * once it is at rest, and again some time after the datagrams have ended. The server sends motion
 * again after the move (S12), so nobody should be moving anything. If somebody always is, the page
 * does not wait for ever. No DOM, no network: the caller passes in functions.
 *
 *     waiting ──at rest──▶ asking ──ticket──▶ there ──over──▶ waiting ──for the third time──▶ done
 *                             └──none to be had, ever──────────────────────────────────────────▲
 *
 * @module
 */

// All in milliseconds.
const LOOK = 500; // time between two checks; the page has to be at rest at two in a row
const LONG = 20_000; // after this time it is enough that this person is at rest
const PAUSES = [60_000, 300_000]; // pause after the first failure, and after the second
const LASTED = 60_000; // a connection that lasted this long resets the count of failures

/**
 * A server's offer of datagrams (D30). A missing field is not offered.
 *
 * @typedef {{ ticket: string, webtransport?: string, hashes?: string[], updates?: boolean }} Offer
 */

/**
 * @typedef {object} HandoverOptions
 * @property {Pick<import('../../types.js').NetDeps, 'setTimeout' | 'clearTimeout' | 'now'>} deps
 * @property {() => boolean} isIdle returns whether this person is doing nothing
 * @property {() => boolean} isStill returns whether nobody moves anything
 * @property {() => Promise<Offer | null>} ask asks for a ticket; null: the server will never give
 *   one. It may fail
 * @property {(offer: Offer, onOver: () => void) => boolean} move begins to move over and returns
 *   whether it could. `onOver` is called once, when the move has failed or the new connection has
 *   ended
 */

/**
 * Starts the checks.
 * @param {HandoverOptions} options
 * @returns {() => void} stops them
 */
export function createHandover({ deps, isIdle, isStill, ask, move }) {
  let failures = 0;
  let since = deps.now(); // when it began to wait
  let rested = false; // whether the page was at rest at the last check
  let stopped = false;
  /** @type {unknown} */
  let timer = null;
  wait(LOOK);
  return () => {
    stopped = true;
    deps.clearTimeout(timer);
  };

  /** Checks again after some milliseconds. @param {number} ms */
  function wait(ms) {
    if (!stopped) timer = deps.setTimeout(() => void look(), ms);
  }

  async function look() {
    const rests = isIdle() && (isStill() || deps.now() - since >= LONG);
    if (!rests || !rested) {
      rested = rests;
      wait(LOOK);
      return;
    }
    const offer = await ask().catch(() => undefined);
    if (stopped || offer === null) return;
    if (!offer) failed(0);
    // something has begun meanwhile, or the connection was lost
    else if (!isIdle() || !begin(offer)) wait(LOOK);
  }

  /**
   * Tries to move over.
   * @param {Offer} offer
   * @returns {boolean} whether there was a connection from which to move
   */
  function begin(offer) {
    const began = deps.now();
    try {
      return move(offer, () => failed(deps.now() - began));
    } catch {
      failed(0); // whatever the fault is, this browser cannot do it
      return true;
    }
  }

  /** @param {number} lasted */
  function failed(lasted) {
    if (lasted >= LASTED) failures = 0;
    if (failures === PAUSES.length) return;
    since = deps.now() + PAUSES[failures];
    rested = false;
    wait(PAUSES[failures++]);
  }
}
