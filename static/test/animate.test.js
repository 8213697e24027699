// Slides of pieces that turn.

import assert from 'node:assert/strict';
import test from 'node:test';
import { slideTo, stepSlide } from '../js/view/animate.js';

/** @param {number} angle @returns {any} a piece at that angle */
const at = (angle) => ({ x: 0, y: 0, angle, w: 10, slide: null });

test('K5.5 an angle is drawn modulo 36000, and a piece turns the shorter way', () => {
  for (const [from, to, end] of [
    [0, 37000, 1000], [0, -1000, 35000], [35000, 1000, 1000], [1000, 35000, 35000],
    [0, 36000, 0], [35999, 72000, 0], [0, -72001, 35999], [9000, 27000, 27000],
  ]) {
    const p = at(from);
    slideTo(p, 0, 0, to, 100, 0);
    assert.equal(stepSlide(p, 50), true);
    const turned = Math.abs(p.angle - from);
    assert.ok(turned <= 18000, `from ${from} to ${to} it has turned by ${turned} halfway`);
    assert.equal(stepSlide(p, 100), false);
    assert.equal(p.angle, end, `from ${from} to ${to}`);
  }
});
