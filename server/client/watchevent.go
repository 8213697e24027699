package client

import (
	"encoding/json"
	"iter"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// watchEvent is an event as JSON: one line of holt watch (docs/guides/watch.md).
type watchEvent struct {
	Event string    `json:"event"`
	Time  id.Millis `json:"time,omitempty"`

	Transport string        `json:"transport,omitempty"`
	Error     string        `json:"error,omitempty"`
	Table     *Document     `json:"table,omitempty"`
	Info      *infoDocument `json:"info,omitempty"`
	Seat      *seatDocument `json:"seat,omitempty"`
	Set       *setDocument  `json:"set,omitempty"`

	By        id.Seat           `json:"by,omitempty"`
	Op        string            `json:"op,omitempty"`
	Piece     *pieceDocument    `json:"piece,omitempty"`
	Was       id.Piece          `json:"was,omitempty"`
	Of        id.Piece          `json:"of,omitempty"`
	Gone      bool              `json:"gone,omitempty"`
	Pieces    []id.Piece        `json:"pieces,omitempty"`
	Kinds     []uint32          `json:"kinds,omitempty"`
	Counts    []int             `json:"counts,omitempty"`
	Count     int               `json:"count,omitempty"`
	Face      *int32            `json:"face,omitempty"`
	To        id.Seat           `json:"to,omitempty"`
	Stretches []segmentDocument `json:"stretches,omitempty"`
	Line      id.ChatLine       `json:"line,omitempty"`
	At        id.Millis         `json:"at,omitempty"`
	Text      string            `json:"text,omitempty"`

	Entity    *crdt.Entity `json:"entity,omitempty"`
	Component uint32       `json:"component,omitempty"`
	Name      string       `json:"name,omitempty"`
	Data      [][]byte     `json:"data,omitzero"`
}

// segmentDocument is a stretch of a path: from (X0, Y0) to (X1, Y1), in table units, beginning at
// From and lasting Span milliseconds.
type segmentDocument struct {
	ID   uint32    `json:"id"`
	From id.Millis `json:"from"`
	Span id.Millis `json:"span"`
	X0   int32     `json:"x0"`
	Y0   int32     `json:"y0"`
	X1   int32     `json:"x1"`
	Y1   int32     `json:"y1"`
}

// Tell returns an event as lines of JSON without line ends, as holt watch prints them
// (docs/guides/watch.md). It returns none for an event that means nothing to an observer. Call it
// only within Handle, with the event that Handle received.
func (c *Client) Tell(e *Event) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for t := range c.tellings(e) {
			b, err := json.Marshal(t)
			if err != nil {
				panic(err) // all its types can be encoded
			}
			if !yield(b) {
				return
			}
		}
	}
}

// tellings returns the lines of an event. After Synchronised it appends one line for each
// component.
func (c *Client) tellings(e *Event) iter.Seq[*watchEvent] {
	return func(yield func(*watchEvent) bool) {
		t := c.telling(e)
		if t == nil || !yield(t) || e.Kind != Synchronised {
			return
		}
		for _, t := range c.allComponents(e.Time) {
			if !yield(t) {
				return
			}
		}
	}
}

// telling returns the first line of an event, or nil if it has none.
func (c *Client) telling(e *Event) *watchEvent {
	t := &watchEvent{Time: e.Time, By: e.By, Of: e.Piece.Name, Count: e.Count, To: e.To}
	if e.Op != 0 {
		t.Op = e.Op.String()
	}
	switch e.Kind {
	case Opened:
		return &watchEvent{Event: "opened", Transport: e.Transport.String()}
	case Lost:
		return &watchEvent{Event: "lost", Error: e.Err.Error()}
	case Synchronised:
		v := c.View()
		return &watchEvent{Event: "whole", Time: e.Time, Table: documentOf(&v)}
	case Resumed:
		return &watchEvent{Event: "resumed", Time: e.Time}
	case Updated:
		t.Event, t.Was = "updated", e.Was
		if t.Gone = e.Piece.Gone; !t.Gone {
			p := pieceDocumentOf(&e.Piece)
			t.Of, t.Piece = 0, &p
		}
	case Shuffled:
		t.Event, t.Op, t.Pieces = "shuffled", "", e.Pieces
	case Noticed:
		t.Event = "noticed"
	case Said:
		t.Event, t.Line, t.At, t.Text = "said", e.Line, e.At, e.Text
	case Unsaid:
		t.Event, t.Line = "unsaid", e.Line
	case Saw:
		t.Event, t.Kinds = "saw", e.Kinds
		if e.Op == table.OpShow {
			t.Face = &e.Piece.Face
		}
	case Counted:
		h := holdsDocumentOf(e.Piece.Name, c.holds(e.Piece.Name))
		t.Event, t.Kinds, t.Counts = "counted", h.Kinds, h.Counts
	case SeatChanged:
		s, ok := c.Who(e.By)
		if !ok {
			return nil
		}
		d := seatDocumentOf(&s)
		return &watchEvent{Event: "seat", Time: e.Time, Seat: &d}
	case SetChanged:
		s, here := c.set(e.Set)
		d := setDocumentOf(&s)
		return &watchEvent{Event: "set", Time: e.Time, Set: &d, Gone: !here}
	case TableChanged:
		info := infoDocument(c.info())
		return &watchEvent{Event: "table", Time: e.Time, Info: &info}
	case Moved:
		return &watchEvent{Event: "moved", Time: e.Time, Stretches: segmentDocuments(e.Segments)}
	case Pointed:
		return &watchEvent{Event: "pointed", Time: e.Time, Stretches: segmentDocuments(e.Segments)}
	case ComponentChanged:
		return c.toldComponent(e.Time, e.Entity, e.Component)
	default:
		return nil
	}
	return t
}

func segmentDocuments(all []wire.Segment) []segmentDocument {
	d := make([]segmentDocument, len(all))
	for i, s := range all {
		d[i] = segmentDocument(s)
	}
	return d
}

// toldComponent returns a line with the data of a component that the server sent: one item for a
// value, one for each element of a set, none after a deletion. Number 0 means that all components
// of the entity are gone.
func (c *Client) toldComponent(at id.Millis, e crdt.Entity, number uint32) *watchEvent {
	t := &watchEvent{Event: "component", Time: at, Entity: &e, Component: number, Data: [][]byte{}}
	t.Of, _ = schema.PieceOf(e)
	spec, ok := schema.Find(schema.ClassOf(e), number)
	if !ok {
		return t
	}
	t.Name = spec.Name
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.state.parts.confirmed.Replica()
	if spec.Set > 0 {
		for element := range r.Elements(e, number) {
			t.Data = append(t.Data, element.Data)
		}
	} else if data, ok := r.Get(e, number); ok {
		t.Data = append(t.Data, data)
	}
	return t
}

// allComponents returns one line for each component that the server sent.
func (c *Client) allComponents(at id.Millis) (all []*watchEvent) {
	type key struct {
		entity    crdt.Entity
		component uint32
	}
	var keys []key
	c.mu.Lock()
	for op := range c.state.parts.confirmed.Replica().Ops() {
		if k := (key{op.Entity, op.Component}); op.Kind != crdt.Delete &&
			op.Kind != crdt.DeleteEntity && (len(keys) == 0 || keys[len(keys)-1] != k) {
			keys = append(keys, k)
		}
	}
	c.mu.Unlock()
	for _, k := range keys {
		all = append(all, c.toldComponent(at, k.entity, k.component))
	}
	return all
}

func (c *Client) holds(piece id.Piece) []table.Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.holds[piece]
}

// set returns a guest set. If it is not on the table, it returns only the number, and false.
func (c *Client) set(number uint32) (Set, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.state.sets[number]; ok {
		return s, true
	}
	return Set{Number: number}, false
}

func (c *Client) info() Info {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.info
}
