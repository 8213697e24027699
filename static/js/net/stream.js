/**
 * Opens a stream by WebSocket (S1).
 *
 * @module
 */

import { closed, closeStreams, finish, lost, TAKEN_OVER } from './ending.js';
import { completeHandover } from './handover.js';
import { PATIENCE } from './liveness.js';
import { receive } from './receiving.js';
import { nextQuery, setStatus } from './netstate.js';

/** @typedef {import('../types.js').WebSocketLike} WebSocketLike */
/** @typedef {import('./netstate.js').NetState} NetState */

const PROTOCOL = 'holt.v1';

/**
 * Opens a stream, in place of the one that there may be.
 *
 * @param {NetState} net
 */
export function connect(net) {
  const { deps } = net;
  closeStreams(net);
  setStatus(net, 'connecting', '');
  net.sync.reconnected();
  for (const poster of net.posters) poster.abandon();
  net.openedAt = deps.now();
  net.mayBeReplaced = false;
  const origin = deps.origin.replace(/^http/, 'ws');
  const url = `${origin}/api/v1/tables/${net.table}/stream?${nextQuery(net)}`;
  const ws = new deps.WebSocket(url, PROTOCOL);
  let isOpened = false;
  net.socket = ws;
  ws.binaryType = 'arraybuffer';
  ws.onopen = () => {
    isOpened = true;
  };
  ws.onmessage = ({ data }) => {
    if (net.socket === ws) receive(net, data);
  };
  ws.onclose = ({ code }) => {
    if (net.socket !== ws) return;
    if (net.successor && code === TAKEN_OVER) completeHandover(net, net.successor);
    else if (isOpened) closed(net, code);
    else askWhyRefused(net, ws);
  };
  ws.onerror = () => {}; // onclose follows
  net.deadline = deps.setTimeout(() => lost(net, 'network'), PATIENCE);
}

/**
 * The stream could not be opened. The browser does not say why, so the client asks by a request.
 *
 * @param {NetState} net
 * @param {WebSocketLike} ws
 */
async function askWhyRefused(net, ws) {
  const gone = await net.posters[0].isGone();
  if (net.socket !== ws) return; // it was closed or opened again meanwhile
  if (gone) finish(net, gone);
  else lost(net, 'network');
}
