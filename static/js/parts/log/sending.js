// Sends lines of the chat, and says why one was not sent (docs/protocol/table.md, T64).

import { isChatSilent, plays } from '../../rights.js';
import { isPlayer } from '../../roles.js';
import { nickOf } from '../../view/names.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../types.js').SyncEvent} SyncEvent */

/**
 * A line that somebody has written.
 * @typedef {object} Sent
 * @property {string} text
 * @property {number} to the only seat that gets it; 0: everybody does
 * @property {boolean} isTyped it comes out of the field, not from a press on a reaction
 */

/** What cannot stand in a line (T64.2): control characters, ends of lines and of paragraphs. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** Returns a text as a line can have it. @param {string} text */
export const lineOf = (text) => text.replace(BREAKS, ' ').trim();

/**
 * Returns whether this person may write to everybody: those who watch only read if the hosts want
 * it so (T64.11).
 * @param {State} s
 */
export function mayWrite(s) {
  const me = s.sync.seats.get(s.sync.you);
  return !!me && !me.left && s.net.status.state !== 'closed' &&
    !(me.role === 'spectator' && isChatSilent(s));
}

/**
 * Returns those to whom this person can write alone: players write to players (T64.8).
 * @param {State} s
 * @returns {Seat[]}
 */
export function whisperedTo(s) {
  if (!plays(s)) return [];
  return [...s.sync.seats.values()].filter((seat) => isPlayer(seat) && seat.id !== s.sync.you);
}

/** Returns why a line would not be sent now; '' if it would be. @param {State} s @param {Sent} line
 */
export function whyNotSent(s, { to }) {
  if (!mayWrite(s)) return msg('log.mayNot');
  if (!to || whisperedTo(s).some(({ id }) => id === to)) return '';
  return plays(s) ? msg('log.notAlone', { nick: nickOf(s, to) }) : msg('log.noWhisper');
}

/**
 * Keeps what was written until the server has taken it.
 * @param {State} s
 */
export function createSending(s) {
  /** The lines without an outcome, by the numbers of their updates. @type {Map<number, Sent>} */
  const sent = new Map();
  return {
    /** @param {Sent} line */
    say(line) {
      const { text, to } = line;
      sent.set(s.sync.make('say', to ? { text, seat: to } : { text }), line);
      s.net.flush();
    },
    /** Deletes a line. @param {number} line its number */
    unsay(line) {
      s.sync.make('unsay', { line });
      s.net.flush();
    },
    /**
     * Takes in an outcome.
     * @param {SyncEvent} event
     * @returns {Sent|null} a line that somebody has typed, and that the server has refused
     */
    settle(event) {
      if (event.type !== 'acked' && event.type !== 'reject') return null;
      const line = sent.get(event.seq);
      sent.delete(event.seq);
      return event.type === 'reject' && line?.isTyped ? line : null;
    },
    /**
     * Says why the server has refused a line, or a deletion of one; '' if it was something else, or
     * if that is said as of any update.
     * @param {Extract<SyncEvent, {type: 'reject'}>} event
     */
    whyRefused({ op, seq, reason }) {
      if (op === 'unsay')
        return msg(reason === 'gone' ? 'log.deletedAlready' : 'log.othersLine');
      const line = sent.get(seq);
      if (op !== 'say' || !line) return '';
      if (reason === 'cooling')
        return msg(line.isTyped ? 'log.tooFast' : 'log.tooFastReaction');
      if (reason !== 'not-allowed') return '';
      return whyNotSent(s, line) ||
        (line.to ? msg('log.notAlone', { nick: nickOf(s, line.to) }) : msg('log.mayNot'));
    },
  };
}
