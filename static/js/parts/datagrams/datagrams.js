// The part of the page for the stream by datagrams (docs/protocol/datagram.md), for browsers that
// have WebTransport. On a network that loses packets, a lost message about one piece does not delay
// the others. If datagrams are not available, or are lost, the page uses the WebSocket, and nobody
// notices.

import { createHandover } from './handover.js';
import { all, on } from '../../view/dom.js';
import { browserDeps } from '../../net/net.js';
import { waitingWrites } from '../../bars/pending.js';
import { QuicSocket } from './socket.js';
import { hasPending } from '../../input/pending.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./handover.js').Offer} Offer */

/** The stream by datagrams that is open or being opened. @type {QuicSocket|null} */
let socket = null;

/** Whether the last one ended before its session was open. */
let blocked = false;

/**
 * Moves over as soon as the page is at rest.
 * @param {State} s
 * @returns {() => void} stops that; the stream continues
 */
export function bind(s) {
  const deps = browserDeps();
  const hide = () => socket?.hide(document.hidden);
  /**
   * The stream that was closed when the page was left. A browser may keep the page and show it
   * again.
   * @type {QuicSocket|null}
   */
  let left = null;
  return all(
    createHandover({
      deps,
      isIdle: () => isIdle(s),
      isStill: () => [...s.sync.pieces.values()].every(({ holder }) => holder === 0),
      ask: () => askFor(s.table),
      move: (offer, onOver) => s.net.move((query) => open(offer, query, onOver)),
    }),
    on(document, 'visibilitychange', hide),
    on(window, 'pagehide', () => {
      left = socket;
      socket?.close(LEFT);
    }),
    on(
      window,
      'pageshow',
      (/** @type {any} */ { persisted }) => persisted && left?.onclose?.({ code: LOST }),
    ),
  );
}

/**
 * The code with which browsers close a WebSocket when a page is left, and the code that they report
 * for a lost one.
 */
const LEFT = 1001;
const LOST = 1006;

/**
 * Returns whether this person is doing nothing. Then they do not notice the move.
 * @param {State} s
 */
function isIdle(s) {
  return (
    s.net.status.state === 'online' &&
    !document.hidden &&
    !s.input.carry &&
    !hasPending(s) &&
    waitingWrites(s) === 0
  );
}

/**
 * Asks for a ticket (D30).
 * @param {string} table
 * @returns {Promise<Offer|null>} null: the server offers none to browsers
 */
async function askFor(table) {
  const answer = await fetch(`/api/v1/tables/${table}/datagrams`, { method: 'POST' });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${answer.status}`);
  const offer = await answer.json();
  return offer.webtransport ? offer : null;
}

/**
 * Opens a stream by datagrams.
 * @param {Offer} offer
 * @param {string} query the query of the stream (S1)
 * @param {() => void} onOver
 */
function open({ ticket, webtransport = '', hashes = [], updates = false }, query, onOver) {
  const made = new QuicSocket({
    url: webtransport,
    hashes,
    request: `ticket=${ticket}&${query}`,
    updates,
    onOver: () => {
      if (socket === made) socket = null;
      blocked = !made.reached;
      onOver();
    },
    deps: {
      WebTransport,
      setTimeout: (f, ms) => setTimeout(f, ms),
      clearTimeout: (timer) => clearTimeout(timer),
      ticks: () => performance.now(),
      draw: (size) => crypto.getRandomValues(new Uint8Array(size)),
      report: (error) => reportError(error),
    },
  });
  socket = made;
  return made;
}

/**
 * Returns the round-trip time of the stream by datagrams, in milliseconds: 0 if it is not known
 * yet, null if there is no such stream.
 */
export function roundTrip() {
  return socket?.readyState === WebSocket.OPEN ? socket.roundTrip : null;
}

/** Returns whether the network seems to block datagrams, as far as the page has tried. */
export function isBlocked() {
  return blocked;
}
