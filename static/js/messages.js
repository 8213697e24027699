// The messages of the client: all texts that players read or hear, by id. They are in
// static/messages, one file for each part, so that they can be translated. Each folder that has
// messages has a msg.js, which loads its file and exports the function for it.

/**
 * A text with arguments in braces: "Go home to {server}". {Server}, with a capital letter, stands
 * for the argument `server` with its first letter in upper case: it begins a sentence. If the text
 * depends on a number, there is one for each plural category of CLDR, chosen by the argument `n`.
 * "=0" is for exactly that number.
 * @typedef {string|{other: string, [category: string]: string}} Message
 */
/** The arguments of a message, by name. @typedef {Record<string, string|number>} Args */
/**
 * The ids in a file of messages.
 * @template T
 * @typedef {keyof T & string} Id
 */

/** The language of the messages, and how it forms plurals and lists. */
const LANGUAGE = 'en-GB';
const plurals = new Intl.PluralRules(LANGUAGE);
const lists = new Intl.ListFormat(LANGUAGE);

/** The messages of all files that are loaded. @type {Record<string, Message>} */
const loaded = {};

/**
 * Loads a file, and returns the function that gives its messages.
 * @template {Record<string, Message>} T
 * @param {T} file
 * @returns {(id: Id<T>, args?: Args) => string}
 */
export function messages(file) {
  Object.assign(loaded, file);
  return message;
}

/**
 * Returns the first of some messages that is loaded; '' if none is. Ids may be made of what the
 * server sends.
 * @param {string[]} ids
 * @param {Args} [args]
 */
export function firstMessage(ids, args) {
  const id = ids.find(isLoaded);
  return id ? message(id, args) : '';
}

/** Reports whether a message is loaded. @param {string} id */
export function isLoaded(id) {
  return Object.hasOwn(loaded, id);
}

/**
 * Returns the loaded ids that begin with a text, without it, in the order of their files.
 * @param {string} start
 */
export function idsOf(start) {
  return Object.keys(loaded).flatMap((id) => (id.startsWith(start) ? id.slice(start.length) : []));
}

/** Formats a list: "a, b and c". @param {string[]} items */
export function list(items) {
  return lists.format(items);
}

/** @param {string} id @param {Args} args */
function message(id, args = {}) {
  return textOf(id, args).replace(/\{(\w+)\}/g, (_, name) => {
    const argument = args[name] ?? args[argumentOf(name)];
    if (argument === undefined) return lacking(id, name);
    return name in args ? String(argument) : upper(String(argument));
  });
}

/** @param {string} id @param {Args} args */
function textOf(id, { n }) {
  const text = loaded[id];
  if (typeof text === 'string') return text;
  if (n === undefined) lacking(id, 'n');
  return text[`=${n}`] ?? text[plurals.select(Number(n))] ?? text.other;
}

/**
 * An argument is missing. In a page its name is shown. Tests run without a page, and fail.
 * @param {string} id
 * @param {string} name
 */
function lacking(id, name) {
  if (typeof document === 'undefined') throw new Error(`message ${id} lacks ${name}`);
  return name;
}

/** Returns the name of an argument that is written with a capital. @param {string} text */
export function argumentOf(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param {string} text */
function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
