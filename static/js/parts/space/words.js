// The words for a table whose log is filling up (see strings.js).

export const spacewords = {
  /** By the levels of T44. */
  levels: [
    '',
    'This table is nearly full. It remembers every move, and it has seen a lot of them.',
    'This table is full. You can still move pieces, but no notes, drawings or new pieces are kept.',
    'This table is full. Nothing on it can be changed any more.',
  ],
  host: 'You can make room in its settings.',
  player: 'The host can make room.',
  dropped: (/** @type {string} */ nick) =>
    `${nick} has made room: the old moves of this table were dropped, and cannot be checked any more.`,
  droppedByYou: 'There is room again. The old moves of this table were dropped.',
  door: 'Make room…',
  done: 'OK',
};

/** @type {Record<string, () => string>} */
export const spacewhy = {
  'log-full': () =>
    'This table is full, so that was not kept. The host can make room in the settings.',
};
