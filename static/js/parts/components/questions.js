/**
 * Questions that are components, and their answers (docs/protocol/component.md, C18). No DOM; the
 * caller passes in timers.
 *
 * @module
 */

import { compareBytes } from './crdtread.js';

/** @typedef {import('./wire.js').Op} Op */

/**
 * The outcome of a question: an answer; another question replaced it, here or in another client;
 * the room refused it (C11); or no answer came in time.
 *
 * @template A
 * @typedef {{ state: 'answered', answer: A } | { state: 'replaced' } | { state: 'refused' } | {
 *   state: 'expired' }} Asked
 */

/** Milliseconds after which a question expires (C18). */
export const PATIENCE = 10_000;

/**
 * @typedef {object} Question
 * @property {Op} op
 * @property {(data: Uint8Array) => { of: number }} decode decodes an answer
 * @property {(asked: Asked<any>) => void} tell
 * @property {unknown} timer
 */

export class Questions {
  /**
   * @param {{ setTimeout: (f: () => void, ms: number) => unknown, clearTimeout: (timer: any) =>
   *   void, stands: (entity: number, component: number) => import('./crdt.js').Entry | undefined }}
   *   deps `stands` returns what the room has under a key
   */
  constructor(deps) {
    this.deps = deps;
    /** Questions without an answer, by their keys. @type {Map<string, Question>} */
    this.open = new Map();
  }

  /**
   * @param {Op} op
   * @param {Question['decode']} decode
   * @param {() => void} onExpired
   * @returns {Promise<Asked<any>>}
   */
  ask(op, decode, onExpired) {
    const key = keyOf(op);
    this.end(key, { state: 'replaced' });
    return new Promise((tell) => {
      const timer = this.deps.setTimeout(() => {
        onExpired();
        this.end(key, { state: 'expired' });
      }, PATIENCE);
      this.open.set(key, { op, decode, tell, timer });
    });
  }

  /** The room has refused a question. @param {Op} op */
  refused(op) {
    if (this.open.get(keyOf(op))?.op === op) this.end(keyOf(op), { state: 'refused' });
  }

  /**
   * Checks whether the room now has an answer to a question, or another question in its place. The
   * room answers a question when it merges it. So an answer belongs to the question that the room
   * has when the answer arrives, and nobody takes an answer to somebody else's question.
   *
   * @param {Op} [last] the operation that was just merged; missing: everything is new
   */
  look(last) {
    for (const [key, { op, decode }] of this.open) {
      const question = this.deps.stands(op.entity, op.component);
      const answer = this.deps.stands(op.entity, op.component + 1)?.data;
      if (!question || question.timestamp < op.timestamp) continue;
      const order =
        question.timestamp > op.timestamp
          ? 1
          : question.data
            ? compareBytes(question.data, op.data)
            : -1;
      const isNew = !last || (last.entity === op.entity && last.component === op.component + 1);
      const read = isNew && answer ? decode(answer) : null;
      if (order === 0 && read?.of === op.timestamp)
        this.end(key, { state: 'answered', answer: read });
      else if (order > 0) this.end(key, { state: 'replaced' });
    }
  }

  /** Ends a question. @private @param {string} key @param {Asked<any>} asked */
  end(key, asked) {
    const question = this.open.get(key);
    if (!question) return;
    this.open.delete(key);
    this.deps.clearTimeout(question.timer);
    question.tell(asked);
  }
}

/** @param {Op} op */
function keyOf({ entity, component }) {
  return `${entity} ${component}`;
}
