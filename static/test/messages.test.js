// The messages of the client: how they are formed, that the sources and the files agree, and that
// no text for players stands anywhere else.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { argumentOf, firstMessage, idsOf, isLoaded, list, messages } from '../js/messages.js';
import { calls, isId, literals, sources } from './sources.js';

/** @typedef {import('../js/messages.js').Message} Message */

const FOLDER = new URL('../messages/en/', import.meta.url);

/** The files of the client: those of the server's pages have a test in templates. */
const FILES = fs.readdirSync(FOLDER).filter((name) => name !== 'pages.json').sort();

/** All messages of the client. @type {Map<string, Message>} */
const ALL = new Map(FILES.flatMap((name) => Object.entries(read(name))));

/** @param {string} name @returns {Record<string, Message>} */
function read(name) {
  return JSON.parse(fs.readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** The texts of a message. @param {Message} message */
function textsOf(message) {
  return typeof message === 'string' ? [message] : Object.values(message);
}

/** The arguments of a message. @param {Message} message */
function argumentsOf(message) {
  const names = [...textsOf(message).join('').matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
  const all = new Set(names.map(argumentOf));
  if (typeof message !== 'string') all.add('n');
  return all;
}

/**
 * Messages that are looked up by what the server sends, in several files: by the middle of their
 * id, with the arguments that they may have.
 * @type {Record<string, string[]>}
 */
const LOOKED_UP = { did: ['who', 'what', 'n', 'to'], why: ['what', 'nick'] };

const msg = messages({
  'test.plain': 'Plain text.',
  'test.named': 'From {from} to {to}.',
  'test.capital': '{What} and {what}.',
  'test.cards': { '=0': 'no cards', one: 'one card', other: '{n} cards' },
  'test.few': { other: '{n} of them' },
});

test('named arguments are filled in, and a sentence begins with a capital', () => {
  assert.equal(msg('test.plain'), 'Plain text.');
  assert.equal(msg('test.named', { to: 2, from: '{to}' }), 'From {to} to 2.');
  assert.equal(msg('test.capital', { what: 'the deck' }), 'The deck and the deck.');
});

test('a number selects its own text or its plural category', () => {
  const cards = [0, 1, 2, 21].map((n) => msg('test.cards', { n }));
  assert.deepEqual(cards, ['no cards', 'one card', '2 cards', '21 cards']);
  assert.equal(msg('test.few', { n: 1 }), '1 of them');
});

test('a missing argument fails', () => {
  assert.throws(() => msg('test.named', { from: 'here' }), /test\.named lacks to/);
  assert.throws(() => msg('test.cards'), /test\.cards lacks n/);
});

test('the first message loaded counts', () => {
  assert.ok(isLoaded('test.plain') && !isLoaded('test.absent'));
  assert.equal(firstMessage(['test.absent', 'test.few', 'test.plain'], { n: 3 }), '3 of them');
  assert.equal(firstMessage(['test.absent', 'toString']), '');
});

test('ids are found by their beginning, in order', () => {
  assert.deepEqual(idsOf('test.n'), ['amed']);
  assert.deepEqual(idsOf('test.'), ['plain', 'named', 'capital', 'cards', 'few']);
  assert.deepEqual(idsOf('test.absent'), []);
});

test('a list has commas and an "and"', () => {
  const lists = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(list);
  assert.deepEqual(lists, ['', 'a', 'a and b', 'a, b and c']);
});

test('an id begins with the name of its file', () => {
  for (const name of FILES) {
    const wrong = Object.keys(read(name)).filter((id) => !id.startsWith(name.replace('json', '')));
    assert.deepEqual(wrong, [], name);
  }
});

test('a message with plural forms has a text for "other"', () => {
  for (const [id, message] of ALL) {
    if (typeof message === 'string') continue;
    assert.ok(message.other, id);
    for (const form of Object.keys(message))
      assert.match(form, /^(=\d+|zero|one|two|few|many|other)$/, id);
  }
});

/** The messages that a string in a source can stand for. @param {string} id @returns {string[]} */
function messagesFor(id) {
  if (!id.includes('…')) return ALL.has(id) ? [id] : [];
  const [first, ...rest] = id.split('…');
  return [...ALL.keys()].filter((key) => {
    let at = first.length; // the parts follow each other, with something between them
    return key.startsWith(first) && rest.every((part, i) => {
      const last = i === rest.length - 1;
      const found = last ? key.length - part.length : key.indexOf(part, at + 1);
      const fits = found > at && key.startsWith(part, found);
      at = found + part.length;
      return fits;
    });
  });
}

test('every message is used, and every message used exists', () => {
  const strings = sources().flatMap(({ name, text }) =>
    literals(text)
      .filter((l) => isId(l.text) && !/\.(js|json|css|csv|html)$/.test(l.text))
      .map((l) => ({ name, id: l.text })));
  const known = strings.filter(({ id }) => FILES.includes(id.replace(/\..*/, '.json')) ||
    id.startsWith('…'));
  const used = new Set();
  for (const { name, id } of known) {
    const matches = messagesFor(id);
    assert.ok(matches.length > 0, `${name} uses ${id}, which does not exist`);
    for (const key of matches) used.add(key);
  }
  assert.deepEqual([...ALL.keys()].filter((id) => !used.has(id)), [], 'nothing uses these');
});

test('the arguments of a message are those of its calls', () => {
  let n = 0;
  for (const { name, text } of sources()) {
    for (const { ids, args, isOne } of calls(text)) {
      n += ids.length;
      if (ids.length === 0) continue;
      assert.ok(args, `${name}: the arguments of ${ids} are no object`);
      const needed = new Set(
        ids.flatMap(messagesFor).flatMap((id) => [...argumentsOf(ALL.get(id) ?? '')]),
      );
      for (const need of needed) assert.ok(args.includes(need), `${name}: ${ids} lacks ${need}`);
      // firstMessage passes what any of several messages may need.
      for (const arg of isOne ? args : [])
        assert.ok(needed.has(arg), `${name}: ${ids} does not have ${arg}`);
    }
  }
  assert.ok(n > 600, `found ${n} uses`);
  for (const [id, message] of ALL) {
    const [, group, ...rest] = id.split('.');
    if (!LOOKED_UP[group] || rest.length !== 1) continue;
    for (const arg of argumentsOf(message))
      assert.ok(LOOKED_UP[group].includes(arg), `${id} has ${arg}`);
  }
});

/** A text of several words, or the end of a sentence. */
const SENTENCE = /\p{L}[,;:’]? +[\p{L}“]|\p{Ll}[.!?…]$/u;

/** What stands before a text that is shown, even if it is one word. */
const SHOWN = /(\b(label|title|placeholder|alt)|'aria-label'): $/;

/** What stands before a text that players do not read. */
const UNSEEN = [
  /\bclass(Name)?\b[^;]*$/, // style
  /\b(\w*Error|Fault|broken|exceeded|wrong|fail)\([^;]*$/, // errors, in the words of the protocols
  /\b(matchMedia|closest|matches|querySelector(All)?)\([^;]*$/, // selectors
];

/** Texts that players do not read. */
const CODE = [
  /^\P{Ll}*$/u, // paths of pictures
  /\b(translate|rotate|scale)\w*\(|px /, // transforms
  /^(primary|secondary) danger$/, // the look of buttons
  /^holt\.[\w.]+$/, // keys of the browser's stores
  /[/?&]\w*[=/?…]/, // addresses
  /^\.[\w ]+.*\{ [\w-]+: .*\}$/, // rules of style sheets
  /^<!DOCTYPE html>|^[\w-]+-src /, // a page, and its policy
  /^<(svg|g|rect|clipPath|image|text|tspan)\b.* [\w-]+="/, // pictures
  /^xM\w+ \w+$|(sans-)?serif$/, // their fit and fonts
];

/** Other texts that are no messages, by module, and why. @type {Record<string, string[]>} */
const ALLOWED = {
  'parts/abilities/button.js': ['set up'], // a verb of game files
  'parts/edit/sentences/forms.js': ['each seat', 'set up'], // the same
  'parts/datagrams/connection.js': ['given up'], // a reason that only the other end reads
  'parts/datagrams/socket.js': ['a message is not a frame'], // the same
  'parts/fairness/files.js': ['round at …'], // where a file is wrong, in the words of holt verify
  // what the browser is to keep to itself
  'parts/log/links.js': ['noopener noreferrer nofollow ugc'],
  'parts/settings/links.js': ['noopener noreferrer'], // the same
  'parts/dialogs/rules.js': ['noopener noreferrer'], // the same
  'parts/settings/credits.js': ['noopener noreferrer'], // the same
  // a picture
  'parts/controls/icons.js': ['M3.5 12V4.5a1 1 0 0 1 1-1H12l8.5 8.5-8.5 8.5zM7.8 7.8v.1'],
};

test('all texts for players are messages', () => {
  /** @type {string[]} */
  const strays = [];
  for (const { name, text } of sources()) {
    for (const l of literals(text)) {
      const before = text.slice(Math.max(0, l.from - 160), l.from);
      const plain = l.text.replaceAll('…', '');
      const shown = SHOWN.test(before) && /\p{Ll}/u.test(plain);
      if (!shown && (!SENTENCE.test(plain) || isId(l.text))) continue;
      if (CODE.some((code) => code.test(l.text))) continue;
      if (UNSEEN.some((context) => context.test(before))) continue;
      if (!ALLOWED[name]?.includes(l.text)) strays.push(`${name}: ${l.text}`);
    }
  }
  assert.deepEqual(strays, []);
});
