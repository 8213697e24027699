// Pieces of a hand are deleted after a question, also if they get other names while it is open
// (T21).

import assert from 'node:assert/strict';
import test from 'node:test';
import { actions } from '../js/parts/controls/actions.js';
import { createPending } from '../js/input/pending.js';
import { createBars } from '../js/bars/state.js';
import { createListeners } from '../js/listeners.js';

const NEW = 70_000;

/** A page on which the pieces 1 and 2 of a hand are about to be deleted: the question is open. */
function asked() {
  const piece = (/** @type {number} */ id) => ({ id, kind: 0, face: 0, owner: 1 });
  const pieces = new Map([[1, piece(1)], [2, piece(2)]]);
  /** @type {number[]} */
  const deleted = [];
  /** @type {string[]} */
  const notices = [];
  /** @type {string[]} */
  const offers = [];
  const answers = { yes: () => {}, closed: () => {} };
  /** @type {any} */
  const s = {
    sync: {
      pieces,
      make: (/** @type {string} */ op, /** @type {{piece: number}} */ args) => {
        assert.equal(op, 'delete');
        deleted.push(args.piece);
        return deleted.length;
      },
    },
    catalog: { kinds: [{ name: 'Pawn', faces: [{ name: '', art: '' }] }], masks: new Set() },
    view: { dirty: new Set() }, pending: createPending(), bars: createBars(),
    listeners: createListeners(), net: { flush() {} }, redraw() {},
    parts: {
      undo: { offer: (/** @type {any[]} */ ...[, , text]) => offers.push(text) },
      dialogs: {
        confirm: (/** @type {any[]} */ ...[, , yes, closed]) =>
          Object.assign(answers, { yes, closed }),
      },
    },
  };
  const voice = /** @type {any} */ ({ notice: (/** @type {string} */ t) => notices.push(t) });
  const meant = /** @type {any[]} */ ([...pieces.values()]);
  actions.find(({ id }) => id === 'remove')?.run(s, meant, voice);
  const rename = (/** @type {number} */ from, /** @type {number} */ to) => {
    pieces.delete(from);
    pieces.set(to, piece(to));
    for (const renamed of s.listeners.renamed) renamed(from, to);
  };
  return { s, pieces, deleted, notices, offers, answers, rename };
}

test('T21 pieces with new names are deleted, too', () => {
  const { deleted, notices, offers, answers, rename } = asked();
  rename(2, NEW);
  rename(NEW, NEW + 1);
  answers.yes();
  assert.deepEqual([deleted, notices], [[1, NEW + 1], []]);
  assert.deepEqual(offers, ['You deleted 2 pieces.']);
});

test('of pieces that others delete meanwhile, the rest is deleted', () => {
  const { pieces, deleted, notices, answers } = asked();
  pieces.delete(1);
  answers.yes();
  assert.deepEqual([deleted, notices], [[2], []]);
});

test('the page says so if others have deleted all of them', () => {
  const { pieces, deleted, notices, answers } = asked();
  pieces.clear();
  answers.yes();
  assert.deepEqual([deleted, notices], [[], ['Somebody has just deleted 2 pieces.']]);
});

test('nobody follows the names after the question is closed', () => {
  const { s, answers } = asked();
  assert.equal(s.listeners.renamed.length, 1);
  answers.closed();
  assert.equal(s.listeners.renamed.length, 0);
});
