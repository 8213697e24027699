// What a catalogue needs of the page, and what the witness of randomness receives when it comes
// late.

import assert from 'node:assert/strict';
import test from 'node:test';
import { relayRandomness } from '../js/relay/randomness.js';
import { partsFor, partsForPlay } from '../js/parts.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/relay/randomness.js').News} Told */

/** @param {Partial<Kind>} rest @returns {Kind} */
const kind = (rest) => ({
  name: '', width: 1, height: 1, shape: 'rect', weight: 'light', secret: false, faces: [], ...rest,
});

test('T92 what belongs to a side has its name, though its kind does nothing', () => {
  const side = { name: 'South', angle: 0, colour: '#112233' };
  assert.deepEqual(partsFor([kind({})], [side]), []);
  assert.deepEqual(partsFor([kind({})], [{ ...side, pieces: [1] }]), ['abilities']);
});

test('a catalogue loads only the parts that its kinds need', () => {
  /** @type {[string, Partial<Kind>, string[], string[]?][]} */
  const rows = [
    ['a plain piece', {}, []],
    [
      'a clock, as in every box',
      { clock: { counts: 'down', initial: 0, increment: 0, displays: [] } }, [],
    ],
    ['a card', { secret: true, mask: 0 }, ['abilities', 'cards'], ['fairness']],
    ['a hand', { hand: true }, ['abilities', 'cards']],
    [
      'a deck', { container: { draws: 'top' }, offers: [{ op: 'draw', label: 'Draw' }] },
      ['abilities', 'cards'], ['fairness'],
    ],
    ['a die', { die: { cooldown: 0 } }, ['abilities'], ['fairness']],
    ['a counter', { counter: { min: 0, max: 1, initial: 0 } }, ['abilities']],
    ['currency', { currency: { initial: 1 } }, ['abilities', 'cards']],
    ['a note', { text: { initial: '' } }, ['abilities']],
    ['a label', { seat: 'label' }, ['abilities']],
    ['an hourglass', { hourglass: { duration: 60_000 } }, ['abilities']],
    ['a zone, whose part comes with it', { zone: { lay: 'pile', turns: 'keep' } }, []],
    ['a supply', { supply: { of: 'Coin' } }, ['abilities', 'cards']],
    ['a button', { button: { who: 'host', cooldown: 0, steps: [] } }, ['abilities']],
    [
      'an unknown offer',
      { offers: [{ op: 'sing', label: 'Sing' }] }, ['abilities'],
    ],
  ];
  for (const [name, rest, want, later = []] of rows) {
    const kinds = [kind({}), kind(/** @type {any} */ (rest))];
    assert.deepEqual(partsFor(kinds, []), want, name);
    assert.deepEqual(partsForPlay(kinds), ['controls', ...later], `to play with ${name}`);
  }
});

/** A page without a witness. `asked` counts the requests for it, and come() delivers it. */
function page() {
  /** @type {Told[]} */
  const heard = [];
  const s = /** @type {any} */ ({ relay: {}, load: () => new Promise(() => {}) });
  let asked = 0;
  s.load = (/** @type {string} */ name) => {
    assert.equal(name, 'fairness');
    asked++;
    return new Promise((done) => {
      s.arrive = () => {
        s.relay.bindWitness((/** @type {Told} */ told) => heard.push(told));
        done(null);
      };
    });
  };
  return { receive: relayRandomness(s), heard, asked: () => asked, come: () => s.arrive() };
}

/** @param {Partial<Told>} rest @returns {Told} */
const told = (rest) => ({ full: false, resumed: false, randomness: null, facts: [], ...rest });

/** @param {number} round @returns {any} */
const opened = (round) => ({ fact: 'opened', round, commitment: '', before: '' });

test('S17.18 a witness that loads late gets all facts since the full state', async () => {
  const p = page();
  const rounds = (/** @type {number} */ round) => /** @type {any} */ ({ round });
  p.receive(told({ full: true, randomness: rounds(1) }));
  p.receive(told({}));
  assert.equal(p.asked(), 0, 'without facts no witness is needed');
  p.receive(told({ facts: [opened(2)] }));
  p.receive(told({ facts: [opened(3)] }));
  assert.equal(p.asked(), 1);
  p.receive(told({ full: true, randomness: rounds(3) }));
  p.receive(told({ facts: [opened(4)] }));
  p.come();
  await Promise.resolve();
  assert.deepEqual(p.heard, [
    told({ full: true, randomness: rounds(3) }), told({ facts: [opened(4)] }),
  ]);
  p.receive(told({ resumed: true, facts: [opened(5)] }));
  assert.deepEqual(p.heard.at(-1), told({ resumed: true, facts: [opened(5)] }));
});
