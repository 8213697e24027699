import assert from 'node:assert/strict';
import test from 'node:test';
import { followCatalog } from '../js/view/newestcatalog.js';

/** Runs everything that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A page whose requests for catalogues the test answers. */
function page() {
  const world = {
    named: '',
    /** @type {{hash: string, resolve: (c: string) => void, reject: (e: Error) => void}[]} */
    asked: [],
    /** @type {string[]} */
    taken: [],
    failed: 0,
  };
  const follow = followCatalog({
    named: () => world.named,
    load: (hash) =>
      new Promise((resolve, reject) => world.asked.push({ hash, resolve, reject })),
    take: (/** @type {string} */ catalog) => world.taken.push(catalog),
    onFailed: () => world.failed++,
  });
  /** A frame announces a catalogue. @param {string} hash */
  const announce = (hash) => {
    world.named = hash;
    follow.check();
  };
  return Object.assign(world, { follow, announce });
}

test('T37.11 the page fetches the catalogue that was announced last, once', async () => {
  const p = page();
  p.follow.want('');
  assert.equal(p.asked.length, 0);
  for (const hash of ['one', 'one', 'two', 'two']) p.announce(hash);
  assert.deepEqual(p.asked.map(({ hash }) => hash), ['one', 'two']);
  p.asked[1].resolve('kinds of two');
  p.asked[0].resolve('kinds of one'); // it comes later, and is out of date
  await settle();
  assert.deepEqual(p.taken, ['kinds of two']);
});

test('T37.11 after a failure only the catalogue announced last is fetched again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const p = page();
  p.announce('one');
  p.asked[0].reject(new Error('no network'));
  await settle();
  assert.equal(p.failed, 1);
  t.mock.timers.tick(3000);
  assert.deepEqual(p.asked.map(({ hash }) => hash), ['one', 'one']);
  p.asked[1].reject(new Error('no network'));
  await settle();
  p.announce('two');
  t.mock.timers.tick(3000);
  assert.deepEqual(p.asked.map(({ hash }) => hash), ['one', 'one', 'two']);
  p.asked[2].resolve('kinds of two');
  await settle();
  assert.deepEqual(p.taken, ['kinds of two']);
  p.follow.stop();
});
