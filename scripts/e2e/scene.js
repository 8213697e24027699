// A stock engine of Decentraland's SDK, linked to a table: the package @dcl/ecs as npm has it, with
// a transport of a few lines. Nothing here knows how a table merges.

import { createRequire } from 'node:module';
import { Socket } from '../scoreboard/socket.js';

export { Socket };

const require = createRequire(import.meta.url);
/** @type {any} */
export const sdk = require('@dcl/ecs/dist-cjs');
/** Its buffer of bytes. @type {any} */
export const { ReadWriteByteBuffer } = require('@dcl/ecs/dist-cjs/serialization/ByteBuffer');

/** The schema of a component that holds a Text: one line, which is not empty. */
const TEXT = {
  /** @param {{text: string}} value @param {any} to */
  serialize({ text }, to) {
    const bytes = Buffer.from(text);
    to.writeBuffer(Uint8Array.from([10, bytes.length, ...bytes]), false);
  },
  /** @param {any} from */
  deserialize(from) {
    const all = from.buffer().subarray(from.currentReadOffset());
    return { text: Buffer.from(all.subarray(2)).toString() };
  },
  create: () => ({ text: '?' }),
  jsonSchema: {},
};

/** The schema of a component whose bytes are taken as they are. */
const RAW = {
  /** @param {{bytes: Uint8Array}} value @param {any} to */
  serialize({ bytes }, to) {
    to.writeBuffer(bytes, false);
  },
  /** @param {any} from */
  deserialize(from) {
    return { bytes: Uint8Array.from(from.buffer().subarray(from.currentReadOffset())) };
  },
  create: () => ({ bytes: new Uint8Array() }),
  jsonSchema: {},
};

/** A scene: an engine and its link. What waits in either direction passes when the test says so. */
export class Scene {
  engine = sdk.Engine();
  /** @type {Uint8Array[]} */
  up = [];
  /** @type {Uint8Array[]} */
  down = [];
  /** Components of Holt. */
  sheet = this.engine.defineComponentFromSchema('holt::Sheet', TEXT);
  cell = this.engine.defineComponentFromSchema('holt::Column0', TEXT);
  stroke = this.engine.defineComponentFromSchema('holt::Stroke', RAW);
  points = this.engine.defineValueSetComponentFromSchema('holt::Points', RAW, {
    timestampFunction: () => 0, maxElements: 256,
  });
  /** Components of the scene itself. */
  transform = sdk.components.Transform(this.engine);
  raw = this.engine.defineComponentFromSchema('my-scene::Raw', RAW);
  note = this.engine.defineComponent('my-scene::Note', { text: sdk.Schemas.String });
  shots = this.engine.defineValueSetComponentFromSchema(
    'my-scene::Shots', sdk.Schemas.Map({ at: sdk.Schemas.Int }),
    { timestampFunction: (/** @type {{at: number}} */ shot) => shot.at, maxElements: 256 },
  );

  /** @param {Socket} socket @param {number} offset */
  constructor(socket, offset) {
    this.socket = socket;
    this.offset = offset;
    /** @type {any} */
    const transport = {
      filter: () => true,
      send: async (/** @type {Uint8Array} */ message) => {
        if (message.byteLength > 0) this.up.push(Uint8Array.from(message));
      },
    };
    this.engine.addTransport(transport);
    this.transport = transport;
    socket.onMessage = (message) => this.down.push(message);
  }

  /**
   * Links a scene to a table.
   *
   * @param {string} server its address
   * @param {string} table
   * @param {string} token
   * @param {{offset?: number, compare?: string}} [terms]
   */
  static async open(server, table, token, { offset = 32_768, compare = 'length' } = {}) {
    const query = `form=flat&compare=${compare}&offset=${offset}&components=crc32`;
    return new Scene(
      await Socket.open(`${server}/api/v1/tables/${table}/replica?${query}`, token), offset,
    );
  }

  /** One frame of the engine. */
  async tick() {
    await this.engine.update(1 / 30);
  }

  /** Sends the messages that wait, at most n. */
  deliverUp(n = Infinity) {
    for (const message of this.up.splice(0, Math.min(n, this.up.length))) this.socket.send(message);
  }

  /** Gives the engine the messages that have come, at most n. */
  deliverDown(n = Infinity) {
    for (const message of this.down.splice(0, Math.min(n, this.down.length)))
      this.transport.onmessage(message);
  }

  /** Delivers everything, in both directions, with a frame between. */
  async run() {
    this.deliverDown();
    await this.tick();
    this.deliverUp();
  }

  /** The number here of an entity of the table. @param {number} entity */
  numberOf(entity) {
    const number = entity % 65_536;
    return entity - number + 512 + ((number - 512 + this.offset) % 65_024);
  }

  /** The entity of the table that has a number here. @param {number} wire */
  entityOf(wire) {
    const number = wire % 65_536;
    return number < 512 ? wire
      : wire - number + 512 + ((number - 512 - this.offset + 65_024) % 65_024);
  }

  /** The bytes of what the engine has, by key of the table. @param {any[]} components */
  values(components) {
    /** @type {Map<string, string>} */
    const all = new Map();
    for (const component of components) {
      for (const [entity, value] of component.iterator()) {
        const buffer = new ReadWriteByteBuffer();
        component.schema.serialize(value, buffer);
        const key = `${this.entityOf(entity)}/${component.componentId}`;
        all.set(key, Buffer.from(buffer.toBinary()).toString('hex'));
      }
    }
    return all;
  }
}
