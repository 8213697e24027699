/**
 * When a page moves over from its WebSocket to datagrams (docs/protocol/datagram.md, D37, D38): once it is at rest, and again some time after the
 * datagrams have ended. Motion is told anew then (S12), so that nobody is to be on the way; if somebody always is it does not wait for ever. No
 * DOM, no network: what it does is handed to it.
 *
 *     waiting ──at rest──▶ asking ──ticket──▶ there ──over──▶ waiting ──for the third time──▶ done
 *                             └──none to be had, ever──────────────────────────────────────────▲
 *
 * @module
 */

// All in milliseconds.
const LOOK = 500; // how often it is looked whether the page is at rest: twice in a row it has to be
const LONG = 20_000; // then it is enough that this person is
const PAUSES = [60_000, 300_000]; // after the first failure, and after the second
const LASTED = 60_000; // the end of what has lasted for so long counts as the first failure

/**
 * What a server says about datagrams (D30). What is missing is not offered.
 *
 * @typedef {{ ticket: string, webtransport?: string, hashes?: string[] }} Offer
 */

/**
 * @typedef {object} CrossingOptions
 * @property {Pick<import('../../types.js').NetDeps, 'setTimeout' | 'clearTimeout' | 'now'>} deps
 * @property {() => boolean} isIdle whether nothing of this person is under way
 * @property {() => boolean} isStill whether nobody moves anything
 * @property {() => Promise<Offer | null>} ask for a ticket; null: there are none, and never will be. It may fail
 * @property {(offer: Offer, onOver: () => void) => boolean} move begins to move over; whether that could be begun. `onOver` is called once, when it has
 *   come to nothing or what it has led to is over
 */

/**
 * @param {CrossingOptions} options
 * @returns {() => void} stops it
 */
export function createCrossing({ deps, isIdle, isStill, ask, move }) {
  let failures = 0;
  let since = deps.now(); // when it began to wait
  let rested = false; // when it last looked
  let stopped = false;
  /** @type {unknown} */
  let timer = null;
  wait(LOOK);
  return () => {
    stopped = true;
    deps.clearTimeout(timer);
  };

  /** Looks again later. @param {number} ms */
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
    else if (!isIdle() || !cross(offer)) wait(LOOK); // something has begun meanwhile, or the line was lost
  }

  /** @param {Offer} offer @returns {boolean} whether there was a line from which to move over */
  function cross(offer) {
    const began = deps.now();
    try {
      return move(offer, () => failed(deps.now() - began));
    } catch {
      failed(0); // whatever it was: this browser does not want to
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
