/**
 * Reads the frames of a stream, as server/proto/holt.proto defines them, in protobuf encoding.
 * net/messages.js describes them; net/up.js writes the messages of a client. No DOM, no state. The
 * client and the server have the vectors of docs/protocol/vectors/frames.json in
 * common.
 *
 * @module
 */

import { FRAME, FULL_PIECE, REPLAY } from './messages.js';
import { decode, MalformedError } from './protobuf.js';

/** @typedef {import('../types.js').Frame} Frame */

export { MalformedError };

/**
 * The size of the greatest frame that is read, in bytes. The full state of 10,000 pieces takes less
 * than a tenth of it.
 */
export const MAX_FRAME = 16 * 2 ** 20;

/**
 * Reads a frame (S3). It skips unknown fields and events, and leaves absent optional fields of a
 * patch absent.
 *
 * @param {Uint8Array} message one message of the stream
 * @returns {Frame}
 * @throws {MalformedError} if the bytes are not a frame
 */
export function decodeFrame(message) {
  if (message.length > MAX_FRAME) throw new MalformedError(`a frame of ${message.length} bytes`);
  return checked(decode(message, FRAME));
}

/**
 * Reads a page of a replay (T73).
 *
 * @param {Uint8Array} body
 * @returns {{ frames: Frame[], next: number, dropped: boolean }}
 * @throws {MalformedError} if the bytes are not such a page
 */
export function decodeReplay(body) {
  const page = decode(body, REPLAY);
  for (const frame of page.frames) checked(frame);
  return page;
}

/**
 * Puts what each event of a frame says in the place of the event, and checks it.
 *
 * @param {any} frame
 * @returns {Frame}
 */
function checked(frame) {
  frame.events = frame.events.map(memberOf).filter(Boolean);
  for (const event of frame.events) {
    if (event.ids) sameLength(event.ids, event.x, event.y, event.dx, event.dy);
    if (event.type === 'holds') sameLength(event.kinds, event.counts);
    for (const { kinds, counts } of event.holds ?? []) sameLength(kinds, counts);
  }
  return frame;
}

/**
 * What an event of a frame says; undefined: nothing that is known.
 *
 * @param {{ event?: any }} event
 */
function memberOf({ event }) {
  return event?.type === 'fair' ? flattened(event) : event;
}

/**
 * Moves the fields of a fact beside the number of its round.
 *
 * @param {any} event
 */
function flattened({ fact: { type: fact, ...fields } = { type: 'unspecified' }, ...event }) {
  return { ...event, ...fields, fact };
}

/**
 * The piece that a complete patch describes: what it leaves out is zero, empty or false. Only some
 * pieces have `clock`, `value`, `text`, `team`, `set` and `curves`.
 *
 * @param {import('../types.js').PiecePatch} patch
 * @returns {import('../types.js').FullPiece}
 */
export const fullPiece = (patch) => ({ ...FULL_PIECE.empty(), ...patch });

/** @param {number[][]} columns */
function sameLength(...columns) {
  const isSame = columns.every(({ length }) => length === columns[0].length);
  if (!isSame) throw new MalformedError('columns of different lengths');
}

/**
 * The ids of paths. A frame has each id less the one before it.
 *
 * @param {import('../types.js').Paths} paths
 * @returns {number[]} ascending
 */
export function idsOf({ ids }) {
  let last = 0;
  return ids.map((step) => {
    last += step;
    return last;
  });
}
