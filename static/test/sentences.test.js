// The sentences of buttons in the editor: they say all that steps can be, and nothing is lost on
// the way there and back.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { buttonOf, doesNothing, doesOf } from '../js/parts/edit/sentences/does.js';
import { faultsIn, wholeFault } from '../js/parts/edit/sentences/faults.js';
import { fits, fitting } from '../js/parts/edit/sentences/fits.js';
import { FORMS, formOf } from '../js/parts/edit/sentences/forms.js';
import * as model from '../js/parts/edit/sentences/model.js';
import { begin } from '../js/parts/edit/sentences/start.js';
import {
  joined, lacks, optionsOf, partsOf, saysOf, split,
} from '../js/parts/edit/sentences/words.js';

/** @typedef {import('../js/kinds/button.js').Step} Step */
/** @typedef {import('../js/parts/edit/sentences/forms.js').FormName} FormName */
/** @typedef {import('../js/parts/edit/sentences/fits.js').Choice} Choice */
/** @typedef {import('../js/parts/edit/sentences/words.js').Context} Context */
/** @typedef {import('../js/parts/edit/sentences/model.js').Sentence} Sentence */

const ROOT = new URL('../../', import.meta.url);
const NAMES = /** @type {FormName[]} */ (Object.keys(FORMS));

/** @param {string} name @param {object} [has] @param {Partial<Choice>} [more] @returns {Choice} */
const choice = (name, has, more) => ({
  name, label: name, isMask: false, isThere: true, ...more,
  kind: /** @type {any} */ ({ name, weight: 'light', faces: [{ name: 'Front' }], ...has }),
});

const heavy = { weight: 'heavy' };
const two = { faces: [{ name: 'Heads' }, { name: 'Tails' }] };
/** The kinds of a table. */
const CHOICES = [
  choice('Card', {}, { isMask: true }),
  choice('Ace', { secret: true, ...two }),
  choice('Deck', { ...heavy, container: { draws: 'top', takes: 0 } }),
  choice('Bag', { ...heavy, container: { draws: 'random' } }),
  choice('Hidden', { ...heavy, container: { draws: 'top' }, counted: false }),
  choice('Hand', { ...heavy, hand: true }),
  choice('Row', { ...heavy, zone: { lay: 'row' } }),
  choice('Field', { ...heavy, zone: { lay: 'free' } }),
  choice('Coin', two),
  choice('Die', { die: { cooldown: 0 }, faces: [{}, {}, {}] }),
  choice('Score', { ...heavy, counter: { min: 0, max: 20, initial: 5 } }),
  choice('Turn', { seat: 'turn' }),
  choice('Clock', { clock: { displays: [{}, {}] } }),
];

/** @param {Sentence[]} sentences @returns {Context} */
const among = (...sentences) => ({
  sentences, choices: CHOICES, setups: ['Short game'], isForSeat: false,
});

/**
 * Makes an `if`. Written as it stands, it would look like a promise.
 * @param {object} has
 * @param {Step[]} yes
 * @param {Step[]} [no]
 * @returns {Step}
 */
const when = (has, yes, no) =>
  Object.fromEntries([...Object.entries({ do: 'if', ...has }), ['then', yes],
    ...(no ? [['else', no]] : [])]);

const ROLL = { do: 'roll', kind: 'Die' };
const DEAL = { do: 'deal', kind: 'Deck', n: 1 };
const EACH = { do: 'each seat', steps: [DEAL] };

/** All steps of which a game file can consist, each behind the questions that it needs. */
const ALL = /** @type {[FormName, Step[]][]} */ ([
  ['deal', [{ do: 'deal', kind: 'Deck', n: 5 }]],
  ['move', [{ do: 'move', kind: 'Deck', n: 2, to: 'Row', face: 0 }]],
  ['move', [{ do: 'move', kind: 'Bag', n: 2, to: 'Row', face: 1 }]],
  ['move', [{ do: 'move', kind: 'Bag', n: 2, to: 'Row' }]],
  ['shuffle', [{ do: 'shuffle', kind: 'Deck' }]],
  ['recall', [{ do: 'recall', kind: 'Deck' }]],
  ['sort', [{ do: 'sort', kind: 'Row' }]],
  ['roll', [{ do: 'roll', kind: 'Die' }]],
  ['flip', [{ do: 'flip', kind: 'Coin' }]],
  ['face', [{ do: 'face', kind: 'Die', face: 2 }]],
  ['rotate', [{ do: 'rotate', kind: 'Coin', by: 4501 }]],
  ['add', [{ do: 'count', kind: 'Score', add: -3 }]],
  ['set', [{ do: 'count', kind: 'Score', set: 0 }]],
  ['pass', [{ do: 'pass', kind: 'Turn' }]],
  ['pass', [{ do: 'pass', kind: 'Turn', reverse: true }]],
  ['start', [{ do: 'start', kind: 'Clock' }]],
  ['start', [{ do: 'start', kind: 'Clock', side: 2 }]],
  ['pause', [{ do: 'pause', kind: 'Clock' }]],
  ['reset', [{ do: 'reset', kind: 'Clock' }]],
  ['ifValue', [when({ of: 'value', kind: 'Score', is: '>=', n: 0 }, [ROLL],
    [{ do: 'flip', kind: 'Coin' }])]],
  ['ifHolds', [when({ of: 'holds', kind: 'Deck', is: '<', n: 5 }, [DEAL])]],
  ['ifPieces', [when({ of: 'pieces', kind: 'Card', is: '=', n: 1 }, [ROLL])]],
  ['ifInZone', [when({ of: 'pieces', in: 'Row', is: '<=', n: 3 }, [ROLL])]],
  ['ifInZone', [when({ of: 'pieces', kind: 'Coin', in: 'Field', is: '>', n: 3 },
    [when({ of: 'value', kind: 'Score', is: '=', n: 2 }, [ROLL])])]],
  ['each', [EACH]],
  ['setUp', [{ do: 'set up' }]],
  ['setUp', [{ do: 'set up', name: 'Short game' }]],
  ['askNumber', [
    { do: 'ask', name: 'N', question: 'How many?', for: 'number', min: 1, max: 5, initial: 2 },
    { do: 'deal', kind: 'Deck', n: { answer: 'N' } },
    { do: 'move', kind: 'Deck', n: { answer: 'N' }, to: 'Row' },
    { do: 'count', kind: 'Score', add: { answer: 'N' } },
    { do: 'count', kind: 'Score', set: { answer: 'N' } },
    when({ of: { answer: 'N' }, is: '>', n: 3 }, [ROLL]),
  ]],
  ['askChoice', [
    { do: 'ask', name: 'C', question: 'Which?', for: 'choice', choices: ['Yes', 'No, never'] },
    when({ of: { answer: 'C' }, is: 'No, never' }, [ROLL], [EACH]),
  ]],
  ['askSeat', [
    { do: 'ask', name: 'S', question: 'Who?', for: 'seat' },
    { do: 'each seat', seat: { answer: 'S' }, steps: [DEAL] },
  ]],
  ['askPiece', [
    { do: 'ask', name: 'P', question: 'Which one?', for: 'piece', kind: 'Coin' },
    { do: 'flip', kind: { answer: 'P' } },
    { do: 'move', kind: 'Deck', n: 1, to: { answer: 'P' } },
  ]],
]);

/** @param {Step[]} steps */
function read(steps) {
  const sentences = model.read(steps);
  assert.ok(sentences, JSON.stringify(steps));
  return sentences;
}

test('sentences say each step that there is, and become the same steps', () => {
  const found = new Set(ALL.map(([form]) => form));
  for (const [form, steps] of ALL) {
    const sentences = read(steps);
    for (const one of model.all(sentences)) found.add(one.form);
    assert.equal(sentences[0].form, form);
    assert.deepEqual(model.write(sentences), steps);
    assert.deepEqual([...faultsIn(sentences, CHOICES)].filter(([, fault]) => fault), [],
      `${form}: nothing is wrong`);
  }
  assert.deepEqual(NAMES.filter((name) => !found.has(name)), [], 'every form was there');
});

test('each verb that a game file may have is in a form', () => {
  const schema = readFileSync(new URL('server/play/game/button.go', ROOT), 'utf8');
  const verbs = [...schema.matchAll(/^\tdo\w+\s+= "(.*)"$/gm)].map(([, verb]) => verb);
  assert.ok(verbs.length > 15);
  const known = new Set(NAMES.map((name) => formOf(name).verb));
  assert.deepEqual(verbs.filter((verb) => !known.has(verb)), []);
});

test('the buttons of all games become the same steps', () => {
  const folders = ['static/games/', 'docs/guides/samples/'].map((name) => new URL(name, ROOT));
  let n = 0;
  for (const folder of folders)
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.json')) continue;
      const game = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      const { kinds = [], templates = [] } = game;
      for (const { button } of [...kinds, ...templates]) {
        if (!button) continue;
        n++;
        for (const step of button.steps)
          if (step.for === 'number') step.initial ??= step.min;
        const { who = 'players', cooldown = 0, steps } = button;
        const does = doesOf({ who, cooldown, steps });
        assert.ok(does, `${name}: ${JSON.stringify(button)}`);
        const { who: by = 'players', cooldown: least = 0, steps: again } = buttonOf(does);
        assert.deepEqual({ who: by, cooldown: least, steps: again }, { who, cooldown, steps },
          name);
      }
    }
  assert.ok(n > 30, `only ${n} buttons`);
});

test('what a newer server knows is not lost by editing it', () => {
  assert.equal(model.read([{ do: 'dance', kind: 'Coin' }]), null);
  assert.equal(model.read([{
    do: 'each seat', steps: [when({ of: 'moon', is: '=', n: 1 }, [])],
  }]), null);
});

test('a button asks again for a name that a question has now', () => {
  const sentences = read([
    { do: 'ask', name: 'N', question: 'How many?', for: 'number', min: 1, max: 5, initial: 2 },
    { do: 'ask', name: 'C', question: 'Which?', for: 'choice', choices: ['Yes', 'No'] },
    when({ of: { answer: 'C' }, is: 'No' }, [{ do: 'deal', kind: 'Deck', n: { answer: 'N' } }]),
  ]);
  model.change(sentences, sentences[0], 'name', 'Cards ');
  model.change(sentences, sentences[1], 'choices', ['Yes', 'Never']);
  const [, , condition] = model.write(sentences);
  assert.equal(condition.is, 'Never');
  assert.deepEqual(condition.then, [{ do: 'deal', kind: 'Deck', n: { answer: 'Cards' } }]);
  sentences.shift();
  const faults = faultsIn(sentences, CHOICES);
  assert.deepEqual([...faults.values()], [{ what: 'answer', slot: 'n' }], 'it asks no more');
});

test('a sentence is read as a sentence', () => {
  const says = (/** @type {Step[]} */ ...steps) => {
    const sentences = read(steps);
    return model.all(sentences).map((one) => saysOf(one, {
      ...among(...sentences),
      isForSeat: model.find(sentences, one.id)?.parents.some((in_) => in_.form === 'each') ?? false,
    }));
  };
  assert.deepEqual(says({ do: 'deal', kind: 'Deck', n: 5 }),
    ['Deal 5 cards from Deck to each hand']);
  assert.deepEqual(says({ do: 'deal', kind: 'Bag', n: 1 }),
    ['Deal 1 piece from Bag to each hand']);
  assert.deepEqual(says({ do: 'each seat', steps: [{ do: 'deal', kind: 'Deck', n: 1 }] }), [
    'For each player, one after the other, with what belongs to them:',
    'Deal 1 card from Deck to this player',
  ]);
  assert.deepEqual(says({ do: 'roll', kind: 'Die' }, { do: 'shuffle', kind: 'Deck' }),
    ['Roll each Die', 'Shuffle Deck']);
  assert.deepEqual(says({ do: 'face', kind: 'Coin', face: 1 }),
    ['Show side 2, Tails of each Coin']);
  assert.deepEqual(says(
    { do: 'ask', name: 'P', question: 'Which one?', for: 'piece', kind: 'Coin' },
    { do: 'flip', kind: { answer: 'P' } },
  ), [
    'Ask “Which one?” The answer is a piece on the table, Coin, and is called “P”',
    'Turn over the piece chosen for “P”',
  ]);
  for (const [, steps] of ALL)
    for (const text of says(...steps)) assert.doesNotMatch(text, /undefined|NaN|\{/);
});

test('a button sets up as one of the set-ups of the table', () => {
  const one = begin('setUp', among());
  assert.equal(saysOf(one, among(one)), 'Set the table up again as at the first time');
  assert.deepEqual(optionsOf(one, 'setup', among(one)).map(({ value }) => value),
    ['', 'Short game']);
  one.has.setup = 'Short game';
  assert.deepEqual(model.write([one]), [{ do: 'set up', name: 'Short game' }]);
});

test('a sentence has a chip for each of its slots', () => {
  const has = { choices: ['Yes', 'No'], name: 'C', question: '?' };
  const question = model.sentence('askChoice', has);
  for (const name of NAMES) {
    const one = begin(name, among(question));
    const slots = partsOf(one, among(question)).filter((_, i) => i % 2);
    assert.deepEqual(slots.toSorted(), Object.keys(formOf(name).slots).toSorted(), name);
  }
});

test('a new sentence says what can be done at the table', () => {
  const number = begin('askNumber', among());
  const asked = begin('askChoice', among(number));
  for (const name of NAMES) {
    const sentences = [number, asked];
    assert.equal(lacks(name, among(...sentences)), '', name);
    const one = begin(name, among(...sentences));
    model.add(sentences, one);
    if (one.lists.length > 0) one.lists[0].push(begin('roll', among()));
    assert.deepEqual([...faultsIn(sentences, CHOICES).values()], [], name);
  }
  const empty = { sentences: [], choices: [], setups: [], isForSeat: false };
  assert.deepEqual(NAMES.filter((name) => !lacks(name, empty)),
    ['each', 'askNumber', 'askChoice', 'askSeat', 'setUp']);
  const second = begin('askNumber', among(number));
  assert.notEqual(second.has.name, number.has.name);
});

test('T84.8, T91.9 chips offer the kinds that fit, as the server has it', () => {
  const fit = (/** @type {import('../js/parts/edit/sentences/forms.js').Wanted} */ of) =>
    fitting(CHOICES, of).map(({ name }) => name);
  assert.deepEqual(fit('deal'), ['Deck', 'Bag', 'Hidden']);
  assert.deepEqual(fit('shuffle'), ['Deck', 'Hidden']);
  assert.deepEqual(fit('holds'), ['Deck', 'Bag']);
  assert.deepEqual(fit('sort'), ['Row']);
  assert.deepEqual(fit('zone'), ['Row', 'Field']);
  assert.deepEqual(fit('flip'), ['Coin']);
  assert.deepEqual(fit('face'), ['Coin', 'Die']);
  assert.deepEqual(fit('roll'), ['Die']);
  assert.deepEqual(fit('count'), ['Score']);
  assert.deepEqual(fit('pass'), ['Turn']);
  assert.deepEqual(fit('start'), ['Clock']);
  assert.deepEqual(fit('rotate'), ['Row', 'Field', 'Coin', 'Die', 'Score', 'Turn', 'Clock']);
  assert.ok(fit('pieces').includes('Card') && !fit('pieces').includes('Ace'));
  assert.deepEqual(fit('inZone'), ['Card', 'Coin', 'Die', 'Turn', 'Clock']);
  assert.ok(fit('to').includes('Hand') && !fit('to').includes('Card'));
  assert.ok(!fits(choice('X', { unknown: true, die: {} }), 'roll'));
  const [first] = fitting([choice('A', { die: {} }, { isThere: false }), choice('B', { die: {} })],
    'roll');
  assert.equal(first.name, 'B', 'what lies on the table comes first');
  const twins = [choice('A', {}), choice('A', { die: {} })];
  assert.deepEqual(fitting(twins, 'roll'), [], 'of several with a name the first one is meant');
});

test('a chip keeps what does not fit any more, and its fault says so', () => {
  const [none] = read([{ do: 'roll', kind: '' }]);
  assert.equal(saysOf(none, among(none)), 'Roll …');
  assert.deepEqual(optionsOf(none, 'kind', among(none))[0], { value: '', label: 'choose' });
  const [one] = read([{ do: 'roll', kind: 'Old die' }]);
  assert.ok(optionsOf(one, 'kind', among(one)).some(({ value }) => value === 'Old die'));
  assert.deepEqual([...faultsIn([one], CHOICES).values()], [{ what: 'kind', slot: 'kind' }]);
});

/** What is wrong with steps. @param {...Step} steps */
const wrong = (...steps) =>
  [...faultsIn(read(steps), CHOICES).values()].map(({ what, slot }) => `${what} ${slot}`);

test('faults say which chip is wrong', () => {
  const ask = { do: 'ask', name: 'N', question: 'How many?', for: 'number', min: 1, max: 500 };
  assert.deepEqual(wrong({ do: 'deal', kind: 'Deck', n: 0 }), ['number n']);
  assert.deepEqual(wrong({ do: 'deal', kind: 'Deck', n: 1.5 }), ['number n']);
  assert.deepEqual(wrong({ do: 'shuffle', kind: 'Bag' }), ['kind kind']);
  assert.deepEqual(wrong({ do: 'count', kind: 'Score', add: 0 }), ['zero n']);
  assert.deepEqual(wrong({ do: 'count', kind: 'Score', set: 21 }), ['shows n']);
  assert.deepEqual(wrong({ ...ask, max: 21 }, { do: 'count', kind: 'Score', set: { answer: 'N' } }),
    ['shows n']);
  assert.deepEqual(wrong({ do: 'face', kind: 'Coin', face: 2 }), ['face face']);
  assert.deepEqual(wrong({ do: 'rotate', kind: 'Coin', by: 36000 }), ['number by']);
  assert.deepEqual(wrong({ do: 'rotate', kind: 'Coin', by: 1 }), []);
  assert.deepEqual(wrong({ do: 'each seat', steps: [] }), ['empty ']);
  assert.deepEqual(wrong({ ...ask, max: 1 }), ['range max']);
  assert.deepEqual(wrong({ ...ask, initial: 501 }), ['begin initial']);
  assert.deepEqual(wrong({ ...ask, question: '' }), ['text question']);
  assert.deepEqual(wrong(ask, ask), ['taken name', 'taken name']);
  assert.deepEqual(wrong(ask, { do: 'deal', kind: 'Deck', n: { answer: 'N' } }), ['bounds n']);
  const choices = { do: 'ask', name: 'C', question: '?', for: 'choice', choices: ['A', 'B'] };
  assert.deepEqual(wrong({ ...choices, choices: ['A'] }), ['choices choices']);
  assert.deepEqual(wrong({ ...choices, choices: ['A', 'A'] }), ['choices choices']);
  assert.deepEqual(wrong(choices, when({ of: { answer: 'C' }, is: 'D' }, [ROLL])), ['choice is']);
  assert.deepEqual(wrong(when({ of: 'value', kind: 'Die', is: '=', n: 1 }, [ROLL])), ['kind kind']);
  const piece = { do: 'ask', name: 'P', question: '?', for: 'piece', kind: 'Coin' };
  assert.deepEqual(wrong(piece, { do: 'roll', kind: { answer: 'P' } }), ['answer kind'],
    'a coin is no die');
});

test('T84, T95.10 what is wrong with all sentences together', () => {
  const roll = () => model.sentence('roll', { kind: 'Die' });
  assert.equal(wholeFault([]), 'none');
  assert.equal(wholeFault([roll()]), null);
  const each = model.sentence('each', { seat: '' });
  each.lists[0] = Array.from({ length: 63 }, roll);
  assert.equal(wholeFault([each]), null);
  assert.equal(wholeFault([each, roll()]), 'many', 'those in lists count');
  const ask = () => model.sentence('askSeat', {});
  assert.equal(wholeFault([ask()]), 'onlyAsks');
  assert.equal(wholeFault([ask(), ask(), ask(), ask(), ask(), roll()]), 'questions');
});

test('questions come first, and what sets up comes last', () => {
  const list = /** @type {Sentence[]} */ ([]);
  for (const form of /** @type {FormName[]} */ (['roll', 'setUp', 'askSeat', 'flip', 'askNumber']))
    model.add(list, model.sentence(form, {}));
  assert.deepEqual(list.map(({ form }) => form), ['askSeat', 'askNumber', 'roll', 'flip', 'setUp']);
  const can = (/** @type {-1|1} */ by) =>
    list.map(({ id }) => model.canMove(/** @type {model.Place} */ (model.find(list, id)), by));
  assert.deepEqual(can(-1), [false, true, false, true, false]);
  assert.deepEqual(can(1), [true, false, true, false, false]);
  model.move({ list, at: 2, parents: [] }, 1);
  assert.deepEqual(list.map(({ form }) => form), ['askSeat', 'askNumber', 'flip', 'roll', 'setUp']);
});

test('T91.9, T92.6, T93.1, T95.10 where a sentence may stand', () => {
  const [each, condition] = [model.sentence('each', {}), model.sentence('ifValue', {})];
  const may = (/** @type {Sentence[]} */ ...parents) =>
    ['roll', 'ifValue', 'each', 'askSeat', 'setUp']
      .filter((form) => model.mayStand(/** @type {FormName} */ (form), parents)).join(' ');
  assert.equal(may(), 'roll ifValue each askSeat setUp');
  assert.equal(may(condition), 'roll ifValue each');
  assert.equal(may(each), 'roll ifValue');
  assert.equal(may(condition, condition), 'roll');
});

test('sentences are numbered, and the server names one by its place', () => {
  const sentences = read([
    { do: 'roll', kind: 'Die' },
    when({ of: 'value', kind: 'Score', is: '=', n: 1 }, [EACH], [ROLL]),
  ]);
  const number = (/** @type {string} */ detail) => {
    const { of, says } = model.faultOf(sentences, detail);
    return `${of && model.numberOf(sentences, of.id)} ${says}`;
  };
  assert.equal(number('kind 0: button: step 0: no kind "step 1: x"'), '1 no kind "step 1: x"');
  assert.equal(number('kind 0: button: step 1: then: step 0: step 0: do: no'), '2.1.1 do: no');
  assert.equal(number('kind 0: button: step 1: else: step 0: it'), '2.2 it');
  assert.equal(number('kind 0: button: steps: none'), 'null steps: none');
});

test('a button of hosts sets up, and one without a cool-down has none', () => {
  const does = doesNothing();
  does.sentences.push(model.sentence('setUp', { setup: '' }));
  assert.deepEqual(buttonOf(does), { who: 'host', cooldown: 1000, steps: [{ do: 'set up' }] });
  does.sentences[0] = model.sentence('roll', { kind: 'Die' });
  does.seconds = 0;
  assert.deepEqual(buttonOf(does), { steps: [{ do: 'roll', kind: 'Die' }] });
});

test('choices stand between commas, or between bars if one has a comma', () => {
  assert.deepEqual(split(joined(['Yes', 'No'])), ['Yes', 'No']);
  assert.deepEqual(split(joined(['Yes, please', 'No'])), ['Yes, please', 'No']);
});
