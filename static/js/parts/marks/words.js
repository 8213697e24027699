// The words for labels, tints and remarks (see strings.js).

export const markwords = {
  labelled: (/** @type {string} */ text) => `labelled “${text}”`,
  tinted: (/** @type {string} */ name) => `tinted ${name}`,
  remarked: 'with a remark',
  unsent: 'not sent yet',

  /** By the ids of parts/marks/tints.js. @type {Record<string, string>} */
  hues: {
    red: 'red',
    orange: 'orange',
    yellow: 'yellow',
    green: 'green',
    blue: 'blue',
    violet: 'violet',
    white: 'white',
    black: 'black',
  },
  /** Descriptions of the patterns. @type {Record<string, string>} */
  patterns: {
    red: 'rising stripes',
    orange: 'upright stripes',
    yellow: 'dots',
    green: 'level stripes',
    blue: 'falling stripes',
    violet: 'checks',
    white: 'plain',
    black: 'rings',
  },

  gone: 'That is not there any more, so nothing is written on it.',
  close: 'Close',
  label: {
    title: (/** @type {string} */ what) => `Label ${what}`,
    field: 'Label',
    hint: 'It stands at the piece, for all who see it. When the piece goes into a hand, or out of one, it is gone.',
    hintMany: 'It stands at each of them, for all who see it.',
    save: 'Write it',
    remove: 'Take it off',
  },
  tint: {
    title: (/** @type {string} */ what) => `Tint ${what}`,
    choose: 'Tint',
    none: 'none',
  },
  remark: {
    title: (/** @type {string} */ what) => `Remark on ${what}`,
    field: 'Remark',
    hint: 'Everybody who sees the piece can read it, and players can change it.',
    left: (/** @type {number} */ n) => `${n} more letters fit.`,
    save: 'Keep it',
    remove: 'Delete',
    now: (/** @type {string} */ text) =>
      text
        ? `Somebody has just written “${text}” here. If you keep yours, it counts.`
        : 'Somebody has just deleted this. If you keep yours, it counts.',
  },

  // Actions of others, for screen readers.
  told: {
    label: (/** @type {string} */ what, /** @type {string} */ text) =>
      `${what} is labelled “${text}”.`,
    noLabel: (/** @type {string} */ what) => `${what} has no label any more.`,
    tint: (/** @type {string} */ what, /** @type {string} */ name) => `${what} is tinted ${name}.`,
    noTint: (/** @type {string} */ what) => `${what} has no tint any more.`,
    remark: (/** @type {string} */ what) => `There is a new remark on ${what}.`,
    noRemark: (/** @type {string} */ what) => `The remark on ${what} is gone.`,
    many: (/** @type {number} */ n) => `${n} pieces were marked.`,
  },
};
