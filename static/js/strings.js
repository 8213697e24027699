// Every sentence that a player reads or hears stands in a file of words, so that it can be translated. Here is what any table needs;
// the parts of the page that are loaded when they are needed have files of their own (parts/abilities/words.js, parts/cards/words.js, parts/clocks/words.js,
// parts/dialogs/words.js, parts/fairness/words.js). Functions take names and numbers as they are; what they return enters the page as text.

/** @param {number} n @param {string} one @param {string} many */
export const count = (n, one, many) => (n === 1 ? one : `${n} ${many}`);

/** @param {number} n */
const pieces = (n) => count(n, 'one piece', 'pieces');

/** @param {string[]} parts */
export const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? ''));

export const strings = {
  table: 'Table',
  tableOf: (/** @type {string} */ title) => `Table: ${title}`,
  loading: 'Setting the table…',
  somebody: 'Somebody',
  you: 'you',

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
    label: 'Label',
    tint: 'Tint',
    remark: 'Remark',
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
    bar: 'What to do with the selection',
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
    table: 'This table: links and settings',
  },

  // What people do together beside moving pieces
  together: {
    label: 'Together',
    sheet: 'Score sheet',
    draw: 'Draw on the table',
    measure: 'Measure',
    point: 'Show a place to everybody',
    bag: 'My bag',
    key: (/** @type {string} */ letter) => `⇧${letter}`,
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
    the: (/** @type {string} */ name) => (/’s |^Your |^Nobody/.test(name) ? lower(name) : `the ${lower(name)}`),
    pieces,
    more: (/** @type {number} */ n) => `And ${count(n, 'one more thing', 'more things')} happened.`,
    came: (/** @type {string} */ who) => `${who} is at the table.`,
    left: (/** @type {string} */ who) => `${who} has left.`,
    lost: (/** @type {string} */ who) => `${who} has lost the connection.`,
    back: (/** @type {string} */ who) => `${who} is back.`,
    joined: (/** @type {string} */ who) => `${who} took a seat.`,
    putOut: (/** @type {string} */ who) => `${who} was asked to leave.`,
  },


  // What this player did, by keys
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
    'too-much': () => 'You did a lot in this hour. Wait a few minutes.',
    'stale-loose': (/** @type {string} */ what) => `Somebody else was quicker with ${what}.`,
    'not-held': (/** @type {string} */ what) => `You no longer hold ${what}.`,
    'not-allowed': (/** @type {string} */ what) => `That cannot be done with ${what}.`,
    noCards: 'There are no cards in your hand to sort.',
    spectator: 'You are watching. Ask the host for a player’s link to play.',
    othersHand: (/** @type {string} */ nick) => `That is ${nick}’s hand. Only ${nick} or a host can move it.`,
    nothing: 'Select a piece first.',
    noClock: (/** @type {string} */ what) => `${upper(what)} is no clock.`,
    clock: (/** @type {string} */ what) => `Somebody else was quicker with ${what}.`,
    oneSide: (/** @type {string} */ what) => `${upper(what)} has one side. Press M to start or pause it.`,
    otherTurn: () => 'It is the other side’s turn.',
    shuffle: 'Select at least two cards of one pack to shuffle them.',
    batch: 'The server did not understand a move, so it was undone. What you see is the table as it is.',
    epoch: 'The table was taken back to an earlier moment. What you see is the table as it is.',
  },
  conflict: {
    yourself: 'Another window of yours',
    wrested: (/** @type {string} */ who, /** @type {string} */ what) => `${who} took ${what} from you.`,
    changed: (/** @type {string} */ who, /** @type {string} */ what) => `${who} was quicker with ${what}. Your move was not made.`,
    gone: (/** @type {string} */ who, /** @type {string} */ what) => `${who} removed ${what} while you held it.`,
    slipped: (/** @type {string} */ what) => `You lost your grip of ${what} while the connection was gone.`,
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
    putOut: (/** @type {string} */ nick) => `${nick} asked you to leave this table.`,
    left: 'You have left this table.',
    loggedOut: 'You are logged out of this table.',
    moved: (/** @type {string} */ nick) => `Your seat is on another device now${nick && `, by a link that ${nick} made`}.`,
    closed: 'This table is closed.',
    thrown: (/** @type {string} */ nick) => (nick ? `${nick} has thrown this table away.` : 'This table was thrown away.'),
    thrownByYou: 'You have thrown this table away.',
    front: 'To the front page',
    'no-table': 'There is no such table any more.',
    damaged: 'The server cannot show this table: its disk has damaged a part of it. Please tell whoever runs the server.',
    'no-seat': 'You have no seat at this table. Ask for an invitation link.',
    protocol: 'This page and the server do not understand each other. Reload to get the current version.',
    catalog: 'The pictures of the pieces could not be loaded. Trying again.',
    part: 'That could not be loaded. Please try again in a moment.',
    old: 'The server has a newer version of this page. It is loaded in a moment.',
    retry: 'Try now',
    reload: 'Reload',
  },

  // People
  people: {
    title: 'People',
    you: 'You',
    count: (/** @type {number} */ n) => `${count(n, 'One person', 'people')} here`,
  },

  // For those who come for the first time
  hint: {
    mouse: 'Drag pieces with the mouse. Double-click flips. Space and drag moves the table, Ctrl and wheel zooms. Press H for all keys.',
    touch: 'Drag pieces with a finger. Tap twice to flip. Two fingers zoom. Tap a piece to see what can be done with it.',
    close: 'Got it',
  },
};

/**
 * A name inside a sentence: "White king" → "white king". Names that are not plain words stay.
 * @param {string} name
 */
export function lower(name) {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name[0].toLowerCase() + name.slice(1) : name;
}

/** @param {string} text */
export function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
