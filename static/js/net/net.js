/**
 * The connection of a page to its table: one stream down (stream.md), requests up (http.md), which
 * go on the stream if that comes by datagrams (D39). It opens the stream again whenever it is lost,
 * and sends the batches of sync/sync.js until they are judged. Everything that it needs of the
 * browser is an argument: there is no DOM here.
 *
 *     connecting ──synchronised──▶ online ──lost──▶ offline ──delay, kick──▶ connecting
 *         │ ▲                                          ▲
 *         └─┴──────────── failed ──────────────────────┘      any ──refused, left──▶ closed
 *
 * A stream resumes where the last one ended if the server can do that; otherwise it begins with the
 * full state (S5). While it is online another transport may take over from it, without anything
 * between them (D37). When that is lost, there is a WebSocket again (D38).
 *
 * The server sends something every 15 s (S6), so a stream that is silent for longer than 40 s is
 * dead. Something else may make that likely: a request without an answer, or a silence when the
 * page wakes up. Then the client pings, and does not wait for as long.
 *
 * @module
 */

import { finish } from './ending.js';
import { beginHandover } from './handover.js';
import { createHeartbeat } from './heartbeat.js';
import { kick, probe, resync, send, wake } from './liveness.js';
import { createPoster } from './poster.js';
import { createState, setStatus } from './netstate.js';
import { connect } from './stream.js';

/** @typedef {import('../types.js').Batch} Batch */
/** @typedef {import('../types.js').Net} Net */
/** @typedef {import('../types.js').NetDeps} NetDeps */
/** @typedef {import('../types.js').NetOptions} NetOptions */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('./netstate.js').NetState} NetState */

/**
 * @param {NetOptions} options
 * @returns {Net}
 */
export function createNet(options) {
  const { deps, sync, onRefused } = options;
  const heartbeat = createHeartbeat({
    deps,
    ping: (nonce) => send(net, { type: 'ping', nonce }),
    onWake: () => wake(net),
  });
  /** @type {NetState} */
  const net = createState(options, { connect: () => connect(net), heartbeat });
  const poster = post(net, sync, updatesWay(sync), {
    onWaiting: (reason) => {
      if (net.status.state === 'online') setStatus(net, 'online', reason);
    },
    onRefused: (problem, changed) => {
      resync(net); // the full state shows what is true (T15)
      onRefused?.(problem, changed);
    },
  });

  return {
    open: net.connect,
    close: () => finish(net, 'left'),
    flush: poster.flush,
    carry: (source, way) => post(net, source, way),
    resync: () => resync(net),
    kick: () => kick(net),
    wake: () => wake(net),
    move: (open) => beginHandover(net, open),
    send: (up) => send(net, up),
    serverNow: heartbeat.serverNow,
    serverDoubt: heartbeat.serverDoubt,
    get status() {
      return net.status;
    },
  };
}

/**
 * How updates are posted. The path says which version the client has, so that the server can notice
 * that its history went back (S21).
 *
 * @param {Sync} sync
 * @returns {import('../types.js').Way<Batch>}
 */
function updatesWay(sync) {
  const version = () => {
    const { life, mark } = sync;
    return life && mark > 0 ? { life, mark } : { life: '', mark: 0 };
  };
  return {
    path: () => {
      const { life, mark } = version();
      return life ? `updates?life=${life}&mark=${mark}` : 'updates';
    },
    type: 'application/json',
    body: (batch) => JSON.stringify(batch),
    taken: 202,
    upward: { version, inFlight: sync.inFlight },
  };
}

/**
 * Posts the batches of a source while a stream is online to bring their outcomes.
 *
 * @template B
 * @param {NetState} net
 * @param {import('../types.js').Source<B>} source
 * @param {import('../types.js').Way<B>} way
 * @param {Partial<Pick<import('./poster.js').PosterOptions<B>, 'onWaiting' | 'onRefused'>>} [on]
 */
function post(net, source, way, { onWaiting = () => {}, onRefused = () => {} } = {}) {
  const poster = createPoster({
    table: net.table,
    source,
    way,
    deps: net.deps,
    isOpen: () => net.status.state === 'online',
    requestsOn: (host) => net.socket?.requests?.(host) ?? null,
    onWaiting,
    onFailed: () => probe(net),
    onGone: (reason) => finish(net, reason),
    onRefused,
  });
  net.posters.push(poster);
  return poster;
}

/**
 * What a connection needs, in a browser.
 *
 * @returns {NetDeps}
 */
export function browserDeps() {
  return {
    WebSocket,
    fetch: (url, init) => fetch(url, init),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    random: Math.random,
    now: Date.now,
    ticks: () => performance.now(),
    online: () => navigator.onLine,
    origin: location.origin,
  };
}
