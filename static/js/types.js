/**
 * Types that the modules of the client share. There is no code here. T and S with a number are
 * rules of docs/protocol/table.md and stream.md.
 *
 * @module
 */

/**
 * The displayed state of a piece: the confirmed state with this client's pending updates on top
 * (T9). Never changed in place, so whoever keeps one keeps the state of that time.
 *
 * @typedef {object} Piece
 * @property {number} id its identifier in this view; opaque (T21)
 * @property {number} mark version of the latest entry that this view was shown; opaque. It is the
 *   tag of the next update (T7).
 * @property {number} kind index into the catalogue
 * @property {number} x centre, in table units of 0.1 mm
 * @property {number} y centre, in table units of 0.1 mm
 * @property {number} angle hundredths of a degree, clockwise, 0 to 35999
 * @property {number} face from 0
 * @property {string} z Z level (T13); `''` until the server has sent one
 * @property {number} zMark orders pieces of equal `z`; Infinity while an own level is pending
 * @property {boolean} pinned
 * @property {boolean} locked
 * @property {number} holder seat that holds it, 0: nobody
 * @property {number} owner a seat, 0: nobody. Of a hand: its owner. Of a private piece: the owner
 *   of the hand in which it lies (T23). Of a player label or a turn marker: its player (T35).
 * @property {Clock} [clock] of a clock (T27)
 * @property {number} [value] of a counter or of currency (T33, T34); missing: 0
 * @property {string} [text] of a note or a label (T35); missing: empty
 * @property {number[]} [team] of a hand: the seats with which its owner shares it, ascending; of a
 *   piece in a hand: the same (T23); missing: nobody
 * @property {number} [set] the set to which it belongs (T37); missing: none
 * @property {Curves} [curves] what changes by itself (K16); missing: nothing
 */

/**
 * What changes by itself of a piece, each as an open segment of the curve of one property (K16).
 * Never changed in place.
 *
 * @typedef {object} Curves
 * @property {number} from the server's time at which all of them begin, in milliseconds
 * @property {{property: number, start: number, rate: number, max: number}[]} curves
 */

/**
 * The state of a clock. Together with the server's time it determines what the clock shows (K13).
 * Never changed in place.
 *
 * @typedef {object} Clock
 * @property {number} running the side that runs, 1 or 2; 0: none
 * @property {number} since the server's time from which `left1` and `left2` count, in milliseconds
 * @property {number} left1 time that side 1 had left at `since`, in milliseconds; the time that had
 *   passed if the kind counts up
 * @property {number} left2
 * @property {number} initial milliseconds that a side has after a reset
 * @property {number} increment milliseconds that a side gets when it is pressed
 */

/**
 * The number of pieces of one sort in a hand or a container (T29).
 *
 * @typedef {object} Holding
 * @property {number} kind the mask of secret pieces, -1: pieces of all other kinds
 * @property {number} count at least 1
 */

/**
 * Where a piece that is put down goes (T23, T29).
 *
 * @typedef {object} Taken
 * @property {number} into the container, or the hand of others, that hides it; 0: it stays visible
 * @property {number} owner of the hand in which it then lies; 0: none
 * @property {number[]} team with whom the owner shares the hand
 * @property {string} z the level that it gets there if the update has none; empty: it keeps its own
 */

/**
 * A piece that is not displayed, because a pending update of this client puts it where this view
 * does not see it: into a container, or into the hand of somebody else (T23, T29). If the update is
 * rejected, the piece is displayed again.
 *
 * @typedef {object} Entering
 * @property {number} into the container or the hand
 * @property {Piece} piece as it would be displayed
 */

/**
 * @typedef {'host' | 'co-host' | 'player' | 'spectator' | 'referee' | 'unspecified'} Role
 */

/**
 * Whether somebody is at the table (S11). `here`: has a stream. `away`: has one, but looks at
 * something else. `lost`: has just lost the connection and is expected back. `gone`: none of these.
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
 * @property {string} [home] the name of the server that vouches for a visitor. `sync` appends it to
 *   the nick.
 * @property {number} [number] tells apart seats of the same nick. `sync` appends it to the nick.
 * @property {number} [left] the seat that has ended this one (T51); missing: it is in use
 * @property {number} [linkBy] the host who made the newest link for this seat of somebody else
 *   (T55); missing: the operator
 * @property {number} [linkAt] when, in milliseconds since the Unix epoch
 * @property {number} [linkUsed] when somebody used it; missing: nobody has
 * @property {number} [side] which side of the game it has (T61), from 1; missing: none
 * @property {number} [placedBy] the host who gave it that side (T98); missing: nobody did
 * @property {number} [editsBy] the host who has let its person edit the game (T99); missing: nobody
 *   has
 * @property {number} [proposal] the number of the open proposal to make it a referee (T74)
 * @property {number} [proposedBy] the host who made that proposal
 * @property {number} [agreed] the newest proposal to which it has agreed
 * @property {boolean} [played] a spectator who has played, and may sit down again (T75)
 * @property {number} [opened] until when its person lets everybody watch the past with the hands of
 *   this seat (T73)
 * @property {boolean} [erased] whether its person has erased what was kept of them (T80)
 */

/**
 * The data of the table as a whole.
 *
 * @typedef {object} TableInfo
 * @property {string} title
 * @property {number} width in table units; x goes from -width/2 to width/2
 * @property {number} height in table units
 * @property {string} surface `felt`, `wood`, `slate` or `paper`
 * @property {string} catalog SHA-256 of the catalogue, 64 hexadecimal digits: fetch
 *   `/art/{catalog}`
 */

/** An operation on a piece (T24). @typedef {import('./sync/operations.js').PieceOp} PieceOp */

/**
 * An operation that does not depend on what the client last saw of the piece (T28). `shuffle` is
 * that of a container (T31).
 *
 * @typedef {import('./sync/operations.js').BlindOp} BlindOp
 */

/**
 * An operation that the client cannot predict.
 * @typedef {import('./sync/operations.js').MakeOp} MakeOp
 */

/**
 * An operation in an event: a client's, or one of the server's own. `unspecified` is one that this
 * client does not know.
 *
 * @typedef {PieceOp | MakeOp | BlindOp | 'reveal' | 'respread' | 'settle' | 'renew' | 'merge'
 *   | 'undo' | 'choice' | 'unspecified'} Op
 */

/**
 * Why an update was inapplicable (T14).
 *
 * @typedef {'held' | 'pinned' | 'locked' | 'off-table' | 'gone' | 'hidden' | 'table-full'
 *   | 'stale-loose' | 'not-held' | 'not-allowed' | 'forgotten' | 'clock' | 'owned' | 'not-empty'
 *   | 'empty' | 'range' | 'cooling' | 'scattered' | 'away' | 'log-full' | 'too-much'
 *   | 'frozen' | 'unanswered'
 *   | 'unspecified'} Reason
 */

/**
 * The arguments of an operation (T24, T27, T28 to T35). table.md says which operation takes which.
 * A missing argument leaves the piece as it is.
 *
 * @typedef {object} Args
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [angle]
 * @property {number} [face]
 * @property {string} [z]
 * @property {number} [kind] of `add`; of `draw`: the uppermost of that kind
 * @property {number[]} [pieces] of `shuffle`; of `deal`: the hands that get some
 * @property {number} [side] of a clock, 1 or 2 (T27)
 * @property {number} [ms] of `set`
 * @property {number} [increment] of `set`, in milliseconds
 * @property {number} [n] how many, or how much
 * @property {number} [at] a place in a container: from the top, 1 first; from the bottom, -1 first;
 *   0: a random place
 * @property {true} [hold] of `draw` and `split`: this client then holds the piece
 * @property {number} [into] of `stow`: the container
 * @property {number} [seat]
 * @property {string} [set] of `place`: the identifier of the set
 * @property {string} [text] of `write`: up to 2,000 bytes of UTF-8; of `say`: 1 to 500 characters
 * @property {number} [line] of `unsay` (T64)
 * @property {number[]} [answers] of `run`: to the questions of the button (T95), in their order
 */

/**
 * The arguments of `copy` and `delete` name their piece.
 *
 * @typedef {Args & { piece?: number }} MakeArgs
 */

// ---- frames of the stream (net/wire.js) ----

/**
 * A piece in a frame. In `full` and `reject` it has all fields; in `update` and `ack` only those
 * that have changed, beside `id` and `mark`. `renamed` is its new identifier (T21).
 *
 * @typedef {{ id: number, mark: number } & Partial<Omit<Piece, 'id' | 'mark'>>
 *   & { gone?: boolean, renamed?: number }} PiecePatch
 */

/** @typedef {Piece & { gone: boolean, renamed?: number }} FullPiece */

/**
 * A guest set on the table (T37).
 *
 * @typedef {object} Guest
 * @property {number} id the `set` of its pieces
 * @property {number} by the seat that has put it there
 * @property {'' | 'creator' | 'owner' | 'frozen' | 'stranger' | 'lost'} away why its owner is
 *   unreachable (T39); '': it is reachable
 * @property {number} until when its owner is asked again, in server time; 0: unknown
 * @property {boolean} gone whether it has left the table
 */

/** @typedef {{ type: 'set' } & Guest} SetEvent */

/**
 * A line of the chat (T64).
 *
 * @typedef {object} SaidEvent
 * @property {'said'} type
 * @property {number} line its number
 * @property {number} by the seat that wrote it
 * @property {number} at when, in server time
 * @property {string} text empty if the line was deleted since, or if its text is lost
 * @property {number} to the only other seat that gets it; 0: everybody does
 */

/**
 * A line of the chat was deleted (T64).
 *
 * @typedef {object} UnsaidEvent
 * @property {'unsaid'} type
 * @property {number} line its number
 * @property {number} by the seat that deleted it
 */

/**
 * How full the log of the table is (T44), and who has just dropped its history (T48).
 *
 * @typedef {object} SpaceEvent
 * @property {'space'} type
 * @property {number} level 0 ample, 1 low, 2 full, 3 the reserve is used up, too
 * @property {number} dropped a seat; 0: nobody
 */

/**
 * The number of pieces in a hand or a container (T29). The columns have the same length. `kinds`
 * are masks, one more than their index in the catalogue; 0: all other kinds.
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
 * @property {FullPiece[]} pieces
 * @property {Holds[]} [holds] missing: all that is counted is empty
 * @property {Randomness} [randomness]
 * @property {Uint8Array} [components] all components that the view may see, as a WireMessage
 *   (component.md, C17); missing: there are none
 * @property {Guest[]} [sets] missing: there are none
 * @property {string} [life] of the server (S21); missing: it could not be stored
 * @property {Rewound} [rewound] the last time that the table went back (T71); missing: it did not
 */

/**
 * A save point (T70).
 *
 * @typedef {object} SavePoint
 * @property {number} id
 * @property {number} kind 1 by a host, 2 the set-up, 3 every so often, 4 before the table went back
 * @property {string} name
 * @property {number} at
 * @property {number} by
 */

/**
 * @typedef {object} Rewound
 * @property {number} by the seat
 * @property {SavePoint} [to]
 * @property {number} at
 * @property {number} back the save point of the state before
 */

/** @typedef {{ type: 'saves', made?: SavePoint }} SavesEvent the list has changed (T70) */

/**
 * @typedef {object} UpdateEvent
 * @property {'update'} type
 * @property {PiecePatch} piece
 * @property {number} by the seat that made the update, 0: the server itself
 * @property {Op} op
 */

/**
 * @typedef {object} AckEvent
 * @property {'ack'} type
 * @property {number} seq
 * @property {PiecePatch} piece the fields that the server set; for `add` the new piece
 * @property {number} made the piece that `copy`, `add`, `split` or `draw` has brought, 0: none that
 *   this view sees
 */

/**
 * @typedef {object} RejectEvent
 * @property {'reject'} type
 * @property {number} seq
 * @property {Reason} reason
 * @property {FullPiece} piece `id` 0: the update was of no piece, or blind (T28)
 * @property {number} by the seat that prevents the update, 0: none
 */

/** @typedef {{ type: 'seat' } & Seat} SeatEvent */
/** @typedef {{ type: 'table' } & TableInfo} TableEvent */

/**
 * The server is about to close the stream.
 *
 * @typedef {object} Going
 * @property {number} afterMs reconnect after so many milliseconds
 * @property {boolean} final whether the table was deleted: do not reconnect (T42)
 * @property {number} by the seat that has caused this; 0: the operator
 * @property {number} [seat] why the seat has ended (S20): 1 put out, 2 left, 3 logged out; missing:
 *   the seat has not ended
 */

/** @typedef {{ type: 'going' } & Going} GoingEvent */

/**
 * Whether the server can save updates (S19).
 *
 * @typedef {object} SavingEvent
 * @property {'saving'} type
 * @property {string} trouble why it cannot; empty: it can
 */

/**
 * Somebody asks whether they may take a gesture back, or that question has ended (T63).
 *
 * @typedef {object} QuestionEvent
 * @property {'question'} type
 * @property {number} id names it in the answer (`POST …/undo/{id}`)
 * @property {number} by the seat that asks
 * @property {Op} op the main operation of the gesture
 * @property {number[]} pieces that would change back, as far as this view sees them
 * @property {number} ends when it ends, in server time
 * @property {number[]} asked the seats whose answers count
 * @property {number[]} agreed those of them that have agreed
 * @property {number} state 0 open, 1 agreed and done, 2 refused, 3 timed out, 4 withdrawn,
 *   5 not possible any more
 * @property {number} refusedBy the seat that has refused; 0: none
 * @property {Ghost[]} ghosts where the pieces would lie, while it is open
 */

/**
 * Where a piece would lie after an undo, as far as this view may know it (T63.26).
 *
 * @typedef {object} Ghost
 * @property {number} piece 0: it is not known which one it is
 * @property {number} into the hand or the container that takes it; 0: it comes to lie at x, y
 * @property {number} x
 * @property {number} y
 * @property {number} angle
 * @property {number} kind has its shape, if `piece` is 0
 * @property {boolean} goes the undo removes it
 */

/**
 * How a round stands in which several people choose something (T76).
 *
 * @typedef {object} RoundEvent
 * @property {'round'} type
 * @property {number} id names it in requests (`POST …/round/{id}`)
 * @property {number} by the seat that has begun it
 * @property {string} title may be empty
 * @property {number[]} asked the seats that choose
 * @property {number[]} ready those of them that have chosen
 * @property {number} state 0 open, 1 shown, 2 cancelled
 * @property {Choice} own what this seat has chosen, while it is open; its `seat` is 0 before that
 * @property {Choice[]} shown what was chosen, by seats
 */
/** @typedef {{ seat: number, pieces: number[], text: string }} Choice of a round */

/**
 * Whether those who play may choose a host, because none has been at the table for long (T66).
 *
 * @typedef {object} SuccessionEvent
 * @property {'succession'} type
 * @property {boolean} open
 * @property {{ seat: number, host: number }[]} votes whom each seat that votes wants
 */

/**
 * Somebody has shuffled pieces that this view sees, whether or not this has changed any of them in
 * the view (T26).
 *
 * @typedef {object} ShuffledEvent
 * @property {'shuffled'} type
 * @property {number} by the seat
 * @property {number[]} pieces
 */

/** @typedef {{ type: 'holds' } & Holds} HoldsEvent */

/**
 * A notice (T28). It is sent once.
 *
 * @typedef {object} Notice
 * @property {number} by the seat
 * @property {Op} op
 * @property {number} piece the container, or the piece looked at; 0 if this view does not see it
 * @property {number} count how many; 0 if that is hidden
 * @property {number} seat to whom something was shown; 0: nobody else
 */

/** @typedef {{ type: 'notice' } & Notice} NoticeEvent */

/**
 * Faces that only this person sees (T31). It is sent once.
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
 * A fact about a round of randomness (docs/fairness.md). Digests are hexadecimal. holt.proto says
 * which fact has which of the optional fields.
 *
 * @typedef {object} Fact
 * @property {number} round
 * @property {'opened' | 'committed' | 'closed' | 'revealed' | 'mixed' | 'drawn' | 'told'
 *   | 'unspecified'} fact
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
 * The state of the table's randomness (docs/fairness.md).
 *
 * @typedef {object} Randomness
 * @property {number} round the open round
 * @property {string} commitment
 * @property {number} mix the current mix
 * @property {boolean} revealing
 * @property {string} closing
 * @property {string} pool that draws use
 * @property {Share[]} shares of the current mix, in the order of their commitments
 */

/**
 * A contribution to a mix, as everybody may know it. `entropy` is empty until it is revealed.
 *
 * @typedef {{ seat: number, hash: string, entropy: string }} Share
 */

/**
 * Operations on components, as a WireMessage (component.md, C17).
 *
 * @typedef {{ type: 'components', components: Uint8Array }} ComponentsEvent
 */

/**
 * An operation on a component that this client has sent had no effect, and not because another
 * operation won (C11).
 *
 * @typedef {object} RefusedEvent
 * @property {'refused'} type
 * @property {number} entity
 * @property {number} component 0 if the operation deletes the entity
 * @property {number} timestamp
 * @property {number} reason as C11 numbers them
 */

/**
 * The stream continues the previous one (S5).
 *
 * @typedef {{ type: 'resumed', seats: Seat[], sets?: Guest[], catalog?: string, life?: string }}
 *   ResumedEvent
 */

/**
 * Linear segments of curves of the values x and y (curve.md, S12, S13). They begin at the frame's
 * time less `lag` and take `span`. Their version is (time of the frame, 0). The columns have the
 * same length.
 *
 * @typedef {object} Paths
 * @property {number} lag in milliseconds
 * @property {number} span in milliseconds
 * @property {number[]} ids of pieces or seats, ascending; in a frame, each is the difference from
 *   the previous one (`idsOf`)
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
 * The answer to updates by datagrams (D40): what HTTP would answer. `problem` is the problem
 * document, empty if there is none.
 *
 * @typedef {{ type: 'answer', request: number, status: number, retryAfter: number,
 *   problem: string }} AnswerEvent
 */

/**
 * @typedef {FullEvent | UpdateEvent | AckEvent | RejectEvent | SeatEvent | TableEvent | GoingEvent
 *   | SavingEvent | QuestionEvent | SuccessionEvent | RoundEvent
 *   | ShuffledEvent | MotionsEvent | CursorsEvent | PongEvent | ResumedEvent
 *   | HoldsEvent | NoticeEvent | FacesEvent | SetEvent | SpaceEvent | FairEvent | ComponentsEvent
 *   | RefusedEvent | AnswerEvent | SaidEvent | UnsaidEvent | SavesEvent} FrameEvent
 */

/**
 * One message of the stream (S3).
 *
 * @typedef {object} Frame
 * @property {number} time of the server, in milliseconds since the Unix epoch
 * @property {number} mark version up to which the view is complete after this frame; 0: as before
 * @property {FrameEvent[]} events in order
 */

// ---- what a client sends ----

/**
 * One update of a batch (http.md).
 *
 * @typedef {{ seq: number, op: string, piece?: number, tag?: number, loose?: true } & Args}
 *   WireUpdate
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
 * @property {number} [update] index in the batch of the invalid update
 */

/**
 * A message from the client on the stream (S9). Times are the server's in milliseconds, as the
 * client estimates them; places are in table units.
 *
 *  - `resync`: asks for the full state.
 *  - `ping`: asks for the server's time (S15).
 *  - `motion`: where the pieces are that this client carries (S12); columns of one length, at most
 *    200.
 *  - `cursor`: where the person points (S13).
 *  - `away`: whether the page is hidden (S11).
 *  - `commit`, `reveal`: a commitment to entropy for a mix of the open round, and the entropy
 *    (docs/fairness.md); 64 hexadecimal digits.
 *
 * @typedef {{ type: 'resync' } | { type: 'ping', nonce: number }
 *   | { type: 'motion', at: number, pieces: number[], x: number[], y: number[] }
 *   | { type: 'cursor', at: number, x: number, y: number } | { type: 'away', away: boolean }
 *   | { type: 'commit', round: number, mix: number, hash: string }
 *   | { type: 'reveal', round: number, mix: number, entropy: string }
 *   | { type: 'updates', request: number, batch: Uint8Array, life: string, mark: number,
 *       alone: boolean }} Up
 */

// ---- sync/sync.js ----

/**
 * Something of which a player may be notified. `seq` is always the number that `update`, `make`,
 * `blind` or `grabLoose` returned. Pieces have the identifiers that are valid after the frame
 * (T21).
 *
 *  - `update`: a recorded update of somebody else, or one of the server's own (`by` 0). `before` is
 *    what was displayed until then, null if the piece is new.
 *  - `conflict`: pending updates `lost` of this piece were lost (T11). `by` and `op` say whose
 *    update was first; 0 and `unspecified` if only a full state shows it.
 *  - `reject`: an own update `op` was inapplicable (T14), and the later ones (`lost`) with it. A
 *    blind update takes no others with it. `piece` is 0 for `add` and for the `shuffle` of a list.
 *  - `made`: an own `copy`, `add`, `split` or `draw` has brought this piece. It is displayed
 *    already.
 *  - `holds`: the number of pieces in a hand or a container has changed; `before` is the old one.
 *  - `notice`, `faces`: as the server sends them (T28, T31).
 *  - `shuffled`: somebody has shuffled `pieces`; hidden ones are left out. Changes of the pieces
 *    come as updates, with `op` `shuffle`.
 *  - `seat`: a seat came, went or changed; `before` is null for a new one.
 *  - `table`: the title, size, surface or catalogue has changed.
 *  - `set`: a set came, went, is unreachable, or is back (T37, T39); `before` is its old state,
 *    null if it was not there.
 *  - `said`, `unsaid`: a line of the chat was written or deleted (T64).
 *  - `acked`: an own update was recorded, and has changed `piece` from `before` to `after`, as far
 *    as this client knows. Both are undefined where no piece is known. It is in `acked` of the
 *    outcome, beside the events.
 *  - `lost`: the table was restored to an older state, and the pending updates `ops` belong to a
 *    history that no longer exists (T19).
 *
 * @typedef {{ type: 'update', piece: number, by: number, op: Op, before: Piece | null }
 *   | { type: 'conflict', piece: number, by: number, op: Op, lost: string[] }
 *   | { type: 'reject', piece: number, seq: number, reason: Reason, by: number, op: string,
 *     lost: string[] }
 *   | { type: 'made', seq: number, piece: number }
 *   | { type: 'acked', seq: number, piece: number, op: string, before: Piece | undefined,
 *     after: Piece | undefined }
 *   | SaidEvent | UnsaidEvent
 *   | { type: 'shuffled', by: number, pieces: number[] }
 *   | { type: 'holds', piece: number, before: Holding[] }
 *   | NoticeEvent | FacesEvent | QuestionEvent | SuccessionEvent | RoundEvent
 *   | { type: 'seat', id: number, before: Seat | null }
 *   | { type: 'table' }
 *   | { type: 'set', id: number, before: Guest | null }
 *   | SpaceEvent | SavesEvent
 *   | { type: 'rewound', were: Map<number, Seat> } & Rewound
 *   | { type: 'lost', ops: string[] }} SyncEvent
 */

/**
 * What a frame means for components (component.md).
 *
 *  - `full`, `components`, `refused`: as the server sends them.
 *  - `gone`: the piece no longer exists, or has another identifier (T21): its labels are dropped
 *    (C15).
 *  - `passed`: the owner or the team of the piece has changed. If its kind is private, its labels
 *    are dropped, too (C15).
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
 * @property {boolean} resumed whether it continued the last stream (S5). After either the stream is
 *   synchronised.
 * @property {{ from: number, to: number }[]} renamed pieces with new identifiers (T21), in order.
 *   All else in an outcome has the new ones.
 * @property {Set<number>} changed pieces that are new or are displayed differently, also after a
 *   full state
 * @property {Set<number>} gone pieces that no longer exist or are hidden now, also those that were
 *   not displayed any more because of an own pending update
 * @property {Set<number>} placed pieces whose place or holder an update has set (K12, S12)
 * @property {SyncEvent[]} events in order
 * @property {SyncEvent[]} acked the own updates that were recorded, in order (`acked`)
 * @property {Paths[]} motions of pieces (S12)
 * @property {Paths[]} cursors of seats (S13)
 * @property {Randomness | null} randomness state of the rounds in a full state, before `facts`;
 *   null if there is none
 * @property {Fact[]} facts of rounds of randomness, in order
 * @property {ComponentNews[]} components in order
 * @property {AnswerEvent[]} answers to requests by datagrams (D40)
 * @property {number[]} pongs the pings that the frame answers (S15)
 * @property {boolean} needsFull whether the outcome of an own update was lost with the last stream:
 *   then the client must ask for the full state
 * @property {Going | null} going
 * @property {boolean} saving whether the frame says that the server can, or cannot, save (S19)
 */

/**
 * The client's side of table.md, see sync/sync.js. All fields are read only, unless they say that
 * somebody sets them.
 *
 * @typedef {object} Sync
 * @property {string} client the id of this client, 22 characters of base64url
 * @property {Map<number, Piece>} pieces the displayed pieces
 * @property {Map<number, Entering>} entering pieces that are not displayed, because an own pending
 *   update hides them
 * @property {Map<number, Holding[]>} holds the contents of hands and containers, by piece (T29);
 *   missing: empty, or hidden
 * @property {QuestionEvent | null} question about an undo, while it is open (T63)
 * @property {RoundEvent | null} round while it is open (T76)
 * @property {SuccessionEvent | null} succession while those who play may choose a host (T66)
 * @property {Map<number, Seat>} seats
 * @property {string} life life of the server that assigned `mark` (S21), 32 hexadecimal digits;
 *   empty: unknown
 * @property {string} trouble why the server cannot save at the moment; empty: it can (S19)
 * @property {Map<number, Guest>} sets guest sets on the table (T37)
 * @property {SpaceEvent | null} space how full the log of the table is (T44), null if the server
 *   has not warned
 * @property {Rewound | null} rewound the last time that the table went back (T71)
 * @property {number} you the own seat, 0 before the first full state
 * @property {TableInfo | null} info null before the first full state; parts/components/overlay.js
 *   sets what hosts have written
 * @property {number} epoch 0 before the first full state
 * @property {number} mark version up to which the view is complete
 * @property {number} time the server's time of the last frame, in ms; 0: there was none
 * @property {(piece: Piece) => number} layer layer of a piece (T25): HEAVY, LIGHT or IN_HAND of
 *   sync/predict.js. sync/kinds.js sets it and the next four; they need the catalogue. Without it
 *   every piece is light.
 * @property {(kind: number) => import('./sync/clock.js').ClockKind | null} clockKind the clocks of
 *   a kind, null if it has none
 * @property {(piece: Piece, op: string) => Taken | null} taker where a piece goes that
 *   is put down at its place; null if it stays as it is
 * @property {(kind: number) => { min: number, max: number } | null} bounds of the values of a kind
 *   (T33, T34), null if it has none
 * @property {(kind: number) => boolean} isMask whether the kind stands for concealed pieces (T22)
 * @property {() => number} now the estimated server time, in ms; main.js sets it
 * @property {(frame: Frame) => Outcome} receive takes in a frame (S3 to S5)
 * @property {(piece: number, op: PieceOp, args?: Args) => number} update changes a piece, and
 *   displays the change at once (T9). Moves and rotations of one piece that were not sent yet
 *   become one update, with one number. `raise` and `lower` without `z` choose the level
 *   themselves. Throws RangeError on an unknown piece, an operation that is not one of these, or
 *   wrong arguments.
 * @property {(op: MakeOp, args: MakeArgs) => number} make requests an operation that cannot be
 *   predicted. Throws RangeError as `update` does. `copy` and `delete` name their piece in the
 *   arguments.
 * @property {(piece: number, op: BlindOp | string, args?: Args) => number} blind requests an
 *   operation that does not depend on what was last seen of the piece (T28), and displays what can
 *   be predicted of it. Any number may be pending for a piece. An operation that this client does
 *   not know is sent as it is (T36). Throws RangeError as `update` does.
 * @property {(piece: number, args?: Args) => number} grabLoose grabs a piece whose release is still
 *   pending (T17)
 * @property {(most?: number) => Batch | null} take returns the next batch to send, null if there is
 *   none. Its updates have at most so many bytes, unless it has one alone.
 * @property {(batch: Batch) => import('./sync/outbox.js').PendingUpdate[]} inFlight returns the
 *   updates of a batch in flight
 * @property {(batch: Batch) => void} delivered a batch in flight was answered with 202
 * @property {(batch: Batch) => void} failed a batch in flight got no answer, a 5xx or a 429: `take`
 *   returns its updates again
 * @property {(problem: Problem, batch: Batch) => Set<number>} refused a batch in flight was
 *   answered with a 4xx (T15). Returns the pieces that are displayed differently now; the
 *   caller asks for a full state.
 * @property {() => void} reconnected a new stream is being opened: nothing is sent until it is
 *   synchronised
 * @property {() => number} lowest the lowest pending sequence, 0 if none: `seq` of S1
 * @property {(piece: number) => boolean} pending whether an update of the piece is pending
 * @property {() => () => boolean} pendingNow returns a check whether any update that is pending now
 *   still is
 * @property {() => () => number} lastMade returns what returns the number of the last update that
 *   was made until now; 0: it was not sent yet
 * @property {(piece: number) => boolean} unsettled whether an update other than a blind one is
 *   pending: its answer may make an ordinary update stale
 */

// ---- net/net.js ----

/**
 * The state of the connection.
 *
 *  - `connecting`: the stream is being opened, for the first time or again.
 *  - `online`: the stream is synchronised. `reason` is empty, or says why posting has to wait: a
 *    code of http.md such as `too-fast`, `storage` or `busy`, or `network`.
 *  - `offline`: the connection is lost, and is opened again in `retryMs` milliseconds. `reason` is
 *    `network`, `stopping`, `too-fast` or `fault`.
 *  - `closed`: for good. `reason` is `no-seat`, `no-table`, `damaged`, `table-closed`,
 *    `seat-withdrawn`, `taken-over`, `protocol` or `left`.
 *
 * @typedef {object} Status
 * @property {'connecting' | 'online' | 'offline' | 'closed'} state
 * @property {string} reason
 * @property {number} retryMs 0 unless `offline`
 */

/**
 * What the connection needs of its environment. In browsers: `browserDeps()` of net/net.js.
 *
 * @typedef {object} NetDeps
 * @property {new (url: string, protocols: string) => WebSocketLike} WebSocket
 * @property {(url: string, init: RequestInit) => Promise<ResponseLike>} fetch
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random from 0 to below 1
 * @property {() => number} now milliseconds of a clock that continues while the machine sleeps
 * @property {() => number} ticks milliseconds of a clock that nobody sets; it may stop while the
 *   machine sleeps
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
 * @property {((host: RequestsHost<any>) => Requests) | undefined} [requests] sends updates (D39).
 *   It is there if the server takes updates on this stream.
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
 * Where batches to send come from.
 *
 * @template B
 * @typedef {object} Source
 * @property {(most?: number) => B | null} take returns the next batch, null if there is none. One
 *   with a message has at most so many bytes, unless it has one update alone.
 * @property {(batch: B) => void} delivered the server has processed a batch in flight
 * @property {(batch: B) => void} failed whether the server has processed it is unknown: `take`
 *   returns it again
 * @property {(problem: Problem, batch: B) => Set<number>} refused it was answered with a 4xx, and
 *   is dropped. Returns the pieces that are displayed differently now.
 */

/**
 * What sends the batches of a source by datagrams, as long as their stream lasts (D39). The part
 * `datagrams` has it.
 *
 * @typedef {object} Requests
 * @property {() => 'sent' | 'waits' | 'free'} next sends the next batch, if one may go so. `waits`:
 *   none may now, and none by HTTP. `free`: what there is may go by HTTP.
 * @property {() => void} rest nothing waits to be sent
 * @property {(answer: AnswerEvent) => void} answered
 * @property {() => void} abandon the stream was lost: no answer comes any more
 */

/**
 * What requests need of the page.
 *
 * @template B
 * @typedef {object} RequestsHost
 * @property {Source<B>} source
 * @property {(batch: B) => string} body
 * @property {Upward<B>} upward
 * @property {Pick<NetDeps, 'setTimeout' | 'clearTimeout' | 'ticks'>} deps
 * @property {(batch: B, status: number, retryAfter: number, document: string) => void} decide an
 *   answer has come, with the seconds after which to come again; NaN: the server did not say
 * @property {() => void} flush
 */

/**
 * What requests say of a batch.
 *
 * @template B
 * @typedef {object} Upward
 * @property {() => { life: string, mark: number }} version the one that the client has (S21)
 * @property {(batch: B) => import('./sync/outbox.js').PendingUpdate[]} inFlight its updates
 */

/**
 * How a batch is posted.
 *
 * @template B
 * @typedef {object} Way
 * @property {(batch: B) => string} path below the table's
 * @property {string} type of the content
 * @property {(batch: B) => NonNullable<RequestInit['body']>} body
 * @property {number} taken the status that says that the server has processed it
 * @property {Upward<B>} [upward] without it batches go by HTTP only
 */

/**
 * @typedef {object} NetOptions
 * @property {string} table its id, 32 hexadecimal digits
 * @property {Sync} sync
 * @property {(outcome: Outcome) => void} onFrame called after each frame that sync has taken in
 * @property {(status: Status) => void} onStatus called after each change
 * @property {(problem: Problem, changed: Set<number>) => void} [onRefused] called when a batch was
 *   refused (T15), to notify the player. `changed` pieces are displayed differently. The full state
 *   has been requested.
 * @property {NetDeps} deps
 */

/**
 * The connection of one page to one table, see net/net.js.
 *
 * @typedef {object} Net
 * @property {() => void} open opens the stream; once
 * @property {() => void} close leaves for good
 * @property {() => void} flush posts pending updates; call it after `sync.update`, `make`, `blind`
 *   and `grabLoose`. Calls within one task make one batch.
 * @property {() => void} kick the machine may have a network again, or the person has come back to
 *   the page: retries at once, and checks the connection
 * @property {<B>(source: Source<B>, how: Way<B>) => { flush: () => void }} carry posts other
 *   batches in the same way, until the server has processed them; `flush` as above
 * @property {() => void} resync asks for the full state
 * @property {() => void} wake the page was asleep: like kick, and measures the server's time again
 *   (S15)
 * @property {(open: (query: string) => WebSocketLike) => boolean} move hands the stream over to
 *   another connection (D37). `open` opens that for a stream with the query. Returns whether the
 *   handover has begun; it does not without a connection.
 * @property {(up: Up) => boolean} send sends a message that may be lost, such as motion. Returns
 *   whether it was sent; it is not without a connection or while the connection is congested.
 * @property {() => number} serverNow the estimated server time, in ms (K14); it may step back a
 *   little
 * @property {() => number} serverDoubt the most by which that may be wrong, in ms; Infinity before
 *   the first pong
 * @property {Status} status
 */

export {};
