// Reads the sources of the client for tests about their texts: the strings in them, and the calls
// that give messages.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../js/', import.meta.url));

/** Names and texts of all modules of the client. @returns {{name: string, text: string}[]} */
export function sources() {
  return fs
    .readdirSync(ROOT, { recursive: true })
    .map((name) => String(name).split(path.sep).join('/'))
    .filter((name) => name.endsWith('.js') && !name.startsWith('vendor/'))
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(ROOT, name), 'utf8') }));
}

/**
 * A string in a source: where it begins and ends, and its text, in which `…` stands for each
 * expression of a template.
 * @typedef {{from: number, to: number, text: string}} Literal
 */

/**
 * Finds the strings of a source, also those inside the expressions of templates. It knows comments,
 * and regular expressions by what stands before them.
 * @param {string} text
 * @returns {Literal[]}
 */
export function literals(text) {
  /** @type {Literal[]} */
  const found = [];
  /** Reads code up to a closing brace that was not opened in it. @param {number} i */
  const code = (i) => {
    let depth = 0;
    let before = '('; // the last sign that is not a space
    while (i < text.length) {
      const c = text[i];
      if (text.startsWith('//', i)) {
        i = skip(i, '\n');
        continue;
      }
      if (text.startsWith('/*', i)) {
        i = skip(i, '*/');
        continue;
      }
      if (c === '}' && depth === 0) return i;
      if (c === '{') depth++;
      if (c === '}') depth--;
      if (c === '/' && '=(,:?!&|;{}[>'.includes(before)) i = regex(i);
      else if (c === "'" || c === '"') i = plain(i);
      else if (c === '`') i = template(i);
      else i++;
      if (c.trim()) before = c === '/' ? ')' : c;
    }
    return i;
  };
  /** @param {number} i @param {string} end */
  const skip = (i, end) => {
    const at = text.indexOf(end, i);
    return at < 0 ? text.length : at + end.length;
  };
  /** @param {number} i */
  const regex = (i) => {
    let inClass = false;
    for (i++; i < text.length && (text[i] !== '/' || inClass); i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '[') inClass = true;
      else if (text[i] === ']') inClass = false;
    }
    return i + 1;
  };
  /** @param {number} i */
  const plain = (i) => {
    const from = i;
    for (i++; i < text.length && text[i] !== text[from]; i++) if (text[i] === '\\') i++;
    found.push({ from, to: i + 1, text: text.slice(from + 1, i) });
    return i + 1;
  };
  /** @param {number} i */
  const template = (i) => {
    const literal = { from: i, to: 0, text: '' };
    found.push(literal);
    for (i++; i < text.length && text[i] !== '`'; i++) {
      if (text.startsWith('${', i)) {
        i = code(i + 2);
        literal.text += '…';
      } else {
        if (text[i] === '\\') i++;
        literal.text += text[i];
      }
    }
    literal.to = i + 1;
    return i + 1;
  };
  code(0);
  return found;
}

/**
 * A call of msg or firstMessage: the strings in its first argument that are ids, and the names of
 * the arguments of the message; null if they are no object in the source. isOne: it is msg.
 * @typedef {{ids: string[], args: string[]|null, isOne: boolean}} Call
 */

/**
 * Finds the calls that give messages.
 * @param {string} text
 * @returns {Call[]}
 */
export function calls(text) {
  const strings = literals(text);
  const isCode = (/** @type {number} */ at) =>
    !strings.some((l) => l.from < at && at < l.to && text[l.from] !== '`');
  return [...text.matchAll(/(?<![\w.$])(msg|firstMessage)\(/g)]
    .filter(({ index }) => isCode(index) && !/function $/.test(text.slice(0, index)))
    .map(({ index, 0: { length }, 1: name }) => {
      const [first, ...rest] = split(text, index + length, strings);
      const ids = strings
        .filter((l) => l.from >= first.from && l.to <= first.to && isId(l.text))
        .map((l) => l.text);
      const [second] = rest.filter(({ from, to }) => text.slice(from, to).trim());
      return { ids, args: second ? namesIn(text, second, strings) : [], isOne: name === 'msg' };
    });
}

/** Whether a string is an id, or a pattern of ids. @param {string} text */
export function isId(text) {
  return /^[a-z…]+(\.[\w…-]+)+$/.test(text);
}

/**
 * Splits a list at its commas, up to its closing bracket.
 * @param {string} text
 * @param {number} from
 * @param {Literal[]} strings
 * @returns {{from: number, to: number}[]}
 */
function split(text, from, strings) {
  const parts = [];
  let depth = 0;
  let start = from;
  for (let i = from; i < text.length; i++) {
    const literal = strings.find((l) => l.from === i);
    if (literal) i = literal.to - 1;
    else if ('([{'.includes(text[i])) depth++;
    else if (')]}'.includes(text[i]) && depth-- === 0) {
      parts.push({ from: start, to: i });
      return parts;
    } else if (text[i] === ',' && depth === 0) {
      parts.push({ from: start, to: i });
      start = i + 1;
    }
  }
  return parts;
}

/**
 * The names in an object.
 * @param {string} text
 * @param {{from: number, to: number}} part
 * @param {Literal[]} strings
 */
function namesIn(text, { from, to }, strings) {
  const open = text.indexOf('{', from);
  if (open < 0 || open >= to || text.slice(from, open).trim()) return null;
  return split(text, open + 1, strings)
    .map((part) => text.slice(part.from, part.to).trim())
    .filter(Boolean)
    .map((entry) => entry.split(':')[0].trim());
}
