// The words of drawing on the table (see strings.js).

import { count } from '../../strings.js';

export const drawingwords = {
  label: 'Drawing',
  pen: 'Pen',
  eraser: 'Eraser',
  undo: 'Undo',
  undoLast: 'Take back the last stroke',
  clear: 'Clear all',
  clearAll: 'Erase all drawings on the table',
  sure: (/** @type {number} */ n) =>
    `Erase ${count(n, 'the one stroke', 'strokes')} for everybody? That cannot be taken back.`,
  yes: 'Erase all',
  no: 'Keep them',
  done: 'Done',
  colours: 'Colour',
  widths: 'Width',
  own: 'Your colour',
  /** By the ids of parts/drawing/inks.js. @type {Record<string, string>} */
  inks: {
    black: 'Black',
    white: 'White',
    red: 'Red',
    yellow: 'Yellow',
    green: 'Green',
    blue: 'Blue',
  },
  /** By the ids of parts/drawing/inks.js. @type {Record<string, string>} */
  sizes: { fine: 'Fine', medium: 'Medium', broad: 'Broad' },
  begun: 'You draw now: drag on the table. Space and drag moves it. Escape ends drawing.',
  begunTouch: 'You draw now, with one finger or a stylus. Two fingers move the table.',
  ended: 'Pieces move again.',
  cleared: 'All drawings are erased.',
  notYours: (/** @type {string} */ nick) =>
    `${nick} has drawn that. Only ${nick} or a host can erase it.`,
  offline:
    'No connection: what you draw is kept here, and joins what others have drawn when the line is back.',
  full: 'There is no room for more drawings on this table. Something has to be erased first.',
  draws: (/** @type {string} */ nick) => `${nick} draws on the table.`,
};
