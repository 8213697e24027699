/**
 * What the modules of a connection share (net/net.js): the streams, the timers and the status. No
 * DOM.
 *
 * @module
 */

/** @typedef {import('../types.js').Going} Going */
/** @typedef {import('../types.js').NetDeps} NetDeps */
/** @typedef {import('../types.js').NetOptions} NetOptions */
/** @typedef {import('../types.js').Status} Status */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('../types.js').WebSocketLike} WebSocketLike */
/** @typedef {import('./heartbeat.js').Heartbeat} Heartbeat */
/** @typedef {import('./poster.js').Poster} Poster */

/**
 * A stream that is to take over from the open one (D37).
 *
 * @typedef {object} Successor
 * @property {WebSocketLike} ws
 * @property {unknown[]} early the messages that came before the old stream ended
 */

/**
 * All times are in milliseconds of `deps.now`.
 *
 * @typedef {object} NetState
 * @property {string} table its id, 32 hexadecimal digits
 * @property {Sync} sync
 * @property {NetOptions['onFrame']} onFrame
 * @property {NetOptions['onStatus']} onStatus
 * @property {NetDeps} deps
 * @property {() => void} connect opens a stream (net/stream.js)
 * @property {Heartbeat} heartbeat
 * @property {Poster[]} posters the first one posts the updates
 *
 * @property {Status} status
 * @property {WebSocketLike | null} socket of the open stream, or of one that is being opened
 * @property {Successor | null} successor set during a handover
 * @property {boolean} mayBeReplaced whether a handover was begun: the server may have let the open
 *   stream go even if the handover has failed
 * @property {number} attempt counts the streams (S8)
 * @property {number} failures since the last stable connection
 * @property {boolean} canResume whether a stream may continue where the last one ended (S5)
 * @property {Going | null} going what the server has said about the end of the stream
 *
 * @property {number} openedAt when the last stream was opened
 * @property {number} onlineSince when the open stream was synchronised; 0: it is not
 * @property {number} synchronisedAt until when the last synchronised stream was open; 0: there was
 *   none
 * @property {number} receivedAt when the last frame came
 *
 * @property {unknown} retry runs until a stream is opened again
 * @property {unknown} deadline runs until something must have come; null: nothing is awaited
 * @property {unknown} watchdog runs until the stream may have been silent for too long
 * @property {unknown} handover runs until the handover must be over
 */

/**
 * @param {NetOptions} options
 * @param {Pick<NetState, 'connect' | 'heartbeat'>} parts
 * @returns {NetState} without a stream
 */
export function createState({ table, sync, onFrame, onStatus, deps }, { connect, heartbeat }) {
  return {
    table,
    sync,
    onFrame,
    onStatus,
    deps,
    connect,
    heartbeat,
    posters: [],

    status: { state: 'connecting', reason: '', retryMs: 0 },
    socket: null,
    successor: null,
    mayBeReplaced: false,
    attempt: 0,
    failures: 0,
    canResume: false,
    going: null,

    openedAt: deps.now(),
    onlineSince: 0,
    synchronisedAt: 0,
    receivedAt: 0,

    retry: null,
    deadline: null,
    watchdog: null,
    handover: null,
  };
}

/**
 * @param {NetState} net
 * @param {Status['state']} state
 * @param {string} reason
 * @param {number} [retryMs]
 */
export function setStatus(net, state, reason, retryMs = 0) {
  const { status } = net;
  if (status.state === state && status.reason === reason && status.retryMs === retryMs) return;
  net.status = { state, reason, retryMs };
  net.onStatus(net.status);
}

/**
 * The query of a new stream: who the client is, and what it has (S1).
 *
 * @param {NetState} net
 */
export function nextQuery(net) {
  const { client, epoch, life, mark } = net.sync;
  net.attempt++;
  let query = `client=${client}&attempt=${net.attempt}`;
  if (net.canResume && mark > 0) {
    query += `&epoch=${epoch}&mark=${mark}`;
    if (life) query += `&life=${life}`;
  }
  const seq = net.sync.lowest();
  return seq > 0 ? `${query}&seq=${seq}` : query;
}
