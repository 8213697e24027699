// A WebSocket for binary messages, with a header of its own: Node's is missing in the oldest
// version that the tests run with, and takes no headers.

import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** The server sends a ping more often than this, in ms. */
const SILENCE = 60_000;

/** The server has answered with something else than an upgrade. */
export class Refused extends Error {
  /** @param {string} url @param {number} status */
  constructor(url, status) {
    super(`${url}: ${status}`);
    this.status = status;
  }
}

export class Socket {
  /** @type {(message: Uint8Array) => void} */
  onMessage = () => {};
  /** Called once, when the connection has ended. */
  onClose = () => {};
  /** The close code, once the server has closed. @type {number | undefined} */
  code;
  #connection;
  #pending = Buffer.alloc(0);

  /** @param {import('node:net').Socket} connection @param {Buffer} head */
  constructor(connection, head) {
    this.#connection = connection;
    connection.setTimeout(SILENCE, () => connection.destroy());
    connection.on('error', () => {});
    connection.on('close', () => this.onClose());
    if (head.length > 0) connection.unshift(head);
    // Whoever opens the socket says first what to do with messages: the first may be there already.
    setImmediate(() => connection.on('data', (bytes) => this.#read(bytes)));
  }

  /** @param {string} url of http or https @param {string} token @returns {Promise<Socket>} */
  static open(url, token) {
    return new Promise((done, fail) => {
      const { request: ask } = url.startsWith('https:') ? https : http;
      const request = ask(url, {
        headers: {
          Authorization: `Bearer ${token}`, Connection: 'Upgrade', Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        },
        timeout: SILENCE,
      });
      request.on('upgrade', (_, connection, head) =>
        done(new Socket(/** @type {import('node:net').Socket} */ (connection), head)));
      request.on('response', (answer) => {
        answer.resume();
        fail(new Refused(url, answer.statusCode ?? 0));
      });
      request.on('timeout', () => request.destroy(new Error(`${url}: no answer`)));
      request.on('error', fail);
      request.end();
    });
  }

  /** @param {Uint8Array} message */
  send(message) {
    this.#write(2, message);
  }

  close() {
    this.#connection.destroy();
  }

  /** @param {number} opcode @param {Uint8Array} payload */
  #write(opcode, payload) {
    const n = payload.length;
    const head = Buffer.alloc(n < 126 ? 6 : n < 65_536 ? 8 : 14); // the mask is 0
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (n < 126 ? n : n < 65_536 ? 126 : 127);
    if (n >= 65_536) head.writeBigUInt64BE(BigInt(n), 2);
    else if (n >= 126) head.writeUInt16BE(n, 2);
    this.#connection.write(Buffer.concat([head, payload]));
  }

  /** @param {Buffer} bytes */
  #read(bytes) {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const all = this.#pending;
      if (all.length < 2) return;
      const short = all[1] & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (all.length < head) return;
      const n = short < 126 ? short
        : short === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
      if (all.length < head + n) return;
      this.#pending = all.subarray(head + n);
      this.#take(all[0] & 0xf, all.subarray(head, head + n));
    }
  }

  /** @param {number} opcode @param {Buffer} payload */
  #take(opcode, payload) {
    if (opcode === 2) this.onMessage(Uint8Array.from(payload));
    else if (opcode === 9) this.#write(10, payload);
    else if (opcode === 8) {
      this.code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      this.#connection.end();
    }
  }
}
