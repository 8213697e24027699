// The words for rounds of randomness at the table (see strings.js). The page that checks rounds has
// its own words (fairnesspage/words.js).

import { list } from '../../strings.js';

export const fairnesstells = {
  opened: 'A new round of shuffles and rolls has begun.',
  waits: 'The last one can be checked when nothing of it is hidden any more.',
  told: (/** @type {number[]} */ rounds) =>
    `${rounds.length === 1 ? 'Round' : 'Rounds'} ${list(rounds.map(String))} can be checked now, under “Is it fair?”.`,
  leftOut:
    'Your page’s part in the shuffles was left out twice. The next shuffles still hold what the others put in, and your page tries again.',
  suggestion: 'A suggestion',
  suggest: 'So far the server alone has laid the deck. Shuffle it once more, and everybody’s page has a part in how it lies.',
  suggested: 'There are two buttons for it, before the buttons of the view.',
  shuffle: 'Shuffle the deck',
  notNow: 'Not now',
  contradiction: 'What the table has just said of its shuffles and rolls contradicts what it said before. Look under “Is it fair?”.',
};
