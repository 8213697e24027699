// Each folder of the client owns a part of the page's state (static/js/state.js): only it writes
// that part.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const ROOT = fileURLToPath(new URL('../js/', import.meta.url));

/** Who may write each part of the state: a folder or a file. @type {Record<string, string>} */
const OWNERS = {
  connection: 'net/', view: 'view/', input: 'input/', pending: 'input/pending.js', bars: 'bars/',
  relay: 'relay/', listeners: 'listeners.js', catalog: 'main.js', ready: 'main.js', net: 'main.js',
  load: 'parts.js', parts: 'parts.js', redraw: 'view/render.js', partState: 'parts/',
};

const ASSIGNMENT = /\s*(?:[-+*/|&?]{0,2}=(?![=>])|\+\+|--)/.source;
/** A method of a collection that changes it. */
const CHANGE = /\.(?:add|set|delete|clear|push|splice|pop|shift|reset)\(/.source;
/** A write to a part of the state, or to something in it. */
const WRITE = new RegExp(`\\bs\\.(\\w+)(?:\\.\\w+)*?(?:${ASSIGNMENT}|${CHANGE})`, 'g');

/**
 * Returns the writes in a text, each with the part of the state that it changes.
 * @param {string} text
 */
function writesIn(text) {
  return [...text.matchAll(WRITE)]
    .filter(([, part]) => Object.hasOwn(OWNERS, part))
    .map(([write, part]) => ({ write, part }));
}

test('only its owner writes a part of the state', () => {
  /** @type {string[]} */
  const strays = [];
  let own = 0;
  for (const name of readdirSync(ROOT, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    for (const { write, part } of writesIn(readFileSync(ROOT + name, 'utf8'))) {
      if (name.startsWith(OWNERS[part])) own++;
      else strays.push(`${name}: ${write}`);
    }
  }
  assert.deepEqual(strays, []);
  assert.ok(own > 50, `the test has found only ${own} writes`);
});

test('the ownership check finds writes and ignores reads', () => {
  const parts = (/** @type {string} */ text) => writesIn(text).map(({ part }) => part);
  const writes = [
    's.input.carry = null;', 's.view.dirty.add(1);', 's.view.camera.sx -= 2;',
    'this.#s.bars.dirty = true;', 's.input.take++;',
  ];
  assert.deepEqual(parts(writes.join(' ')), ['input', 'view', 'view', 'bars', 'input']);
  const reads = [
    'if (s.input.take === 0 && s.view.dirty.has(1))', 'f(s.ready, (s) => s.input.take <= 3);',
    's.sync.now = f;',
  ];
  assert.deepEqual(parts(reads.join(' ')), []);
});
