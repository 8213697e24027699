package room

import (
	"errors"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// Errors that Rooms returns beside those of the Store, *table.Bogus and context errors.
var (
	ErrStorage  = errors.New("the storage has failed")                                           // 503 storage
	ErrBusy     = errors.New("the table has too much to do")                                     // 503 busy
	ErrRounds   = errors.New("too many rounds of randomness are still sealed")                   // 409 rounds
	ErrStopping = errors.New("the server is stopping")                                           // 503 stopping
	ErrNoGame   = errors.New("no such game on the shelf")                                        // 422 impossible-value
	ErrRole     = errors.New("this seat may not do that")                                        // 403 role
	ErrEpoch    = errors.New("made in another epoch")                                            // 409 epoch
	ErrClient   = errors.New("this client id is of another seat")                                // 409 client-taken
	ErrAttempt  = errors.New("a later stream of this client is there")                           // 409 attempt
	ErrHandover = errors.New("no stream of this client can go over")                             // 409 handover
	ErrPerson   = errors.New("not a usable name, title or colour")                               // 422 impossible-value
	ErrLogFull  = errors.New("the table has no space for that any more")                         // 507 log-full
	ErrOver     = errors.New("that seat is not in use")                                          // 404 not-found
	ErrHands    = errors.New("that seat cannot have a hand")                                     // 422 impossible-value
	ErrLastHost = errors.New("the last host cannot leave the table")                             // 409 last-host
	ErrCards    = errors.New("something that not everybody sees lies in a hand or front down")   // 409 hidden
	ErrDecks    = errors.New("a deck or a bag does not hold exactly what it was set up with")    // 409 hidden
	ErrGuests   = errors.New("a set that is somebody's own lies on the table, or is on its way") // 409 guests
	ErrNoLink   = errors.New("this link for a seat is not good, or no more")                     // 404 no-link
	ErrNoHost   = errors.New("this table has no host")                                           // only operators meet it
	ErrVisitor  = errors.New("a visitor comes back through their own server")                    // 403 refused
	ErrFull     = errors.New("all seats of this table are taken")                                // 403 role
)

// TooSoon says that something may be done again after a while (429 too-fast).
type TooSoon struct{ After time.Duration }

func (t *TooSoon) Error() string { return "too often within the hour" }

// Session is a seat that has shown its token.
type Session struct {
	Table id.OID
	Seat  id.Seat
	Role  table.Role
	// Tokens is table.SeatInfo's: when another token of the seat counts, or none, the session is void.
	Tokens uint32
}

// Person is how somebody wants to appear. Nick has 1 to 40 characters, no control characters, no outer
// spaces, and not table.HomeSign; Colour is 0xRRGGBB. Home is the name of the server that vouches for a visitor, of up to 80
// characters, empty for who has come by themselves.
type Person struct {
	Nick   string
	Colour uint32
	Home   string
}

// NewTableRequest asks for a table. Title may be empty: then the game's name.
type NewTableRequest struct {
	Game  string
	Title string
	Host  Person
}

// Taken is a seat that has been taken. Token is the only copy of the seat token: only its hash is kept.
type Taken struct {
	Session
	Token string
}

// Invite is where an invite leads.
type Invite struct {
	Table id.OID
	Role  table.Role
	Title string
	Game  string
	Hosts []string // nicks, for "Ada invites you"
	// Seated are all who have a seat, hosts too, in the order of their seats.
	Seated []Person
}

// Invites are the secrets in the links of a table: /join/{secret}.
type Invites struct {
	Player    string
	Spectator string
}

// Hello opens a stream.
type Hello struct {
	Client id.Client
	// Seq is the lowest sequence for which the client waits, 0 if for none (S5).
	Seq id.ClientSeq
	// Attempt grows with every stream that the client opens; 0 if it does not count (S8).
	Attempt uint64
	// Epoch and Mark say where the client's last stream ended; Mark is 0 if there was none (S5).
	Epoch id.Epoch
	Mark  id.Mark
	// Life is that in which Mark was told; zero: it is not said (S21).
	Life Life
	// Handover asks for the open stream of the client to go on in this one (D37). Seq, Epoch and Mark do not count then.
	Handover bool
	// Still spares the stream what moves (S12, S13): whoever reads it does not show the table.
	Still bool
}

// Bounds of a room, all published in docs/ARCHITECTURE.md.
const (
	idleAfter   = 60 * time.Second
	inboxLength = 256
)
