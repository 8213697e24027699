// Notes, and labels with a text of their own (T35).

import { msg } from '../msg.js';

/**
 * @typedef {object} Config
 * @property {{initial: string}} [text] of a note or a label (T35)
 */

/** @type {import('./ability.js').Ability} */
export const note = {
  parts: ['abilities'],
  says: (_, { text }) => [
    text
      ? msg('core.piece.says', { text: text.replaceAll('\n', ' ') })
      : msg('core.piece.blank'),
  ],
  writes: 'text',
  isRead: true,
  effects: { write: (piece, { text = '' }) => ({ ...piece, text }) },
  operations: {
    write: {
      icon: 'write', dialog: 'openEditor', isForOne: true, takesPiece: true, isMain: true,
    },
  },
};
