import assert from 'node:assert/strict';
import test from 'node:test';
import { pathOf } from '../js/parts/dialogs/qr.js';

test('a QR code is a path with a rectangle for each run of dark cells', () => {
  assert.equal(pathOf(['101', '000', '111']), 'M0 0h1v1h-1zM2 0h1v1h-1zM0 2h3v1h-3z');
});
