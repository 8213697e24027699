// The words for profiles (see strings.js).

export const profilewords = {
  title: 'How you appear',
  close: 'Close',
  nick: 'Your name',
  noNick: 'A name has at least one letter.',
  pronoun: 'Your pronoun',
  pronounHint: 'It stands beside your name. You need not choose one.',
  pronouns: ['she/her', 'he/him', 'they/them'],
  colour: 'Your colour',
  own: 'Another colour',
  takenBy: (/** @type {string} */ name, /** @type {string} */ nick) => `${name}, taken by ${nick}`,
  taken: 'A dot marks the colours that others at the table have.',
  away: 'I am away',
  awayHint: 'The others see it until you say that you are back.',
  save: 'Done',
  youAway: 'The others see now that you are away.',
  youBack: 'The others see now that you are back.',
  wentAway: (/** @type {string} */ nick) => `${nick} is away.`,
  cameBack: (/** @type {string} */ nick) => `${nick} is back.`,
};

/** The colours that the dialog offers, the same as on the page where people take a seat. */
export const COLOURS = [
  ['Red', 0xc0392b],
  ['Orange', 0xd4761c],
  ['Gold', 0xc99a12],
  ['Moss', 0x5f8d2f],
  ['Jade', 0x2a8a5f],
  ['Teal', 0x1f8a99],
  ['Blue', 0x2f72c4],
  ['Indigo', 0x5a55c9],
  ['Violet', 0x8a4bb8],
  ['Pink', 0xc24391],
  ['Brown', 0x8a5a3c],
  ['Slate', 0x5d6770],
];
