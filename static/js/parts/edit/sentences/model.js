// Sentences: what somebody edits in the place of the steps of a button. Each has a form and what
// its chips say. A chip refers to a question by its number, so that the name of the question can
// change. No DOM.

import { MOST_DEEP, asks, formOf, hasLists, nameOf, setsUp } from './forms.js';

/** @typedef {import('../../../kinds/button.js').Step} Step */
/** @typedef {import('./forms.js').FormName} FormName */
/** @typedef {import('./forms.js').Slot} Slot */
/** @typedef {import('./forms.js').For} For */

/** The answer to a question, by the number of its sentence. @typedef {{answer: number}} Answer */
/** What a chip says. @typedef {string|number|string[]|Answer} Value */
/**
 * @typedef {object} Sentence
 * @property {number} id
 * @property {FormName} form
 * @property {Record<string, Value>} has what its chips say, by their slots
 * @property {Sentence[][]} lists those that stand in it
 */

/** Counts sentences. */
let ids = 0;

/**
 * Makes a sentence.
 * @param {FormName} form
 * @param {Record<string, Value>} has
 * @returns {Sentence}
 */
export function sentence(form, has) {
  return { id: ++ids, form, has, lists: (formOf(form).lists ?? []).map(() => []) };
}

/** @param {unknown} value @returns {value is Answer} */
export const isAnswer = (value) =>
  typeof value === 'object' && value !== null && 'answer' in value;

/** What each question is for. @type {Record<string, For>} */
const FOR = { askNumber: 'number', askChoice: 'choice', askSeat: 'seat', askPiece: 'piece' };

/** For what a question is; undefined if a sentence asks nothing. @param {Sentence} of */
export const forOf = ({ form }) => FOR[form];

/**
 * Returns the sentences that say what steps do; null if a newer server knows more.
 * @param {Step[]} steps
 * @returns {Sentence[]|null}
 */
export function read(steps) {
  /** The questions by their names. @type {Map<string, Sentence>} */
  const asked = new Map();
  const all = steps.map((step) => readStep(step, asked));
  return all.every((one) => one !== null) ? all : null;
}

/** @param {Step} step @param {Map<string, Sentence>} asked @returns {Sentence|null} */
function readStep(step, asked) {
  const compares = typeof step.of === 'object' ? asked.get(step.of.answer) : undefined;
  const name = nameOf(step, compares && forOf(compares));
  if (name === null) return null;
  const { slots, lists = [] } = formOf(name);
  const is = sentence(name, {});
  for (const [slot, of] of Object.entries(slots))
    is.has[slot] = readSlot(/** @type {any} */ (step)[of.field], of, asked);
  if (name === 'askNumber' && step.initial === undefined) is.has.initial = is.has.min;
  for (const [i, field] of lists.entries()) {
    const within = /** @type {any} */ (step)[field] ?? [];
    for (const one of within) {
      const read = readStep(one, asked);
      if (!read) return null;
      is.lists[i].push(read);
    }
  }
  if (asks(name)) asked.set(step.name ?? '', is);
  return is;
}

/** @param {any} value @param {Slot} of @param {Map<string, Sentence>} asked @returns {Value} */
function readSlot(value, of, asked) {
  if (isAnswer(value)) return { answer: asked.get(String(value.answer))?.id ?? 0 };
  switch (of.type) {
    case 'number':
      return typeof value === 'number' ? value / (of.unit ?? 1) : Number.NaN;
    case 'pick':
      return of.options.find(([, is]) => is === value)?.[0] ?? of.options[0][0];
    case 'texts':
      return [...value ?? []];
    case 'face':
      return value ?? 0;
    default:
      return value ?? '';
  }
}

/**
 * Returns the steps that sentences say, as a game file has them.
 * @param {Sentence[]} sentences
 * @returns {Step[]}
 */
export function write(sentences) {
  const names = new Map(questionsOf(sentences).map(({ id, has }) => [id, String(has.name).trim()]));
  return sentences.map((one) => writeOne(one, names));
}

/** @param {Sentence} of @param {Map<number, string>} names @returns {Step} */
function writeOne({ form, has, lists }, names) {
  const of = formOf(form);
  /** @type {any} */
  const step = { do: of.verb, ...of.has };
  for (const [slot, is] of Object.entries(of.slots)) {
    const value = writeSlot(has[slot], is, names);
    if (value !== undefined) step[is.field] = value;
  }
  for (const [i, field] of (of.lists ?? []).entries()) {
    const within = lists[i].map((one) => writeOne(one, names));
    if (within.length > 0 || field !== 'else') step[field] = within;
  }
  return step;
}

/** @param {Value} value @param {Slot} of @param {Map<number, string>} names */
function writeSlot(value, of, names) {
  if (isAnswer(value)) return { answer: names.get(value.answer) ?? '' };
  switch (of.type) {
    case 'number':
      return Math.round(Number(value) * (of.unit ?? 1));
    case 'pick':
      return of.options.find(([id]) => id === value)?.[1];
    case 'text':
      return String(value).trim();
    case 'kind':
    case 'answer':
      return value === '' && of.any ? undefined : value;
    case 'setup':
      return value || undefined;
    default:
      return value;
  }
}

/** Returns the questions of a button: its first sentences. @param {Sentence[]} sentences */
export const questionsOf = (sentences) => sentences.filter(({ form }) => asks(form));

/**
 * Returns all sentences, those in lists behind those that have them, as steps are numbered (T91.7).
 * @param {Sentence[]} sentences
 * @returns {Sentence[]}
 */
export const all = (sentences) =>
  sentences.flatMap((one) => [one, ...one.lists.flatMap(all)]);

/**
 * Where a sentence stands: in which list, at which place, and in which sentence.
 * @typedef {{list: Sentence[], at: number, parents: Sentence[]}} Place
 */

/**
 * Finds a sentence.
 * @param {Sentence[]} sentences
 * @param {number} id
 * @param {Sentence[]} [parents]
 * @returns {Place|null}
 */
export function find(sentences, id, parents = []) {
  for (const [at, one] of sentences.entries()) {
    if (one.id === id) return { list: sentences, at, parents };
    for (const list of one.lists) {
      const found = find(list, id, [...parents, one]);
      if (found) return found;
    }
  }
  return null;
}

/**
 * Reports whether a form may stand in a list that stands in these sentences.
 * @param {FormName} form
 * @param {Sentence[]} parents
 */
export function mayStand(form, parents) {
  if (asks(form) || setsUp(form)) return parents.length === 0;
  if (form === 'each' && parents.some((one) => one.form === 'each')) return false;
  return !hasLists(form) || parents.length < MOST_DEEP;
}

/**
 * Adds a sentence to a list: a question behind the others, and what sets up at the end.
 * @param {Sentence[]} list
 * @param {Sentence} one
 */
export function add(list, one) {
  const last = list.at(-1);
  if (asks(one.form)) list.splice(questionsOf(list).length, 0, one);
  else if (last && setsUp(last.form)) list.splice(-1, 0, one);
  else list.push(one);
}

/** What stands where in a list: questions first, and what sets up last. @param {Sentence} of */
const rank = ({ form }) => (asks(form) ? 0 : setsUp(form) ? 2 : 1);

/**
 * Reports whether a sentence can move in its list.
 * @param {Place} place
 * @param {-1|1} by
 */
export function canMove({ list, at }, by) {
  const other = list[at + by];
  return other !== undefined && rank(other) === rank(list[at]);
}

/** Moves a sentence in its list. @param {Place} place @param {-1|1} by */
export function move({ list, at }, by) {
  [list[at], list[at + by]] = [list[at + by], list[at]];
}

/**
 * Returns the number of a sentence as people read it: "2", and "2.1" for the first one in it.
 * @param {Sentence[]} sentences
 * @param {number} id
 * @returns {string}
 */
export function numberOf(sentences, id) {
  const place = find(sentences, id);
  if (!place) return '';
  const { parents, at, list } = place;
  const parent = parents.at(-1);
  const before = parent ? parent.lists.slice(0, parent.lists.indexOf(list)).flat().length : 0;
  const own = String(before + at + 1);
  return parent ? `${numberOf(sentences, parent.id)}.${own}` : own;
}

/**
 * Changes what a chip says. What refers to the choices of a question changes with them.
 * @param {Sentence[]} sentences
 * @param {Sentence} one
 * @param {string} slot
 * @param {Value} value
 */
export function change(sentences, one, slot, value) {
  const before = one.has[slot];
  one.has[slot] = value;
  if (!Array.isArray(before) || !Array.isArray(value) || before.length !== value.length) return;
  for (const { form, has } of all(sentences)) {
    const { of } = has;
    if (form !== 'ifChoice' || !isAnswer(of) || of.answer !== one.id) continue;
    const at = before.indexOf(String(has.is));
    if (at >= 0) has.is = value[at];
  }
}

/** What the server says of the place of a fault, before it says what is wrong there. */
const PLACE = /^(?:(then|else): )?step (\d+): /;

/**
 * Finds the sentence of which the server says something: "button: step 2: then: step 0: no kind".
 * @param {Sentence[]} sentences
 * @param {string} detail
 * @returns {{of: Sentence|null, says: string}} what it says of it
 */
export function faultOf(sentences, detail) {
  let list = sentences;
  /** @type {Sentence|null} */
  let of = null;
  let says = detail.slice(detail.indexOf('button: ') + 'button: '.length);
  for (;;) {
    const [place = '', field, number] = PLACE.exec(says) ?? [];
    if (of) list = of.lists[field === 'else' ? 1 : 0] ?? [];
    const next = list[Number(number)];
    if (!place || !next) return { of, says };
    of = next;
    says = says.slice(place.length);
  }
}
