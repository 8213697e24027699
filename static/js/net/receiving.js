/**
 * What becomes of a message of the stream.
 *
 * @module
 */

import { lost } from './ending.js';
import { resync, watch } from './liveness.js';
import { setStatus } from './netstate.js';
import { decodeFrame, MalformedError } from './wire.js';

/** @typedef {import('./netstate.js').NetState} NetState */

/**
 * Processes a message.
 *
 * @param {NetState} net
 * @param {unknown} data
 */
export function receive(net, data) {
  const frame = decode(data);
  if (!frame) {
    lost(net, 'fault');
    return;
  }
  const { deps, heartbeat, posters } = net;
  const outcome = net.sync.receive(frame);
  heartbeat.hear(outcome.time, outcome.pongs);
  net.receivedAt = deps.now();
  net.going = outcome.going ?? net.going;
  if (net.watchdog === null) watch(net);
  if (net.status.state !== 'online' && (outcome.full || outcome.resumed)) synchronise(net);
  if (net.status.state === 'online') {
    deps.clearTimeout(net.deadline);
    net.deadline = null;
  }
  if (outcome.needsFull) resync(net);
  for (const answer of outcome.answers) posters[0].answered(answer); // that of the updates
  for (const poster of posters) poster.flush();
  net.onFrame(outcome);
}

/**
 * The stream is synchronised.
 *
 * @param {NetState} net
 */
function synchronise(net) {
  net.onlineSince = net.receivedAt;
  net.canResume = true;
  setStatus(net, 'online', '');
  net.heartbeat.synchronised();
  for (const poster of net.posters) poster.kick();
}

/**
 * @param {unknown} data of a message
 * @returns {import('../types.js').Frame | null} null if it is not a frame
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
