package fairness

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"holt/server/id"
)

// Kind says what a fact is. The numbers are those of the encoding.
type Kind uint8

// The kinds of facts, with the bytes of their encodings.
const (
	KindOpened    Kind = 1 // 4B round, 8B epoch, 32B commitment, 32B before
	KindCommitted Kind = 2 // 4B round, 4B mix, 4B seat, 16B client, 32B hash
	KindClosed    Kind = 3 // 4B round, 4B mix, 32B closing
	KindRevealed  Kind = 4 // 4B round, 4B mix, 4B share, 32B entropy
	KindMixed     Kind = 5 // 4B round, 4B mix, 4B count, 4B each: withheld, 32B pool
	KindDrawn     Kind = 6 // 4B round, record (see Record), 32B seal
	KindPublished Kind = 7 // 4B round, 32B seed

	// Only in rounds of version 2. Their opening also ends with a Bound.
	KindSeatNamed      Kind = 8  // 4B round, 4B seat, name
	KindCatalogChanged Kind = 9  // 4B round, 32B catalogue, 4B count of kinds, 32B names
	KindUndone         Kind = 10 // 4B round, 4B round of the draw, 4B its number, 4B seat
	KindRewound        Kind = 11 // 4B round, 4B round of the save point, 4B seat
)

var kindNames = [...]string{
	KindOpened: "open", KindCommitted: "commit", KindClosed: "close", KindRevealed: "reveal",
	KindMixed: "mix", KindDrawn: "draw", KindPublished: "tell", KindSeatNamed: "name",
	KindCatalogChanged: "grow", KindUndone: "undo", KindRewound: "rewind",
}

// String returns the name of the kind in exports.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "unknown"
}

// Fact is something that happened in a round: Opened, Committed, Closed, Revealed, Mixed, Drawn,
// Published, SeatNamed, CatalogChanged, Undone or Rewound. Facts are what is recorded. State.Apply
// carries them out, both live and when a log is replayed.
type Fact interface {
	Kind() Kind
	// fields lets v visit the fields, in the order of the encoding, and returns the fact with what
	// v has set.
	fields(v visitor) Fact
}

// facts has a fact of each kind.
var facts = map[Kind]Fact{
	KindOpened: Opened{}, KindCommitted: Committed{}, KindClosed: Closed{},
	KindRevealed: Revealed{}, KindMixed: Mixed{}, KindDrawn: Drawn{}, KindPublished: Published{},
	KindSeatNamed: SeatNamed{}, KindCatalogChanged: CatalogChanged{}, KindUndone: Undone{},
	KindRewound: Rewound{},
}

// Opened begins a round (F2).
type Opened struct {
	Round      Round
	Epoch      id.Epoch // the epoch in which it was opened; not in exports
	Commitment Digest
	Before     Digest // the end of the round before (F10); zero for the first round
	// Bound is what the round binds besides. It is nil for a round of version 1, which binds no
	// names and no times.
	Bound *Bound
}

// Bound is what the opening of a round of version 2 says of the catalogue and of the seats (F16).
type Bound struct {
	Catalog Digest // SHA-256 of the catalogue
	Kinds   uint32 // the number of its kinds
	Names   Digest // KindNames of all kinds
	Seats   []Seat // ascending
}

// Seat is a seat and its name.
type Seat struct {
	Seat id.Seat
	Name string // at most MaxName bytes
}

// SeatNamed says the name of a seat from now on: the seat is new, or has another name (F16).
type SeatNamed struct {
	Round Round
	Seat  id.Seat
	Name  string // at most MaxName bytes
}

// CatalogChanged says that the table has another catalogue from now on. The kinds of the one before
// keep their numbers (F16).
type CatalogChanged struct {
	Round   Round
	Catalog Digest
	Kinds   uint32
	Names   Digest
}

// Undone says that a draw that everybody may know was taken back at the table (F17): what it
// brought went back, or the die shows its former face again. The draw itself stays in the record.
type Undone struct {
	Round  Round
	Of     Round   // the round of the draw: this one, or an earlier one
	Number Number  // of the draw, among those of everybody
	Seat   id.Seat // whose gesture it was
}

// Rewound says that the table went back to a save point (F18): the draws since then do not show at
// the table any more. They stay in the record.
type Rewound struct {
	Round Round
	Of    Round   // the round that was open when the save point was made
	Seat  id.Seat // whose rewind it was
}

// Committed commits to a share of entropy (F3). It is the next share of the mix.
type Committed struct {
	Round  Round
	Mix    Mix
	Seat   id.Seat
	Client id.Client // not in exports
	Hash   Digest
}

// Closed ends the commitments of a mix (F4). From now on shares are revealed.
type Closed struct {
	Round   Round
	Mix     Mix
	Closing Digest // the hash of the commitments
}

// Revealed reveals a share (F4).
type Revealed struct {
	Round   Round
	Mix     Mix
	Share   Share
	Entropy Entropy
}

// Mixed ends a mix (F5). From now on draws use the new pool.
type Mixed struct {
	Round    Round
	Mix      Mix
	Withheld []Share // ascending: shares that were committed to and not revealed
	Pool     Digest
}

// Drawn is a draw (F6 to F9). The record is for the log and for revealed rounds. While the round is
// sealed, the audience of the draw may know Audience, Number, Mix and Seal, and of the rest only
// what it sees at the table.
type Drawn struct {
	Round  Round
	Record Record
	Seal   Digest
}

// Published reveals the seed of a round (F11).
type Published struct {
	Round Round
	Seed  Seed
}

// Kind returns KindOpened.
func (Opened) Kind() Kind { return KindOpened }

// Kind returns KindCommitted.
func (Committed) Kind() Kind { return KindCommitted }

// Kind returns KindClosed.
func (Closed) Kind() Kind { return KindClosed }

// Kind returns KindRevealed.
func (Revealed) Kind() Kind { return KindRevealed }

// Kind returns KindMixed.
func (Mixed) Kind() Kind { return KindMixed }

// Kind returns KindDrawn.
func (Drawn) Kind() Kind { return KindDrawn }

// Kind returns KindPublished.
func (Published) Kind() Kind { return KindPublished }

// Kind returns KindSeatNamed.
func (SeatNamed) Kind() Kind { return KindSeatNamed }

// Kind returns KindCatalogChanged.
func (CatalogChanged) Kind() Kind { return KindCatalogChanged }

// Kind returns KindUndone.
func (Undone) Kind() Kind { return KindUndone }

// Kind returns KindRewound.
func (Rewound) Kind() Kind { return KindRewound }

func (f Opened) fields(v visitor) Fact {
	v.opened(&f)
	return f
}

func (f SeatNamed) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "seat", &f.Seat)
	v.text("name", &f.Name)
	return f
}

func (f CatalogChanged) fields(v visitor) Fact {
	v.round(&f.Round)
	v.digest("catalog", &f.Catalog)
	v.number("kinds", &f.Kinds)
	v.digest("names", &f.Names)
	return f
}

func (f Undone) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "of", &f.Of)
	number(v, "number", &f.Number)
	number(v, "seat", &f.Seat)
	return f
}

func (f Rewound) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "of", &f.Of)
	number(v, "seat", &f.Seat)
	return f
}

func (f Committed) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "mix", &f.Mix)
	number(v, "seat", &f.Seat)
	v.client(&f.Client)
	v.digest("hash", &f.Hash)
	return f
}

func (f Closed) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "mix", &f.Mix)
	v.digest("closing", &f.Closing)
	return f
}

func (f Revealed) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "mix", &f.Mix)
	number(v, "share", &f.Share)
	v.digest("entropy", (*Digest)(&f.Entropy))
	return f
}

func (f Mixed) fields(v visitor) Fact {
	v.round(&f.Round)
	number(v, "mix", &f.Mix)
	v.withheld(&f.Withheld)
	v.digest("pool", &f.Pool)
	return f
}

func (f Drawn) fields(v visitor) Fact {
	v.round(&f.Round)
	v.record(&f.Record)
	v.digest("seal", &f.Seal)
	return f
}

// The round of this fact is not that in which it stands.
func (f Published) fields(v visitor) Fact {
	number(v, "round", &f.Round)
	v.digest("seed", (*Digest)(&f.Seed))
	return f
}

func (b *Bound) append(m message) message {
	m = m.bytes(b.Catalog[:]).u32(b.Kinds).bytes(b.Names[:]).
		u32(uint32(len(b.Seats))) //nolint:gosec // at most MaxAudiences
	for _, s := range b.Seats {
		m = m.u32(uint32(s.Seat)).text(s.Name)
	}
	return m
}

// The first byte of every encoding. Facts that rounds of version 2 share with version 1 keep their
// encoding.
const (
	version  = 1
	version2 = 2
)

// EncodeFact returns the bytes of a fact: the version, its kind, its fields. Equal facts have equal
// bytes.
func EncodeFact(f Fact) []byte {
	e := encoder{message{versionOf(f), byte(f.Kind())}, false}
	f.fields(&e)
	return e.message
}

// versionOf returns the version of the encoding of a fact.
func versionOf(f Fact) byte {
	switch f := f.(type) {
	case SeatNamed, CatalogChanged, Undone, Rewound:
		return version2
	case Opened:
		if f.Bound != nil {
			return version2
		}
	}
	return version
}

// DecodeFact reads what EncodeFact returns, and nothing else: each fact has one encoding. It does
// not check whether the fact can come now; State.Apply does. Errors wrap ErrEncoding.
func DecodeFact(b []byte) (Fact, error) {
	r := decoder{rest: b}
	r.version = r.u8()
	if r.err == nil && r.version != version && r.version != version2 {
		return nil, fmt.Errorf("%w: version %d", ErrEncoding, r.version)
	}
	kind := Kind(r.u8())
	f, known := facts[kind]
	if known {
		f = f.fields(&r)
		known = versionOf(f) == r.version
	}
	if !known {
		r.fail("kind of fact %d of version %d", kind, r.version)
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return f, nil
}

func (d *decoder) bound() *Bound {
	b := &Bound{Catalog: d.hash(), Kinds: d.u32(), Names: d.hash()}
	for range d.count(MaxAudiences) {
		b.Seats = append(b.Seats, Seat{id.Seat(d.u32()), d.name()})
	}
	if !b.ascends() {
		d.fail("seats out of order")
	}
	return b
}

// ascends reports whether the seats ascend, each of them once.
func (b *Bound) ascends() bool {
	for i := 1; i < len(b.Seats); i++ {
		if b.Seats[i-1].Seat >= b.Seats[i].Seat {
			return false
		}
	}
	return true
}

// name reads a text after its length.
func (d *decoder) name() string {
	n := int(d.u32())
	if n > MaxName {
		d.fail("a name of %d bytes", n)
		return ""
	}
	s := string(d.take(n))
	if !utf8.ValidString(s) {
		d.fail("a name that is not text")
	}
	return s
}

// decoder reads an encoding. After the first error it returns zeros.
type decoder struct {
	version byte
	rest    []byte
	err     error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: "+format, append([]any{ErrEncoding}, args...)...)
	}
}

// take returns the next n bytes, or zeros if there are fewer.
func (d *decoder) take(n int) []byte {
	if d.err == nil && len(d.rest) < n {
		d.fail("%d bytes are missing", n-len(d.rest))
	}
	if d.err != nil {
		return make([]byte, n)
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *decoder) u8() uint8    { return d.take(1)[0] }
func (d *decoder) u32() uint32  { return binary.BigEndian.Uint32(d.take(4)) }
func (d *decoder) u64() uint64  { return binary.BigEndian.Uint64(d.take(8)) }
func (d *decoder) hash() Digest { return Digest(d.take(32)) }

// count reads the length of a list that has at most limit entries of at least four bytes each.
func (d *decoder) count(limit int) int {
	n := int(d.u32())
	if n > limit || 4*n > len(d.rest) {
		d.fail("a list of %d", n)
		return 0
	}
	return n
}

// end returns the first error. Bytes that are left over are an error, too.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes too many", len(d.rest))
	}
	return d.err
}
