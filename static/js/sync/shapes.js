/**
 * Which arguments an operation takes (T24), and how it is sent. No DOM, no state.
 *
 * @module
 */

import { FORMS } from './operations.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('./operations.js').Arg} Arg */
/** @typedef {import('./operations.js').Form} Form */

/**
 * How an operation is sent, in its first form; empty if this client does not know it.
 *
 * @param {string} op
 * @returns {Form['sent'] | ''}
 */
export function sentAs(op) {
  return Object.hasOwn(FORMS, op) ? FORMS[op][0].sent : '';
}

/**
 * The arguments of an operation, and nothing else: what is undefined is left out.
 *
 * @param {string} op
 * @param {Args} args
 * @param {Form['sent']} sent how it is sent. What is sent blind may be an operation of which nothing is known (T36): then the
 *   arguments are what they are.
 * @returns {Args}
 * @throws {RangeError} if there is no such operation, or it lacks an argument or does not take one
 */
export function argsOf(op, args, sent) {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => /** @type {Arg} */ (name));
  /** @type {Pick<Form, 'needs' | 'may'>} */
  const { needs, may } = formOf(op, sent) ?? { needs: [], may: names };
  for (const name of needs) {
    if (!names.includes(name)) throw new RangeError(`${op} lacks ${name}`);
  }
  for (const name of names) {
    if (!needs.includes(name) && !may.includes(name)) throw new RangeError(`${op} takes no ${name}`);
  }
  if (names.includes('x') !== names.includes('y')) throw new RangeError(`${op} lacks x or y`);
  return Object.fromEntries(given);
}

/**
 * @param {string} op
 * @param {Form['sent']} sent
 * @returns {Form | null} null: nothing is known of it
 */
function formOf(op, sent) {
  if (!Object.hasOwn(FORMS, op)) {
    if (sent === 'blind') return null;
    throw new RangeError(`no operation ${op}`);
  }
  const form = FORMS[op].find((f) => f.sent === sent);
  if (!form) throw new RangeError(`${op} is not ${sent}`);
  return form;
}
