// The sentences of the page that checks shuffles and rolls. They are separate from those of the
// table (strings.js), because tables need not load them.

/** @param {number} n @param {string} one @param {string} many */
const count = (n, one, many) => (n === 1 ? one : `${n} ${many}`);

/** @param {number} n @param {string} noun */
const number = (n, noun) =>
  `${n} ${n === 1 ? noun : noun.endsWith('x') ? `${noun}es` : `${noun}s`}`;

/** @param {string[]} parts */
const list = (parts) => (parts.length > 1
  ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  : (parts[0] ?? ''));

/** What can be drawn, by its name in exports. @type {Record<string, string>} */
const THINGS = {
  shuffle: 'shuffle', cut: 'cut', draw: 'draw by lot', roll: 'roll', place: 'place by lot',
};

/** @param {Record<string, number>} of */
const drawn = (of) =>
  list(
    Object.entries(of).flatMap(([what, n]) => {
      if (n === 0) return [];
      if (n === 1 || !THINGS[what].includes(' ')) return [number(n, THINGS[what])];
      return [`${n} ${THINGS[what].replace(' ', 's ')}`]; // draws by lot
    }),
  );

export const words = {
  checking: 'Checking…',
  percent: (/** @type {number} */ done) => `${Math.floor(100 * done)} %`,
  somebody: (/** @type {number} */ seat) => (seat === 0 ? 'the table' : `seat ${seat}`),

  verdict: {
    agrees: 'Everything that can be checked agrees.',
    early: 'Nothing can be recomputed yet.',
    differs: 'Something does not agree.',
    contradiction: 'The table has contradicted itself.',
    unreadable: 'The export cannot be read.',
    failed: 'The export could not be loaded.',
  },

  // What agrees.
  earlyWhy: 'So far there is nothing against it. What came out can be recomputed when a round has been revealed.',
  outcomes: (/** @type {number} */ rounds, /** @type {Record<string, number>} */ of) =>
    Object.values(of).every((n) => n === 0)
      ? `${count(rounds, 'One round was', 'rounds were')} revealed, in which nothing was drawn.`
      : `${upper(drawn(of))} in ${count(rounds, 'one revealed round', 'revealed rounds')}: all came out as the secret numbers of the table and the players say.`,
  shares: (/** @type {number} */ n, /** @type {number} */ mine) => {
    if (n === 0) return 'No player’s page has put a number into it yet.';
    const from = mine === 0
      ? 'none from this browser'
      : `${mine === n ? (n === 1 ? '' : 'all ') : `${mine} `}from this browser`;
    return `Players’ pages have put ${number(n, 'secret number')} into the draws, ${from}.`;
  },
  alone: (/** @type {number} */ n) =>
    `${count(n, 'One draw was', 'draws were')} made before any player’s number was in: there you have only the server’s word.`,
  withheld: (/** @type {string[]} */ who) =>
    `Left out as too late: ${list(who)}. Once is a bad connection. Again and again is not.`,
  withheldBy: (/** @type {number} */ n, /** @type {string} */ who) =>
    `${number(n, 'number')} of ${who}`,

  // Notes.
  noted: (/** @type {number} */ seals, /** @type {number} */ shares) =>
    `What this browser noted while you were at the table is there as it was noted: ${number(seals, 'seal')} of draws and ${number(shares, 'number')} of its own.`,
  noNotes:
    'This browser has no notes of this table, so the check shows only that the export agrees with itself. Ask somebody who was there while it was played.',
  leftOut: (/** @type {number} */ n) =>
    `The table left out ${count(n, 'one number', 'numbers')} of this browser, as too late.`,
  absent: (/** @type {number} */ n) =>
    `${count(n, 'One note', 'notes')} cannot be compared yet: what ${n === 1 ? 'it is' : 'they are'} about is not revealed, or newer than the export.`,
  from: (/** @type {number} */ round) =>
    `This browser keeps only so many notes: those of rounds before round ${round} are gone.`,
  undone: (/** @type {string} */ first) =>
    `The table was set back to an older state while this browser took notes, as is done from a backup. What was noted before that does not agree any more (${first}). Ask your host what happened.`,
  undoneAgrees: 'The table was set back to an older state while this browser took notes. What was noted before that agrees, too.',
  contradicted: (/** @type {string} */ when, /** @type {number} */ round) =>
    `On ${when}, in round ${round}, the table told this browser something that contradicts what it had told before:`,

  // Sealed rounds.
  open: (/** @type {number} */ round, /** @type {number} */ draws) =>
    `Round ${round} goes on, with ${draws === 0 ? 'no draw' : number(draws, 'draw')} so far. Its draws are sealed: nobody can change them any more, and nobody can read them before the round is over.`,
  sealed: (/** @type {number[]} */ rounds) =>
    `${rounds.length === 1 ? 'Round' : 'Rounds'} ${list(rounds.map(String))} ${rounds.length === 1 ? 'is' : 'are'} over and still sealed: something that went out of sight then, or before, is hidden still, such as a card in a hand or in a deck. To reveal the round would show it.`,

  dropped: (/** @type {number} */ n) =>
    `${count(n, 'One round was', 'rounds were')} dropped by a host with the older moves of this table, to make room. Nothing can be checked of ${n === 1 ? 'it' : 'them'} any more.`,

  unbound: (/** @type {number[]} */ rounds, /** @type {boolean} */ all) =>
    all
      ? 'These rounds are of an old kind: nothing shows who was called what, and at what time something was done. Compare the names with those at the table.'
      : `${rounds.length === 1 ? 'Round' : 'Rounds'} ${list(rounds.map(String))} ${rounds.length === 1 ? 'is' : 'are'} of an old kind: nothing shows who was called what then, and at what time something was done. In the others, names and times are part of the check.`,
  unboundNames: (/** @type {number} */ kinds, /** @type {number} */ seats) =>
    `No round holds on to ${list([kinds > 0 ? `the ${count(kinds, 'name of one kind of piece', 'names of kinds of pieces')}` : '', seats > 0 ? `the ${count(seats, 'name of one player', 'names of players')}` : ''].filter(Boolean))}: they are only there for you to read.`,

  // Round by round.
  rounds: 'Round by round',
  earlier: (/** @type {number} */ n) =>
    `${count(n, 'One earlier round agrees', 'earlier rounds agree')}, too.`,
  revealed: 'revealed',
  notRevealed: 'sealed',
  goesOn: 'goes on',
  round: (/** @type {{round: number, state: string, draws: number, of: Record<string, number>, shares: number, mine: number}} */ r) => {
    const what = drawn(r.of) || (r.draws === 0 ? 'no draws' : number(r.draws, 'draw'));
    const mine = r.mine > 0 ? `, ${r.mine} from this browser` : '';
    return `Round ${r.round}, ${r.state}: ${what}; ${r.shares === 0 ? 'no players’ numbers' : `${number(r.shares, 'player’s number').replace('player’s numbers', 'players’ numbers')}${mine}`}.`;
  },

  // A difference.
  where: (/** @type {number} */ round) => `It is in round ${round}.`,
  whereDraw: (
    /** @type {number} */ round, /** @type {number} */ draw, /** @type {string} */ what,
  ) =>
    `It is in round ${round}, in draw ${draw}${what ? `, ${what}` : ''}.`,
  whereFact: (
    /** @type {number} */ round, /** @type {number} */ fact, /** @type {string} */ what,
  ) =>
    `It is in round ${round}, in entry ${fact}${what ? ` (${what})` : ''}.`,
  drawBy: (/** @type {string} */ what, /** @type {string} */ who) =>
    `a ${THINGS[what] ?? what} by ${who}`,
  want: 'It should be',
  noted_: 'Noted was',
  got: 'The export says',
  position: (/** @type {number} */ n) => `In place ${n} of what came out.`,
  side: (/** @type {number} */ n) => `side ${n + 1}`,
  now: 'Either the export was changed on its way to you, or the table did not do what it had said. Save the export and your notes below and show them to the others: with these files they can see it for themselves.',
  /** What is wrong. @type {Record<string, string>} */
  faults: {
    table: 'This is the export of another table.',
    round: 'Rounds are missing, or not in order.',
    time: 'Something is dated before what it follows.',
    phase: 'Something comes out of its turn.',
    mix: 'Something belongs to other players’ numbers.',
    twice: 'Something is there twice.',
    full: 'There is too much of something.',
    share: 'There is no such number of a player.',
    entropy: 'A player’s number is not the one that was promised.',
    closing: 'Other players’ numbers were taken in than had been promised.',
    withheld: 'Other players’ numbers were left out than it says.',
    pool: 'The numbers of the players were not mixed as they should be.',
    number: 'A draw is missing, or out of order.',
    record: 'There cannot be such a draw.',
    outcome: 'Something else should have come out.',
    seal: 'What is written of a draw is not what was sealed when it was made: what was drawn, when, or what somebody or something was called then.',
    end: 'A round did not end as the next one says: something is missing, was added, or has another name or time.',
    name: 'Somebody, or a kind of piece, was called something else.',
    line: 'A name or a time here is not the one that the table held on to.',
    version: 'A round is of an older kind than the one before it.',
    commitment: 'The table’s secret number is not the one that it had promised.',
  },
  /** What differs from the notes. @type {Record<string, string>} */
  notedFaults: {
    commitment: 'This browser was told another promise of the table’s secret number.',
    end: 'This browser was told another end of the round before.',
    closing: 'This browser was told of other players’ numbers.',
    pool: 'This browser was told another mixture of the players’ numbers.',
    seal: 'This browser was told another seal of a draw.',
    share: 'A number that this browser put in is missing.',
  },
  /** Facts, by their names in exports. @type {Record<string, string>} */
  facts: {
    commit: 'a player’s promise',
    close: 'the end of promises',
    reveal: 'a player’s number',
    mix: 'the mixture of players’ numbers',
    draw: 'a draw',
    tell: 'the end of a secret',
    name: 'a name',
    grow: 'new kinds of pieces',
  },

  // Files.
  exportName: (/** @type {string} */ table) => `holt-${table.slice(-8)}-export.json`,
  notesName: (/** @type {string} */ table) => `holt-${table.slice(-8)}-notes.json`,

  // A new round.
  opening: 'Opening…',
  opened: (/** @type {number} */ round) => `Round ${round} is open.`,
  refused: {
    role: 'Only hosts can do that.',
    rounds: 'Too many rounds are sealed still. Turn up or take back what is hidden first.',
    failed: 'It did not work. Try again in a moment.',
  },
};

/** @param {string} text */
function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
