// Every sentence that a player reads or hears, in one place, so that it can be translated. Functions take names
// and numbers as they are; what they return enters the page as text.

/** @param {number} n @param {string} one @param {string} many */
const count = (n, one, many) => (n === 1 ? one : `${n} ${many}`);

/** @param {number} n */
const pieces = (n) => count(n, 'one piece', 'pieces');

/** @param {string[]} parts */
const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? ''));

/** Several of a thing: "card" → "cards". @param {string} name */
const many = (name) => (/(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`);

export const strings = {
  table: 'Table',
  tableOf: (/** @type {string} */ title) => `Table: ${title}`,
  loading: 'Setting the table…',
  somebody: 'Somebody',
  you: 'you',
  youDid: 'You',

  // Pieces
  piece: {
    unknown: 'Unknown piece',
    showing: (/** @type {string} */ name, /** @type {string} */ face) => `${name}, ${lower(face)}`,
    heldBy: (/** @type {string} */ nick) => `held by ${nick}`,
    heldByYou: 'in your grip',
    pinned: 'pinned',
    locked: 'locked',
    turned: (/** @type {number} */ degrees) => `turned ${degrees} degrees`,
    inHandOf: (/** @type {string} */ nick) => `in ${nick}’s hand`,
    inYourHand: 'in your hand',
    handOf: (/** @type {string} */ nick) => `${nick}’s hand`,
    yourHand: 'Your hand',
    freeHand: 'Nobody’s hand',
    freeHandTag: 'Nobody’s hand: claim it',
    unknownCard: 'Card',
    worth: (/** @type {number} */ n) => `${n}`,
    says: (/** @type {string} */ text) => `says: ${text}`,
    blank: 'nothing written on it',
    ownedBy: (/** @type {string} */ nick) => `of ${nick}`,
    yours: 'yours',
    nobodys: 'nobody’s',
    sharedWith: (/** @type {string[]} */ nicks) => `shared with ${list(nicks)}`,
    sum: (/** @type {number} */ n) => `${n} in all`,
    topOf: (/** @type {number} */ n) => `top of a pile of ${n}`,
    pending: 'not sent yet',
  },

  // What lies in hands and containers
  holds: {
    empty: 'empty',
    number: (/** @type {number} */ n) => `${n}`,
    pieces: (/** @type {number} */ n) => count(n, 'one piece', 'pieces'),
    some: (/** @type {number} */ n, /** @type {string} */ name) => (n === 1 ? `one ${lower(name)}` : `${n} ${many(lower(name))}`),
    others: (/** @type {number} */ n) => count(n, 'one piece', 'pieces'),
    shared: (/** @type {string} */ name, /** @type {string[]} */ nicks) => `${name} + ${nicks.join(', ')}`,
  },

  // Where a piece lies, for those who do not see it
  place: {
    middle: 'in the middle',
    /** @param {string} across @param {string} along */
    at: (across, along) => [across, along].filter(Boolean).join(', '),
    left: (/** @type {number} */ cm) => `${cm} cm left`,
    right: (/** @type {number} */ cm) => `${cm} cm right`,
    up: (/** @type {number} */ cm) => `${cm} cm up`,
    down: (/** @type {number} */ cm) => `${cm} cm down`,
  },

  // What can be done
  actions: {
    play: 'Play',
    playDown: 'Play face down',
    sort: 'Sort',
    asks: (/** @type {string} */ label) => `${label}…`,
    pick: 'Pick up',
    drop: 'Put down',
    flip: 'Flip',
    rotate: 'Turn',
    unrotate: 'Turn back',
    raise: 'To the top',
    lower: 'To the bottom',
    shuffle: 'Shuffle',
    stack: 'Stack',
    spread: 'Spread',
    pile: 'Whole pile',
    below: 'Below',
    pin: 'Pin',
    unpin: 'Unpin',
    lock: 'Lock',
    unlock: 'Unlock',
    copy: 'Copy',
    remove: 'Delete',
    wrest: (/** @type {string} */ nick) => `Take from ${nick}`,
    press: (/** @type {string} */ side) => `Press ${side}`,
    start: 'Start',
    pause: 'Pause',
    set: 'Set…',
    reset: 'Reset',
    many: 'Select more',
    drop_selection: 'Done',
    selected: (/** @type {number} */ n) => (n === 1 ? '1 piece' : `${n} pieces`),
    label: 'What to do with the selection',
    keyed: (/** @type {string} */ label, /** @type {string} */ key) => `${label} (${key})`,
  },
  view: {
    label: 'View',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show everything',
    turn: 'Turn the table',
    turnedTo: (/** @type {number} */ degrees) => (degrees === 0 ? 'The table lies as it was.' : `The table is turned by ${degrees} degrees.`),
    add: 'Add a piece',
    help: 'Help',
    showArrows: 'Show where others point',
    hideArrows: 'Hide where others point',
    people: 'People',
    invite: 'Invite',
  },

  // What somebody did, for the ears. `what` is a piece or a number of pieces.
  did: {
    grab: (/** @type {string} */ who, /** @type {string} */ what) => `${who} picked up ${what}.`,
    wrest: (/** @type {string} */ who, /** @type {string} */ what) => `${who} took ${what} out of another’s grip.`,
    release: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put down ${what}.`,
    move: (/** @type {string} */ who, /** @type {string} */ what) => `${who} moved ${what}.`,
    rotate: (/** @type {string} */ who, /** @type {string} */ what) => `${who} turned ${what}.`,
    flip: (/** @type {string} */ who, /** @type {string} */ what) => `${who} flipped ${what}.`,
    raise: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} on top.`,
    lower: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} underneath.`,
    pin: (/** @type {string} */ who, /** @type {string} */ what) => `${who} pinned ${what}.`,
    unpin: (/** @type {string} */ who, /** @type {string} */ what) => `${who} unpinned ${what}.`,
    lock: (/** @type {string} */ who, /** @type {string} */ what) => `${who} locked ${what}.`,
    unlock: (/** @type {string} */ who, /** @type {string} */ what) => `${who} unlocked ${what}.`,
    delete: (/** @type {string} */ who, /** @type {string} */ what) => `${who} removed ${what}.`,
    add: (/** @type {string} */ who, /** @type {string} */ what) => `${who} added ${what}.`,
    copy: (/** @type {string} */ who, /** @type {string} */ what) => `${who} copied ${what}.`,
    shuffle: (/** @type {string} */ who, /** @type {string} */ _what, n = 0) => `${who} shuffled ${n > 0 ? `${n} cards` : 'some cards'}.`,
    start: (/** @type {string} */ who, /** @type {string} */ what) => `${who} started ${what}.`,
    pause: (/** @type {string} */ who, /** @type {string} */ what) => `${who} paused ${what}.`,
    press: (/** @type {string} */ who, /** @type {string} */ what) => `${who} pressed ${what}.`,
    set: (/** @type {string} */ who, /** @type {string} */ what) => `${who} set ${what}.`,
    reset: (/** @type {string} */ who, /** @type {string} */ what) => `${who} reset ${what}.`,
    stow: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} away.`,
    claim: (/** @type {string} */ who) => `${who} claimed a hand.`,
    leave: (/** @type {string} */ who) => `${who} left a hand.`,
    give: (/** @type {string} */ who) => `${who} gave a hand away.`,
    share: (/** @type {string} */ who) => `${who} shares a hand.`,
    unshare: (/** @type {string} */ who) => `${who} shares a hand no longer.`,
    count: (/** @type {string} */ who, /** @type {string} */ what) => `${who} changed ${what}.`,
    split: (/** @type {string} */ who, /** @type {string} */ what) => `${who} took something off ${what}.`,
    merge: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} together.`,
    write: (/** @type {string} */ who, /** @type {string} */ what) => `${who} wrote on ${what}.`,
    assign: (/** @type {string} */ who, /** @type {string} */ what) => `${who} gave ${what} away.`,
    pass: (/** @type {string} */ who) => `${who} passed the turn on.`,
    the: (/** @type {string} */ name) => (/’s |^Your |^Nobody/.test(name) ? lower(name) : `the ${lower(name)}`),
    pieces,
    more: (/** @type {number} */ n) => `And ${count(n, 'one more thing', 'more things')} happened.`,
    came: (/** @type {string} */ who) => `${who} is at the table.`,
    left: (/** @type {string} */ who) => `${who} has left.`,
    lost: (/** @type {string} */ who) => `${who} has lost the connection.`,
    back: (/** @type {string} */ who) => `${who} is back.`,
    joined: (/** @type {string} */ who) => `${who} took a seat.`,
  },

  // What nothing else shows. `who` is a person or “You”, `what` a container or a card
  notice: {
    shuffle: (/** @type {string} */ who, /** @type {string} */ what) => `${who} shuffled ${what}.`,
    cut: (/** @type {string} */ who, /** @type {string} */ what) => `${who} cut ${what}.`,
    deal: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      `${who} dealt ${n > 0 ? `${n} to each hand` : 'to all hands'} from ${what}.`,
    draw: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      n > 1 ? `${who} drew ${n} from ${what}.` : `${who} drew from ${what}.`,
    recall: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      `${who} called ${n > 0 ? `${n} ` : 'all '}back to ${what}.`,
    peek: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      n > 1 ? `${who} looked at the top ${n} of ${what}.` : `${who} looked at the top of ${what}.`,
    look: (/** @type {string} */ who, /** @type {string} */ what) => `${who} looked at ${what} that lies face down.`,
    show: (/** @type {string} */ who, /** @type {string} */ what, /** @type {string} */ to) => `${who} showed ${what} to ${to}.`,
  },
  shown: {
    by: (/** @type {string} */ nick) => `${nick} shows you`,
    top: (/** @type {number} */ n, /** @type {string} */ what) => (n === 1 ? `The top of ${what}` : `The top ${n} of ${what}`),
    look: 'What lies here face down',
    says: (/** @type {string} */ title, /** @type {string[]} */ names) => `${title}: ${names.join(', ')}.`,
    close: 'Close',
  },
  dice: {
    rolled: (/** @type {string} */ who, /** @type {string} */ what) => `${who} rolled ${what}.`,
    youRolled: (/** @type {string} */ what) => `You rolled ${what}.`,
    faces: (/** @type {string[]} */ faces) => list(faces.map(lower)),
    sum: (/** @type {string[]} */ faces, /** @type {number} */ sum) => `${list(faces)}, together ${sum}`,
  },
  turnOf: (/** @type {string} */ nick) => `It is ${nick}’s turn.`,
  yourTurn: 'It is your turn.',
  ask: {
    close: 'Close',
    less: 'Less',
    more: 'More',
    nothing: 'There is nobody, or nothing, to choose.',
    tooLong: (/** @type {number} */ max) => `That is too long: at most ${max} letters fit.`,
  },
  split: {
    title: (/** @type {string} */ name, /** @type {string} */ value) => `${name}: ${value}`,
    label: 'How much to take off',
    usual: 'Usual parts',
    half: '½',
    rest: (/** @type {string} */ value) => `${value} stay.`,
    take: 'Take it off',
  },
  editor: {
    label: (/** @type {string} */ name) => `Write on ${lower(name)}`,
    hint: 'Ctrl+Enter keeps it, Escape gives it up.',
    save: 'Done',
    tooLong: 'That is too long for one note.',
  },

  // What this player did, by keys
  played: (/** @type {string} */ what) => `You played ${what}.`,
  playedDown: (/** @type {string} */ what) => `You played ${what}, face down.`,
  sorted: { kind: 'Your cards are sorted.', rank: 'Your cards are sorted by rank.' },
  picked: (/** @type {string} */ what) => `You hold ${what}. Arrow keys move it, Enter puts it down, Escape puts it back.`,
  put: (/** @type {string} */ what, /** @type {string} */ where) => `You put down ${what}, ${where}.`,
  back: (/** @type {string} */ what) => `You put ${what} back.`,
  selected: (/** @type {number} */ n) => `${pieces(n)} selected.`,
  unselected: 'Nothing is selected.',
  taking: (/** @type {number} */ n) => `The next drag takes the top ${n} of a pile. Escape forgets it.`,
  tookAll: (/** @type {number} */ n) => `The pile has only ${n}.`,
  added: (/** @type {string} */ what) => `You added ${what}.`,
  shuffled: (/** @type {number} */ n) => `You shuffled ${n} cards.`,
  modeMany: 'Tap pieces, or drag a frame around them, to select more.',

  // Why not
  why: {
    held: (/** @type {string} */ what, /** @type {string} */ nick) => `${nick} holds ${what}. Press W to take it from them.`,
    heldTouch: (/** @type {string} */ what, /** @type {string} */ nick) => `${nick} holds ${what}. The button below takes it from them.`,
    pinned: (/** @type {string} */ what) => `${upper(what)} is pinned. Press P to unpin it.`,
    pinnedTouch: (/** @type {string} */ what) => `${upper(what)} is pinned. Unpin it first.`,
    locked: (/** @type {string} */ what) => `${upper(what)} is locked. A host can unlock it.`,
    'off-table': (/** @type {string} */ what) => `${upper(what)} would have fallen off the table.`,
    gone: (/** @type {string} */ what) => `${upper(what)} has just been removed by somebody.`,
    forgotten: () => 'Something you did before the server started anew was not kept. What you see is the table as it is.',
    hidden: () => 'That card is not yours to see.',
    'table-full': () => 'The table is full: it has its 10,000 pieces.',
    'stale-loose': (/** @type {string} */ what) => `Somebody else was quicker with ${what}.`,
    'not-held': (/** @type {string} */ what) => `You no longer hold ${what}.`,
    'not-allowed': (/** @type {string} */ what) => `That cannot be done with ${what}.`,
    owned: (/** @type {string} */ _what, /** @type {string} */ nick) => `That hand is ${nick}’s already.`,
    'not-empty': (/** @type {string} */ what) => `${upper(what)} is not empty. Call back or draw what lies in it first.`,
    empty: (/** @type {string} */ what) => `There is not that much in ${what}.`,
    range: (/** @type {string} */ what) => `${upper(what)} does not go that far.`,
    cooling: (/** @type {string} */ what) => `${upper(what)} has just been rolled.`,
    freeHand: () => 'That hand is nobody’s. Claim it first.',
    alone: () => 'That hand is not shared with anybody.',
    noHand: () => 'Nobody has a hand to deal to.',
    noCards: () => 'There are no cards in your hand to sort.',
    notYours: (/** @type {string} */ what) => `Nobody here may look at ${what}.`,
    seen: (/** @type {string} */ what) => `You see ${what} already.`,
    nobody: () => 'There is nobody else who plays.',
    single: (/** @type {string} */ what) => `${upper(what)} cannot be divided any more.`,
    nobodys: (/** @type {string} */ what) => `${upper(what)} is nobody’s already.`,
    noContainer: (/** @type {string} */ what) => `There is nothing here into which ${what} goes.`,
    spectator: 'You are watching. Ask the host for a player’s link to play.',
    othersHand: (/** @type {string} */ nick) => `That is ${nick}’s hand. Only ${nick} or a host can move it.`,
    otherHand: (/** @type {string} */ nick) => `That card is in ${nick}’s hand.`,
    nothing: 'Select a piece first.',
    noClock: (/** @type {string} */ what) => `${upper(what)} is no clock.`,
    clock: (/** @type {string} */ what) => `Somebody else was quicker with ${what}.`,
    oneSide: (/** @type {string} */ what) => `${upper(what)} has one side. Press M to start or pause it.`,
    otherTurn: () => 'It is the other side’s turn.',
    shuffle: 'Select at least two cards of one pack to shuffle them.',
    offline: 'There is no connection. You can look around; playing goes on when it is back.',
    batch: 'The server did not understand a move, so it was undone. What you see is the table as it is.',
    epoch: 'The table was taken back to an earlier moment. What you see is the table as it is.',
  },
  conflict: {
    yourself: 'You, in another window,',
    wrested: (/** @type {string} */ who, /** @type {string} */ what) => `${who} took ${what} from you.`,
    changed: (/** @type {string} */ who, /** @type {string} */ what) => `${who} was quicker with ${what}. Your move was not made.`,
    gone: (/** @type {string} */ who, /** @type {string} */ what) => `${who} removed ${what} while you held it.`,
    slipped: (/** @type {string} */ what) => `You lost your grip of ${what} while the connection was gone.`,
  },

  // Clocks
  clock: {
    sides: { upper: 'upper side', lower: 'lower side', left: 'left side', right: 'right side' },
    /** @param {number} h @param {number} m @param {number} s */
    time: (h, m, s) =>
      [h > 0 && count(h, 'one hour', 'hours'), m > 0 && count(m, 'one minute', 'minutes'), (s > 0 || h + m === 0) && count(s, 'one second', 'seconds')]
        .filter(Boolean)
        .join(' '),
    runs: (/** @type {string} */ time) => `${time}, running`,
    stands: (/** @type {string} */ time) => time,
    side: (/** @type {string} */ side, /** @type {string} */ says) => `${side} ${says}`,
    fell: (/** @type {string} */ side, /** @type {string} */ what) => `The flag has fallen: ${side} of ${what}.`,
    over: (/** @type {string} */ what) => `Time is up: ${what}.`,
    title: (/** @type {string} */ name) => `Set the ${lower(name)}`,
    startPause: 'Start or pause',
    usual: 'Usual times',
    game: (/** @type {number} */ minutes, /** @type {number} */ seconds) => `${minutes} + ${seconds}`,
    wait: (/** @type {number} */ minutes) => (minutes < 1 ? `${minutes * 60} s` : `${minutes} min`),
    preset: (/** @type {number} */ minutes, /** @type {number} */ seconds) =>
      `${minutes < 1 ? `${minutes * 60} seconds` : count(minutes, 'one minute', 'minutes')}${seconds > 0 ? `, and ${seconds} seconds for each move` : ''}`,
    minutes: 'Minutes',
    seconds: 'Seconds',
    increment: 'Seconds for each move',
    stops: 'This stops the clock.',
    set: 'Set the clock',
    close: 'Close',
  },

  // The connection
  link: {
    connecting: 'Connecting…',
    offline: 'Connection lost. You can look around; play goes on by itself.',
    offlineBrowser: 'This device is offline. You can look around; play goes on by itself.',
    waiting: (/** @type {number} */ n) => `${n === 1 ? 'One change waits' : `${n} changes wait`} to be sent.`,
    back: 'Connected again.',
    storage: 'The server cannot save at the moment. Your moves wait until it can.',
    busy: 'The server has a lot to do. Your moves wait a little.',
    'too-fast': 'That was too much at once. Your moves wait a little.',
    network: 'Your moves do not get through at the moment. They are tried again.',
    stopping: 'The server is starting anew. Play goes on by itself in a moment.',
    'taken-over': 'This table is open in another window with the same connection. Reload to play here.',
    'seat-withdrawn': 'Your seat was withdrawn. Ask the host for a new link.',
    closed: 'This table is closed.',
    'table-closed': 'This table is closed.',
    'no-table': 'There is no such table any more.',
    'no-seat': 'You have no seat at this table. Ask for an invitation link.',
    protocol: 'This page and the server do not understand each other. Reload to get the current version.',
    catalog: 'The pictures of the pieces could not be loaded. Trying again.',
    retry: 'Try now',
    reload: 'Reload',
    status: {
      connecting: 'Connecting',
      online: 'Connected',
      offline: 'Not connected',
      closed: 'Closed',
    },
  },

  // People
  people: {
    title: 'People',
    turn: 'to move',
    roles: { host: 'Host', player: 'Player', spectator: 'Watching' },
    presence: { here: 'here', away: 'away', lost: 'connection lost', gone: 'not here' },
    you: 'You',
    count: (/** @type {number} */ n) => `${count(n, 'One person', 'people')} here`,
    invite: 'Invite somebody',
    close: 'Close',
  },
  invite: {
    title: 'Invite somebody',
    intro: 'Whoever opens the link picks a name and sits down. No account is needed.',
    player: 'Link to play',
    spectator: 'Link to watch',
    copy: 'Copy',
    copied: 'Copied',
    share: 'Share',
    shareText: (/** @type {string} */ title) => `Come and play: ${title}`,
    failed: 'The links could not be fetched. Try again in a moment.',
    forbidden: 'Only players and hosts can invite.',
    close: 'Close',
  },

  // Rounds of randomness. The page that checks them has words of its own (fairnesswords.js).
  fairness: {
    link: 'Is it fair?',
    linkTitle: 'Check the shuffles and rolls. Opens beside the table.',
    opened: 'A new round of shuffles and rolls has begun.',
    waits: 'The last one can be checked when nothing of it is hidden any more.',
    told: (/** @type {number[]} */ rounds) =>
      `${rounds.length === 1 ? 'Round' : 'Rounds'} ${list(rounds.map(String))} can be checked now, under “Is it fair?”.`,
    suggestion: 'A suggestion',
    suggest: 'So far the server alone has laid the deck. Shuffle it once more, and everybody’s page has a part in how it lies.',
    suggested: 'There are two buttons for it, before the buttons of the view.',
    shuffle: 'Shuffle the deck',
    notNow: 'Not now',
    contradiction: 'What the table has just said of its shuffles and rolls contradicts what it said before. Look under “Is it fair?”.',
  },

  // The box of pieces
  box: {
    title: 'Add a piece',
    search: 'Search',
    none: 'No piece has a name like that.',
    add: (/** @type {string} */ name) => `Add ${name}`,
    close: 'Close',
  },

  // Help
  hint: {
    mouse: 'Drag pieces with the mouse. Double-click flips. Space and drag moves the table, Ctrl and wheel zooms. Press H for all keys.',
    touch: 'Drag pieces with a finger. Tap twice to flip. Two fingers zoom. Tap a piece to see what can be done with it.',
    close: 'Got it',
  },
  help: {
    title: 'How to play here',
    close: 'Close',
    keys: 'Keys',
    offers: 'At this table',
    offered: (/** @type {string} */ label, /** @type {string[]} */ kinds) => `${lower(label)}: ${kinds.map(lower).join(', ')}`,
    mouse: 'Mouse',
    touch: 'Touch',
    rowsMouse: [
      ['Drag a piece', 'moves it'],
      ['Double-click', 'flips it; plays a card of your hand; rolls a die; writes on a note'],
      ['Drag from a deck or bag', 'draws from it; with Ctrl it moves the deck'],
      ['Double-click on a deck', 'draws into your hand'],
      ['Ctrl and drag a heap', 'takes half of it off; a number first: that much'],
      ['Shift while you let go', 'plays a card of your hand face down'],
      ['Right button', 'shows what can be done with a piece'],
      ['Click, Shift and click', 'selects, adds to the selection'],
      ['Drag on the table', 'draws a frame around what to select'],
      ['Alt and click', 'selects what lies underneath; again: the one above'],
      ['A number, then drag', 'takes that many from the top of a pile'],
      ['Click on the time of a clock', 'presses that side; starts or pauses a timer'],
      ['Wheel, Shift and wheel', 'moves the table'],
      ['Middle button, or Space and drag', 'moves the table'],
      ['Ctrl and wheel', 'zooms'],
    ],
    rowsTouch: [
      ['Drag a piece', 'moves it'],
      ['Tap', 'selects it and shows what can be done'],
      ['Tap twice', 'flips it; plays a card of your hand; rolls a die; writes on a note'],
      ['Drag from a deck or bag', 'draws from it; hold first to move the deck'],
      ['Tap a deck twice', 'draws into your hand'],
      ['Hold', 'selects what lies underneath; again: the one above'],
      ['Tap on the time of a clock', 'presses that side; starts or pauses a timer'],
      ['Drag on the table', 'moves the table'],
      ['Two fingers', 'zoom and move the table'],
      ['Select more', 'tap, or draw a frame around, several pieces'],
    ],
    rowsKeys: [
      ['Tab', 'to the pieces, the buttons and back'],
      ['Arrows', 'from piece to piece; with a piece in your grip: move it'],
      ['Shift, Alt and arrows', 'move it further, move it finely'],
      ['Enter or Space', 'pick up, put down'],
      ['Escape', 'put back; select nothing'],
      ['X', 'select or unselect the piece with the focus'],
      ['F', 'flip'],
      ['R, Shift R', 'turn by 15 degrees; with Alt by one'],
      ['O, Shift O', 'play a card of your hand, face down'],
      ['Shift E', 'sort your hand, by suit or by rank'],
      ['U, D', 'to the top, to the bottom'],
      ['S', 'shuffle cards'],
      ['T, E', 'stack up, spread out'],
      ['A', 'select the whole pile'],
      ['B', 'select what lies below'],
      ['1–9', 'take that many from a pile'],
      ['P, L', 'pin, lock (hosts)'],
      ['C, N, Delete', 'copy, add, delete'],
      ['J, K', 'press one side of a clock, the other'],
      ['M, O, Z', 'start or pause a clock, set it, reset it'],
      ['W', 'take a piece from the one who holds it'],
      ['+, −, 0', 'zoom, show everything'],
      ['G', 'turn the table to your side'],
      ['I', 'invite somebody'],
      ['H or ?', 'this page'],
    ],
  },
};

/**
 * A name inside a sentence: "White king" → "white king". Names that are not plain words stay.
 * @param {string} name
 */
function lower(name) {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name[0].toLowerCase() + name.slice(1) : name;
}

/** @param {string} text */
function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
