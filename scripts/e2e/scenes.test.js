// Stock engines of Decentraland's SDK at a table, without a browser: two scenes, and the page's
// replica of the components.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { merge, put, replica } from '../../static/js/parts/components/crdt.js';
import { elements, get } from '../../static/js/parts/components/crdtread.js';
import { limitOf } from '../../static/js/parts/components/registry.js';
import { decodeMessage, encodeMessage } from '../../static/js/parts/components/wire.js';
import { fileServer } from './party.js';
import { ReadWriteByteBuffer, Scene, Socket, sdk } from './scene.js';

/** @typedef {import('../../static/js/parts/components/crdt.js').Replica} Replica */
/** @typedef {import('./server.js').Server} Server */

const SHEET = 512;
const ROW = 513;
const SHEET_TITLE = 3030;
const COLUMN = 3100;
const POINTS = 3041;
const FOREIGN = 3006;
const FIRST_FOREIGN = 32_768;

/** Random numbers from 0 below n, by a seed (mulberry32). @param {number} seed */
function random(seed) {
  let s = seed >>> 0;
  return (/** @type {number} */ n) => {
    s = (s + 0x6d2b79f5) >>> 0;
    let x = Math.imul(s ^ (s >>> 15), 1 | s);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
}

/** A host's page at a new table, as far as components go. */
class Page {
  /** @type {Replica} */
  replica = replica({ limitOf });

  /** @param {Server} server @param {import('./server.js').Opened} opened */
  constructor(server, opened) {
    this.server = server;
    this.opened = opened;
  }

  get address() {
    return `${this.server.url}/api/v1/tables/${this.opened.table}/components`;
  }

  /** Reads all components of the table, as the room has them. */
  async read() {
    for (;;) {
      const answer = await fetch(this.address, {
        headers: { Authorization: `Bearer ${this.opened.token}` },
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 429) continue; // it reads faster than a page would
      assert.equal(answer.status, 200, Buffer.from(bytes).toString());
      const { ops } = decodeMessage(bytes);
      for (const op of ops) merge(this.replica, op);
      return ops;
    }
  }

  /** Writes a value. @param {number} entity @param {number} component @param {Uint8Array} data */
  async put(entity, component, data) {
    const op = put(this.replica, entity, component, data);
    await this.post([/** @type {any} */ (op)]);
  }

  /** @param {import('../../static/js/parts/components/wire.js').Op[]} ops */
  async post(ops) {
    const { epoch, mark } = await this.server.read(this.opened.table, this.opened.token);
    const answer = await fetch(`${this.address}?epoch=${epoch}&mark=${mark}`, {
      method: 'POST', body: encodeMessage({ ops }),
      headers: {
        Authorization: `Bearer ${this.opened.token}`, 'Content-Type': 'application/x-protobuf',
      },
    });
    assert.equal(answer.status, 204, await answer.text());
  }
}

/** @param {string} text */
const text = (text) => Uint8Array.from([10, text.length, ...Buffer.from(text)]);

/**
 * A table that allows foreign components, its host's page, and a way to link scenes.
 *
 * @param {import('node:test').TestContext} t
 * @param {{foreign?: boolean}} [settings]
 */
async function table(t, { foreign = true } = {}) {
  const server = await fileServer();
  const opened = await server.createTable('chess');
  const page = new Page(server, opened);
  if (foreign) await page.put(0, FOREIGN, Uint8Array.from([8, 1]));
  return {
    server, page,
    /** @param {{offset?: number, compare?: string}} [terms] */
    async scene(terms) {
      const scene = await Scene.open(server.url, opened.table, opened.token, terms);
      t.after(() => scene.socket.close());
      return scene;
    },
  };
}

/**
 * Runs scenes until a condition holds. It fails after 20 s.
 *
 * @param {Scene[]} scenes
 * @param {() => boolean | Promise<boolean>} holds
 * @param {() => string} what
 */
async function settle(scenes, holds, what) {
  const end = Date.now() + 20_000;
  for (;;) {
    for (const scene of scenes) {
      assert.equal(scene.socket.code, undefined, 'the link is open');
      await scene.run();
    }
    if (await holds()) return;
    assert.ok(Date.now() < end, what());
    await turn();
  }
}

/**
 * Runs scenes until all that they have written has been read by each of them.
 *
 * @param {Scene[]} scenes
 */
async function exchange(scenes, round = 0) {
  const marks = scenes.map((scene, i) => {
    const entity = scene.numberOf(FIRST_FOREIGN + 30_000 + i);
    scene.note.createOrReplace(entity, { text: `round ${round}` });
    return FIRST_FOREIGN + 30_000 + i;
  });
  await settle(
    scenes,
    () => scenes.every((scene) => marks.every((mark) =>
      scene.note.getOrNull(scene.numberOf(mark))?.text === `round ${round}`)),
    () => `round ${round} does not arrive`,
  );
}

/**
 * The values of the table under the keys of some components.
 *
 * @param {any[]} ops
 * @param {Map<number, number>} numbers from those of the table to those of the scenes
 */
function stored(ops, numbers) {
  const puts = ops.filter((op) => op.kind === 'put' && numbers.has(op.component));
  return new Map(puts.map(({ entity, component, data }) =>
    [`${entity}/${numbers.get(component)}`, Buffer.from(data).toString('hex')]));
}

/** @param {Map<string, string>} map */
const sorted = (map) => JSON.stringify([...map].sort());

/**
 * Waits until all scenes and the table hold the same values.
 *
 * @param {Page} page @param {Scene[]} scenes
 */
async function agree(page, scenes) {
  const [{ sheet, cell, transform, note, raw }] = scenes;
  const numbers = new Map([
    [SHEET_TITLE, sheet.componentId], [COLUMN, cell.componentId],
    [transform.componentId, transform.componentId], [note.componentId, note.componentId],
    [raw.componentId, raw.componentId],
  ]);
  let room = '';
  let seen = scenes.map(() => '');
  await settle(scenes, async () => {
    seen = scenes.map((s) => sorted(s.values([s.sheet, s.cell, s.transform, s.note, s.raw])));
    if (new Set(seen).size > 1) return false;
    room = sorted(stored(await page.read(), numbers));
    return seen[0] === room;
  }, () => `the table has ${room},\nthe scenes ${seen.join('\n')}`);
}

const lengths = ['z', 'aaaa', 'mm', 'q', 'bbbbbbb'];

for (const offsets of [[32_768, 32_768], [32_768, 32_768, 16_384]]) {
  const seed = Number(process.env.HOLT_SEED ?? Date.now() % 1_000_000);
  const run = `offsets ${offsets}, HOLT_SEED=${seed}`;
  test(`C19.57, C21.5, C3.9 stock engines and a page agree, ties included: ${run}`, async (t) => {
    const { page, scene } = await table(t);
    const at = random(seed);
    /** @type {Scene[]} */
    const scenes = [];
    for (const offset of offsets) scenes.push(await scene({ offset }));
    await exchange(scenes);
    const pick = () => lengths[at(lengths.length)];
    /** Something that a scene writes. @type {Array<(s: Scene) => void>} */
    const writes = [
      // Shorter ones are the greater ones by bytes, and the smaller ones by length.
      (s) => s.raw.createOrReplace(s.numberOf(FIRST_FOREIGN + 9000 + at(2)), {
        bytes: new Uint8Array(1 + at(5)).map((_, i, all) => (i ? 7 : 9 - all.length)),
      }),
      (s) => s.sheet.createOrReplace(s.numberOf(SHEET), { text: pick() }),
      (s) => s.cell.createOrReplace(s.numberOf(ROW + at(3)), { text: pick() }),
      (s) => s.cell.deleteFrom(s.numberOf(ROW + at(3))),
      (s) => s.note.createOrReplace(s.numberOf(FIRST_FOREIGN + 9000 + at(4)), { text: pick() }),
      (s) => s.note.deleteFrom(s.numberOf(FIRST_FOREIGN + 9000 + at(4))),
      (s) => s.transform.createOrReplace(s.numberOf(FIRST_FOREIGN + 9000 + at(4)), {
        position: { x: at(9), y: 0, z: 0 }, scale: { x: 1, y: 1, z: 1 },
        rotation: { x: 0, y: 0, z: 0, w: 1 },
      }),
    ];
    for (let round = 1; round <= 4; round++) {
      for (let step = 0; step < 60; step++) {
        const s = scenes[at(scenes.length)];
        switch (at(5)) {
          case 0: s.deliverUp(1 + at(2)); break;
          case 1: s.deliverDown(1 + at(2)); break;
          case 2: await s.tick(); break;
          case 3: writes[at(writes.length)](s); break;
          default:
            // Both write the same at the same time: a tie, whatever arrives first.
            for (const each of scenes) writes[at(2)](each);
        }
        if (at(20) === 0) {
          await page.read();
          await page.put(SHEET, SHEET_TITLE, text(pick()));
        }
        if (at(4) === 0) await turn();
      }
      await exchange(scenes, round);
      await agree(page, scenes);
    }
    assert.ok(get(page.replica, SHEET, SHEET_TITLE), 'somebody has written the title');
  });
}

test('C10.9, C21.1, C19.66 a scene with the timestamp 0 lands, and can go on', async (t) => {
  const { page, scene } = await table(t);
  const [one, two] = [await scene(), await scene()];
  await exchange([one, two]);
  // What an SDK scene loads from its main.crdt comes to the engine by another transport, with the
  // timestamp 0, and the engine passes it on.
  /** @type {any} */
  const runtime = { filter: () => true, send: async () => {} };
  one.engine.addTransport(runtime);
  const main = new ReadWriteByteBuffer();
  const note = new ReadWriteByteBuffer();
  one.note.schema.serialize({ text: 'zzz' }, note);
  const entity = one.numberOf(FIRST_FOREIGN);
  assert.equal(entity, 512, 'the first entity of a scene');
  sdk.PutComponentOperation.write(entity, 0, one.note.componentId, note.toBinary(), main);
  runtime.onmessage(main.toBinary());
  await settle([one, two], () => two.note.getOrNull(entity)?.text === 'zzz', () => 'no zzz');
  one.note.getMutable(entity).text = 'a'; // with the timestamp 1; smaller by any order
  await settle([one, two], () => two.note.getOrNull(entity)?.text === 'a', () => 'no a');
  await exchange([one, two], 1);
  assert.equal(one.note.get(entity).text, 'a', 'it did not lose against itself');
  await agree(page, [one, two]);
});

test('C19.67 strokes and shots of a scene keep their order', async (t) => {
  const { page, scene } = await table(t);
  const [one, two] = [await scene(), await scene()];
  await exchange([one, two]);
  const stroke = one.engine.addEntity();
  one.stroke.create(stroke, { bytes: Uint8Array.from([8, 1, 16, 5]) }); // colour 1, width 5
  const xs = [9, 3, 7, 1, 8, 2]; // the order of the bytes would be another one
  for (const x of xs)
    one.points.addValue(stroke, { bytes: Uint8Array.from([10, 1, 2 * x, 18, 1, 0]) });
  for (let at = 40; at > 0; at--) one.shots.addValue(stroke, { at });
  await exchange([one, two], 1);
  const ops = await page.read();
  const drawn = ops.filter((op) => op.component === POINTS);
  assert.deepEqual(drawn.map((op) => op.data[2] / 2), xs, 'as they were drawn');
  assert.deepEqual(drawn.map((op) => op.timestamp), xs.map((_, i) => i + 1));
  assert.equal(elements(page.replica, drawn[0].entity, POINTS).length, xs.length);
  await settle([one, two], () => two.shots.get(stroke).size === 40, () => 'shots are missing');
  assert.equal([...two.points.iterator()].flatMap(([, set]) => [...set]).length, xs.length);
});

test('C21.12, C5 entities end for all, and a higher version ends lower ones', async (t) => {
  const { page, scene } = await table(t);
  const [one, two] = [await scene(), await scene()];
  await exchange([one, two]);
  const entity = one.engine.addEntity();
  assert.equal(entity, 512, 'addEntity begins above the numbers that engines reserve');
  one.note.create(entity, { text: 'first' });
  await settle([one, two], () => two.note.getOrNull(entity)?.text === 'first', () => 'no first');
  one.engine.removeEntity(entity);
  await settle([one, two], () => !two.note.has(entity), () => 'it stays');
  const higher = 3 * 65_536 + 512;
  const lower = 2 * 65_536 + 512;
  one.note.create(lower, { text: 'lower' });
  await settle([one, two], () => two.note.getOrNull(lower)?.text === 'lower', () => 'no lower');
  two.note.create(higher, { text: 'higher' });
  await settle([one, two], () => one.note.getOrNull(higher)?.text === 'higher', () => 'no higher');
  await exchange([one, two], 1);
  for (const s of [one, two]) assert.ok(!s.note.has(lower), 'the lower version is gone');
  await agree(page, [one, two]);
});

test('C19.59 with other offsets scenes have entities of their own, and see all', async (t) => {
  const { page, scene } = await table(t);
  const [one, two] = [await scene({ offset: 32_768 }), await scene({ offset: 16_384 })];
  await exchange([one, two]);
  const [a, b] = [one.engine.addEntity(), two.engine.addEntity()];
  assert.deepEqual([a, b], [512, 512]);
  one.note.create(a, { text: 'one' });
  two.note.create(b, { text: 'two' });
  await exchange([one, two], 1);
  assert.equal(one.note.get(a).text, 'one');
  assert.equal(two.note.get(b).text, 'two');
  assert.equal(two.note.get(two.numberOf(one.entityOf(a))).text, 'one');
  assert.equal(one.note.get(one.numberOf(two.entityOf(b))).text, 'two');
  await agree(page, [one, two]);
});

test('C21.2 a table that does not allow foreign components takes them away again', async (t) => {
  const { page, scene } = await table(t, { foreign: false });
  const one = await scene();
  one.cell.createOrReplace(one.numberOf(ROW), { text: 'row' });
  const entity = one.engine.addEntity();
  one.note.create(entity, { text: 'mine' });
  one.note.create(0, { text: 'mine' });
  await settle([one], () => !one.note.has(entity) && !one.note.has(0), () => 'they stay');
  await settle([one], async () => (await page.read()).length > 0, () => 'no cell');
  assert.deepEqual((await page.read()).map((op) => op.component), [COLUMN]);
});

test('C19.3, C19.58 a link names terms that the server has', async (t) => {
  const { server, page } = await table(t);
  const { table: name, token } = page.opened;
  for (const query of ['form=flat&compare=shortest', 'form=flat&compare=length&offset=32769',
    'form=protobuf&compare=length&offset=1', 'form=flat&compare=length&components=sha256']) {
    const url = `${server.url}/api/v1/tables/${name}/replica?${query}`;
    await assert.rejects(Socket.open(url, token), /422/, query);
  }
});
