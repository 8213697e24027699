package room_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/wire"
)

// look is everything that a view can know of a piece, except for its name and its versions.
type look struct {
	kind              uint32
	x, y, angle, face int32
	z                 string
	pinned, locked    bool
	holder, owner     id.Seat
	team              table.Team
	value             int32
	text              string
}

// checker knows the truth, from the log in the store, and what each view may have been sent of it
// so far (T21 to T23, T29).
type checker struct {
	*rig
	read   int // entries of the log
	seats  []table.SeatInfo
	states map[id.OID]table.State
	names  map[id.OID]id.Piece
	counts map[id.Piece]map[uint32]uint32 // how many lie where, by sort
	public map[string]bool                // numbers that everybody may have got
	views  map[id.Seat]*knowledge         // 0: spectators
	texts  map[string]bool                // all that were ever written
	sets   map[id.OID]bool
	seeds  [][]byte // of sealed rounds
	met    map[string]int
}

// knowledge is what a view may know.
type knowledge struct {
	looks map[id.Piece]map[look]bool // of each piece whose name it got
	texts map[string]bool
	faces map[string]int // what it was shown, as shown writes it, and how often
}

func newChecker(r *rig) *checker {
	return &checker{
		rig: r, states: map[id.OID]table.State{}, names: map[id.OID]id.Piece{},
		counts: map[id.Piece]map[uint32]uint32{}, public: map[string]bool{},
		sets: map[id.OID]bool{}, views: map[id.Seat]*knowledge{0: newKnowledge()},
		texts: map[string]bool{}, met: map[string]int{},
	}
}

func newKnowledge() *knowledge {
	return &knowledge{
		looks: map[id.Piece]map[look]bool{}, texts: map[string]bool{}, faces: map[string]int{},
	}
}

// view returns what a seat may know; all spectators share a view.
func (c *checker) view(seat id.Seat) *knowledge {
	if v := c.views[seat]; v != nil {
		return v
	}
	return c.views[0]
}

// private reports whether pieces of a kind are hidden in hands.
func private(kind uint32) bool { return isSecret(kind) || kind >= cardsDie }

// isSecret reports whether a kind has a mask.
func isSecret(kind uint32) bool { return isRoyal(kind) || isPlain(kind) || kind == cardsUnknown }

// maySee reports whether a view may see a piece in that state at all.
func maySee(s *table.State, view id.Seat) bool {
	switch {
	case s.Gone:
		return false
	case s.In == 0:
		return true
	default:
		return private(s.Kind) && s.Owner != 0 && (s.Owner == view || s.Team.Has(view))
	}
}

// lookOf returns how a view that may see a piece in that state sees it.
func lookOf(s *table.State) look {
	l := look{
		kind: s.Kind, x: s.X, y: s.Y, angle: s.Angle, face: s.Face, z: string(s.Z),
		pinned: s.Pinned, locked: s.Locked,
		holder: s.Holder, owner: s.Owner, team: s.Team, value: s.Value, text: s.Text,
	}
	if isSecret(s.Kind) && s.In == 0 && s.Face != 0 {
		l.kind, l.face = cardsBack, 0
	}
	return l
}

// learn reads what was stored since the last call.
func (c *checker) learn() {
	c.t.Helper()
	log := read(c.store, func() [][]byte { return c.store.tables[c.host.Table].log })
	for _, b := range log[c.read:] {
		e, err := wire.DecodeEntry(b)
		if err != nil {
			c.t.Fatal(err)
		}
		switch {
		case e.Who != nil:
			c.seat(e.Who)
		case e.Set != nil:
			c.sets[e.Set.Set] = true
			c.met["sets"]++
		case e.Fact != nil:
			c.fact(e.Fact)
		case e.Ops != nil:
			c.written(&e)
		case e.Notice:
			if e.To != 0 {
				c.view(e.To).faces[shown(uint32(e.Seat), uint32(e.Op), e.Faces)]++
			}
		default:
			c.piece(&e)
		}
	}
	c.read = len(log)
}

// seat notes a new seat. A player begins with what everybody has seen.
func (c *checker) seat(who *table.SeatInfo) {
	if int(who.Seat) <= len(c.seats) {
		return
	}
	c.seats = append(c.seats, *who)
	if who.Role == table.RoleSpectator {
		return
	}
	v, public := newKnowledge(), c.views[0]
	for name, looks := range public.looks {
		v.looks[name] = map[look]bool{}
		for l := range looks {
			v.looks[name][l] = true
		}
	}
	for text := range public.texts {
		v.texts[text] = true
	}
	c.views[who.Seat] = v
}

// fact notes the seeds of rounds that are sealed.
func (c *checker) fact(b []byte) {
	f, err := fairness.DecodeFact(b)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, ok := f.(fairness.Opened); !ok {
		return
	}
	row := read(c.store, func() *stored { return c.store.tables[c.host.Table] }).row
	m := hmac.New(sha256.New, make([]byte, 32))
	m.Write([]byte("holt.fair/1 table"))
	m.Write(row.Table[:])
	seed := fairness.SeedOf((*fairness.Secret)(m.Sum(nil)), row.Table, row.Epoch,
		fairness.Round(len(c.seeds)+1))
	c.seeds = append(c.seeds, seed[:])
}

// piece notes what happened to a piece, and who may know it.
func (c *checker) piece(e *table.Entry) {
	if !e.Made {
		c.lies(e.Before.In, &e.Before, ^uint32(0))
	}
	if !e.After.Gone {
		c.lies(e.After.In, &e.After, 1)
	}
	if !e.After.Set.IsZero() {
		c.guest(e)
	}
	if e.After.Text != "" {
		c.texts[e.After.Text] = true
	}
	name := e.Name
	if e.NewName != 0 {
		name = e.NewName
	}
	c.states[e.Piece], c.names[e.Piece] = e.After, name
	if e.After.Gone {
		delete(c.states, e.Piece)
		delete(c.counts, e.Name)
		return
	}
	for seat, v := range c.views {
		if !maySee(&e.After, seat) {
			if v.looks[name] != nil {
				c.t.Errorf("T21 a piece hidden from seat %v is still called %d: %+v",
					seat, name, e)
			}
			c.met["hidden"]++
			continue
		}
		if v.looks[name] == nil {
			v.looks[name] = map[look]bool{}
		}
		v.looks[name][lookOf(&e.After)] = true
		v.texts[e.After.Text] = true
	}
}

// guest checks what the server knows of a part of a guest set. It may know what the part is only if
// somebody may see it now, or could before and it was not shuffled since (T38).
func (c *checker) guest(e *table.Entry) {
	c.t.Helper()
	front := e.After.In == 0 && e.After.Face == 0 || e.After.In != 0 && e.After.Owner != 0
	knows := isRoyal(e.After.Kind) || isPlain(e.After.Kind)
	knew := !e.Made && (isRoyal(e.Before.Kind) || isPlain(e.Before.Kind))
	switch {
	case knows && !knew && (e.Op != table.OpReveal || !front):
		c.t.Errorf("T38 the server knows an invisible part: %+v", e)
	case knows && !knew:
		c.met["revealed"]++
	case knew && !knows:
		c.met["forgotten"]++
	case knows && e.Op == table.OpShuffle:
		c.t.Errorf("T38 the server knows a shuffled part: %+v", e)
	}
}

// written notes what was written on a piece, and who may know it: the views that see it then, and
// none that come to see it later (C15).
func (c *checker) written(e *table.Entry) {
	c.t.Helper()
	for _, op := range opsOf(c.t, e.Ops) {
		m, err := schema.Decode[componentpb.Text](op.Data)
		if err != nil {
			c.t.Fatal(err)
		}
		c.texts[m.GetText()] = true
		for seat, v := range c.views {
			if s := c.states[e.Piece]; maySee(&s, seat) {
				v.texts[m.GetText()] = true
			}
		}
	}
}

// lies counts a piece where it lies.
func (c *checker) lies(in id.Piece, s *table.State, by uint32) {
	if in == 0 {
		return
	}
	if c.counts[in] == nil {
		c.counts[in] = map[uint32]uint32{}
	}
	sort := uint32(0)
	if isSecret(s.Kind) {
		sort = cardsBack + 1
	}
	if c.counts[in][sort] += by; c.counts[in][sort] == 0 {
		delete(c.counts[in], sort)
	}
	c.public[numbers(in, c.counts[in])] = true
}

// numbers writes down how many pieces lie in something.
func numbers(in id.Piece, counts map[uint32]uint32) string { return fmt.Sprint(in, counts) }

// shown writes down what somebody is shown.
func shown(by, op uint32, kinds []uint32) string { return fmt.Sprint(by, op, kinds) }
