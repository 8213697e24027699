// Fronts and backs of cards (T94).

import assert from 'node:assert/strict';
import test from 'node:test';
import { nextOnSide, nextSide } from '../js/parts/controls/faces.js';
import { predict } from '../js/sync/predict.js';
import { isBack, nextFace } from '../js/view/catalog.js';

const [MASK, KNIGHT, PAGE, TOKEN] = [0, 1, 2, 3];
const face = { name: '', art: '' };

/** @type {any} a mask with two backs, a card with three fronts, one with one, and a token */
const catalog = {
  kinds: [
    { faces: [face, face] },
    { secret: true, mask: MASK, faces: [face, face, face, face, face] },
    { secret: true, mask: MASK, faces: [face, face, face] },
    { faces: [face, face, face] },
  ],
  masks: new Set([MASK]),
};

test('T94.9 the next front and the next back', () => {
  const next = (/** @type {number} */ kind) => [0, 1, 2, 3, 4].map((up) =>
    nextOnSide(catalog, { kind, face: up }));
  assert.deepEqual(next(KNIGHT), [3, 2, 1, 4, 0], 'three fronts, two backs');
  assert.deepEqual(next(PAGE).slice(0, 3), [-1, 2, 1], 'one front');
  assert.deepEqual(next(MASK).slice(0, 2), [2, 1], 'a concealed card has backs alone');
  assert.deepEqual(next(TOKEN).slice(0, 3), [-1, -1, -1]);
});

test('T94.9 a flip turns a card between front and back', () => {
  const flip = (/** @type {number} */ kind) => [0, 1, 2, 3, 4].map((up) =>
    nextFace(catalog, { kind, face: up }));
  assert.deepEqual(flip(KNIGHT), [1, 0, 0, 1, 1]);
  assert.deepEqual(flip(MASK).slice(0, 2), [0, 0]);
  assert.deepEqual(flip(TOKEN).slice(0, 3), [1, 2, 0]);
  assert.equal(isBack(catalog, { kind: MASK, face: 1 }), false, 'a mask is a kind of its own');
});

test('T94.9 the action says which side it turns', () => {
  const label = (/** @type {number} */ kind, /** @type {number} */ up) =>
    nextSide.label(/** @type {any} */ ({ catalog }), [/** @type {any} */ ({ kind, face: up })]);
  assert.equal(label(KNIGHT, 3), 'Next front');
  assert.equal(label(KNIGHT, 2), 'Next back');
  assert.equal(label(MASK, 0), 'Next back');
});

test('T94.1 what the page predicts of a concealed card', () => {
  const context = { you: 1, at: 0, clock: null, bounds: null, players: [] };
  /** @param {number} up @param {number} to @param {boolean} isMask */
  const turned = (up, to, isMask) =>
    predict(/** @type {any} */ ({ face: up }), 'flip', { face: to }, { ...context, isMask }).face;
  assert.equal(turned(0, 2, true), 1, 'its other back');
  assert.equal(turned(1, 0, true), 1, 'the front is not known yet');
  assert.equal(turned(0, 4, false), 4);
});
