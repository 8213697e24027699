package fairness

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// visitor reads or sets the fields of a fact one by one. name is that of the member in exports.
type visitor interface {
	round(r *Round)
	number(name string, n *uint32)
	digest(name string, d *Digest)
	text(name string, s *string)
	withheld(list *[]Share)
	record(r *Record)
	client(c *id.Client)
	opened(f *Opened)
}

// number visits a number of any type.
func number[N ~uint32](v visitor, name string, n *N) {
	plain := uint32(*n)
	v.number(name, &plain)
	*n = N(plain)
}

// encoder appends the fields of a fact in the encoding of a log, or those that a line binds (F16).
type encoder struct {
	message
	line bool
}

func (e *encoder) number(_ string, n *uint32) { e.message = e.u32(*n) }
func (e *encoder) digest(_ string, d *Digest) { e.message = e.bytes(d[:]) }
func (e *encoder) text(_ string, s *string)   { e.message = e.message.text(*s) }
func (e *encoder) record(r *Record)           { e.message = r.append(e.message) }

func (e *encoder) round(r *Round) {
	if !e.line {
		e.message = e.u32(uint32(*r))
	}
}

func (e *encoder) client(c *id.Client) {
	if !e.line {
		e.message = e.bytes(c[:])
	}
}

func (e *encoder) withheld(list *[]Share) {
	e.message = e.u32(uint32(len(*list))) //nolint:gosec // at most MaxShares
	for _, s := range *list {
		e.message = e.u32(uint32(s))
	}
}

func (e *encoder) opened(f *Opened) {
	e.round(&f.Round)
	e.message = e.u64(uint64(f.Epoch)).bytes(f.Commitment[:]).bytes(f.Before[:])
	if f.Bound != nil {
		e.message = f.Bound.append(e.message)
	}
}

func (d *decoder) round(r *Round)              { *r = Round(d.u32()) }
func (d *decoder) number(_ string, n *uint32)  { *n = d.u32() }
func (d *decoder) digest(_ string, to *Digest) { *to = d.hash() }
func (d *decoder) text(_ string, s *string)    { *s = d.name() }
func (d *decoder) record(r *Record)            { *r = d.draw() }
func (d *decoder) client(c *id.Client)         { *c = id.Client(d.take(16)) }

func (d *decoder) withheld(list *[]Share) {
	*list = []Share{}
	for range d.count(MaxShares) {
		*list = append(*list, Share(d.u32()))
	}
}

func (d *decoder) opened(f *Opened) {
	*f = Opened{Round: Round(d.u32()), Epoch: id.Epoch(d.u64()), Commitment: d.hash(),
		Before: d.hash()}
	if d.version == version2 {
		f.Bound = d.bound()
	}
}

// exported ignores what is not in exports, or not in a fact there.
type exported struct{}

func (exported) round(*Round)      {}
func (exported) client(*id.Client) {}
func (exported) opened(*Opened)    {}

// factReader reads the members of a fact in an export.
type factReader struct {
	exported
	*fields
	in Round // the round in which it stands
}

func (r factReader) round(to *Round)               { *to = r.in }
func (r factReader) number(name string, n *uint32) { *n = r.u32(name) }
func (r factReader) digest(name string, d *Digest) { *d = r.fields.digest(name) }
func (r factReader) text(name string, s *string)   { *s = r.fields.text(name) }
func (r factReader) record(to *Record)             { *to = r.draw() }

func (r factReader) withheld(list *[]Share) {
	*list = []Share{}
	for _, n := range r.u32s("withheld") {
		*list = append(*list, Share(n))
	}
}

// factWriter collects the members of a fact for an export.
type factWriter struct {
	exported
	members []member
}

type member struct {
	name  string
	value []byte
}

func (w *factWriter) add(name string, value []byte) {
	w.members = append(w.members, member{name, value})
}

func (w *factWriter) number(name string, n *uint32) { w.add(name, appendNumber(nil, *n)) }
func (w *factWriter) digest(name string, d *Digest) { w.add(name, appendHex(nil, d[:])) }
func (w *factWriter) text(name string, s *string)   { w.add(name, appendString(nil, *s)) }
func (w *factWriter) withheld(list *[]Share)        { w.add("withheld", appendNumbers(nil, *list)) }

// record has recordMembers if its round was revealed.
func (w *factWriter) record(r *Record) {
	number(w, "audience", &r.Audience)
	number(w, "number", &r.Number)
	number(w, "mix", &r.Mix)
	if r.Kind == 0 {
		return
	}
	pieces := []byte{'['}
	for i := range r.Pieces {
		pieces = appendHex(appendComma(pieces, i), r.Pieces[i][:])
	}
	w.add("pieces", append(pieces, ']'))
	w.add("inputs", appendNumbers(nil, r.Inputs))
	w.add("outputs", appendNumbers(nil, r.Outputs))
	number(w, "seat", &r.Seat)
	w.add("what", appendText(nil, r.Kind.String()))
}

// membersOf returns the members of a fact in an export, in the order of their names, but at, which
// comes first.
func membersOf(f Fact) []member {
	w := factWriter{members: []member{{"fact", appendText(nil, f.Kind().String())}}}
	f.fields(&w)
	slices.SortFunc(w.members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return w.members
}
