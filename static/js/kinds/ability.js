/**
 * What an ability is: what the pieces of a kind can do beyond what all pieces can. There is no code
 * here. Each ability has a module in this folder, and kinds/abilities.js lists them. What is too
 * large for every page is in a part of the page, which the module calls through `s.parts`.
 *
 * @module
 */

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../view/catalog.js').Kind} Kind */
/** @typedef {import('../view/catalog.js').Offer} Offer */
/** @typedef {import('../view/state.js').Shown} Shown */
/** @typedef {import('../parts.js').Name} PartName */
/** @typedef {import('../input/ops.js').Refusal} Refusal */
/** @typedef {{ x: number, y: number }} Point */

/**
 * All properties may be missing: then pieces of the kind are in that respect like pieces without an
 * ability. The functions only run for pieces of a kind with the ability. `k` is that kind.
 *
 * @typedef {object} Ability
 * @property {PartName[]} [parts] the parts that the page loads with a catalogue that has such a
 *   kind. web/parts.go has the same rule.
 * @property {PartName} [onTable] the part that it loads with the first such piece on the table
 *
 * @property {(s: State, piece: Piece) => string | undefined} [nameOf] the name of a piece, if it is
 *   not that of its kind and face
 * @property {(s: State, piece: Piece, k: Kind) => string[]} [says] what a screen reader says after
 *   the name; without empty texts
 * @property {(s: State, piece: Piece, k: Kind) => string} [explains] what a screen reader says
 *   beside the name, where people want to hear more; '': nothing
 *
 * @property {string} [look] the class of its elements in the style sheets
 * @property {'value' | 'text' | 'name'} [writes] what is written on the display of the pieces:
 *   their value, their text, or the nick of their owner
 * @property {true} [isRead] whether people read the picture or the display, so that a tint must not
 *   cover it
 * @property {(s: State, shown: Shown, piece: Piece, before: Piece | null) => void} [draw] draws
 *   what differs from `before`. It runs with each update of the piece.
 * @property {(s: State, shown: Shown, piece: Piece) => void} [drawMarks] draws what depends on the
 *   holder, the owner, the lock or the contents. It runs only when one of them has changed.
 *
 * @property {(k: Kind) => Bounds | undefined} [bounds] the bounds of its values
 * @property {Record<string, Effect>} [effects] what the page predicts of each operation; nothing of
 *   a missing one
 *
 * @property {Record<string, Operation>} [operations] what the page knows of its offers (T36);
 *   parts/abilities/operations.js has those that are not here
 * @property {true} [isUsedInPlace] whether a tap selects a piece, and two taps do its main
 *   operation, even if it is heavy or pinned
 * @property {Spots} [spots] where a press means something else than the piece
 */

/** @typedef {{ min: number, max: number }} Bounds */

/**
 * What the page predicts of an operation. It depends on its arguments alone.
 *
 * @typedef {(piece: Piece, args: Args, context: import('../sync/predict.js').Context, op: string)
 *   => Piece} Effect
 */

/**
 * What the page knows of an operation that a kind offers.
 *
 * @typedef {object} Operation
 * @property {string | ((offer: Offer) => string)} icon
 * @property {true} [takesPiece] whether it moves or changes the piece itself, so that it is
 *   prevented by somebody else who holds the piece
 * @property {true} [isMain] whether a double click or a double tap does it. Without such an offer
 *   the piece is flipped.
 * @property {true} [aside] whether the bar leaves it to the menu
 * @property {(s: State, pieces: Piece[]) => Question | null} [ask] the question before it is sent;
 *   null: none
 * @property {(s: State, piece: Piece) => import('./button.js').Step[]} [questions] what the piece
 *   asks before it is sent: the answers go with it (T95)
 * @property {(s: State, piece: Piece, isModified: boolean) => number} [part] how many pieces, or
 *   how much, a drag takes out of the piece; 0: it moves the piece. `isModified`: with Ctrl or Cmd.
 * @property {(s: State, piece: Piece, k: Kind, offer: Offer) => string} [check] what prevents it,
 *   as a reason of T14 or of the page; '': nothing
 * @property {(s: State, pieces: Piece[]) => void} [run] does it, instead of sending it
 * @property {'openSplit' | 'openEditor' | 'openDeal'} [dialog] the function of the part
 *   `dialogs` that asks for its arguments
 * @property {true} [isForOne] whether the dialog is for a single piece
 */

/**
 * A question before something is done that cannot be undone: the question, what it means, and the
 * button that says yes.
 *
 * @typedef {{ title: string, text: string, yes: string }} Question
 */

/**
 * Places on a piece where a press means something of its own.
 *
 * @typedef {object} Spots
 * @property {(s: State, piece: Piece, point: Point, target: EventTarget | null,
 *   isAdding: boolean) => number} at the pressed place; 0: none. `point` is from the centre of the
 *   piece, in table units, as the person sees it. `isAdding`: with Shift.
 * @property {(s: State, piece: Piece, spot: number, acts: Acts) => Refusal | null} tap does what a
 *   tap there means, or returns why it is not possible
 * @property {number} [slop] how far a pointer may move, in px, before a press there is a drag
 * @property {true} [isFocused] whether a tap there focuses the piece and ends a drag by keys
 */

/**
 * Functions of input/ops.js, which uses this folder and therefore cannot be imported here.
 *
 * @typedef {Pick<typeof import('../input/ops.js'), 'change' | 'refusal'>} Acts
 */

export {};
