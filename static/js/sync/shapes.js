/**
 * Which arguments an operation takes, and how a client sends it (T24). No DOM, no state.
 *
 * @module
 */

import { FORMS } from './operations.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('./operations.js').Arg} Arg */
/** @typedef {import('./operations.js').Form} Form */

/**
 * How a client sends an operation in its first form; empty if this client does not know it.
 *
 * @param {string} op
 * @returns {Form['sent'] | ''}
 */
export function sentAs(op) {
  return Object.hasOwn(FORMS, op) ? FORMS[op][0].sent : '';
}

/**
 * The arguments of an operation, without undefined ones.
 *
 * @param {string} op
 * @param {Args} args
 * @param {Form['sent']} sent how it is sent. A blind operation may be unknown to this client (T36):
 *   then it takes any arguments.
 * @returns {Args}
 * @throws {RangeError} if there is no such operation, if an argument is missing, or if the
 *   operation does not take one
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
    const isTaken = needs.includes(name) || may.includes(name);
    if (!isTaken) throw new RangeError(`${op} takes no ${name}`);
  }
  if (names.includes('x') !== names.includes('y')) throw new RangeError(`${op} lacks x or y`);
  return Object.fromEntries(given);
}

/**
 * @param {string} op
 * @param {Form['sent']} sent
 * @returns {Form | null} null: this client does not know the operation
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
