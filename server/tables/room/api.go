package room

import (
	"errors"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// Errors that Rooms returns besides those of the Store, *table.Invalid and context errors. A
// comment names the HTTP status and the problem code.
var (
	// 503 storage
	ErrStorage = errors.New("the storage has failed")
	// 503 busy
	ErrBusy = errors.New("the table has too much to do")
	// 409 rounds
	ErrRounds = errors.New("too many rounds of randomness are still sealed")
	// 503 stopping
	ErrStopping = errors.New("the server is stopping")
	// 422 impossible-value
	ErrNoGame = errors.New("no such game")
	// ErrNoSetup says that the game has fewer set-ups, or fewer tables.
	ErrNoSetup = errors.New("the game has no such set-up")
	// 403 role
	ErrRole = errors.New("this seat may not do that")
	// 409 epoch
	ErrEpoch = errors.New("made in another epoch")
	// 409 client-taken
	ErrClient = errors.New("this client id is of another seat")
	// 409 attempt
	ErrAttempt = errors.New("a later stream of this client is there")
	// 409 handover
	ErrHandover = errors.New("no stream of this client can go over")
	// 422 impossible-value
	ErrPerson = errors.New("not a usable name, title or colour")
	// 507 log-full
	ErrLogFull = errors.New("the table has no space for that any more")
	// 404 not-found
	ErrOver = errors.New("that seat is not in use")
	// 422 impossible-value
	ErrHands = errors.New("that seat cannot have a hand")
	// 409 last-host
	ErrLastHost = errors.New("the last host cannot leave the table")
	// 409 hidden
	ErrCards = errors.New("something that not everybody sees lies in a hand or front down")
	// 409 hidden
	ErrDecks = errors.New("a deck or a bag does not hold exactly what it was set up with")
	// 409 hidden
	ErrSecrets = errors.New("something was made or deleted here that not everybody knew of")
	// 409 guests
	ErrGuests = errors.New("a set that is somebody's own lies on the table, or is on its way")
	// 404 no-link
	ErrNoLink = errors.New("this link for a seat is not good, or no more")
	// Only operators get it.
	ErrNoHost = errors.New("this table has no host")
	// 403 refused
	ErrVisitor = errors.New("a visitor comes back through their own server")
	// 409 undo-off
	ErrUndoOff = errors.New("at this table nothing is undone")
	// 409 question
	ErrQuestion = errors.New("somebody is asking already whether they may take something back")
	// 404 not-found
	ErrNoQuestion = errors.New("nobody is asking that any more")
	// 403 closed
	ErrClosed = errors.New("nobody new may come to this table")
	// 403 frozen
	ErrFrozen = errors.New("the table is frozen: only hosts change anything on it")
	// 403 password
	ErrPassword = errors.New("the table has a password, and that is not it")
	// 422 impossible-value
	ErrBadPassword = errors.New("a password has 1 to 100 characters, without control characters")
	// 409 host-here
	ErrHostHere = errors.New("a host has been at the table within the last five minutes")
	// 409 proposed
	ErrProposed = errors.New("all are asked about another referee already")
	// 404 not-found
	ErrNoProposal = errors.New("nobody asks that any more")
	// 403 role
	ErrFull = errors.New("all seats of this table are taken")
)

// TooSoon says that an action is refused because it was done too often, and when it may be done
// again (429 too-fast).
type TooSoon struct{ After time.Duration }

func (t *TooSoon) Error() string { return "too often within the hour" }

// Session is a seat whose token somebody has shown.
type Session struct {
	Table id.OID
	Seat  id.Seat
	Role  table.Role
	// Tokens is that of table.SeatInfo. The session is void when another token of the seat is
	// valid, or none.
	Tokens uint32
	// Person is whose set comes through a door (O52). Then Seat may be 0: nobody at the table has put
	// it there. It is zero in sessions of clients.
	Person id.OID
}

// Person is how somebody wants to appear. Nick has 1 to 40 characters, no control characters and no
// outer spaces, and is not table.HomeSign. Colour is 0xRRGGBB. Home is the name of the server that
// vouches for a visitor, of up to 80 characters; it is empty for people who come by themselves.
type Person struct {
	Nick   string
	Colour uint32
	Home   string
	// Password is what they say to be let in at a table that has one (T68).
	Password string
	// Side is the place of the game for which they ask when they take a seat (T98); 0: any.
	Side uint32
}

// NewTableRequest asks for a table. If Title is empty the table takes the game's name.
type NewTableRequest struct {
	Game  string
	Title string
	Host  Person
	Bare  bool // the pieces of the game are not laid on the table
	Setup int  // which set-up of the game (T78); 0: the first one, and the only one if Bare
	// Loaded is the game, if the caller has it already (GameOf).
	Loaded *game.Game
	// Further says which table of the game (G16); 0: the first one. A further one has one set-up.
	Further int
}

// Taken is a seat that was just taken. Token is the only copy of the seat token: the server keeps
// its hash alone.
type Taken struct {
	Session
	Token string
	Side  uint32 // which place of the game the seat has got; 0: none
}

// Place is a seat of the game of a table (T61).
type Place struct {
	Side   uint32
	Name   string
	Colour uint32
}

// Invite says where an invite leads.
type Invite struct {
	Table id.OID
	Role  table.Role
	Title string
	Game  string
	Hosts []string // nicks, for "Ada invites you"
	// Seated are all people that have a seat, hosts included, in the order of their seats.
	Seated []Person
	Here   []string // names of those who have a stream
	Closed bool     // nobody takes a new seat
	Locked bool     // whoever takes a seat has to say a password
	// Places are those that nobody has, for an invite to play (T98).
	Places []Place
	// Referees are the names of those who see the hands of all (T74).
	Referees []string
}

// Invites are the secrets in the links of a table: /join/{secret}.
type Invites struct {
	Player    string
	Spectator string
	Password  bool // whether the table has a password, too
}

// Hello opens a stream.
type Hello struct {
	Client id.Client
	// Seq is the lowest sequence for which the client waits; 0 if it waits for none (S5).
	Seq id.ClientSeq
	// Attempt grows with every stream that the client opens; 0 if the client does not count (S8).
	Attempt uint64
	// Epoch and Version say where the client's last stream ended. Version is 0 if there was none
	// (S5).
	Epoch   id.Epoch
	Version id.Version
	// Life is the server life that sent Version; zero if the client did not name it (S21).
	Life ServerLife
	// Handover asks that the client's open stream goes on in this one (D37). Then Seq, Epoch and
	// Version are ignored.
	Handover bool
	// Updates, if it is not nil, takes the batches that come on the stream (D39), and calls answer
	// once for each, from any goroutine. It must not wait.
	Updates func(m *holtpb.Updates, answer func(*holtpb.Event))
	// WithoutMotion asks for a stream without motion and cursors (S12, S13), for a reader that does
	// not show the table.
	WithoutMotion bool
	// Foreign asks for foreign components, too (C21). A bridge does.
	Foreign bool
}

// Bounds of a room; docs/ARCHITECTURE.md lists them all.
const (
	idleAfter   = 60 * time.Second
	inboxLength = 256
)
