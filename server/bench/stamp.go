package bench

import (
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// track holds all moves of the players of one seat. A receiver recognises a move by the low bits of
// the piece's coordinates, which are the move's number. It is safe for concurrent use.
type track struct {
	mu sync.Mutex
	// Guarded by mu.
	moves []moved // by number
	// Since when a player of the seat has been connected; never while one is disconnected.
	online time.Duration
}

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// moved is one move or one point of motion.
type moved struct {
	at       time.Duration // on the party's clock
	x, y     int32         // its destination, from the corner of the table
	player   int
	drag     uint64 // the number of its drag, unique over all players
	recorded bool   // acknowledged
}

const (
	stampBits = 6 // of each coordinate
	stampMask = 1<<stampBits - 1
	// stamps is how many moves of a seat can be distinguished: those of four seconds at a thousand
	// a second, or of two minutes at thirty a second.
	stamps = 1 << (2 * stampBits)
)

// stamp records a move that is made now. It returns its number, and the place near (x, y) that
// encodes the number. Places count from the corner of the table and are not negative.
func (t *track) stamp(m moved, x, y int32) (n int, sx, sy int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n = len(t.moves)
	m.x, m.y = x&^stampMask|int32(n&stampMask), y&^stampMask|int32(n>>stampBits&stampMask)
	t.moves = append(t.moves, m)
	return n, m.x, m.y
}

// record records that a move was acknowledged.
func (t *track) record(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moves[n].recorded = true
}

// find returns the number of the move to a place. It reports false if none of the last stamps moves
// went there.
func (t *track) find(x, y int32) (n int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	said, last := int(x&stampMask|y&stampMask<<stampBits), len(t.moves)-1
	n = last - (last-said)&(stamps-1)
	return n, n >= 0 && t.moves[n].x == x && t.moves[n].y == y
}

// age returns how long ago a move was made. It reports false if its player was disconnected then or
// has been since: the move may have waited for the connection.
func (t *track) age(n int, now time.Duration) (time.Duration, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.moves[n].at
	return now - at, at >= t.online
}

// connect records since when the player has been connected again, or with never that it is
// disconnected.
func (t *track) connect(since time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.online = since
}

// numbers is a set of numbers of moves of one seat, as bits. It is not safe for concurrent use.
type numbers []uint64

// add adds a number and reports whether it is new.
func (s *numbers) add(n int) bool {
	for n/64 >= len(*s) {
		*s = append(*s, 0)
	}
	bit := uint64(1) << (n % 64)
	was := (*s)[n/64] & bit
	(*s)[n/64] |= bit
	return was == 0
}

func (s numbers) has(n int) bool { return n/64 < len(s) && s[n/64]>>(n%64)&1 == 1 }

// wander is the path of a dragged piece: straight to a random place, then to another.
type wander struct {
	rand          *rand.Rand
	width, height int32 // of the table
	x, y          int32
	tox, toy      int32
}

// start begins at a place, which counts from the corner of the table.
func (w *wander) start(x, y int32) {
	w.x, w.y = min(x, w.width-stampMask-1), min(y, w.height-stampMask-1)
	w.turn()
}

// turn chooses a random destination that lies on the table with any stamp.
func (w *wander) turn() {
	w.tox, w.toy = w.rand.Int32N(w.width-stampMask), w.rand.Int32N(w.height-stampMask)
}

// step is how far a piece gets between two moves along each axis, in table units: 2 cm.
const step = 200

// next returns the next place.
func (w *wander) next() (x, y int32) {
	if w.x == w.tox && w.y == w.toy {
		w.turn()
	}
	w.x += min(max(w.tox-w.x, -step), step)
	w.y += min(max(w.toy-w.y, -step), step)
	return w.x, w.y
}
