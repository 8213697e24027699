import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS, FORMS, limitOf } from '../js/parts/components/registry.js';
import { DERIVED } from '../../scripts/scoreboard/registry.js';
import * as entities from '../js/parts/components/entities.js';
import { MalformedError } from '../js/net/protobuf.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

const shared = vectors('components');

/**
 * @typedef {{ number: number, size: number, decode: (data: Uint8Array) => any,
 *   encode: (value: any) => Uint8Array }} Any
 */

/** @type {Record<string, Any>} */
const byName = { ...COMPONENTS, ...DERIVED };

/** @param {string} hex */
const unhex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));

test('C14 the registry equals the server’s', () => {
  const both = [...Object.entries(COMPONENTS), ...Object.entries(DERIVED)];
  const mine = both.sort(([, a], [, b]) => a.number - b.number).map(([name, c]) => ({
    number: c.number,
    last: c.last,
    name: name[0].toUpperCase() + name.slice(1),
    of: c.of,
    who: c.who,
    size: c.size,
    set: c.set,
    answer: c.answer,
    private: c.personal,
  }));
  assert.deepEqual(
    mine,
    shared.registry.map((/** @type {any} */ { message, ...rest }) => rest),
  );
});

for (const { name, hex, value } of shared.data) {
  const says = JSON.stringify(value);
  // Clauses: C12.7, C12.8, C12.9, C12.10, C12.11
  test(`C14 ${name}: ${says.length > 80 ? `${says.slice(0, 80)}…` : says}`, () => {
    assert.deepEqual(byName[name].decode(unhex(hex)), value);
    assert.deepEqual(byName[name].encode(value), unhex(hex));
    assert.ok(hex.length / 2 <= byName[name].size);
  });
}

test('C14 each component has a vector', () => {
  const shown = new Set(shared.data.map((/** @type {any} */ { name }) => name));
  const missing = Object.keys(COMPONENTS).filter((name) => !shown.has(name));
  assert.deepEqual(missing, ['cell']); // it shares its number with column
  assert.equal(COMPONENTS.cell.number, COMPONENTS.column.number);
});

test('C6, C14.4 the sets are those of the registry', () => {
  for (const { number, set } of shared.registry) assert.equal(limitOf(number), set, String(number));
  assert.equal(limitOf(1), 0);
});

test('C14 truncated or changed data decodes or fails cleanly', () => {
  let refused = 0;
  /** @param {Any} component @param {Uint8Array} data */
  const tries = (component, data) => {
    try {
      assert.equal(typeof component.decode(data), 'object');
    } catch (error) {
      assert.ok(error instanceof MalformedError, String(error));
      refused++;
    }
  };
  for (const { name, hex } of shared.data.filter(
    (/** @type {any} */ { hex: digits }) => digits.length < 400,
  )) {
    const bytes = unhex(hex);
    for (let i = 0; i < bytes.length; i++) {
      tries(byName[name], bytes.subarray(0, i));
      for (const flip of [1, 7, 8, 128, 255]) {
        const changed = bytes.slice();
        changed[i] ^= flip;
        tries(byName[name], changed);
      }
    }
  }
  assert.ok(refused > 500, `${refused} refused`);
});

test('C14 columns of different lengths are an error', () =>
  assert.throws(() => COMPONENTS.points.decode(unhex('0a0202041201')), MalformedError));

test('C14 written data reads back unchanged', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const r = random(seed);
    const place = () => r.below(2_000_001) - 1_000_000;
    const column = Array.from({ length: 1 + r.below(40) }, place);
    const points = { x: column, y: column.map(place) };
    assert.deepEqual(
      COMPONENTS.points.decode(COMPONENTS.points.encode(points)), points, `seed ${seed}`,
    );
    const label = {
      text: String.fromCodePoint(
        ...Array.from({ length: r.below(40) }, () => r.pick([65, 0xe9, 0x20ac, 0x1f9a6])),
      ),
    };
    assert.deepEqual(
      COMPONENTS.label.decode(COMPONENTS.label.encode(label)), label, `seed ${seed}`,
    );
    const grid = {
      form: r.below(FORMS.length), pitch: r.below(20_001), x: place(), y: place(),
      snap: r.below(2) === 1,
    };
    assert.deepEqual(COMPONENTS.grid.decode(COMPONENTS.grid.encode(grid)), grid, `seed ${seed}`);
  }
});

test('C14 values that no message can hold are not written', () => {
  assert.throws(() => COMPONENTS.tint.encode({ colour: -1 }), RangeError);
  assert.throws(() => COMPONENTS.size.encode({ width: 0.5, height: 1 }), RangeError);
});

for (const { entity, class: of, is } of shared.entities) {
  test(`C13 ${entity} is ${of} ${is}`, () => {
    assert.equal(entities.classOf(entity), of);
    if (of === 'seat') {
      assert.equal(entities.seatOf(entity), is);
      assert.equal(entities.entityOfSeat(is), entity);
    }
    if (of === 'piece') {
      assert.equal(entities.pieceOf(entity), is);
      assert.equal(entities.entityOfPiece(is), entity);
    }
    if (of === 'stroke') {
      assert.equal(entities.secondOf(entity), is);
      assert.equal(entities.entityOfStroke(is, entity % 2 ** 20), entity);
      assert.ok(entities.clearing(is) < entity && entity < entities.clearing(is + 1));
    }
  });
}

test('C13 seconds count from 2020-01-01 UTC', () => {
  assert.equal(entities.secondAt(Date.UTC(2020, 0, 1)), 0);
  assert.equal(entities.secondAt(Date.UTC(2026, 2, 1, 12) + 999), 194_529_600);
  assert.equal(entities.secondAt(0), 0);
  assert.equal(entities.secondAt(2 ** 53), 2 ** 32 - 1);
});

test('C13.2 a new stroke has the second of the server’s time, up to the last one', () => {
  const none = () => false;
  for (const [at, second] of [
    ['2020-01-01T00:00:00.999Z', 0], ['2020-01-01T00:01:01Z', 61],
    ['2026-11-23T14:00:00.5Z', 217_605_600], ['2200-01-01T00:00:00Z', 2 ** 32 - 1],
  ]) {
    const entity = entities.newStroke(Date.parse(`${at}`), none);
    assert.equal(entities.classOf(entity), 'stroke');
    assert.equal(entities.secondOf(entity), second);
  }
});

test('C13.3 the lot of a new stroke is random, from 1 to 2^20 - 1', () => {
  const none = () => false;
  const lotOf = (/** @type {number} */ entity) => entity % 2 ** 20;
  assert.equal(lotOf(entities.newStroke(1.7e12, none, () => 0)), 1);
  assert.equal(lotOf(entities.newStroke(1.7e12, none, () => 1 - 2 ** -53)), 2 ** 20 - 1);
  const lots = new Set(Array.from({ length: 100 }, () => lotOf(entities.newStroke(1.7e12, none))));
  assert.ok(lots.size > 90, `${lots.size} lots of 100 strokes`);
});

test('C16 a new stroke is later than a clearing of all strokes up to now', () => {
  const now = 1.7e12;
  const until = entities.secondAt(now) + 2;
  const entity = entities.newStroke(now, (e) => entities.secondOf(e) < until);
  assert.equal(entities.secondOf(entity), until + 1);
  assert.equal(entities.newStroke(now, () => true), 0);
});
