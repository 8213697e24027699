/**
 * Sends the batches of a source by datagrams, several requests at a time (D39).
 *
 * While they have no answer nothing is posted. When one of them is not accepted or gets no answer,
 * what has no answer is posted, in the order of the sequences, until nothing waits and all answers
 * have come (D40). No DOM.
 *
 * @module
 */

import { encodeUp } from '../../net/up.js';
import { footprint, Upward } from './upward.js';

/** @typedef {import('../../types.js').Requests} Requests */
/** @template B @typedef {import('../../types.js').RequestsHost<B>} RequestsHost */

/** How long to wait for an answer, in milliseconds (D40). */
const SOON = 3000;

// Bounds of a request (D14), in bytes: of its updates, and of the message.
const MOST_UPDATES = 3600;
const MOST_MESSAGE = 4096;

const ACCEPTED = 202;
/** The status of a request that was refused because of an earlier one (D40). */
const DEPENDENCY = 424;

const UTF8 = new TextEncoder();

/**
 * @template B
 * @param {(up: Uint8Array<ArrayBuffer>, before: unknown[]) => unknown} send sends a message behind
 *   earlier ones, and returns what later ones can wait for; null: it cannot now
 * @param {RequestsHost<B>} host
 * @returns {Requests}
 */
export function createRequests(send, { source, body, upward: says, deps, decide, flush }) {
  /** @type {Upward<B>} */
  const upward = new Upward((batch) => footprint(says.inFlight(batch)));
  let isByHttp = false; // because datagrams have failed
  /** Whether the next batch goes by HTTP: it is too large for a message, or there is no room. */
  let isTooLarge = false;
  /** @type {unknown} runs until an answer is late */
  let late = null;

  return {
    next() {
      if (sendNext()) return 'sent';
      if (!upward.isQuiet) return 'waits';
      isTooLarge = false;
      return 'free';
    },
    rest() {
      if (upward.isOver) isByHttp = false;
    },
    answered,
    abandon() {
      for (const batch of upward.abandon()) source.failed(batch);
      deps.clearTimeout(late);
    },
  };

  /** Sends the next batch, if it may go so. @returns {boolean} whether it did */
  function sendNext() {
    if (isByHttp || isTooLarge || !upward.isFree) return false;
    const batch = source.take(MOST_UPDATES);
    if (!batch) return false;
    const { deps: before, behind } = upward.behind(batch);
    const message = encodeUp({
      type: 'updates',
      request: upward.next,
      batch: UTF8.encode(body(batch)),
      ...says.version(),
      alone: upward.isOver,
    });
    const handle = message.length > MOST_MESSAGE ? null : send(message, before);
    if (handle === null) {
      source.failed(batch); // it stays the next one, behind what has to be sent again
      isTooLarge = true;
      return false;
    }
    upward.add({ batch, handle, behind, sentAt: deps.ticks() });
    watch();
    return true;
  }

  /** Looks after the answers. */
  function watch() {
    if (late !== null || upward.isQuiet) return;
    late = deps.setTimeout(
      () => {
        late = null;
        if (upward.isQuiet || deps.ticks() - upward.since < SOON) {
          watch();
          return;
        }
        isByHttp = true;
        for (const batch of upward.giveUp()) source.failed(batch);
        flush();
      },
      Math.max(0, upward.since + SOON - deps.ticks()),
    );
  }

  /** @param {import('../../types.js').AnswerEvent} answer */
  function answered({ request, status, retryAfter, problem }) {
    const batch = upward.answered(request);
    if (batch) {
      isByHttp ||= status !== ACCEPTED;
      if (status === DEPENDENCY) source.failed(batch);
      else decide(batch, status, retryAfter || Number.NaN, problem);
    }
    flush();
  }
}
