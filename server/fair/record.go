package fair

import (
	"slices"
	"strconv"

	"holt/server/id"
)

// What says what a draw decided. The numbers are those of the encoding.
type What uint8

// What can be drawn for (F8).
const (
	// Shuffle deals things out anew. Inputs: their kinds, ascending. Outputs: the kinds in their new order.
	Shuffle What = 1
	// Cut brings a lower part of a pile to the top. Inputs: how many lie in it. Outputs: how many are brought below, from 1.
	Cut What = 2
	// Draw takes things by lot. Inputs: the kinds of all, ascending. Outputs: those taken, in order.
	Draw What = 3
	// Roll turns a die. Inputs: how many sides it has. Outputs: the one that is up, from 0.
	Roll What = 4
	// Place puts a thing at a place by lot. Inputs: how many places there are. Outputs: the place, from 0.
	Place What = 5
)

var whatNames = [...]string{Shuffle: "shuffle", Cut: "cut", Draw: "draw", Roll: "roll", Place: "place"}

// String returns what exports call it.
func (w What) String() string {
	if int(w) < len(whatNames) && whatNames[w] != "" {
		return whatNames[w]
	}
	return "unknown"
}

// parseWhat returns what has this name.
func parseWhat(name string) (What, bool) {
	i := slices.Index(whatNames[:], name)
	return What(max(i, 0)), i > 0 //nolint:gosec // there are few names
}

// Record is everything about one draw (F7). Its bytes are what the seal is about:
//
//	4B audience, 4B number, 4B mix, 1B what, 4B seat, 4B count of pieces, 16B each,
//	4B count of inputs, 4B each, 4B count of outputs, 4B each
type Record struct {
	Audience Audience
	Number   Number
	Mix      Mix // whose pool was used, 0 before the first
	What     What
	Seat     id.Seat // whose doing it is, 0: the table's own
	// Pieces are what was drawn for: a container, a die; or, of a shuffle outside containers, the pieces that the outputs were
	// dealt to, ascending.
	Pieces          []id.OID
	Inputs, Outputs []uint32 // see What
}

func (r *Record) append(m message) message {
	m = m.u32(uint32(r.Audience)).u32(uint32(r.Number)).u32(uint32(r.Mix)).u8(uint8(r.What)).u32(uint32(r.Seat))
	m = m.u32(uint32(len(r.Pieces))) //nolint:gosec // at most MaxThings
	for i := range r.Pieces {
		m = m.bytes(r.Pieces[i][:])
	}
	return m.u32s(r.Inputs).u32s(r.Outputs)
}

func (d *decoder) record() Record {
	r := Record{
		Audience: Audience(d.u32()), Number: Number(d.u32()), Mix: Mix(d.u32()), What: What(d.u8()), Seat: id.Seat(d.u32()),
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

// check returns a FaultRecord unless such a draw can be (F8). Inputs are in one order only, ascending: else whoever knows
// the seed could choose an order that leads to the outcome they want.
func (r *Record) check() error {
	wrong := func(want string, got string) error { return &Error{FaultRecord, want, got} }
	n := len(r.Inputs)
	if len(r.Pieces) != 1 && (r.What != Shuffle || len(r.Pieces) != n) {
		return wrong("1 piece", strconv.Itoa(len(r.Pieces)))
	}
	for i := 1; i < len(r.Pieces); i++ {
		if slices.Compare(r.Pieces[i-1][:], r.Pieces[i][:]) >= 0 {
			return wrong("pieces in ascending order", r.Pieces[i].String()+" behind "+r.Pieces[i-1].String())
		}
	}
	switch r.What {
	case Shuffle, Draw:
		least := map[What]int{Shuffle: 2, Draw: 1}[r.What]
		if n < least || n > MaxThings {
			return wrong(strconv.Itoa(least)+" to "+strconv.Itoa(MaxThings)+" inputs", strconv.Itoa(n))
		}
		for i := 1; i < n; i++ {
			if r.Inputs[i-1] > r.Inputs[i] {
				return wrong("inputs in ascending order", listed(r.Inputs[i:i+1])+" behind "+listed(r.Inputs[i-1:i]))
			}
		}
	case Cut, Roll, Place:
		if n != 1 {
			return wrong("1 input", strconv.Itoa(n))
		}
		least, most := uint32(1), uint32(MaxThings)
		switch r.What {
		case Cut:
			least = 2
		case Roll:
			most = MaxSides
		default:
		}
		if k := r.Inputs[0]; k < least || k > most {
			return wrong("an input from "+listed([]uint32{least})+" to "+listed([]uint32{most}), listed([]uint32{k}))
		}
	default:
		return wrong("shuffle, cut, draw, roll, place", strconv.Itoa(int(r.What)))
	}
	return r.checkOutputs()
}

// checkOutputs returns a FaultRecord unless there are as many outputs as such a draw has.
func (r *Record) checkOutputs() error {
	least, most := 1, 1
	switch r.What {
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
		return &Error{FaultRecord, want + " outputs", strconv.Itoa(n)}
	}
	return nil
}

// outcome returns the outputs that follow from the random numbers for a record that passes check (F8).
func (r *Record) outcome(rand *Rand) []uint32 {
	switch r.What {
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
