// No module of the client imports itself by way of others.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../js/', import.meta.url));

/** What each module imports. @returns {Map<string, string[]>} */
function graph() {
  const modules = new Map();
  for (const name of readdirSync(ROOT, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(ROOT, name), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export)[^;]*? from '(\.[^']*)'/gm)];
    modules.set(name, imports.map(([, path]) => normalize(join(dirname(name), path))));
  }
  return modules;
}

/**
 * Returns the first cycle of a graph; empty if there is none.
 * @param {Map<string, string[]>} modules
 */
function cycleIn(modules) {
  const done = new Set();
  /** @type {string[]} */
  const path = [];
  /** @param {string} name @returns {string[]} */
  const visit = (name) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return [];
    path.push(name);
    for (const other of modules.get(name) ?? []) {
      const cycle = visit(other);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(name);
    return [];
  };
  for (const name of modules.keys()) {
    const cycle = visit(name);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('no import cycles exist among the client’s modules', () => {
  const modules = graph();
  assert.ok((modules.get('main.js')?.length ?? 0) > 20, 'the test has found the imports');
  assert.deepEqual(cycleIn(modules), []);
});

test('the test finds a cycle', () => {
  assert.deepEqual(cycleIn(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]])), ['b', 'c', 'b']);
});
