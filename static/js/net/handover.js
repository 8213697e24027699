/**
 * A stream continues in another one, of another transport, without anything between them (D37,
 * D38).
 *
 * @module
 */

import { closed, FINAL_CODES, LOST_CODES, lost } from './ending.js';
import { receive } from './receiving.js';
import { nextQuery } from './netstate.js';

/** @typedef {import('../types.js').WebSocketLike} WebSocketLike */
/** @typedef {import('./netstate.js').NetState} NetState */
/** @typedef {import('./netstate.js').Successor} Successor */

/** How long the old stream may take to end, in milliseconds (D37). */
const HANDOVER = 2000;

/**
 * Opens a stream that is to take over from the open one. What it brings waits until that has ended.
 *
 * @param {NetState} net
 * @param {(query: string) => WebSocketLike} open
 * @returns {boolean} whether the handover was begun
 */
export function beginHandover(net, open) {
  if (net.status.state !== 'online' || net.successor) return false;
  const ws = open(`${nextQuery(net)}&handover=1`);
  /** @type {Successor} */
  const next = { ws, early: [] };
  net.successor = next;
  net.mayBeReplaced = true;
  ws.onopen = () => {
    if (net.successor !== next) return;
    net.handover = net.deps.setTimeout(() => lost(net, 'network'), HANDOVER);
  };
  ws.onmessage = ({ data }) => {
    if (net.socket === ws) receive(net, data);
    else next.early.push(data);
  };
  ws.onclose = ({ code }) => {
    if (net.socket === ws) successorClosed(net, code);
    // If the server has let the old stream go meanwhile, the end of that will say so.
    else if (net.successor === next) net.successor = null;
  };
  return true;
}

/**
 * The old stream has ended: its successor takes over.
 *
 * @param {NetState} net
 * @param {Successor} successor
 */
export function completeHandover(net, { ws, early }) {
  const { deps } = net;
  deps.clearTimeout(net.handover);
  net.successor = null;
  net.mayBeReplaced = false;
  net.socket = ws;
  net.deadline ??= deps.setTimeout(() => lost(net, 'network'), HANDOVER); // until its first message
  for (const data of early) if (net.socket === ws) receive(net, data);
}

/**
 * A stream that had taken over has ended (D38). A WebSocket need not have what broke it.
 *
 * @param {NetState} net
 * @param {number} code
 */
function successorClosed(net, code) {
  const final = FINAL_CODES.get(code);
  const isBroken = final === 'protocol';
  if (isBroken) net.canResume = false;
  if (net.going?.final || LOST_CODES.has(code) || (final && !isBroken)) closed(net, code);
  else net.connect();
}
