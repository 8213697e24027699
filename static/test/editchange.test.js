// How kinds of the table change: from the catalogue to a game file, with another size and look.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  changedKinds, changesWith, fileKind, lookOf, ownSides, picturesIn, resized, withLook,
} from '../js/parts/edit/change.js';

const HASH = 'ab'.repeat(32);
const box = { width: 600, height: 800, shape: 'card' };

/** A catalogue: a back, two cards, a deck, a die and an unknown card. */
const kinds = [
  { name: 'Back', ...box, weight: 'light', secret: false, faces: [
    { name: 'Back', art: 'x', layers: [{ colour: '#112233' }] },
  ] },
  ...['Ace', 'King'].map((name) => ({
    name, ...box, weight: 'light', secret: true, mask: 0, offers: [{ op: 'flip' }], faces: [
      { name, art: 'y', layers: [{ colour: '#ffffff' }, { text: name, x: 60, y: 80, width: 480,
        height: 640, size: 100 }] },
      { name: 'Back', art: 'x', layers: [{ colour: '#112233' }] },
    ],
  })),
  { name: 'Deck', width: 700, height: 900, shape: 'rect', weight: 'heavy', secret: false,
    container: { draws: 'top', takes: 0 }, faces: [{ name: 'Deck', art: HASH }] },
  { name: 'not known yet', ...box, weight: 'light', secret: true, mask: 0, unknown: true,
    faces: [
      { name: '?', art: HASH }, { name: 'Back', art: 'x', layers: [{ colour: '#112233' }] },
    ] },
];

test('T104 a kind of a catalogue becomes one of a game file, and the catalogue stays', () => {
  const before = JSON.stringify(kinds);
  const ace = fileKind(kinds, 1);
  assert.deepEqual(
    [ace.mask, ace.secret, 'offers' in ace, 'art' in ace.faces[0]], ['Back', true, false, false],
  );
  assert.deepEqual(fileKind(kinds, 3).container, { draws: 'top', takes: 'Back' });
  assert.equal('secret' in fileKind(kinds, 3), false);
  assert.equal(JSON.stringify(kinds), before);
});

test('T104 the cards of a back change with it, in size and look', () => {
  assert.deepEqual(changesWith(kinds, 0), [0, 1, 2]);
  assert.deepEqual(changesWith(kinds, 1), [1]);
  const back = { ...resized(fileKind(kinds, 0), 300, 400), name: 'Red back' };
  back.faces = [withLook(back.faces[0], back, { colour: '#aa0000', text: '' })];
  const [to, ace, king] = changedKinds(kinds, 0, back);
  assert.equal(to, back);
  for (const [card, name] of /** @type {const} */ ([[ace, 'Ace'], [king, 'King']])) {
    assert.deepEqual([card.name, card.mask, card.width, card.height], [name, 'Red back', 300, 400]);
    assert.equal(card.faces[1].layers[0].colour, '#aa0000');
    assert.deepEqual(card.faces[0].layers[1], { text: name, x: 30, y: 40, width: 240, height: 320,
      size: 50 });
  }
});

test('T104 of a card only those sides can be changed that are not the back', () => {
  assert.deepEqual(ownSides(kinds, 1), [0]);
  assert.deepEqual(ownSides(kinds, 3), [0]);
  /** @type {any[]} */
  const more = structuredClone(kinds);
  more[1].faces.push({ name: 'Other', art: HASH });
  assert.deepEqual(ownSides(more, 1), [0, 2]);
});

test('T104 everything on a kind keeps its place when the size changes', () => {
  const board = {
    ...box, faces: [{ name: 'B', art: HASH }], display: { x: 10, y: 20, width: 100, height: 40 },
    grid: { x: 50, y: 60, stepX: 100, stepY: 120, columns: 8, rows: 8 },
    snaps: { reach: 30, points: [{ x: 10, y: 10, name: 'a' }] },
    zone: { lay: 'column', gap: 100 },
    clock: { displays: [{ x: 2, y: 4, width: 20, height: 20 }] },
  };
  const to = resized(board, 1200, 400);
  assert.deepEqual(to.display, { x: 20, y: 10, width: 200, height: 20 });
  assert.deepEqual(to.grid, { x: 100, y: 30, stepX: 200, stepY: 60, columns: 8, rows: 8 });
  assert.deepEqual(to.snaps, { reach: 30, points: [{ x: 20, y: 5, name: 'a' }] });
  assert.deepEqual(to.zone, { lay: 'column', gap: 50 });
  assert.deepEqual(to.clock.displays, [{ x: 4, y: 2, width: 40, height: 10 }]);
  assert.equal(resized(board, 600, 800), board);
});

test('T104 another look keeps what a side has beside its ground', () => {
  const plate = { colour: '#ffffff', x: 10, y: 10, width: 100, height: 100 };
  const title = { text: 'Points', colour: '#000000', x: 5, y: 5, width: 90, height: 20 };
  const side = { name: 'Front', layers: [{ colour: '#123456' }, title, plate] };
  assert.deepEqual(lookOf(side), { colour: '#123456', text: 'Points', hasPicture: false });
  const blue = withLook(side, box, { colour: '#000080', text: 'Score' });
  assert.deepEqual(blue.layers, [
    { colour: '#000080' }, { ...title, text: 'Score', colour: '#ffffff' }, plate,
  ]);
  const pictured = withLook(side, box, { colour: '#000080', text: 'Score', art: HASH });
  assert.deepEqual(pictured.layers, [{ art: HASH, fit: 'cover' }, plate]);
  assert.equal(lookOf(pictured).hasPicture, true);
  assert.deepEqual(withLook({ name: 'F', art: HASH }, box, { colour: '#000080', text: '' }),
    { name: 'F', layers: [{ colour: '#000080' }] });
  assert.deepEqual(picturesIn([{ faces: [pictured, { name: 'F', art: 'c' }, side] }]), [HASH, 'c']);
});
