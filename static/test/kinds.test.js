// Each kind of piece is complete: the client knows every ability of the server, and of each what
// the shared code asks for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { ABILITIES, abilityOf } from '../js/kinds/abilities.js';
import { operationOf } from '../js/parts/abilities/operations.js';
import { noParts } from '../js/parts.js';
import { FORMS } from '../js/sync/operations.js';
import { sources } from './sources.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */

const KINDS = new URL('../js/kinds/', import.meta.url);
const GAME = new URL('../../server/play/game/', import.meta.url);

/** Modules of the folder that are no abilities. */
const SHARED = ['abilities.js', 'ability.js', 'values.js'];

/** The abilities of the server: their source by their field in catalogues. */
const ON_SERVER = new Map(
  readdirSync(GAME)
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => readFileSync(new URL(name, GAME), 'utf8'))
    .flatMap((text) => {
      const [, field] = text.match(/= ability\{\s*field:\s*"(\w+)"/) ?? [];
      return field ? [/** @type {[string, string]} */ ([field, text])] : [];
    }),
);

/** The names of all icons. */
const ICONS = new Set(
  sources().flatMap(({ text }) => [...text.matchAll(/^ +(\w+):\s+'M/gm)].map(([, name]) => name)),
);

/** @param {Partial<Kind>} rest @returns {Kind} */
const kind = (rest) => ({
  name: '', width: 1, height: 1, shape: 'rect', weight: 'light', secret: false, faces: [], ...rest,
});

test('the abilities are those of the server, and each has a module', () => {
  assert.deepEqual(Object.keys(ABILITIES).sort(), [...ON_SERVER.keys()].sort());
  const modules = readdirSync(KINDS).filter((name) => !SHARED.includes(name));
  const list = readFileSync(new URL('abilities.js', KINDS), 'utf8');
  for (const name of modules) assert.ok(list.includes(`from './${name}'`), `${name} is not listed`);
  assert.equal(modules.length, Object.keys(ABILITIES).length);
});

for (const [field, ability] of Object.entries(ABILITIES)) {
  test(`the ability ${field} is complete`, () => {
    assert.equal(abilityOf(kind({ [field]: {} })), ability, 'a catalogue that has it');
    const parts = [...(ability.parts ?? []), ...(ability.onTable ? [ability.onTable] : [])];
    assert.ok(parts.length > 0, 'it needs no part');
    for (const name of parts) assert.ok(name in noParts(), `there is no part ${name}`);
    const isWritten = /\bwritten:\s*true/.test(ON_SERVER.get(field) ?? '');
    assert.equal(ability.writes !== undefined, isWritten, 'something is written on its display');
    const ops = [
      ...Object.keys(ability.effects ?? {}), ...Object.keys(ability.operations ?? {}),
    ];
    for (const op of ops) assert.ok(Object.hasOwn(FORMS, op), `there is no operation ${op}`);
  });
}

test('the client knows each operation that a kind offers, with an icon', () => {
  const offers = [...readdirSync(GAME)]
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, GAME), 'utf8').matchAll(/\bOp: "(\w+)"/g),
    ].map(([, op]) => op));
  assert.ok(new Set(offers).size > 15, `found only ${offers}`);
  for (const op of offers) {
    const { icon } = operationOf(op);
    const names = typeof icon === 'string'
      ? [icon]
      : [{}, { with: { n: 1, seat: 1 } }, { with: { n: -1, seat: 0 } }].map(
        (rest) => icon({ op, label: '', ...rest }),
      );
    for (const name of names) {
      assert.notEqual(name, 'other', op);
      assert.ok(ICONS.has(name), `${op} has the icon ${name}, which does not exist`);
    }
  }
});

test('a kind without an ability has none', () => {
  assert.deepEqual(abilityOf(kind({})), {});
});
