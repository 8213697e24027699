// The one state of the page. Handlers change it and call redraw(); render() draws it.

import { emptyCatalog, kindAt } from './view/catalog.js';
import { Order } from './view/order.js';
import { noParts } from './parts.js';
import { Piles } from './view/piles.js';
import { Tints } from './view/rules.js';

/** @typedef {import('./types.js').Sync} Sync */
/** @typedef {import('./types.js').Net} Net */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./types.js').Status} Status */
/** @typedef {import('./view/catalog.js').Catalog} Catalog */
/** @typedef {import('./view/geometry.js').View} View */
/** @typedef {import('./page.js').Page} Page */
/** @typedef {import('./parts/motion/tracks.js').Tracks} Tracks */

/**
 * What this client holds and moves.
 * @typedef {object} Carry
 * @property {'pointer'|'keys'} by
 * @property {number} lead      the piece that was taken; the others keep their places around it
 * @property {Map<number, {x: number, y: number, z: string}>} from where they were picked up
 * @property {number} dx        how far they have been moved, in units
 * @property {number} dy
 * @property {number} px        the pointer, in the page
 * @property {number} py
 * @property {{x: number, y: number}} start the table point where the pointer took them
 */

/**
 * Faces that were shown to this person (T31).
 * @typedef {object} Seen
 * @property {number} by   the seat that looked or showed
 * @property {string} op   `peek` or `show`
 * @property {number} piece the container, or the piece looked at; 0 if it is not seen
 * @property {number[]} kinds uppermost first
 * @property {number} face of the piece shown
 */

/**
 * What is drawn of a piece. Written by view/render.js and view/animate.js only.
 * @typedef {object} Shown
 * @property {number} id
 * @property {HTMLElement} el
 * @property {HTMLImageElement|null} img
 * @property {number} kind     -1 before the first drawing
 * @property {string} art
 * @property {number} w        unturned size in px at scale 1
 * @property {number} h
 * @property {boolean} heavy
 * @property {number} x        as drawn now, in units
 * @property {number} y
 * @property {number} angle    as drawn now, in hundredths of a degree; may lie outside 0–35999 while turning
 * @property {boolean} over    lies in the overlay, or is promoted, and moves by transform
 * @property {Animation|null} pledge of motion, while it is over
 * @property {import('./view/animate.js').Slide|null} slide
 * @property {import('./view/animate.js').Flip|null} flip
 * @property {boolean} lifted  in this client's grip
 * @property {string} held     class for the colour of who holds it, or ''
 * @property {string} lit      class for the direction of its shadow, or ''
 * @property {Piece|null} before the piece as it was drawn last
 * @property {string} marks    what drawMarks drew last
 * @property {string} label
 * @property {number} height   pieces in the pile of which it is the top
 */

/**
 * The displays of all clocks on the table. parts/clocks/ticker.js sets the two functions.
 * @typedef {object} Dials
 * @property {Map<number, import('./parts/clocks/dial.js').Dial>} all by piece
 * @property {Map<number, number>} last which side ran before the clock was paused, by piece: it goes on first
 * @property {() => void} changed         something has changed
 * @property {(e: Element) => void} watch a display is new
 */

/**
 * @typedef {object} State
 * @property {string} table      id, 32 hex digits. Set at start, like the next five.
 * @property {string} api        where the table's resources lie, without a slash at the end
 * @property {string} art        where art lies, with a slash at the end
 * @property {Page} page
 * @property {Sync} sync         what is shown of the table
 * @property {Net} net
 * @property {Catalog} catalog   empty until it has come
 * @property {Status} link       the connection
 * @property {import('./types.js').Going|null} going what the server has said of the end of the stream; null: nothing
 * @property {() => number} serverNow what the server's clock shows now, in ms, as far as is known (K14); it may step back a little
 * @property {() => number} serverDoubt by how much that may be wrong, in ms; Infinity before the first pong
 * @property {number} wholes     how many times the stream was made whole
 * @property {boolean} ready     table and catalogue are here
 *
 * @property {Set<number>} selection
 * @property {number} focus      the piece that Tab comes to; 0 if there is none
 * @property {number} hover      the piece under the mouse; 0 if there is none
 * @property {Carry|null} carry
 * @property {import('./input/select.js').Band|null} band
 * @property {number} take       how many the next drag takes from a pile; 0: what is selected
 * @property {boolean} many      taps and frames add to the selection (touch)
 * @property {boolean} touch     the last pointer was a finger
 * @property {Map<number, string>} making sequences of copies and additions that were asked for, with the operation
 * @property {Set<number>} fresh pieces that have come of them and are still selected together
 * @property {Seen[]} faces      what was shown to this person lately, the latest last (T31); whoever draws it takes it away
 * @property {Array<(from: number, to: number) => void>} renames who else keeps something by the names of pieces (T21)
 * @property {Array<(event: import('./types.js').SyncEvent) => void>} hears who else wants to know what a frame has brought; called in
 *   order for every event, when everything is as the frame leaves it
 * @property {import('./parts.js').Parts} parts what has been loaded of the page beside what is always there
 * @property {<N extends import('./parts.js').Name>(name: N) => Promise<import('./parts.js').Part<N>>} load fetches a part; rejected if it
 *   cannot be had now
 * @property {(witness: (told: import('./relay/randomness.js').Told) => void) => void} bearWitness gives all that is told of randomness to a witness (S17)
 * @property {(take: (told: import('./relay/components.js').Told) => void) => void} share gives all that is told of components to the replica (C17)
 * @property {import('./parts/cards/flights.js').Flights|null} flights pieces that fly into hands and containers, or out of them; null where there are none
 * @property {import('./parts/cards/fetch.js').Fetch[]} fetches what is being drawn out of containers or taken off heaps, and has not come yet; in the order in
 *   which it was asked for, at most one of it in the grip
 * @property {Map<number, import('./parts/abilities/dice.js').Throw>} throws dice that tumble, or have to rest, by piece
 * @property {number} added      pieces put on the table from the box, so that they do not lie on one another
 *
 * @property {View} view
 * @property {Order<Piece>} order
 * @property {Piles} piles
 * @property {Tints} tints
 * @property {Dials} dials      the displays of clocks
 * @property {Map<number, Shown>} shown
 * @property {Set<number>} dirty pieces to be drawn anew
 * @property {boolean} dirtyAll  everything is to be drawn anew, without motion
 * @property {boolean} dirtyView the view has changed
 * @property {boolean} dirtyBars toolbar, people and banner are to be drawn anew
 * @property {Map<number, number>} pace milliseconds that the next motion of a piece takes, if not the usual
 * @property {Set<number>} shuffling cards that are to be seen going aside and back
 * @property {Set<Shown>} moving pieces in motion
 * @property {Map<Shown, number>} lingering pieces at rest that still lie in the overlay, and since when, performance.now()
 * @property {Tracks} tracks the ways of what others carry (S12); not before the part that leads it is here
 * @property {Tracks} pointers the ways of their cursors, by seat (S13); the same
 * @property {{outcome: import('./types.js').Outcome, now: number}[]} ways frames since others were first on their way, and when they came, as long as that part is not here
 * @property {{off: boolean, changed: () => void}} arrows whether those of others are turned off. parts/motion/cursors.js sets the function
 * @property {Set<number>} pointing seats whose cursors are on their way, or have just ended
 * @property {Set<number>} led   pieces that are to be taken off the table, because somebody has begun to move them
 * @property {Map<number, number>} sent when the oldest unanswered change of a piece was made, performance.now()
 * @property {Set<number>} waiting pieces marked as not sent yet
 * @property {Map<number, ReturnType<typeof setTimeout>>} missing seats of which it is soon told that they have lost the line, with the timer
 * @property {Set<number>} joined seats that were taken and where nobody has been since
 * @property {() => void} redraw asks for a frame
 * @property {Array<(s: State) => void>} bars what draws toolbar, people and banner
 * @property {Array<(now: number) => boolean>} frames what else is done once a frame, with performance.now(); each says whether it
 *   needs another one
 */

/**
 * @param {{table: string, api: string, art: string, page: Page, sync: Sync}} given
 * @returns {State}
 */
export function createState({ table, api, art, page, sync }) {
  return {
    table,
    api,
    art,
    page,
    sync,
    net: /** @type {Net} */ (/** @type {unknown} */ (null)), // main.js gives it before anything is bound
    catalog: emptyCatalog(art),
    link: { state: 'connecting', reason: '', retryMs: 0 },
    going: null,
    serverNow: Date.now, // main.js gives better ones with the connection
    serverDoubt: () => Number.POSITIVE_INFINITY,
    wholes: 0,
    ready: false,

    selection: new Set(),
    focus: 0,
    hover: 0,
    carry: null,
    band: null,
    take: 0,
    many: false,
    touch: false,
    making: new Map(),
    fresh: new Set(),
    faces: [],
    renames: [],
    hears: [],
    parts: noParts(),
    load: () => Promise.reject(new Error('nothing can be loaded yet')), // parts.js gives a better one
    bearWitness: () => {}, // relay/randomness.js gives a better one
    share: () => {}, // relay/components.js gives a better one
    flights: null,
    fetches: [],
    throws: new Map(),
    added: 0,

    view: { width: 12000, height: 9000, scale: 1, turn: 0, left: 0, top: 0, w: 0, h: 0, sx: 0, sy: 0, live: null },
    order: new Order((piece) => sync.layer(piece)),
    piles: new Piles(),
    tints: new Tints(document),
    dials: { all: new Map(), last: new Map(), changed: () => {}, watch: () => {} },
    shown: new Map(),
    dirty: new Set(),
    dirtyAll: false,
    dirtyView: true,
    dirtyBars: true,
    pace: new Map(),
    shuffling: new Set(),
    moving: new Set(),
    lingering: new Map(),
    tracks: /** @type {Tracks} */ (/** @type {unknown} */ (null)), // parts/motion/motion.js gives them, as the next
    pointers: /** @type {Tracks} */ (/** @type {unknown} */ (null)),
    ways: [],
    arrows: { off: false, changed: () => {} },
    pointing: new Set(),
    led: new Set(),
    sent: new Map(),
    waiting: new Set(),
    missing: new Map(),
    joined: new Set(),
    redraw: () => {},
    bars: [],
    frames: [],
  };
}

/** Whether this person may change anything. @param {State} s */
export function plays(s) {
  const role = s.sync.seats.get(s.sync.you)?.role;
  return role === 'host' || role === 'player';
}

/** Whether a piece is the hand of somebody else: only its owner and hosts may do anything to it (T24). @param {State} s @param {Piece} piece */
export function isOthersHand(s, piece) {
  return piece.owner !== 0 && piece.owner !== s.sync.you && kindAt(s.catalog, piece.kind).hand === true && !hosts(s);
}

/** Whether this person sees into a hand, or has a piece in a hand into which they see: their own, or one of a team of theirs (T23).
 * @param {State} s @param {Piece} piece */
export function isMine({ sync }, { owner, team }) {
  return owner !== 0 && (owner === sync.you || team?.includes(sync.you) === true);
}

/** Whether a piece lies in a hand into which this person sees. @param {State} s @param {Piece} piece */
export function isInMyHand(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  return !k.hand && !k.seat && isMine(s, piece);
}

/**
 * How many pieces lie in a hand or a container, with those that are on their way into it; null if that is not told (T29).
 * @param {State} s @param {Piece} piece the hand or the container
 * @returns {number|null}
 */
export function countIn(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  if (k.counted === false || (!k.hand && !k.container)) return null;
  let n = 0;
  for (const { count } of s.sync.holds.get(piece.id) ?? []) n += count;
  for (const { into } of s.sync.entering.values()) if (into === piece.id) n++;
  return n;
}

/** Whether this person is a host. @param {State} s */
export function hosts(s) {
  return s.sync.seats.get(s.sync.you)?.role === 'host';
}

/** @param {State} s @param {Piece} piece */
export function isHand(s, piece) {
  return kindAt(s.catalog, piece.kind).hand === true;
}

/** Whether somebody has a stream, whatever they look at (S11). @param {import('./types.js').Seat} seat */
export function isPresent(seat) {
  return seat.presence === 'here' || seat.presence === 'away';
}

/** Whether something is carried that has not come yet. @param {State} s */
export function isFetching(s) {
  return s.fetches.some((f) => !f.down);
}

/** Whether a die still has to rest. @param {State} s @param {number} id */
export function isCooling(s, id) {
  const t = s.throws.get(id);
  return t !== undefined && (t.air || performance.now() < t.until);
}
