// A stream that a bot only sends on: a WebSocket in its simplest form (RFC 6455). It drops what
// arrives, and answers only the pings of the server (S6).

import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

/** The opcodes of frames, with the bit that marks the last frame of a message. */
const BINARY = 0x82;
const CLOSE = 0x88;

/** The bit that says that the payload is masked, as every client's is. */
const MASKED = 0x80;

/** The longest message whose length fits into two bytes. */
const LONGEST = 0xffff;

/**
 * Opens a stream.
 *
 * @param {string} url with http
 * @param {string} token of a seat
 * @returns {Promise<{send: (message: Uint8Array) => void, close: () => void}>}
 */
export function openStream(url, token) {
  return new Promise((open, fail) => {
    const asked = request(url, {
      headers: {
        Authorization: `Bearer ${token}`,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        'Sec-WebSocket-Protocol': 'holt.v1',
      },
    });
    asked.on('error', fail);
    asked.on('response', ({ statusCode }) => fail(new Error(`open a stream: ${statusCode}`)));
    asked.on('upgrade', (_answer, socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume();
      open({
        send: (message) => socket.write(frame(BINARY, message)),
        close: () => socket.end(frame(CLOSE, Uint8Array.of(0x03, 0xe8))), // 1000: done
      });
    });
    asked.end();
  });
}

/** @param {number} opcode @param {Uint8Array} payload at most 64 KB */
function frame(opcode, payload) {
  if (payload.length > LONGEST) throw new RangeError(`a message of ${payload.length} bytes`);
  const short = payload.length < 126;
  const length = short ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
  length[0] |= MASKED;
  const mask = randomBytes(4);
  return Buffer.from([opcode, ...length, ...mask, ...payload.map((byte, i) => byte ^ mask[i % 4])]);
}
