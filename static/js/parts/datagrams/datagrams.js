// The stream by datagrams (docs/protocol/datagram.md): a part of the page, for browsers that have WebTransport. On a line that loses packets what was
// lost about one piece does not hold up the others. Nobody has to know: where it cannot be had, or is lost, there is the WebSocket.

import { createCrossing } from './crossing.js';
import { all, on } from '../../view/dom.js';
import { browserDeps } from '../../net/net.js';
import { waitingWrites } from '../../bars/pending.js';
import { QuicSocket } from './socket.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./crossing.js').Offer} Offer */

/** The stream that there is, or is being opened. @type {QuicSocket|null} */
let socket = null;

/** Whether the last one ended before it had led anywhere. */
let blocked = false;

/**
 * Moves over as soon as the page is at rest.
 * @param {State} s
 * @returns {() => void} stops it; the stream goes on
 */
export function bind(s) {
  const deps = browserDeps();
  const hide = () => socket?.hide(document.hidden);
  /** What was let go of when the page was left: a browser may keep the page, and show it again. @type {QuicSocket|null} */
  let left = null;
  return all(
    createCrossing({
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

/** As browsers close a WebSocket when a page is left, and what they say of one that is lost. */
const LEFT = 1001;
const LOST = 1006;

/** Whether nothing of this person is under way: then they notice nothing. @param {State} s */
function isIdle(s) {
  return (
    s.link.state === 'online' &&
    !document.hidden &&
    !s.carry &&
    s.sent.size + s.making.size + waitingWrites(s) === 0
  );
}

/**
 * Asks for a ticket (D30).
 * @param {string} table
 * @returns {Promise<Offer|null>} null: the server has none for browsers
 */
async function askFor(table) {
  const answer = await fetch(`/api/v1/tables/${table}/datagrams`, { method: 'POST' });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${answer.status}`);
  const offer = await answer.json();
  return offer.webtransport ? offer : null;
}

/** @param {Offer} offer @param {string} query of the stream (S1) @param {() => void} onOver */
function open({ ticket, webtransport = '', hashes = [] }, query, onOver) {
  const made = new QuicSocket({
    url: webtransport,
    hashes,
    request: `ticket=${ticket}&${query}`,
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

/** The round trip of the stream by datagrams, in milliseconds: 0 if it is not known yet, null if there is no such stream. */
export function roundTrip() {
  return socket?.readyState === WebSocket.OPEN ? socket.roundTrip : null;
}

/** Whether datagrams seem to be held up on the way, as far as has been tried. */
export function isBlocked() {
  return blocked;
}
