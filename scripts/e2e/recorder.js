// What a page receives by datagrams (docs/protocol/datagram.md), as its scripts get it: decrypted,
// packet by packet. Every message in them is a message of the person's stream like those of a
// WebSocket, and is recorded with them, whether the page has executed it or not.

import assert from 'node:assert/strict';
import { kindOf, readRecords, readStart } from '../../static/js/parts/datagrams/packet.js';
import { Assemblies } from '../../static/js/parts/datagrams/receiving.js';
import { decodeFrame } from '../../static/js/net/wire.js';
import { eventually } from './pieces.js';

/** @typedef {import('./party.js').Person} Person */

export class Recorder {
  /** How many messages came by datagrams. */
  messages = 0;

  #person;
  /** What one connection has brought so far. */
  #connection = new Connection();
  /** WebSockets that are open. */
  #sockets = 0;
  #isWelcome = false;

  /** @param {Person} person */
  constructor(person) {
    this.#person = person;
    const { page } = person;
    page.on('framenavigated', (navigated) => {
      if (navigated === page.mainFrame()) this.#isWelcome = false;
    });
    page.on('websocket', (socket) => {
      this.#sockets++;
      socket.on('close', () => this.#sockets--);
    });
  }

  /** Records what a person receives who has not gone anywhere yet. @param {Person} person */
  static async begin(person) {
    const recorder = new Recorder(person);
    await person.page.exposeFunction('recordDatagram', (/** @type {string} */ base64) =>
      recorder.#take(Buffer.from(base64, 'base64')),
    );
    await person.page.addInitScript(listen);
    return recorder;
  }

  /** Waits until the page has moved over to datagrams. From then on everything comes by them. */
  async moved() {
    const isOver = () => this.#isWelcome && this.#sockets === 0;
    assert.ok(
      await eventually(this.#person.page, isOver),
      `${this.#person.nick} has datagrams, and nothing else`,
    );
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    const packet = new Uint8Array(bytes);
    const kind = kindOf(packet);
    assert.notEqual(kind, '', 'a packet of a known kind');
    if (kind === 'welcome' && !this.#isWelcome) {
      this.#isWelcome = true;
      this.#connection = new Connection();
    }
    if (kind !== 'data') return;
    for (const message of this.#connection.take(packet)) {
      decodeFrame(message);
      this.#person.watch.frames.push(message);
      this.messages++;
    }
  }
}

/** What has come by a connection. */
class Connection {
  /** Guaranteed messages that came: they may come again. @type {Set<number>} */
  #came = new Set();
  #floor = 0;
  #parts = new Assemblies();

  /** The messages that a packet completes. @param {Uint8Array} packet @returns {Uint8Array[]} */
  take(packet) {
    const all = [];
    for (const record of readRecords(readStart(packet).from, this.#floor)) {
      if (record.type === 'loose') all.push(record.body);
      else if (!this.#came.has(record.header.number) && record.header.number >= this.#floor) {
        const whole = record.type === 'whole' ? record.body : this.#parts.add(record).whole;
        if (!whole) continue;
        all.push(whole);
        this.#came.add(record.header.number);
        while (this.#came.delete(this.#floor)) this.#floor++;
      }
    }
    return all;
  }
}

/** Runs in the page before its scripts, and reports each datagram that they receive. */
function listen() {
  if (!isSecureContext) return; // such a page has no datagrams
  const { prototype } = WebTransportDatagramDuplexStream;
  const readable = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(prototype, 'readable')
  );
  Object.defineProperty(prototype, 'readable', {
    ...readable,
    get() {
      const stream = readable.get?.call(this);
      const getReader = stream.getReader.bind(stream);
      for (const name of ['tee', 'pipeTo', 'pipeThrough', 'values', Symbol.asyncIterator])
        stream[name] = undefined; // these would receive data without a record
      stream.getReader = () => {
        const reader = getReader();
        const read = reader.read.bind(reader);
        reader.read = async () => {
          const { done, value } = await read();
          if (value)
            /** @type {any} */ (window).recordDatagram(btoa(String.fromCharCode(...value)));
          return { done, value };
        };
        return reader;
      };
      return stream;
    },
  });
}
