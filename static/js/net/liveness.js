/**
 * Sends messages up the stream, and finds out whether the stream still works (S6, S9).
 *
 * @module
 */

import { lost } from './ending.js';
import { encodeUp } from './up.js';

/** @typedef {import('../types.js').Up} Up */
/** @typedef {import('./netstate.js').NetState} NetState */

// All in milliseconds.
const SILENCE = 40_000; // S6: after so much silence the stream is dead
const HURRY = 5000; // how long an opening or an answer may take when the person has come back
const QUIET = 3000; // after so much silence the client asks whether the stream works

/** How long a stream may take to be synchronised, or an answer to come, in milliseconds. */
export const PATIENCE = 15_000;

/** The state of a socket that can send. In the others it is being opened or closed. */
const OPEN = 1;

/** How many bytes may wait in the socket when a message is sent that is soon out of date. */
const BACKLOG = 4096;

/**
 * Sends a message that may be lost. It is not sent while earlier ones wait in the socket.
 *
 * @param {NetState} net
 * @param {Up} up
 * @returns {boolean} whether the socket has it
 */
export function send({ status, socket, successor }, up) {
  if (status.state !== 'online' || socket?.readyState !== OPEN) return false;
  if (socket.bufferedAmount > BACKLOG) return false;
  // During a handover the server may not read this stream any more (D37).
  if (successor && up.type === 'away') return false;
  socket.send(encodeUp(up));
  return true;
}

/**
 * Sends a message that has an answer, and gives the stream up if nothing comes.
 *
 * @param {NetState} net
 * @param {Up} up
 * @param {number} ms how long to wait
 */
function ask(net, up, ms) {
  const { deps, socket, status } = net;
  if (status.state !== 'online') return;
  // If the socket is not open, it is being closed, and nothing will come.
  if (socket?.readyState === OPEN) socket.send(encodeUp(up));
  net.deadline ??= deps.setTimeout(() => lost(net, 'network'), ms);
}

/**
 * Asks whether the stream works.
 *
 * @param {NetState} net
 * @param {number} [ms] how long to wait for the answer
 */
export function probe(net, ms = PATIENCE) {
  ask(net, { type: 'ping', nonce: 0 }, ms);
}

/**
 * Asks for the full state.
 *
 * @param {NetState} net
 */
export function resync(net) {
  ask(net, { type: 'resync' }, PATIENCE);
}

/**
 * Gives the stream up when it has been silent for too long.
 *
 * @param {NetState} net
 * @param {number} [ms] when to look
 */
export function watch(net, ms = SILENCE) {
  const { deps } = net;
  net.watchdog = deps.setTimeout(() => {
    const left = net.receivedAt + SILENCE - deps.now();
    if (left > 0) watch(net, left);
    else lost(net, 'network');
  }, ms);
}

/**
 * There may be a network again, or the person has come back to the page.
 *
 * @param {NetState} net
 */
export function kick(net) {
  const { state } = net.status;
  if (state === 'closed') return;
  const isConnecting = state === 'connecting';
  const silent = net.deps.now() - (isConnecting ? net.openedAt : net.receivedAt);
  if (state === 'offline' || silent >= (isConnecting ? HURRY : SILENCE)) {
    net.failures = 0;
    net.connect();
    return;
  }
  if (silent > QUIET) probe(net, HURRY);
  for (const poster of net.posters) poster.kick();
}

/**
 * The machine, or the page, was asleep: the stream may be lost, and clocks may have stood still.
 *
 * @param {NetState} net
 */
export function wake(net) {
  net.heartbeat.wake();
  kick(net);
}
