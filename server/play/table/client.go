package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// How much the server remembers of clients (T10).
const (
	OutcomesKept   = 512
	ClientsPerSeat = 16
)

// client is what the table knows of one client.
type client struct {
	id   id.Client
	seat id.Seat
	used uint64 // the last use, as a value of Table.touched
	last id.ClientSeq
	// forgotten is the highest sequence that may have had an outcome which is not remembered any
	// more.
	forgotten id.ClientSeq
	// met is set when the client has sent a new update since the table was loaded.
	met bool
	// back is set if the client existed before the table was loaded.
	back     bool
	outcomes []outcome // ascending by seq, at least the last OutcomesKept
	floors   map[id.OID]id.Version
	rejected id.Version // the highest version of a reject to this client
}

// outcome is the outcome of one sequence.
type outcome struct {
	seq     id.ClientSeq
	digest  uint64
	verdict Verdict // Recorded, Discarded, Rejected or Deferred
	reason  Reason
	made    bool // the update made the piece
	server  bool // recorded as a server update (T17, T20, T26), or without a tag (T28)
	piece   id.Piece
	gen     id.Generation
}

// client returns what is known of c, and makes it if c is new. If the seat has too many clients, it
// forgets the one that was not used for the longest time.
func (t *Table) client(c id.Client, seat id.Seat) *client {
	t.touched++
	if known := t.known(c); known != nil {
		known.used = t.touched
		return known
	}
	t.forgetOldest(seat)
	known := &client{id: c, seat: seat, used: t.touched}
	t.clients[c] = known
	t.tabs[seat] = append(t.tabs[seat], known)
	return known
}

// known returns what is known of c, or nil. Updates come in runs from one client, and each looks
// for its client several times.
func (t *Table) known(c id.Client) *client {
	if t.recent == nil || t.recent.id != c {
		t.recent = t.clients[c]
	}
	return t.recent
}

func (t *Table) forgetOldest(seat id.Seat) {
	tabs := t.tabs[seat]
	if len(tabs) < ClientsPerSeat {
		return
	}
	oldest := 0
	for i, c := range tabs {
		if c.used < tabs[oldest].used {
			oldest = i
		}
	}
	t.forgot[seat] = t.view(seat).now()
	delete(t.clients, tabs[oldest].id)
	t.recent = nil
	t.tabs[seat] = slices.Delete(tabs, oldest, oldest+1)
}

// Loaded says that the table has been rebuilt from its log. From then on it can tell a sequence
// that was never used from one that was rejected before the restart (T10), and a version that was
// never given from that of such a reject (T15).
func (t *Table) Loaded() {
	t.loaded = true
	for _, v := range t.everyView() {
		v.loaded = v.now()
	}
	for _, c := range t.clients {
		c.forgotten, c.back = c.last, true
	}
	t.closeGestures()
}

// Return says that c existed before: it may have received rejects before the restart (T15). If seq
// is not 0, c has no outcome of that sequence, so none of a later one that the table does not know:
// then they were not sent before, or nobody has read what became of them (T10.21).
func (t *Table) Return(c id.Client, seat id.Seat, seq id.ClientSeq) {
	if !t.loaded {
		return
	}
	known := t.client(c, seat)
	known.back = true
	// A request from before the restart may have been rejected before c had a stream. c cannot have
	// read that, so it does not know the floor: its update stays forgotten, and is rejected again.
	if seq != 0 && !known.met && len(known.floors) == 0 {
		known.met = true
		known.forgotten = max(seq-1, known.belowWindow())
	}
}

// belowWindow returns the highest sequence that lies OutcomesKept or more below the last one. All
// recorded sequences above it are remembered, also after a restart, because they are at most
// OutcomesKept-1.
func (c *client) belowWindow() id.ClientSeq {
	return max(c.last, OutcomesKept) - OutcomesKept
}

// doubt returns the version up to which c may have received rejects that the table does not know. c
// is nil if the client is unknown.
func (t *Table) doubt(c *client, seat id.Seat) id.Version {
	if c != nil && c.back {
		return max(t.forgot[seat], t.view(seat).loaded)
	}
	return t.forgot[seat]
}

// meet notes the first new sequence of a client since the table was loaded. Lower ones may have
// been rejected before the restart. They count as forgotten, not as never seen (T10.6).
func (t *Table) meet(c *client, seq id.ClientSeq) {
	if c.met || seq <= c.last {
		return
	}
	c.met = true
	if t.loaded {
		c.forgotten = max(c.forgotten, seq-1)
	}
}

// NextSeq returns the lowest sequence that c has not used.
func (t *Table) NextSeq(c id.Client) id.ClientSeq {
	known := t.known(c)
	if known == nil {
		return 1
	}
	return max(known.last, known.forgotten) + 1
}

// SeatOf returns the seat of c, 0 if c is not known.
func (t *Table) SeatOf(c id.Client) id.Seat {
	if known := t.known(c); known != nil {
		return known.seat
	}
	return 0
}

// find returns the outcome of seq, if it is remembered.
func (c *client) find(seq id.ClientSeq) (*outcome, bool) {
	if seq > c.last {
		return nil, false
	}
	i, ok := c.place(seq)
	if !ok {
		return nil, false
	}
	return &c.outcomes[i], true
}

// place returns where the outcome of seq is among those remembered, or where it belongs. Most
// updates come in turn, so it looks at the end first.
func (c *client) place(seq id.ClientSeq) (int, bool) {
	if n := len(c.outcomes); n == 0 || c.outcomes[n-1].seq < seq {
		return n, false
	}
	return slices.BinarySearchFunc(c.outcomes, seq, func(o outcome, s id.ClientSeq) int {
		return cmp.Compare(o.seq, s)
	})
}

// remember stores an outcome. An update may cause several entries; the last one counts.
func (c *client) remember(o outcome) {
	if known, ok := c.find(o.seq); ok {
		*known = o
		return
	}
	// An update that was deferred (T39), or one that later ones have overtaken (T10.4).
	if o.seq < c.last && o.seq <= c.forgotten {
		return
	}
	c.last = max(c.last, o.seq)
	i, _ := c.place(o.seq)
	c.outcomes = slices.Insert(c.outcomes, i, o)
	if len(c.outcomes) > 2*OutcomesKept {
		c.forgotten = max(c.forgotten, c.outcomes[OutcomesKept].seq)
		c.outcomes = append(c.outcomes[:0], c.outcomes[OutcomesKept+1:]...)
	}
}

// raise sets the floor of c for a piece to a version above its last floor and above mark, and
// returns it (T14). Floors are needed only against updates that are in flight together with the
// reject. A restart forgets them. That does no harm: updates in flight from before the restart have
// a tag.
func (c *client) raise(p id.OID, mark id.Version) id.Version {
	if c.floors == nil {
		c.floors = map[id.OID]id.Version{}
	}
	floor := max(c.floors[p], mark) + 1
	c.floors[p] = floor
	c.rejected = max(c.rejected, floor)
	return floor
}

// Acks returns the acks of c's updates from seq on that were recorded up to a generation, for a
// stream that is opened again (S5).
func (t *Table) Acks(c id.Client, seq id.ClientSeq, upTo id.Generation) []Ack {
	known := t.known(c)
	if known == nil || seq == 0 {
		return nil
	}
	var acks []Ack
	for i := range known.outcomes {
		if o := &known.outcomes[i]; o.seq >= seq && o.verdict == Recorded && o.gen <= upTo {
			acks = append(acks, t.ack(known, o))
		}
	}
	return acks
}

// ack returns the ack of a recorded update. An update that was recorded as a server update names no
// piece, unless it made it: its version belongs to a server update, which makes stale what the
// client sent before it (S5). A blind update names no piece either: its version does not say that
// the client knows the entries before it.
func (t *Table) ack(c *client, o *outcome) Ack {
	a, v, name := Ack{Seq: o.seq}, t.view(c.seat), o.piece
	if p := t.find(name, v.seat); p != nil {
		name = p.name
	}
	if o.made {
		a.Made = name
	}
	if o.made || !o.server {
		a.Piece, a.Version = name, v.mark(o.gen)
	}
	return a
}
