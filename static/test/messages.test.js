// The messages of the client: how they are formed, that the sources and the files agree, and that
// no text for players stands anywhere else.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { firstMessage, isLoaded, list, lower, messages } from '../js/messages.js';
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
  const names = textsOf(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]));
  const all = new Set(names.map(lower));
  if (typeof message !== 'string') all.add('n');
  return all;
}

/**
 * Messages that are looked up by what the server sends, in several files: by the middle of their
 * id, with the arguments that they may have.
 * @type {Record<string, string[]>}
 */
const LOOKED_UP = { did: ['who', 'what', 'n'], why: ['what', 'nick'] };

const msg = messages({
  'test.plain': 'Plain text.',
  'test.named': 'From {from} to {to}.',
  'test.capital': '{What} and {what}.',
  'test.cards': { '=0': 'no cards', one: 'one card', other: '{n} cards' },
  'test.few': { other: '{n} of them' },
});

test('arguments are filled in by name, and a capital letter begins a sentence', () => {
  assert.equal(msg('test.plain'), 'Plain text.');
  assert.equal(msg('test.named', { to: 2, from: '{to}' }), 'From {to} to 2.');
  assert.equal(msg('test.capital', { what: 'the deck' }), 'The deck and the deck.');
});

test('a number chooses its own text, or that of its plural category', () => {
  const cards = [0, 1, 2, 21].map((n) => msg('test.cards', { n }));
  assert.deepEqual(cards, ['no cards', 'one card', '2 cards', '21 cards']);
  assert.equal(msg('test.few', { n: 1 }), '1 of them');
});

test('an argument that is missing fails a test', () => {
  assert.throws(() => msg('test.named', { from: 'here' }), /test\.named lacks to/);
  assert.throws(() => msg('test.cards'), /test\.cards lacks n/);
});

test('the first message that is loaded counts', () => {
  assert.ok(isLoaded('test.plain') && !isLoaded('test.absent'));
  assert.equal(firstMessage(['test.absent', 'test.few', 'test.plain'], { n: 3 }), '3 of them');
  assert.equal(firstMessage(['test.absent', 'toString']), '');
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

test('a message that depends on a number has a text for all other numbers', () => {
  for (const [id, message] of ALL) {
    if (typeof message === 'string') continue;
    assert.ok(message.other, id);
    const forms = Object.keys(message).filter((form) => !/^(=\d+|zero|one|two|few|many|other)$/.test(form));
    assert.deepEqual(forms, [], id);
  }
});

/** A test for ids: those that a string in a source can stand for. @param {string} id */
function matcher(id) {
  return new RegExp(`^${id.replace(/[.…-]/g, (c) => (c === '…' ? '.+' : `\\${c}`))}$`);
}

test('every message is used, and every one that is used exists', () => {
  const strings = sources().flatMap(({ name, text }) =>
    literals(text)
      .filter((l) => isId(l.text) && !/\.(js|json|css|csv)$/.test(l.text))
      .map((l) => ({ name, id: l.text })));
  const known = strings.filter(({ id }) => id.startsWith('…') || FILES.includes(`${id.split('.')[0]}.json`));
  const used = new Set();
  for (const { name, id } of known) {
    const matches = [...ALL.keys()].filter((key) => matcher(id).test(key));
    assert.ok(matches.length > 0, `${name} uses ${id}, which does not exist`);
    for (const key of matches) used.add(key);
  }
  assert.deepEqual([...ALL.keys()].filter((id) => !used.has(id)), [], 'nothing uses these');
});

test('the arguments of a message are those of its calls', () => {
  let n = 0;
  for (const { name, text } of sources()) {
    for (const { ids, args } of calls(text)) {
      for (const id of ids) {
        if (args === null) assert.fail(`${name}: the arguments of ${id} are no object`);
        const matches = [...ALL].filter(([key]) => matcher(id).test(key));
        const needs = new Set(matches.flatMap(([, message]) => [...argumentsOf(message)]));
        for (const need of needs) assert.ok(args.includes(need), `${name}: ${id} lacks ${need}`);
        n++;
      }
      const all = ids.flatMap((id) => [...ALL].filter(([key]) => matcher(id).test(key)));
      const needed = new Set(all.flatMap(([, message]) => [...argumentsOf(message)]));
      if (ids.length > 0)
        for (const arg of args ?? []) assert.ok(needed.has(arg), `${name}: ${ids} do not have ${arg}`);
    }
  }
  assert.ok(n > 600, `found ${n} uses`);
  for (const [id, message] of ALL) {
    const allowed = LOOKED_UP[id.split('.')[1]];
    if (!allowed || id.split('.').length !== 3) continue;
    for (const arg of argumentsOf(message)) assert.ok(allowed.includes(arg), `${id} has ${arg}`);
  }
});

/** What may stand before a text that players do not read. */
const UNSEEN = [
  /\b(class|rel|role|d|viewBox|style|autocomplete|translate|rotate|transform|gridArea|easing): $/, // markup and styles
  /\b(class|className|transform|cssText|viewBox|d)(', | = )$/,
  /\b(Error|matchMedia|querySelector|querySelectorAll|closest|matches|import|from)\(?\s*$/, // code
  /\bconsole\.\w+\($/, // the log
];

/** Texts with several words that players do not read either, and why. @type {Record<string, string[]>} */
const ALLOWED = {};

test('no other text of the client is for players', () => {
  /** @type {string[]} */
  const strays = [];
  for (const { name, text } of sources()) {
    for (const l of literals(text)) {
      if (!/\p{L}[,;:’]? +[\p{L}“]|\p{Ll}[.!?…]$/u.test(l.text.replaceAll('…', '')) || isId(l.text)) continue;
      const before = text.slice(Math.max(0, l.from - 60), l.from);
      if (UNSEEN.some((context) => context.test(before)) || ALLOWED[name]?.includes(l.text)) continue;
      strays.push(`${name}: ${l.text}`);
    }
  }
  assert.deepEqual(strays, []);
});
