// What lines of the log say.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { questionsOf, saysSteps, saysUndone } from '../js/parts/abilities/button.js';
import { sentenceOf } from '../js/parts/log/words.js';
import { emptyCatalog } from '../js/view/catalog.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/parts/log/lines.js').Line} Line */

const DECK = 0;
const BUTTON = 1;

/** Returns a step with a condition. @param {object} condition @param {object[]} steps
 * @param {object[]} [otherwise] */
function when(condition, steps, otherwise) {
  const lists = Object.fromEntries([['then', steps], ['else', otherwise]]);
  return { do: 'if', ...condition, ...lists };
}

const catalog = emptyCatalog('');
catalog.kinds = /** @type {Kind[]} */ (/** @type {unknown} */ ([
  { name: 'Deck', faces: [{ name: 'Deck' }] },
  {
    name: 'New hand', faces: [{ name: 'New hand' }],
    button: {
      who: 'players', cooldown: 0,
      steps: [
        { do: 'flip', kind: 'Coin' }, { do: 'deal', kind: 'Deck', n: 3 },
        { do: 'start', kind: 'Watch', side: 2 }, { do: 'pass', kind: 'Turn', reverse: true },
        { do: 'sort', kind: 'Row' },
        when({ of: 'value', kind: 'Round', is: '>=', n: 4 },
          [when({ of: 'pieces', kind: 'Card', in: 'Row', is: '=', n: 0 },
            [{ do: 'roll', kind: 'Die' }])],
          [{ do: 'recall', kind: 'Deck' }, { do: 'shuffle', kind: 'Deck' }]),
        when({ of: 'pieces', in: 'Row', is: '<', n: 2 }, [{ do: 'flip', kind: 'Coin' }]),
        {
          do: 'each seat',
          steps: [{ do: 'deal', kind: 'Deck', n: 1 }, { do: 'count', kind: 'Score', add: 2 }],
        },
        { do: 'set up', name: 'Short' }, { do: 'set up' },
      ],
    },
  },
]));

/** A page of seat 1, with Ben at seat 2. */
const page = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
  catalog,
  sync: { you: 1, seats: new Map([[2, { id: 2, nick: 'Ben' }]]), pieces: new Map() },
  parts: { abilities: { saysUndone } },
}));

/**
 * Returns what a line of Ben says.
 * @param {number[]} kinds
 * @param {number[]} [undone]
 * @param {Partial<Line>} [more]
 */
function says(kinds, undone = [], more = {}) {
  const what = new Map(kinds.map((kind, id) => [id, { piece: { id, kind, face: 0 } }]));
  const line = /** @type {Line} */ (/** @type {unknown} */ ({
    key: 1, at: 0, last: 0, by: 2, op: 'run', what, count: 0, to: 0, place: null, chat: null,
    rewound: null, undone, ...more,
  }));
  return sentenceOf(page, line);
}

test('T84 the line of a press that dealt says how many cards each got', () => {
  assert.equal(says([BUTTON, DECK, DECK], [], { dealt: 13 }),
    'Ben pressed “New hand” and dealt 13 cards each.');
  assert.equal(says([BUTTON, DECK], [], { dealt: 0 }), 'Ben pressed “New hand” and dealt.');
});

test('T99.6 a line says who edits the game, and who lets them', () => {
  const line = (/** @type {object} */ of) => sentenceOf(page, /** @type {Line} */ (
    /** @type {unknown} */ ({
      key: 1, at: 0, last: 0, by: 2, op: 'edits', count: 0, to: 1, place: null, chat: null,
      rewound: null, what: new Map(), ...of,
    })));
  assert.equal(line({}), 'You let Ben edit the game.');
  assert.equal(line({ by: 1, to: 2 }), 'Ben let you edit the game.');
  assert.equal(line({ to: 2 }), 'Ben began to edit the game.');
  assert.equal(line({ op: 'editsNot' }), 'Ben stopped editing the game.');
});

test('a piece that has come from beside the board is said to be where it is now', () => {
  const piece = { id: 1, kind: DECK, face: 0 };
  const of = (/** @type {object} */ more) => sentenceOf(page, /** @type {Line} */ (
    /** @type {unknown} */ ({
      key: 1, at: 0, last: 0, by: 2, op: 'move', count: 0, to: 0, place: null, chat: null,
      rewound: null, undone: [], what: new Map([[1, { piece, ...more }]]),
    })));
  assert.equal(of({ move: { from: '', to: 'c1' } }), 'Ben moved the deck to c1.');
  assert.equal(of({ move: { from: '', to: 'c1' }, taken: piece }),
    'Ben moved the deck to c1; it took the deck.');
});

test('a piece that was drawn is said to come out of its container', () => {
  const piece = { id: 1, kind: BUTTON, face: 0 };
  const done = { piece, move: { from: '', to: 'c1' }, source: { id: 2, kind: DECK, face: 0 } };
  assert.equal(sentenceOf(page, /** @type {Line} */ (/** @type {unknown} */ ({
    key: 1, at: 0, last: 0, by: 2, op: 'move', count: 0, to: 0, place: null, chat: null,
    rewound: null, what: new Map([[1, done]]),
  }))), 'Ben moved the new hand from the deck to c1.');
});

test('T63 the line of an undo names the piece', () => {
  const piece = { id: 1, kind: DECK, face: 0 };
  const of = (/** @type {object[]} */ ...all) => sentenceOf(page, /** @type {Line} */ (
    /** @type {unknown} */ ({
      key: 1, at: 0, last: 0, by: 2, op: 'undo', count: 0, to: 0, place: null, chat: null,
      rewound: null, undone: [], what: new Map(all.map((more, i) => [i, { piece, ...more }])),
    })));
  assert.equal(of({ move: { from: 'd4', to: 'd2' } }), 'Ben moved the deck back from d4 to d2.');
  assert.equal(of({}), 'Ben took back what was done with the deck.');
  assert.equal(of({ move: { from: '', to: 'd2' } }), 'Ben took back what was done with the deck.');
  assert.equal(of({}, {}), 'Ben took back what was done with 2 pieces.');
  const captor = { move: { from: 'd5', to: 'e4' } };
  for (const [taken, want] of /** @type {const} */ ([
    ['d5', 'Ben moved the deck back from d5 to e4; the deck is on d5 again.'],
    ['d6', 'Ben took back what was done with 2 pieces.'],
  ])) {
    assert.equal(of({ move: { from: '', to: taken } }, captor), want);
    assert.equal(of(captor, { move: { from: '', to: taken } }), want);
  }
});

test('T84 the line of a press says what it has turned up, if that is not much', () => {
  const of = (/** @type {number} */ up, changed = 0) => {
    const all = [
      { piece: { id: 1, kind: BUTTON, face: 0 } },
      ...Array.from({ length: up }, () => ({ piece: { kind: DECK, face: 0 }, isUp: true })),
      ...Array.from({ length: changed }, () => ({ piece: { kind: DECK, face: 0 } })),
    ];
    return sentenceOf(page, /** @type {Line} */ (/** @type {unknown} */ ({
      key: 1, at: 0, last: 0, by: 2, op: 'run', count: 0, to: 0, place: null, chat: null,
      rewound: null, undone: [], what: new Map(all.map((done, i) => [i, done])),
    })));
  };
  assert.equal(of(1), 'Ben pressed “New hand”. Turned up: deck.');
  assert.equal(of(3, 2),
    'Ben pressed “New hand”: 2 pieces changed. Turned up: deck, deck and deck.');
  assert.equal(of(4), 'Ben pressed “New hand”: 4 pieces changed.');
});

test('T87.8 the line of a press names the steps that were not done', () => {
  assert.equal(says([BUTTON, DECK], [1, 66, 3, 4, 5]),
    'Ben pressed “New hand”: one piece changed. ' +
    'Not done: Turns over each “Coin”. ' +
    'There were not enough pieces: Deals 3 pieces from “Deck” to each player. ' +
    'Not done: Starts side 2 of each “Watch”. ' +
    'Not done: Passes “Turn” to the player before. ' +
    'Not done: Sorts what lies in each “Row”.');
  assert.equal(says([BUTTON, DECK], [18, 128]), 'Ben pressed “New hand”: one piece changed.',
    'nothing of steps that the button does not have');
});

test('T95 a button says what it asks, and what it does with the answers', () => {
  const asked = (/** @type {string} */ answer) => ({ answer });
  const steps = [
    { do: 'ask', name: 'Who', question: 'Who gets some?', for: 'seat' },
    {
      do: 'each seat', seat: asked('Who'),
      steps: [{ do: 'deal', kind: 'Deck', n: asked('Many') }],
    },
    { do: 'flip', kind: asked('Coin') },
    { do: 'count', kind: 'Score', add: asked('Many') },
    { do: 'move', kind: 'Deck', n: 1, to: asked('Coin') },
    when({ of: asked('Colour'), is: 'Red' }, [{ do: 'roll', kind: 'Die' }]),
    when({ of: asked('Many'), is: '>', n: 2 }, [{ do: 'roll', kind: 'Die' }]),
  ];
  const kind = /** @type {any} */ ({ button: { who: 'players', cooldown: 0, steps } });
  assert.deepEqual(saysSteps(kind), [
    'Asks for “Who”: Who gets some?',
    'For “Who”, with what belongs to them: Deals “Many” pieces from “Deck” to this player',
    'Turns over the piece chosen for “Coin”',
    'Adds “Many” to each “Score”',
    'Moves one piece from “Deck” to the piece chosen for “Coin”',
    'If “Colour” is “Red”: Rolls each “Die”',
    'If “Many” is more than 2: Rolls each “Die”',
  ]);
  assert.deepEqual(questionsOf(kind), steps.slice(0, 1));
  assert.deepEqual(questionsOf(/** @type {any} */ ({})), []);
});

test('T87.8, T91.7 steps with conditions, and those in their lists, have numbers', () => {
  const shuffles = 'Shuffles each “Deck”';
  const rolls = 'If the number of “Card” in “Row” is 0: Rolls each “Die”';
  assert.equal(says([BUTTON], [6]), 'Ben pressed “New hand”. Not done: ' +
    `If the value of “Round” is 4 or more: ${rolls}. ` +
    `Otherwise: Brings back what belongs in each “Deck”; ${shuffles}.`);
  assert.equal(says([BUTTON], [7, 10]),
    `Ben pressed “New hand”. Not done: ${rolls}. Not done: ${shuffles}.`);
  assert.equal(says([BUTTON], [11]), 'Ben pressed “New hand”. Not done: ' +
    'If the number of pieces in “Row” is less than 2: Turns over each “Coin”.');
  const deals = 'Deals one piece from “Deck” to this player';
  assert.equal(says([BUTTON], [13, 78]), 'Ben pressed “New hand”. Not done: For each player, ' +
    `with what belongs to them: ${deals}; Adds 2 to each “Score”. ` +
    `There were not enough pieces: ${deals}.`);
  assert.equal(says([BUTTON], [16, 17]), 'Ben pressed “New hand”. ' +
    'Not done: Sets the table up again as “Short”. Not done: Sets the table up again.');
});

test('T88.6 what the steps of a set-up changed is said without a button', () => {
  assert.equal(says([DECK]), 'Ben set up the game: one piece changed.');
  assert.equal(says([DECK, DECK]), 'Ben set up the game: 2 pieces changed.');
});

/** Verbs that do not go with "You". */
const OF_OTHERS = /\bYou (is|was|has|does|goes|plays|watches|\w+s)\b|\S .*\bYou\b/;

test('every line is a sentence of this person, too', () => {
  const file = new URL('../messages/en/log.json', import.meta.url);
  const ids = Object.keys(JSON.parse(fs.readFileSync(file, 'utf8')));
  const ops = ids.flatMap((id) => (id.startsWith('log.did.') ? [id.slice(8)] : []));
  assert.ok(ops.length > 30);
  const piece = { id: 1, kind: DECK, face: 0 };
  const of = (/** @type {number} */ by, /** @type {string} */ op, to = 0) =>
    sentenceOf(withSides, /** @type {Line} */ (/** @type {unknown} */ ({
      key: 1, at: 0, last: 0, by, op, count: 1, to, place: null, chat: null, rewound: null,
      undone: [], what: new Map([[1, { piece }]]),
    })));
  const people = [{ id: 1, nick: 'Ada', side: 1 }, { id: 2, nick: 'Ben', side: 1 }];
  const withSides = /** @type {any} */ ({
    ...page, catalog: { ...catalog, sides: [{ name: 'White', angle: 0 }] },
    sync: { ...page.sync, seats: new Map(people.map((seat) => [seat.id, seat])) },
  });
  for (const op of [...ops, 'side', 'roll', 'run', 'count'])
    for (const [by, to] of [[1, 0], [1, 1], [1, 2], [2, 1]])
      assert.doesNotMatch(of(by, op, to), OF_OTHERS, `${op} by ${by}, ${to}`);
  assert.equal(of(1, 'host'), 'You are the host now.');
  assert.equal(of(2, 'host'), 'Ben is the host now.');
  assert.equal(of(1, 'side'), 'You play White now.');
  assert.equal(of(1, 'left', 2), 'Ben removed you from the table.');
  assert.equal(of(2, 'left', 1), 'You removed Ben from the table.');
  assert.equal(of(1, 'proposed'), 'You were proposed as a referee.');
  assert.equal(of(1, 'notReferee'), 'You do not become a referee.');
});
