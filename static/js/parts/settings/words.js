// The words for the settings of the table (see strings.js).

import { count } from '../../strings.js';

export const tablewords = {
  title: 'This table',
  close: 'Close',
  links: 'Links',
  setLinks: 'Change the links',
  noLinks: 'There are no links yet.',
  opens: 'Opens beside the table.',
  settings: 'Settings',
  settingsFor: 'Everybody sees these at once.',
  unsent: 'There is no connection. What you set is sent when it is back.',

  name: 'Title',
  surface: 'Surface',
  /** @type {Record<string, string>} */
  surfaces: { felt: 'Felt', wood: 'Wood', slate: 'Slate', paper: 'Paper' },
  ownColour: 'A colour',

  size: 'Size',
  width: 'Width in cm',
  height: 'Height in cm',
  resize: 'Change the size',
  sized: (/** @type {string} */ width, /** @type {string} */ height) =>
    `The table is ${width} by ${height} cm now.`,
  allInside: 'Every piece lies on the table then, too.',
  outside: (/** @type {number} */ n) =>
    `${count(n, 'One piece', 'pieces')} would lie beyond the edge: ${n === 1 ? 'it is' : 'they are'} moved in, as far as need be.`,
  stuck: (/** @type {number} */ n) =>
    `${count(n, 'One piece', 'pieces')} would stay beyond the edge, pinned, locked or in somebody’s grip, until somebody moves ${n === 1 ? 'it' : 'them'}.`,

  grid: 'Grid',
  /** By the numbers of the forms. */
  forms: ['None', 'Squares', 'Hexagons'],
  pitch: 'Size of a cell in mm',
  offsetX: 'Shifted right by mm',
  offsetY: 'Shifted down by mm',
  snap: 'Pieces snap to the cells when they are put down',

  linkText: 'What it is called',
  linkAddress: 'Address',
  addLink: 'Add a link',
  removeLink: (/** @type {string} */ name) => `Remove the link ${name}`,
  badAddress: 'An address begins with https:// and has no name or password in it.',
  fullLinks: 'There are ten links, which is all that fit.',

  space: {
    legend: 'Room',
    /** By the levels of T44. */
    levels: [
      'This table remembers every move. There is room for many more.',
      'This table remembers every move, and is nearly full.',
      'This table is full. Pieces can be moved for a while, nothing else is kept.',
      'This table is full. Nothing can be changed before there is room.',
    ],
    door: 'Make room…',
    title: 'Drop the old moves?',
    lostTitle: 'This is lost',
    lost: 'What was played until now cannot be looked up any more, and its shuffles and rolls cannot be checked. Everybody here is told that you did this. To keep them for checking, save the file on the page “Is it fair?” first.',
    keptTitle: 'This is not',
    kept: 'The table stays as it is: all pieces, hands, notes, drawings, scores, seats and links.',
    keep: 'Keep the old moves',
    go: 'Drop them',
    sealed:
      'Too many rounds of shuffles are still secret. Turn up what is hidden first, then try again.',
    often: 'That was done too often in this hour. Wait a few minutes.',
    failed: 'That did not work. Try again in a moment.',
  },

  copy: {
    door: 'Copy into a new table…',
    title: 'Copy into a new table?',
    alongTitle: 'This goes along',
    along:
      'All pieces where they lie, what is written on them, drawings, scores and your settings. Decks are shuffled.',
    staysTitle: 'This does not',
    stays:
      'Seats, links and old moves. Nobody else is told: send your friends the link of the new table. This table stays as it is.',
    keep: 'Stay here',
    go: 'Copy and go there',
    hidden:
      'There are cards here that not everybody knows, so a copy would tell who has what. Bring all cards back to their decks first, and out of hands.',
    guests: 'A set here belongs to somebody. Take it off the table first.',
    create: 'You may not set up tables on this server. Ask who runs it.',
    often: 'You did a lot in a short time. Wait a minute, then try again.',
    failed: 'That did not work. Try again in a moment.',
  },

  discard: {
    legend: 'Throw the table away',
    about: 'When the game is over for good. You are asked once more.',
    door: 'Throw this table away…',
    title: (/** @type {string} */ name) => `Throw “${name}” away?`,
    lostTitle: 'This is lost',
    lost: 'The table closes at once for everybody. Its pieces, notes, drawings and scores, all that was played and all links to it are deleted, and cannot be brought back.',
    keptTitle: 'This is not',
    kept: 'What is in somebody’s bag stays there.',
    guests: (/** @type {number} */ n) =>
      `${count(n, 'One set', 'sets')} on the table ${n === 1 ? 'belongs' : 'belong'} to somebody: ${n === 1 ? 'it goes' : 'they go'} back home. What is in somebody’s bag stays there.`,
    keep: 'Keep the table',
    go: 'Throw it away',
    failed: 'That did not work. Try again in a moment.',
  },

  // Changes by others, for screen readers.
  told: {
    surface: 'The table has another surface.',
    size: 'The table has another size.',
    grid: 'The table has another grid.',
    noGrid: 'The table has no grid any more.',
    links: (/** @type {number} */ n) =>
      n === 0
        ? 'The table has no links any more.'
        : `The table has ${count(n, 'one link', 'links')}.`,
  },
};
