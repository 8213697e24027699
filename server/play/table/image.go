package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
)

// Image is the state of a table as a snapshot keeps it. With the entries after it, it gives the
// live table (T3). It has no floors, which end with the process (T14).
type Image struct {
	Gen      id.Generation
	At       id.Millis // the server's time of the last entry, or later
	LastName id.Piece
	Pieces   []PieceImage  // in the order of their names
	Seats    []SeatInfo    // in the order of their numbers
	Clients  []ClientImage // least recently used first
	Views    []ViewImage   // the public one first, then those of seats
	// Fair is the state of the table's randomness after its last fact. The caller that draws keeps
	// it here. The table does not read it.
	Fair []byte
	// Components are the components of the table (docs/protocol/component.md). The room keeps them
	// here. The table does not read them.
	Components []byte
	// Writers are the seats that last wrote the components which not everybody sees (C16). The room
	// keeps them here.
	Writers []Writer
	// Epoch is the epoch in which the image was made (T19). The room keeps it here. 0: unknown.
	Epoch   id.Epoch
	Sets    []SetInfo // in the order of their identifiers
	LastSet uint32    // the highest number that a set has had
	// Blurred are the looks of which something was made or deleted while not everybody knew what it
	// was (T102), if Tracked says that this is known.
	Blurred []Look
	Tracked bool
	// Moves counts what everybody has seen people do (T70). The room keeps it here.
	Moves uint64
	// Steps are what the server does when the table is set up again, as they stand in the game file
	// (T88). The room keeps them here, in the save points of set-ups.
	Steps []byte
}

// Writer says which seat has written a component last.
type Writer struct {
	Entity    uint64
	Component uint32
	Seat      id.Seat
}

// PieceImage is a piece with what is needed of its history: its lineage in the public view, and in
// those views that were shown other updates than the public one.
type PieceImage struct {
	OID           id.OID
	Name          id.Piece
	Formers       []FormerImage // the oldest first
	State         State
	Lineage       Lineage
	Views         []OwnLineage // in the order of their seats
	Released      id.Client
	LabelsDropped id.Generation // the latest entry with which its labels were dropped; 0 if none
	Loose         bool          // of a container: something else than a recall filled it (F12)
	Spoiled       bool          // of a container: something that could belong there was deleted (F12)
	// AsSetUp says of a container that nothing has come into it since it was set up or shuffled
	// (F12). It is false if that is unknown.
	AsSetUp bool
}

// FormerImage is a former name of a piece, and the views for which it still counts (T21).
type FormerImage struct {
	Name  id.Piece
	Views []id.Seat
}

// ClientImage is what is remembered of a client: its recorded updates.
type ClientImage struct {
	Client   id.Client
	Seat     id.Seat
	Recorded []RecordedImage // ascending by Seq
}

// RecordedImage is a recorded update of a client.
type RecordedImage struct {
	Seq    id.ClientSeq
	Digest uint64
	Piece  id.Piece
	Made   bool
	Server bool // recorded as a server update, or without a tag
	Gen    id.Generation
}

// ViewImage is the numbering of a view: the Runs[i].N generations from Runs[i].Gen on have the
// numbers from Runs[i].Num on.
type ViewImage struct {
	Seat id.Seat
	Runs []Run
}

// Image returns the state of the table. The caller must have taken all pending entries: the image
// belongs after the last of them.
func (t *Table) Image() Image {
	im := Image{Gen: t.gen, At: t.at, LastName: t.lastName, Seats: slices.Clone(t.seats),
		Sets: t.everySet(), LastSet: t.lastSet, Tracked: t.tracked}
	im.Blurred = t.blurredLooks()
	im.Pieces = make([]PieceImage, 0, len(t.pieces))
	for _, p := range t.sorted() {
		im.Pieces = append(im.Pieces, PieceImage{
			OID: p.oid, Name: p.name, Formers: p.formers, State: p.state,
			Lineage: p.public, Views: append([]OwnLineage(nil), p.views...), Released: p.released,
			LabelsDropped: p.shed,
			Loose:         p.loose, Spoiled: p.spoiled,
			AsSetUp: t.kind(p).Container.Holds && !p.touched,
		})
	}
	byUse := func(a, b *client) int { return cmp.Compare(a.used, b.used) }
	for _, c := range slices.SortedFunc(maps.Values(t.clients), byUse) {
		im.Clients = append(im.Clients, c.image())
	}
	for _, v := range t.everyView() {
		im.Views = append(im.Views, ViewImage{Seat: v.seat, Runs: slices.Clone(v.runs)})
	}
	return im
}

func (c *client) image() ClientImage {
	ci := ClientImage{Client: c.id, Seat: c.seat}
	for _, o := range c.outcomes {
		if o.verdict == Recorded {
			ci.Recorded = append(ci.Recorded, RecordedImage{Seq: o.seq, Digest: o.digest,
				Piece: o.piece, Made: o.made, Server: o.server, Gen: o.gen})
		}
	}
	return ci
}

// Open returns the table of an image. It fails if Image cannot have returned the image for these
// kinds.
func Open(cfg Config, im *Image) (*Table, error) {
	t := New(cfg)
	t.gen, t.at, t.lastName = im.Gen, im.At, im.LastName
	for i := range im.Sets {
		t.applySet(im.Sets[i])
	}
	t.lastSet = max(t.lastSet, im.LastSet)
	t.tracked = im.Tracked
	t.setBlurred(im.Blurred)
	for _, s := range im.Seats {
		if int(s.Seat) != len(t.seats)+1 {
			return nil, fmt.Errorf("open table: seat %d out of turn", s.Seat)
		}
		t.applySeat(s)
	}
	for i := range im.Pieces {
		if err := t.openPiece(&im.Pieces[i]); err != nil {
			return nil, fmt.Errorf("open table: %w", err)
		}
	}
	for _, ci := range im.Clients {
		c := t.client(ci.Client, ci.Seat)
		for _, r := range ci.Recorded {
			c.remember(outcome{seq: r.Seq, digest: r.Digest, verdict: Recorded, piece: r.Piece,
				made: r.Made, server: r.Server, gen: r.Gen})
		}
	}
	for _, vi := range im.Views {
		v := t.view(vi.Seat)
		if v.seat != vi.Seat {
			return nil, fmt.Errorf("open table: seat %d has no view", vi.Seat)
		}
		v.runs = append(v.runs[:0], vi.Runs...)
	}
	return t, nil
}

func (t *Table) openPiece(pi *PieceImage) error {
	if int64(pi.State.Kind) >= int64(len(t.kinds)) {
		return fmt.Errorf("piece %v has an unknown kind", pi.OID)
	}
	if t.pieces[pi.OID] != nil || t.names[pi.Name] != nil || !t.given(pi.Name) {
		return fmt.Errorf("piece %v is there twice or has no name", pi.OID)
	}
	p := &piece{
		oid: pi.OID, name: pi.Name, state: pi.State, public: pi.Lineage,
		released: pi.Released, shed: pi.LabelsDropped, loose: pi.Loose, spoiled: pi.Spoiled,
		touched: t.kinds[pi.State.Kind].Container.Holds && !pi.AsSetUp,
	}
	p.trace.rank = p.state.ZGen
	for _, l := range pi.Views {
		p.setLineage(l.View, l.Lineage)
	}
	t.place(p)
	for _, f := range pi.Formers {
		if t.names[f.Name] != nil || !t.given(f.Name) {
			return fmt.Errorf("piece %v has the name of another", pi.OID)
		}
		t.names[f.Name] = p
	}
	p.formers = pi.Formers
	return nil
}
