package fairness

import (
	"slices"
	"strconv"

	"holt/server/id"
)

// DrawKind says what a draw decides. The numbers are those of the encoding.
type DrawKind uint8

// The sorts of draws (F8).
const (
	// Shuffle brings things into a random order. Inputs: their kinds, ascending. Outputs: the kinds
	// in their new order.
	Shuffle DrawKind = 1
	// Cut brings the upper part of a pile below the rest. Inputs: the number of things in it.
	// Outputs: how many go below, from 1.
	Cut DrawKind = 2
	// Draw takes random things. Inputs: the kinds of all, ascending. Outputs: those taken, in
	// order.
	Draw DrawKind = 3
	// Roll turns a die. Inputs: the number of its sides. Outputs: the side that is up, from 0.
	Roll DrawKind = 4
	// Place puts a thing at a random place. Inputs: the number of places. Outputs: the place, from
	// 0.
	Place DrawKind = 5
)

var whatNames = [...]string{0: "nothing", Shuffle: "shuffle", Cut: "cut", Draw: "draw",
	Roll: "roll", Place: "place"}

// String returns the name in exports.
func (w DrawKind) String() string {
	if int(w) < len(whatNames) && whatNames[w] != "" {
		return whatNames[w]
	}
	return "unknown"
}

// parseWhat returns the DrawKind of a name, and false if there is none.
func parseWhat(name string) (DrawKind, bool) {
	i := slices.Index(whatNames[:], name)
	return DrawKind(max(i, 0)), i > 0 //nolint:gosec // there are few names
}

// Record is everything about one draw (F7). The seal covers its bytes:
//
//	4B audience, 4B number, 4B mix, 1B what, 4B seat, 4B count of pieces, 16B each,
//	4B count of inputs, 4B each, 4B count of outputs, 4B each
type Record struct {
	Audience Audience
	Number   Number
	Mix      Mix // the mix whose pool was used, 0 before the first
	Kind     DrawKind
	Seat     id.Seat // who did it, 0: the table
	// Pieces are the container or the die of the draw. For a shuffle outside containers they are
	// the pieces that got the outputs, ascending.
	Pieces          []id.OID
	Inputs, Outputs []uint32 // see DrawKind
}

func (r *Record) append(m message) message {
	m = m.u32(uint32(r.Audience)).u32(uint32(r.Number)).u32(uint32(r.Mix)).
		u8(uint8(r.Kind)).u32(uint32(r.Seat))
	m = m.u32(uint32(len(r.Pieces))) //nolint:gosec // at most MaxThings
	for i := range r.Pieces {
		m = m.bytes(r.Pieces[i][:])
	}
	return m.u32s(r.Inputs).u32s(r.Outputs)
}

func (d *decoder) draw() Record {
	r := Record{
		Audience: Audience(d.u32()), Number: Number(d.u32()), Mix: Mix(d.u32()), Kind: DrawKind(d.u8()),
		Seat: id.Seat(d.u32()),
	}
	for range d.count(MaxThings) {
		r.Pieces = append(r.Pieces, id.OID(d.take(16)))
	}
	r.Inputs, r.Outputs = d.u32s(), d.u32s()
	if err := r.check(); d.err == nil && err != nil {
		d.fail("%v", err)
	}
	return r
}

func (d *decoder) u32s() []uint32 {
	var list []uint32
	for range d.count(MaxThings) {
		list = append(list, d.u32())
	}
	return list
}

// check returns a FaultRecord if such a draw is impossible (F8).
func (r *Record) check() error {
	if r.Kind < Shuffle || r.Kind > Place {
		return notThat("shuffle, cut, draw, roll, place", r.Kind.String())
	}
	if err := r.checkPieces(); err != nil {
		return err
	}
	var err error
	switch r.Kind {
	case Shuffle:
		err = r.checkKinds(2)
	case Draw:
		err = r.checkKinds(1)
	case Cut:
		err = r.checkNumber(2, MaxThings)
	case Roll:
		err = r.checkNumber(1, MaxSides)
	default:
		err = r.checkNumber(1, MaxThings)
	}
	if err != nil {
		return err
	}
	return r.checkOutputs()
}

// notThat returns a FaultRecord.
func notThat(want, got string) error { return &Error{FaultRecord, want, got} }

func (r *Record) checkPieces() error {
	if n := len(r.Pieces); n != 1 && (r.Kind != Shuffle || n != len(r.Inputs)) {
		return notThat("1 piece", strconv.Itoa(n))
	}
	for i := 1; i < len(r.Pieces); i++ {
		if a, b := r.Pieces[i-1], r.Pieces[i]; slices.Compare(a[:], b[:]) >= 0 {
			return notThat("pieces in ascending order", b.String()+" behind "+a.String())
		}
	}
	return nil
}

// checkKinds checks inputs that are kinds. They must ascend: otherwise somebody who knows the seed
// could choose an order that leads to the wanted outcome.
func (r *Record) checkKinds(least int) error {
	n := len(r.Inputs)
	if n < least || n > MaxThings {
		return notThat(strconv.Itoa(least)+" to "+strconv.Itoa(MaxThings)+" inputs",
			strconv.Itoa(n))
	}
	for i := 1; i < n; i++ {
		if a, b := r.Inputs[i-1], r.Inputs[i]; a > b {
			return notThat("inputs in ascending order",
				listed([]uint32{b})+" behind "+listed([]uint32{a}))
		}
	}
	return nil
}

// checkNumber checks a single input that is a number of things.
func (r *Record) checkNumber(least, most int) error {
	if n := len(r.Inputs); n != 1 {
		return notThat("1 input", strconv.Itoa(n))
	}
	if k := int(r.Inputs[0]); k < least || k > most {
		return notThat("an input from "+strconv.Itoa(least)+" to "+strconv.Itoa(most),
			strconv.Itoa(k))
	}
	return nil
}

// checkOutputs checks the number of outputs.
func (r *Record) checkOutputs() error {
	least, most := 1, 1
	switch r.Kind {
	case Shuffle:
		least, most = len(r.Inputs), len(r.Inputs)
	case Draw:
		most = len(r.Inputs)
	default:
	}
	if n := len(r.Outputs); n < least || n > most {
		want := strconv.Itoa(least)
		if most > least {
			want += " to " + strconv.Itoa(most)
		}
		return notThat(want+" outputs", strconv.Itoa(n))
	}
	return nil
}

// outcome returns the outputs that follow from the random numbers, for a record that has passed
// check (F8).
func (r *Record) outcome(rand *DrawRand) []uint32 {
	switch r.Kind {
	case Shuffle:
		things := slices.Clone(r.Inputs)
		for i := len(things) - 1; i > 0; i-- {
			k := rand.IntN(i + 1)
			things[i], things[k] = things[k], things[i]
		}
		return things
	case Draw:
		things, taken := slices.Clone(r.Inputs), make([]uint32, 0, len(r.Outputs))
		for range len(r.Outputs) {
			k := rand.IntN(len(things))
			taken = append(taken, things[k])
			things = slices.Delete(things, k, k+1)
		}
		return taken
	case Cut:
		return []uint32{1 + uint32(rand.IntN(int(r.Inputs[0])-1))} //nolint:gosec // below the input
	default:
		return []uint32{uint32(rand.IntN(int(r.Inputs[0])))} //nolint:gosec // below the input
	}
}
