/**
 * How a stream ends: it is lost and will be opened again, or it is over (S2, S6, S8).
 *
 * @module
 */

import { setStatus } from './netstate.js';

/** @typedef {import('./netstate.js').NetState} NetState */

// All in milliseconds.
const FIRST_DELAY = 250; // S6
const LAST_DELAY = 10_000; // S6
const SOON_DELAY = 2500; // S6: the longest one soon after a synchronised stream
const RECENT = 120_000; // S6: how long it is soon after it
const STABLE = 10_000; // after a stream that was online for so long, the first delay comes again

// Close codes that a client sends. By them the server tells a person who has left from a stream
// that was given up (S14).
const LEFT = 1000;
const GIVEN_UP = 4000;

/** With this code the server ends a stream when another one of this client takes over (S8). */
export const TAKEN_OVER = 4001;

/** The server's close codes (stream.md) after which a client does not come back. */
export const FINAL_CODES = new Map([
  [1002, 'protocol'],
  [1003, 'protocol'],
  [1009, 'protocol'],
  [4001, 'taken-over'],
  [4002, 'seat-withdrawn'],
  [4004, 'table-closed'],
]);

/** The server's close codes after which a client comes back. */
export const LOST_CODES = new Map([
  [1001, 'stopping'],
  [1008, 'too-fast'],
  [1011, 'fault'],
]);

/**
 * The server has closed the stream, or the network has.
 *
 * @param {NetState} net
 * @param {number} code
 */
export function closed(net, code) {
  const { going, mayBeReplaced } = net;
  let final = FINAL_CODES.get(code);
  if (going?.final) final = going.seat ? 'seat-withdrawn' : 'table-closed';
  if (final && !(mayBeReplaced && code === TAKEN_OVER)) finish(net, final);
  else lost(net, LOST_CODES.get(code) ?? 'network');
}

/**
 * Gives up the stream, and opens another one after a delay.
 *
 * @param {NetState} net
 * @param {string} reason
 */
export function lost(net, reason) {
  const { deps } = net;
  closeStreams(net);
  if (net.onlineSince > 0) {
    net.synchronisedAt = deps.now();
    if (net.synchronisedAt - net.onlineSince >= STABLE) net.failures = 0;
  }
  net.onlineSince = 0;
  if (reason === 'fault') net.canResume = false; // so that the same fault does not come again
  const delay = nextDelay(net, reason) + (net.going?.afterMs ?? 0);
  net.going = null;
  net.retry = deps.setTimeout(net.connect, delay);
  setStatus(net, 'offline', reason, delay);
}

/**
 * A random time between half of a ceiling and all of it (S6). The ceiling doubles with each
 * failure. Without a network, or after too many messages, it is the greatest one.
 *
 * @param {NetState} net
 * @param {string} reason
 */
function nextDelay(net, reason) {
  const { deps, synchronisedAt } = net;
  let ceiling = LAST_DELAY;
  if (deps.online() && reason !== 'too-fast') {
    const isSoon = synchronisedAt > 0 && deps.now() - synchronisedAt < RECENT;
    ceiling = Math.min(isSoon ? SOON_DELAY : LAST_DELAY, FIRST_DELAY * 2 ** net.failures);
    net.failures++;
  }
  return Math.round(ceiling * (0.5 + deps.random() / 2));
}

/**
 * Ends the connection for good.
 *
 * @param {NetState} net
 * @param {string} reason
 */
export function finish(net, reason) {
  if (net.status.state === 'closed') return;
  closeStreams(net, LEFT);
  net.heartbeat.stop();
  setStatus(net, 'closed', reason);
}

/**
 * Closes the streams and stops all timers.
 *
 * @param {NetState} net
 * @param {number} [code]
 */
export function closeStreams(net, code = GIVEN_UP) {
  for (const timer of [net.retry, net.deadline, net.watchdog, net.handover]) {
    net.deps.clearTimeout(timer);
  }
  net.retry = net.deadline = net.watchdog = net.handover = null;
  net.heartbeat.lost();
  const sockets = [net.socket, net.successor?.ws];
  net.socket = net.successor = null;
  for (const ws of sockets) ws?.close(code);
}
