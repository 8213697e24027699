/**
 * The shapes that the modules of the client share, for the type checker alone: there is no code here.
 * The letters T and S with a number are rules of docs/protocol/table.md and stream.md.
 *
 * @module
 */

/**
 * A piece as it is shown: what the server has said, with one's own unanswered updates on top (T9). Never
 * changed in place: whoever keeps one keeps what was shown then.
 *
 * @typedef {object} Piece
 * @property {number} id its name in this view; opaque (T21)
 * @property {number} mark of the latest entry this view was shown; opaque, the tag of the next update (T7)
 * @property {number} kind index into the catalogue
 * @property {number} x centre, in table units of 0.1 mm
 * @property {number} y centre, in table units of 0.1 mm
 * @property {number} angle hundredths of a degree, clockwise, 0 to 35999
 * @property {number} face from 0
 * @property {string} z Z level (T13); `''` until the server has said one
 * @property {number} zMark orders pieces of equal `z`; Infinity while an own level is unanswered
 * @property {boolean} pinned
 * @property {boolean} locked
 * @property {number} holder seat that holds it, 0: nobody
 * @property {number} owner of a hand: whose it is; of what is private: in whose hand it lies (T23); of a player label or a turn
 *   marker: whose it is (T35); 0: nobody's
 * @property {Clock} [clock] of a clock (T27)
 * @property {number} [value] of a counter or of currency (T33, T34); missing: 0
 * @property {string} [text] of a note or a label (T35); missing: empty
 * @property {number[]} [team] of a hand: the seats with which its owner shares it, ascending; of what lies in one: the same (T23);
 *   missing: nobody
 * @property {number} [set] the set of which it is a part (T37); missing: none
 */

/**
 * The state of a clock. What it shows follows from it and the server's time (K13). Never changed in place.
 *
 * @typedef {object} Clock
 * @property {number} running the side that runs, 1 or 2; 0: none
 * @property {number} since the server's time from which `left1` and `left2` count, in milliseconds
 * @property {number} left1 milliseconds that side 1 had at `since`: left, or passed if the kind counts up
 * @property {number} left2
 * @property {number} initial milliseconds that a side has after a reset
 * @property {number} increment milliseconds that a side gets when it is pressed
 */

/**
 * How many pieces of one sort lie in a hand or a container (T29).
 *
 * @typedef {object} Holding
 * @property {number} kind the mask of secret pieces, -1: pieces of all other kinds
 * @property {number} count at least 1
 */

/**
 * Where a piece comes that is put down (T23, T29).
 *
 * @typedef {object} Taken
 * @property {number} into the container, or the hand of others, that takes it out of sight; 0: it stays in sight
 * @property {number} owner in whose hand it lies then; 0: in none
 * @property {number[]} team with whom they share the hand
 * @property {string} z the level that it gets there, if the update gives it none; empty: it keeps the one that it has
 */

/**
 * A piece that is not shown, because an own update that is not answered yet puts it where this view does not see it: into
 * a container, or into the hand of somebody else (T23, T29). If it is rejected the piece is shown again.
 *
 * @typedef {object} Entering
 * @property {number} into the container or the hand
 * @property {Piece} piece as it would be shown
 */

/**
 * @typedef {'host' | 'player' | 'spectator' | 'unspecified'} Role
 */

/**
 * Whether somebody is at the table (S11). `here`: has a stream. `away`: has one, but looks at something else. `lost`: has
 * lost the line a moment ago and is expected back. `gone`: none of it.
 *
 * @typedef {'here' | 'away' | 'lost' | 'gone'} Presence
 */

/**
 * A seat at the table.
 *
 * @typedef {object} Seat
 * @property {number} id from 1
 * @property {string} nick
 * @property {number} colour 0xRRGGBB
 * @property {Role} role
 * @property {Presence} presence
 * @property {string} [home] the name of the server that vouches for a visitor; once it is taken in, the nick ends with it
 * @property {number} [number] of a name that is there more than once; once it is taken in, the nick has it
 * @property {number} [left] the seat that has ended this one (T51); missing: it is in use
 * @property {number} [linkBy] the host who made the newest link for this seat of somebody else (T55); missing: the operator
 * @property {number} [linkAt] when, in milliseconds since the Unix epoch
 * @property {number} [linkUsed] when somebody used it; missing: nobody has
 */

/**
 * What is true of the table as a whole.
 *
 * @typedef {object} TableInfo
 * @property {string} title
 * @property {number} width in table units; x goes from -width/2 to width/2
 * @property {number} height in table units
 * @property {string} surface `felt`, `wood`, `slate` or `paper`
 * @property {string} catalog SHA-256 of the catalogue, 64 hexadecimal digits: fetch `/art/{catalog}`
 */

/** What a client may ask of a piece (T24). @typedef {import('./sync/operations.js').PieceOp} PieceOp */

/**
 * What a client may ask of a piece whatever it has last seen of it (T28). `shuffle` is that of a container (T31).
 *
 * @typedef {import('./sync/operations.js').BlindOp} BlindOp
 */

/** What a client may ask that it cannot predict. @typedef {import('./sync/operations.js').MakeOp} MakeOp */

/**
 * An operation as it is reported: a client's, or one of the server's own. `unspecified` is one that this
 * client does not know yet.
 *
 * @typedef {PieceOp | MakeOp | BlindOp | 'reveal' | 'respread' | 'settle' | 'renew' | 'merge' | 'unspecified'} Op
 */

/**
 * Why an update was inapplicable (T14).
 *
 * @typedef {'held' | 'pinned' | 'locked' | 'off-table' | 'gone' | 'hidden' | 'table-full' | 'stale-loose'
 *   | 'not-held' | 'not-allowed' | 'forgotten' | 'clock' | 'owned' | 'not-empty' | 'empty' | 'range' | 'cooling' | 'scattered' | 'away' | 'log-full' | 'too-much'
 *   | 'unspecified'} Reason
 */

/**
 * The arguments of an operation (T24, T27, T28 to T35). Which of them an operation takes is in table.md; what is left out
 * stays as it is.
 *
 * @typedef {object} Args
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [angle]
 * @property {number} [face]
 * @property {string} [z]
 * @property {number} [kind] of `add`; of `draw`: the uppermost of that kind
 * @property {number[]} [pieces] of `shuffle`
 * @property {number} [side] of a clock, 1 or 2 (T27)
 * @property {number} [ms] of `set`
 * @property {number} [increment] of `set`, in milliseconds
 * @property {number} [n] how many, or how much
 * @property {number} [at] a place in a container: from the top, 1 first, from the bottom, -1 first; 0: where the lot says
 * @property {true} [hold] of `draw` and `split`: the piece is in one's grip
 * @property {number} [into] of `stow`: the container
 * @property {number} [seat]
 * @property {string} [set] of `place`: the identifier of the set
 * @property {string} [text] of `write`: up to 2,000 bytes of UTF-8
 */

/**
 * The arguments of `copy` and `delete` name their piece.
 *
 * @typedef {Args & { piece?: number }} MakeArgs
 */

// ---- what comes down (net/wire.js) ----

/**
 * A piece as a frame carries it. In `full` and `reject` every field is there; in `update` and `ack` only
 * those that have changed, beside `id` and `mark`. `renamed` is the name that the piece has from now on (T21).
 *
 * @typedef {{ id: number, mark: number } & Partial<Omit<Piece, 'id' | 'mark'>> & { gone?: boolean, renamed?: number }} PiecePatch
 */

/** @typedef {Piece & { gone: boolean, renamed?: number }} WholePiece */

/**
 * A set of pieces that lies on the table as a guest (T37).
 *
 * @typedef {object} Guest
 * @property {number} id as `set` of its pieces
 * @property {number} by the seat that has put it there
 * @property {'' | 'creator' | 'owner' | 'frozen' | 'stranger' | 'lost'} away why its owner cannot be reached (T39); '': it can
 * @property {number} until until when it is not asked again, in server time; 0: not known
 * @property {boolean} gone it is on the table no longer
 */

/** @typedef {{ type: 'set' } & Guest} SetEvent */

/**
 * How full the log of the table is (T44), and who has just dropped what was in it (T48).
 *
 * @typedef {object} SpaceEvent
 * @property {'space'} type
 * @property {number} level 0 ample, 1 low, 2 full, 3 the reserve is used up, too
 * @property {number} dropped a seat; 0: nobody
 */

/**
 * How many pieces lie in a hand or a container (T29). The columns have the same length. `kinds` are masks, one more than
 * their index in the catalogue; 0: of other kinds.
 *
 * @typedef {object} Holds
 * @property {number} piece
 * @property {number[]} kinds
 * @property {number[]} counts
 */

/**
 * @typedef {object} FullEvent
 * @property {'full'} type
 * @property {number} epoch
 * @property {number} you the seat of this client
 * @property {TableInfo} table
 * @property {Seat[]} seats
 * @property {WholePiece[]} pieces
 * @property {Holds[]} [holds] missing: nothing is counted that is not empty
 * @property {Randomness} [randomness]
 * @property {Uint8Array} [components] all that the view may see, as a WireMessage (component.md, C17); missing: there are none
 * @property {Guest[]} [sets] missing: there are none
 * @property {string} [life] of the server (S21); missing: it could not be stored
 */

/**
 * @typedef {object} UpdateEvent
 * @property {'update'} type
 * @property {PiecePatch} piece
 * @property {number} by the seat whose doing it is, 0: the server itself
 * @property {Op} op
 */

/**
 * @typedef {object} AckEvent
 * @property {'ack'} type
 * @property {number} seq
 * @property {PiecePatch} piece what the server filled in; of `add` the new piece
 * @property {number} made the piece that `copy`, `add` or `split` made, or that `draw` brought, 0: none that this view sees
 */

/**
 * @typedef {object} RejectEvent
 * @property {'reject'} type
 * @property {number} seq
 * @property {Reason} reason
 * @property {WholePiece} piece `id` 0: the update was of no piece, or blind (T28)
 * @property {number} by the seat that stands in the way, 0: none
 */

/** @typedef {{ type: 'seat' } & Seat} SeatEvent */
/** @typedef {{ type: 'table' } & TableInfo} TableEvent */

/**
 * The server is about to close the stream.
 *
 * @typedef {object} Going
 * @property {number} afterMs come back after so many milliseconds
 * @property {boolean} final the table was thrown away: do not come back (T42)
 * @property {number} by the seat that has done it; 0: who runs the server
 * @property {number} [seat] why it is the seat that is over (S20): 1 put out, 2 left, 3 logged out; missing: it is the table
 */

/** @typedef {{ type: 'going' } & Going} GoingEvent */

/**
 * Whether the server can save what is done (S19).
 *
 * @typedef {object} SavingEvent
 * @property {'saving'} type
 * @property {string} trouble why it cannot; empty: it can
 */

/**
 * Somebody has shuffled pieces that this view sees, whether or not anything of them has changed in it (T26).
 *
 * @typedef {object} ShuffledEvent
 * @property {'shuffled'} type
 * @property {number} by the seat
 * @property {number[]} pieces
 */

/** @typedef {{ type: 'holds' } & Holds} HoldsEvent */

/**
 * Something was done that nothing else shows (T28). Told once.
 *
 * @typedef {object} Notice
 * @property {number} by the seat
 * @property {Op} op
 * @property {number} piece the container, or the piece looked at; 0 if this view does not see it
 * @property {number} count how many; 0 if that is not told
 * @property {number} seat to whom something was shown; 0: nobody else
 */

/** @typedef {{ type: 'notice' } & Notice} NoticeEvent */

/**
 * What nobody else sees is shown to this person, once (T31).
 *
 * @typedef {object} Faces
 * @property {number} by the seat that looks or shows
 * @property {Op} op `peek` or `show`
 * @property {number} piece the container, or the piece looked at; 0 if this view does not see it
 * @property {number[]} kinds uppermost first
 * @property {number} face of the piece shown
 */

/** @typedef {{ type: 'faces' } & Faces} FacesEvent */

/**
 * Something that has happened in a round of randomness (docs/fairness.md). Digests are hexadecimal. Which of the others a fact has is
 * in holt.proto.
 *
 * @typedef {object} Fact
 * @property {number} round
 * @property {'opened' | 'committed' | 'closed' | 'revealed' | 'mixed' | 'drawn' | 'told' | 'unspecified'} fact
 * @property {string} [commitment]
 * @property {string} [before]
 * @property {number} [mix]
 * @property {number} [seat]
 * @property {string} [hash]
 * @property {string} [closing]
 * @property {number} [share]
 * @property {string} [entropy]
 * @property {number[]} [withheld]
 * @property {string} [pool]
 * @property {number} [audience]
 * @property {number} [number]
 * @property {string} [seal]
 * @property {string} [seed]
 */

/** @typedef {{ type: 'fair' } & Fact} FairEvent */

/**
 * Where the randomness of the table stands (docs/fairness.md).
 *
 * @typedef {object} Randomness
 * @property {number} round the round that is open
 * @property {string} commitment
 * @property {number} mix the mix under way
 * @property {boolean} revealing
 * @property {string} closing
 * @property {string} pool that draws use
 * @property {Share[]} shares of the mix under way, in the order of their commitments
 */

/**
 * A contribution to a mix, as everybody may know it.
 *
 * @typedef {{ seat: number, hash: string, entropy: string }} Share `entropy` is empty as long as it is not revealed
 */

/**
 * Operations on components, as a WireMessage (component.md, C17).
 *
 * @typedef {{ type: 'components', components: Uint8Array }} ComponentsEvent
 */

/**
 * An operation on a component that this client has sent came to nothing, other than by losing (C11).
 *
 * @typedef {object} RefusedEvent
 * @property {'refused'} type
 * @property {number} entity
 * @property {number} component 0 if the entity was to be deleted
 * @property {number} timestamp
 * @property {number} reason as C11 numbers them
 */

/**
 * The stream goes on where the last one ended (S5).
 *
 * @typedef {{ type: 'resumed', seats: Seat[], sets?: Guest[], catalog?: string, life?: string }} ResumedEvent
 */

/**
 * Linear segments of curves of the values x and y (curve.md, S12, S13), from the frame's time less `lag` on for `span`.
 * Their version is (time of the frame, 0). The columns have the same length.
 *
 * @typedef {object} Paths
 * @property {number} lag in milliseconds
 * @property {number} span in milliseconds
 * @property {number[]} ids of pieces, or of seats, ascending; in a frame each less the one before it (`idsOf`), in an outcome
 *   themselves
 * @property {number[]} x the end, in table units
 * @property {number[]} y
 * @property {number[]} dx the start less the end
 * @property {number[]} dy
 */

/** @typedef {{ type: 'motions' } & Paths} MotionsEvent of pieces */
/** @typedef {{ type: 'cursors' } & Paths} CursorsEvent of seats */

/**
 * The answer to a ping: the time of the frame is the server's time between the two (K14).
 *
 * @typedef {{ type: 'pong', nonce: number }} PongEvent
 */

/**
 * @typedef {FullEvent | UpdateEvent | AckEvent | RejectEvent | SeatEvent | TableEvent | GoingEvent | SavingEvent
 *   | ShuffledEvent | MotionsEvent | CursorsEvent | PongEvent | ResumedEvent | HoldsEvent | NoticeEvent | FacesEvent | SetEvent | SpaceEvent
 *   | FairEvent | ComponentsEvent | RefusedEvent} FrameEvent
 */

/**
 * One message of the stream (S3).
 *
 * @typedef {object} Frame
 * @property {number} time of the server, in milliseconds since the Unix epoch
 * @property {number} mark up to where the view is complete, once it is processed; 0: as before
 * @property {FrameEvent[]} events in order
 */

// ---- what goes up ----

/**
 * One update of a batch (http.md).
 *
 * @typedef {{ seq: number, op: string, piece?: number, tag?: number, loose?: true } & Args} WireUpdate
 */

/**
 * The body of one POST (http.md).
 *
 * @typedef {object} Batch
 * @property {string} client
 * @property {number} epoch
 * @property {WireUpdate[]} updates
 */

/**
 * An error of the HTTP interface (RFC 9457, http.md).
 *
 * @typedef {object} Problem
 * @property {number} status
 * @property {string} code as in http.md, `unknown` if the answer was no problem document
 * @property {string} [detail]
 * @property {number} [update] index in the batch of the update that is bogus
 */

/**
 * Something said on the stream (S9). Times are the server's in milliseconds, as the client estimates them; places are in
 * table units.
 *
 *  - `resync`: asks for the full state.
 *  - `ping`: asks for the server's time (S15).
 *  - `motion`: where what this client carries is seen (S12); columns of one length, at most 200.
 *  - `cursor`: where the person points (S13).
 *  - `away`: whether the page is hidden (S11).
 *  - `commit`, `reveal`: entropy for a mix of the round that is open, promised and then told (docs/fairness.md); 64 hexadecimal digits.
 *
 * @typedef {{ type: 'resync' } | { type: 'ping', nonce: number }
 *   | { type: 'motion', at: number, pieces: number[], x: number[], y: number[] }
 *   | { type: 'cursor', at: number, x: number, y: number } | { type: 'away', away: boolean }
 *   | { type: 'commit', round: number, mix: number, hash: string }
 *   | { type: 'reveal', round: number, mix: number, entropy: string }} Up
 */

// ---- sync/sync.js ----

/**
 * Something that a player may have to be told. `seq` is always the number that `update`, `make`, `blind` or
 * `grabLoose` returned. Pieces have the names that they have when the frame has been taken in (T21).
 *
 *  - `update`: somebody else's recorded update, or one of the server's own (`by` 0). `before` is what was
 *    shown until then, null if the piece is new.
 *  - `conflict`: own unanswered updates `lost` of this piece came to nothing (T11). `by` and `op` say whose
 *    update was first; 0 and `unspecified` if that is only known from a full state.
 *  - `reject`: an own update `op` was inapplicable (T14), and with it those made after it (`lost`); of a blind one nothing
 *    else is lost. `piece` is 0 for `add` and for the `shuffle` of a list.
 *  - `made`: an own `copy`, `add` or `split` has made this piece, or an own `draw` has brought it. It is shown already.
 *  - `holds`: another number of pieces lies in a hand or a container; `before` is what lay there.
 *  - `notice`, `faces`: as they come (T28, T31).
 *  - `shuffled`: somebody has shuffled `pieces`; those that are not shown are left out. What it has changed
 *    of them comes as updates besides, with `op` `shuffle`.
 *  - `seat`: a seat came, went or changed; `before` is null for a new one.
 *  - `table`: the title, size, surface or catalogue changed.
 *  - `set`: a set has come, gone, is away, or is back (T37, T39); `before`: as it was, null if it was not there.
 *  - `lost`: the table was restored to an older state, own unanswered updates `ops` belong to a history
 *    that is no more (T19).
 *
 * @typedef {{ type: 'update', piece: number, by: number, op: Op, before: Piece | null }
 *   | { type: 'conflict', piece: number, by: number, op: Op, lost: string[] }
 *   | { type: 'reject', piece: number, seq: number, reason: Reason, by: number, op: string, lost: string[] }
 *   | { type: 'made', seq: number, piece: number }
 *   | { type: 'shuffled', by: number, pieces: number[] }
 *   | { type: 'holds', piece: number, before: Holding[] }
 *   | NoticeEvent | FacesEvent
 *   | { type: 'seat', id: number, before: Seat | null }
 *   | { type: 'table' }
 *   | { type: 'set', id: number, before: Guest | null }
 *   | SpaceEvent
 *   | { type: 'lost', ops: string[] }} SyncEvent
 */

/**
 * What a frame means for components (component.md), as it happened.
 *
 *  - `full`, `components`, `refused`: as they come.
 *  - `gone`: the piece is there no more, or has another name (T21): what is written on it is gone (C15).
 *  - `passed`: the owner or the team of the piece is another. If its kind is private it is the same (C15).
 *
 * @typedef {FullEvent | ComponentsEvent | RefusedEvent | { type: 'gone', piece: number }
 *   | { type: 'passed', piece: number, kind: number }} ComponentNews
 */

/**
 * What a frame has changed.
 *
 * @typedef {object} Outcome
 * @property {number} time the server's time at which the frame was made
 * @property {boolean} full whether the frame held a full state
 * @property {boolean} resumed whether it took up the last stream (S5). After either the stream is whole.
 * @property {{ from: number, to: number }[]} renamed pieces that have other names now (T21), in order: whatever is kept by the old
 *   name is to be kept by the new one. All else that an outcome says has the new names.
 * @property {Set<number>} changed pieces that are new or were shown differently in between, also after a full state
 * @property {Set<number>} gone pieces that are no longer there, or no longer in sight, those too that were not shown any more
 *   because an own update put them out of sight
 * @property {Set<number>} placed pieces of which an update has said the place or the holder (K12, S12)
 * @property {SyncEvent[]} events in order
 * @property {Paths[]} motions of pieces (S12)
 * @property {Paths[]} cursors of seats (S13)
 * @property {Randomness | null} randomness where the rounds stand, as a full state says before `facts`; null if it does not
 * @property {Fact[]} facts of rounds of randomness, in order
 * @property {ComponentNews[]} components in order
 * @property {number[]} pongs the pings that the frame answers (S15)
 * @property {boolean} unsure what came of an own update was lost with the last stream: the full state is to be asked for
 * @property {Going | null} going
 * @property {boolean} saving whether it says that the server can, or cannot, save what is done (S19)
 */

/**
 * The client's side of table.md, see sync/sync.js.
 *
 * @typedef {object} Sync
 * @property {string} client the id of this client, 22 characters of base64url
 * @property {Map<number, Piece>} pieces what is shown; read only
 * @property {Map<number, Entering>} entering what is not shown, because an own update that is not answered yet puts it out of
 *   sight; read only
 * @property {Map<number, Holding[]>} holds what lies in hands and containers, by their names (T29); nothing if they are empty, or
 *   if that is not told; read only
 * @property {Map<number, Seat>} seats read only
 * @property {string} life of the server in which `mark` was told (S21), 32 hexadecimal digits; empty: it has not said
 * @property {string} trouble why the server cannot save anything at the moment; empty: it can (S19)
 * @property {Map<number, Guest>} sets that are guests on the table (T37); read only
 * @property {SpaceEvent | null} space how full the log of the table is (T44), null if there was nothing to be told of that; read only
 * @property {number} you the own seat, 0 before the first full state
 * @property {TableInfo | null} info null before the first full state
 * @property {number} epoch 0 before the first full state
 * @property {number} mark up to where the view is complete
 * @property {(piece: Piece) => number} layer where a piece lies (T25): HEAVY, LIGHT or IN_HAND of sync/predict.js; set it once the
 *   catalogue is there. Until then everything counts as light.
 * @property {(kind: number) => import('./sync/clock.js').ClockKind | null} clockKind what clocks of a kind are like, null if it has none; set it
 *   with `layer`
 * @property {(piece: Piece, op: 'release' | 'move') => Taken | null} taker where a piece comes that is put down where it is; null if that
 *   changes nothing. Set it with `layer`.
 * @property {(kind: number) => { min: number, max: number } | null} bounds of the values of a kind (T33, T34), null if it has none; set
 *   it with `layer`
 * @property {() => number} now the server's time, as well as it is known, in ms; set it
 * @property {(frame: Frame) => Outcome} receive takes in a frame (S3 to S5)
 * @property {(piece: number, op: PieceOp, args?: Args) => number} update changes a piece, at once on the
 *   screen (T9). Moves and rotations of one piece that were not sent yet become one update, with one number.
 *   `raise` and `lower` without `z` choose the level themselves. Throws RangeError on an unknown piece, an
 *   operation that is not one of these, or arguments that it does not take or lacks.
 * @property {(op: MakeOp, args: MakeArgs) => number} make asks for what cannot be predicted. Throws
 *   RangeError as `update` does. `copy` and `delete` name their piece in the arguments.
 * @property {(piece: number, op: BlindOp | string, args?: Args) => number} blind asks for what does not depend on what was last
 *   seen of the piece (T28); what can be foretold of it is shown at once. Any number may be outstanding for a piece. An operation that
 *   this client does not know goes out as it is (T36). Throws RangeError as `update` does.
 * @property {(piece: number, args?: Args) => number} grabLoose grabs what was just released, not waiting
 *   for the answer (T17)
 * @property {() => Batch | null} take the next batch to post, null if there is none or one is in flight
 * @property {() => void} delivered the batch in flight was answered with 202
 * @property {() => void} failed the batch in flight got no answer, a 5xx or a 429: `take` gives it again
 * @property {(problem: Problem) => Set<number>} refused the batch in flight was answered with a 4xx (T15):
 *   returns the pieces that are shown differently now; the caller asks for a full state
 * @property {() => void} reconnected a new stream is being opened: nothing more is sent until it is whole
 * @property {() => number} lowest the lowest sequence that waits for an answer, 0 if none: `seq` of S1
 * @property {(piece: number) => boolean} pending whether the piece shows something unanswered
 * @property {(piece: number) => boolean} unsettled the same, blind updates not counted: whether an answer may be under way that makes
 *   an ordinary update stale
 */

// ---- net/net.js ----

/**
 * How the connection is.
 *
 *  - `connecting`: the stream is being opened, for the first time or again.
 *  - `online`: the stream is whole. `reason` is empty, or says why posting has to wait: a code of
 *    http.md such as `too-fast`, `storage` or `busy`, or `network`.
 *  - `offline`: the connection is lost and will be opened again by itself, in `retryMs` milliseconds.
 *    `reason` is `network`, `stopping`, `too-fast` or `fault`.
 *  - `closed`: for good. `reason` is `no-seat`, `no-table`, `damaged`, `table-closed`, `seat-withdrawn`, `taken-over`,
 *    `protocol` or `left`.
 *
 * @typedef {object} Status
 * @property {'connecting' | 'online' | 'offline' | 'closed'} state
 * @property {string} reason
 * @property {number} retryMs 0 unless `offline`
 */

/**
 * What the connection needs of its surroundings. Browsers: `browserDeps()` of net/net.js.
 *
 * @typedef {object} NetDeps
 * @property {new (url: string, protocols: string) => WebSocketLike} WebSocket
 * @property {(url: string, init: RequestInit) => Promise<ResponseLike>} fetch
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random from 0 to below 1
 * @property {() => number} now milliseconds of a clock that goes on while the machine sleeps
 * @property {() => number} ticks milliseconds of a clock that nobody sets; it may stand still while the machine sleeps
 * @property {() => boolean} online whether the machine believes that it has a network
 * @property {string} origin of the server, such as `https://table.example`
 */

/**
 * The part of WebSocket that is used.
 *
 * @typedef {object} WebSocketLike
 * @property {string} binaryType
 * @property {number} bufferedAmount bytes that wait to be sent
 * @property {number} readyState 1 while something can be sent
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage its event has `data`
 * @property {((event: any) => void) | null} onclose its event has `code`
 * @property {((event: any) => void) | null} onerror
 * @property {(data: Uint8Array<ArrayBuffer>) => void} send
 * @property {(code?: number) => void} close
 */

/**
 * The part of Response that is used.
 *
 * @typedef {object} ResponseLike
 * @property {number} status
 * @property {{ get(name: string): string | null }} headers
 * @property {() => Promise<any>} json
 */

/**
 * Where what is to be posted comes from, one batch at a time.
 *
 * @template B
 * @typedef {object} Source
 * @property {() => B | null} take the next batch, null if there is none or one is in flight
 * @property {() => void} delivered the batch in flight was judged
 * @property {() => void} failed nobody knows whether it was: `take` gives it again
 * @property {(problem: Problem) => Set<number>} refused it was answered with a 4xx: it goes. Returns the pieces that are shown differently
 *   now
 */

/**
 * How a batch is posted.
 *
 * @template B
 * @typedef {object} Way
 * @property {(batch: B) => string} path below the table's
 * @property {string} type of the content
 * @property {(batch: B) => NonNullable<RequestInit['body']>} body
 * @property {number} taken the status that says that it was judged
 */

/**
 * @typedef {object} NetOptions
 * @property {string} table its id, 32 hexadecimal digits
 * @property {Sync} sync
 * @property {(outcome: Outcome) => void} onFrame after each frame that sync has taken in
 * @property {(status: Status) => void} onStatus after each change
 * @property {(problem: Problem, changed: Set<number>) => void} [onRefused] a batch was refused (T15): the
 *   player is to be told, `changed` pieces are shown differently; the full state has been asked for
 * @property {NetDeps} deps
 */

/**
 * The connection of one page to one table, see net/net.js.
 *
 * @typedef {object} Net
 * @property {() => void} open opens the stream; once
 * @property {() => void} close leaves for good
 * @property {() => void} flush posts what is waiting; call it after `sync.update`, `make`, `blind` and `grabLoose`.
 *   Calls within one task make one batch.
 * @property {() => void} kick the machine may have a network again, or the person has come back to the page: does not wait
 *   any longer, and asks whether the line is there
 * @property {<B>(source: Source<B>, how: Way<B>) => { flush: () => void }} carry posts something beside updates in the same way, until it is
 *   judged; `flush` as above
 * @property {() => void} resync asks for the full state
 * @property {() => void} wake the page was asleep: like kick, and the server's time is asked for anew (S15)
 * @property {(open: (query: string) => WebSocketLike) => boolean} move lets another line take over from the one that there is (D37); `open` opens
 *   it for a stream of that query. Returns whether that was begun: it is not while there is no connection
 * @property {(up: Up) => boolean} send says something that may be lost, such as motion. Returns whether it went:
 *   it does not while there is no connection or the line is behind.
 * @property {() => number} serverNow what the server's clock shows now, in ms, as far as is known (K14)
 * @property {() => number} serverDoubt by how much that may be wrong, in ms; Infinity before the first pong
 * @property {Status} status
 */

export {};
