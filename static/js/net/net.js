/**
 * The connection of a page to its table: one stream down (stream.md), one request up at a time (http.md).
 * It opens the stream again whenever it is lost, and posts what sync/sync.js wants to have posted until it is
 * judged. What it needs of the browser is handed to it; it touches no DOM.
 *
 *     connecting ──made whole──▶ online ──lost──▶ offline ──delay, kick──▶ connecting
 *         │ ▲                                        ▲
 *         └─┴──────── failed ────────────────────────┘        any ──refused, left──▶ closed
 *
 * A stream takes up where the last one ended, if the server can; else it begins with the full state (S5). While it is online another
 * line may take over from it, without anything in between (D37); when that is lost, there is a WebSocket again (D38).
 *
 * The server sends something every 15 s (S6): a stream that is silent for longer than 40 s is dead. When
 * something else makes that likely, a request without an answer or a silence when the page is woken, the
 * client pings and does not wait for as long.
 *
 * @module
 */

import { createHeartbeat } from './heartbeat.js';
import { createPoster } from './poster.js';
import { decodeFrame, encodeUp, MalformedError } from './wire.js';

/** @typedef {import('../types.js').Going} Going */
/** @typedef {import('../types.js').Net} Net */
/** @typedef {import('../types.js').NetDeps} NetDeps */
/** @typedef {import('../types.js').Status} Status */
/** @typedef {import('../types.js').WebSocketLike} WebSocketLike */

const PROTOCOL = 'holt.v1';

// All in milliseconds.
const FIRST_DELAY = 250; // S6
const LAST_DELAY = 10_000; // S6
const SOON_DELAY = 2500; // S6: the longest one while the table was whole not long ago
const RECENT = 120_000; // S6: that long ago
const SILENCE = 40_000; // S6: then the stream is dead
const PATIENCE = 15_000; // for a stream to be made whole, or for an answer
const HURRY = 5000; // the same when the person has come back to the page
const QUIET = 3000; // after such a silence it is asked whether the line is there
const STABLE = 10_000; // online for so long, the next delay is the first again
const HANDOVER = 2000; // D37: for a line to end from which another takes over

// Close codes that a client sends.
const LEFT = 1000;
const GIVEN_UP = 4000;

/** By which the server ends a stream from which another of this client takes over (S8). */
const TAKEN_OVER = 4001;

/** The state of a socket into which something can be said: the other end may have begun to close it. */
const OPEN = 1;

/** Bytes that may wait in the socket when something is said that is soon out of date. */
const BACKLOG = 4096;

/** What the server's close codes mean (stream.md): those after which one does not come back. */
const FINAL_CODES = new Map([
  [1002, 'protocol'],
  [1003, 'protocol'],
  [1009, 'protocol'],
  [4001, 'taken-over'],
  [4002, 'seat-withdrawn'],
  [4004, 'table-closed'],
]);

/** Those after which one does. */
const LOST_CODES = new Map([
  [1001, 'stopping'],
  [1008, 'too-fast'],
  [1011, 'fault'],
]);

/**
 * @param {import('../types.js').NetOptions} options
 * @returns {Net}
 */
export function createNet({ table, sync, onFrame, onStatus, onRefused, deps }) {
  /** @type {Status} */
  let status = { state: 'connecting', reason: '', retryMs: 0 };
  /** @type {WebSocketLike | null} */
  let socket = null;
  /** What is to take over from it, and what has come by that meanwhile (D37). @type {{ ws: WebSocketLike, early: unknown[] } | null} */
  let heir = null;
  let ceded = false; // something of this page may have taken over from it, even if that is lost
  let attempt = 0; // counts the streams (S8)
  let failures = 0; // since the last stable connection
  let trusted = false; // whether a stream may take up where the last one ended
  let openedAt = deps.now();
  let onlineSince = 0;
  let wholeAt = 0; // when a stream was whole last
  let heardAt = 0;
  /** @type {Going | null} */
  let going = null;
  /** @type {unknown} until the stream is opened again */
  let retry = null;
  /** @type {unknown} until something must have come */
  let patience = null;
  /** @type {unknown} until the silence has lasted too long */
  let watchdog = null;
  /** @type {unknown} until the line must have ended from which another takes over */
  let handover = null;

  /** @type {import('./poster.js').Poster[]} */
  const posters = [];
  const poster = post(
    sync,
    { path: () => (sync.life && sync.mark > 0 ? `updates?life=${sync.life}&mark=${sync.mark}` : 'updates'), type: 'application/json', body: (batch) => JSON.stringify(batch), taken: 202 },
    (reason) => {
      if (status.state === 'online') setStatus('online', reason);
    },
    (problem, changed) => {
      ask({ type: 'resync' }, PATIENCE); // the full state shows what is true (T15)
      onRefused?.(problem, changed);
    },
  );
  const heartbeat = createHeartbeat({
    deps,
    ping: (nonce) => say({ type: 'ping', nonce }),
    onWake: wake,
  });

  return {
    open: connect,
    close: () => finish('left'),
    flush: poster.flush,
    carry: (source, way) => post(source, way),
    resync: () => ask({ type: 'resync' }, PATIENCE),
    kick,
    wake,
    move,
    send: say,
    serverNow: heartbeat.serverNow,
    serverDoubt: heartbeat.serverDoubt,
    get status() {
      return status;
    },
  };

  /**
   * Posts what a source gives, as long as there is a stream to bring what comes of it.
   *
   * @template B
   * @param {import('../types.js').Source<B>} source
   * @param {import('../types.js').Way<B>} way
   * @param {(reason: string) => void} [onWaiting]
   * @param {(problem: import('../types.js').Problem, changed: Set<number>) => void} [onRefused]
   */
  function post(source, way, onWaiting = () => {}, onRefused = () => {}) {
    const isOpen = () => status.state === 'online';
    const onFailed = () => probe(PATIENCE);
    const made = createPoster({ table, source, way, deps, isOpen, onWaiting, onFailed, onGone: finish, onRefused });
    posters.push(made);
    return made;
  }

  // ---- the stream ----

  function connect() {
    clear();
    setStatus('connecting', '');
    sync.reconnected();
    for (const p of posters) p.abandon();
    openedAt = deps.now();
    ceded = false;
    const url = `${deps.origin.replace(/^http/, 'ws')}/api/v1/tables/${table}/stream?${query()}`;
    const ws = new deps.WebSocket(url, PROTOCOL);
    let opened = false;
    socket = ws;
    ws.binaryType = 'arraybuffer';
    ws.onopen = () => {
      opened = true;
    };
    ws.onmessage = ({ data }) => {
      if (socket === ws) receive(data);
    };
    ws.onclose = ({ code }) => {
      if (socket !== ws) return;
      if (heir && code === TAKEN_OVER) inherit(heir);
      else if (opened) closed(code);
      else turnedAway(ws);
    };
    ws.onerror = () => {}; // onclose follows
    patience = deps.setTimeout(() => lost('network'), PATIENCE);
  }

  /**
   * Lets another line take over where this one is (D37). What comes by it waits until this one has ended.
   *
   * @param {(query: string) => WebSocketLike} open
   * @returns {boolean} whether it was begun
   */
  function move(open) {
    if (status.state !== 'online' || heir) return false;
    const ws = open(`${query()}&handover=1`);
    const next = { ws, early: /** @type {unknown[]} */ ([]) };
    heir = next;
    ceded = true;
    ws.onopen = () => {
      if (heir === next) handover = deps.setTimeout(() => lost('network'), HANDOVER);
    };
    ws.onmessage = ({ data }) => {
      if (socket === ws) receive(data);
      else next.early.push(data);
    };
    ws.onclose = ({ code }) => {
      if (socket === ws) fallen(code);
      else if (heir === next) heir = null; // if the server has let this one go it says so by itself
    };
    return true;
  }

  /**
   * The line has ended from which another takes over.
   *
   * @param {NonNullable<typeof heir>} next
   */
  function inherit({ ws, early }) {
    deps.clearTimeout(handover);
    heir = null;
    ceded = false;
    socket = ws;
    patience ??= deps.setTimeout(() => lost('network'), HANDOVER); // for the first that comes by it
    for (const data of early) if (socket === ws) receive(data);
  }

  /**
   * A line that had taken over is lost (D38). What it has broken a WebSocket need not break.
   *
   * @param {number} code
   */
  function fallen(code) {
    const broken = FINAL_CODES.get(code) === 'protocol';
    if (broken) trusted = false;
    if (going?.final || LOST_CODES.has(code) || (FINAL_CODES.has(code) && !broken)) closed(code);
    else connect();
  }

  /** What the server has to know of this stream (S1). */
  function query() {
    const seq = sync.lowest();
    const known = trusted && sync.mark > 0 ? `&epoch=${sync.epoch}&mark=${sync.mark}${sync.life ? `&life=${sync.life}` : ''}` : '';
    return `client=${sync.client}&attempt=${++attempt}${known}${seq > 0 ? `&seq=${seq}` : ''}`;
  }

  /** @param {unknown} data of a message */
  function receive(data) {
    const frame = decode(data);
    if (!frame) {
      lost('fault');
      return;
    }
    const outcome = sync.receive(frame);
    heartbeat.hear(outcome.time, outcome.pongs);
    heardAt = deps.now();
    going = outcome.going ?? going;
    if (watchdog === null) watch(SILENCE);
    if (status.state !== 'online' && (outcome.full || outcome.resumed)) becomeWhole();
    if (status.state === 'online') {
      deps.clearTimeout(patience);
      patience = null;
    }
    if (outcome.unsure) ask({ type: 'resync' }, PATIENCE);
    for (const p of posters) p.flush();
    onFrame(outcome);
  }

  function becomeWhole() {
    onlineSince = heardAt;
    trusted = true;
    setStatus('online', '');
    heartbeat.whole();
    for (const p of posters) p.kick();
  }

  /**
   * The server closed the stream, or the network did.
   *
   * @param {number} code
   */
  function closed(code) {
    const final = going?.final ? (going.seat ? 'seat-withdrawn' : 'table-closed') : FINAL_CODES.get(code);
    if (final && !(ceded && code === TAKEN_OVER)) finish(final);
    else lost(LOST_CODES.get(code) ?? 'network');
  }

  /**
   * The stream was not even opened. A script is not told why, so it asks in a way that has an answer.
   *
   * @param {WebSocketLike} ws
   */
  async function turnedAway(ws) {
    const gone = await poster.isGone();
    if (socket !== ws) return; // closed, lost or opened anew meanwhile
    if (gone) finish(gone);
    else lost('network');
  }

  /**
   * The stream is of no use any more: a new one will be opened.
   *
   * @param {string} reason
   */
  function lost(reason) {
    clear();
    if (onlineSince > 0) {
      wholeAt = deps.now();
      if (wholeAt - onlineSince >= STABLE) failures = 0;
    }
    onlineSince = 0;
    if (reason === 'fault') trusted = false; // what was wrong is not to come again
    const hurry = deps.online() && reason !== 'too-fast';
    const longest = wholeAt > 0 && deps.now() - wholeAt < RECENT ? SOON_DELAY : LAST_DELAY;
    const ceiling = hurry ? Math.min(longest, FIRST_DELAY * 2 ** failures++) : LAST_DELAY;
    const delay = Math.round(ceiling * (0.5 + deps.random() / 2)) + (going?.afterMs ?? 0);
    going = null;
    retry = deps.setTimeout(connect, delay);
    setStatus('offline', reason, delay);
  }

  /**
   * It is over.
   *
   * @param {string} reason
   */
  function finish(reason) {
    if (status.state === 'closed') return;
    clear(LEFT);
    heartbeat.stop();
    setStatus('closed', reason);
  }

  /**
   * Lets go of the stream and of everything that waits for something.
   *
   * @param {number} [code] by which the server tells a line that was given up from a person who has left (S14)
   */
  function clear(code = GIVEN_UP) {
    for (const timer of [retry, patience, watchdog, handover]) deps.clearTimeout(timer);
    retry = patience = watchdog = null;
    heartbeat.lost();
    const lines = [socket, heir?.ws];
    socket = heir = null;
    for (const ws of lines) ws?.close(code);
  }

  /**
   * Says something that may be lost, and is not worth waiting for: a line that is behind does not get it.
   *
   * @param {import('../types.js').Up} up
   * @returns {boolean} whether it was handed to the socket
   */
  function say(up) {
    if (status.state !== 'online' || socket?.readyState !== OPEN || socket.bufferedAmount > BACKLOG) return false;
    if (heir && up.type === 'away') return false; // the server may have let this line go, and hears it no more (D37)
    socket.send(encodeUp(up));
    return true;
  }

  // ---- signs of life ----

  function kick() {
    if (status.state === 'closed') return;
    const silent = deps.now() - (status.state === 'connecting' ? openedAt : heardAt);
    if (status.state === 'offline' || silent >= (status.state === 'connecting' ? HURRY : SILENCE)) {
      failures = 0;
      connect();
      return;
    }
    if (silent > QUIET) probe(HURRY);
    for (const p of posters) p.kick();
  }

  /** The machine, or the page, was asleep: the line may be gone, and clocks may have stood still. */
  function wake() {
    heartbeat.wake();
    kick();
  }

  /**
   * Asks whether the line is there.
   *
   * @param {number} ms
   */
  function probe(ms) {
    ask({ type: 'ping', nonce: 0 }, ms);
  }

  /**
   * Says something that is answered, and takes the stream for dead if nothing comes.
   *
   * @param {import('../types.js').Up} up
   * @param {number} ms to wait
   */
  function ask(up, ms) {
    if (status.state !== 'online') return;
    if (socket?.readyState === OPEN) socket.send(encodeUp(up)); // else the line is being closed, and nothing will come
    patience ??= deps.setTimeout(() => lost('network'), ms);
  }

  /**
   * Gives the stream up when it has been silent for too long.
   *
   * @param {number} ms
   */
  function watch(ms) {
    watchdog = deps.setTimeout(() => {
      const left = heardAt + SILENCE - deps.now();
      if (left > 0) watch(left);
      else lost('network');
    }, ms);
  }

  /**
   * @param {Status['state']} state
   * @param {string} reason
   * @param {number} [retryMs]
   */
  function setStatus(state, reason, retryMs = 0) {
    if (status.state === state && status.reason === reason && status.retryMs === retryMs) return;
    status = { state, reason, retryMs };
    onStatus(status);
  }
}

/**
 * @param {unknown} data of a message
 * @returns {import('../types.js').Frame | null} null if it is no frame
 */
function decode(data) {
  if (!(data instanceof ArrayBuffer)) return null;
  try {
    return decodeFrame(new Uint8Array(data));
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}

/**
 * What the connection needs, in a browser.
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
