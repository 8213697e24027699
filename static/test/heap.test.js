// How high a heap of chips is drawn, and how long motions take.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { currency } from '../js/kinds/currency.js';
import { drawHeap, layersOf } from '../js/parts/abilities/heap.js';
import { FLIGHT, shuffleAside, stepSlide, USUAL } from '../js/view/animate.js';

test('T34 a heap of one chip is flat, and more are higher up to a bound', () => {
  assert.equal(layersOf(1), 0);
  assert.equal(layersOf(2), 1);
  assert.ok(layersOf(100) > layersOf(50) && layersOf(50) > layersOf(10));
  assert.equal(layersOf(1000), layersOf(1_000_000_000));
});

/** An element that keeps its attributes and children. */
class Element {
  attributes = new Map();
  /** @type {Element[]} */
  children = [];
  style = { setProperty() {} };

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  addEventListener() {}

  querySelectorAll() {
    return [...this.children];
  }

  /** @param {Element[]} added */
  prepend(...added) {
    for (const e of added) e.remove = () => this.children.splice(this.children.indexOf(e), 1);
    this.children.unshift(...added);
  }

  remove() {}
}

test('T34 the chips under a heap that is turned over show the same face as the uppermost', () => {
  const globals = /** @type {any} */ (globalThis);
  globals.document = { createElement: () => new Element() };
  const s = /** @type {any} */ ({
    catalog: {
      kinds: [{ shape: 'round', faces: [{ name: '', art: 'front' }, { name: '', art: 'back' }] }],
      album: new Map(), base: '',
    },
    parts: { abilities: { drawHeap } },
  });
  const p = /** @type {any} */ ({ el: new Element(), art: 'front' });
  const under = () =>
    p.el.children.flatMap((/** @type {Element} */ e) => e.getAttribute('src') ?? []);
  const front = /** @type {any} */ ({ kind: 0, face: 0, value: 5 });
  currency.draw?.(s, p, front, null);
  assert.deepEqual(under(), ['front']);
  const between = p.el.children[1].style.boxShadow.split(', ');
  assert.equal(between.length, layersOf(5) - 1, 'the edges of the chips between');
  // The uppermost still shows its front: it is just being turned over.
  currency.draw?.(s, p, { ...front, face: 1 }, front);
  assert.deepEqual(under(), ['back']);
  delete globals.document;
});

test('the card table has chips in five colours, each with a picture of its own', () => {
  const file = new URL('../games/cards.json', import.meta.url);
  const chips = JSON.parse(readFileSync(file, 'utf8')).kinds.filter(
    (/** @type {{currency?: object}} */ k) => k.currency,
  );
  assert.equal(chips.length, 5);
  assert.equal(new Set(chips.map((/** @type {any} */ k) => k.faces[0].art)).size, 5);
});

test('a flight and a riffle take no more than 200 ms', () => {
  assert.ok(USUAL <= 200 && FLIGHT <= 200);
  const p = /** @type {import('../js/view/state.js').Shown} */ (
    /** @type {unknown} */ ({ x: 0, y: 0, angle: 0, w: 60, slide: null })
  );
  shuffleAside(p, 1, 1000);
  assert.equal(stepSlide(p, 1100), true);
  assert.notEqual(p.x, 0, 'it goes aside');
  assert.equal(stepSlide(p, 1200), false);
  assert.equal(p.x, 0);
});
