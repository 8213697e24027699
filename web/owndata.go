package web

import (
	"fmt"
	"net/http"
	"slices"

	"holt/server/client"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// What the server keeps of somebody at a table: they can have it, and erase it (T79, T80).

const (
	ownFormat = "holt.seat/1"
	// ownDataCost is how many updates of a seat a part of its data counts as.
	ownDataCost = 100
	// ownPages is of how many pages of the log a part is made.
	ownPages = 10
)

// ownData is a part of what is kept of a seat. The first one has all but earlier entries.
type ownData struct {
	Format string    `json:"format"`
	Table  id.OID    `json:"table"`
	Title  string    `json:"title,omitempty"`
	At     id.Millis `json:"at"`
	Number id.Seat   `json:"number"`
	// Only in the first part.
	Seat       any            `json:"seat,omitempty"`
	Profile    *ownProfile    `json:"profile,omitempty"`
	Components []ownComponent `json:"components,omitempty"`
	Saves      []savePoint    `json:"saves,omitempty"`

	Entries []client.LogEntry `json:"entries"` // the newest one first
	Before  string            `json:"before,omitempty"`
	Dropped bool              `json:"dropped,omitempty"`
}

// ownProfile is what somebody says of themselves.
type ownProfile struct {
	Nick    string `json:"nick"`
	Colour  string `json:"colour"`
	Pronoun string `json:"pronoun,omitempty"`
}

// ownComponent is a value of the seat's, or of something that it has drawn.
type ownComponent struct {
	Entity    crdt.Entity `json:"entity"`
	Component uint32      `json:"component"`
	Name      string      `json:"name"`
	Data      []byte      `json:"data"` // as component.md says, in base64
}

// apiOwnData answers with a part of what is kept of a seat (T79).
func (s *Server) apiOwnData(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := s.limits.updates.take(keyOf(session), ownDataCost); err != nil {
		return err
	}
	q, err := logQueryOf(r.URL.Query())
	if err != nil {
		return err
	}
	q.Limit = room.MaxLogPage
	d := ownData{Format: ownFormat, Table: session.Table, Number: session.Seat}
	if !r.URL.Query().Has("before") {
		if err := s.ownState(r, session, &d); err != nil {
			return err
		}
	}
	d.Entries = []client.LogEntry{}
	for range ownPages {
		page, err := s.rooms.Log(r.Context(), session, q)
		if err != nil {
			return err
		}
		for i := range slices.Backward(page.Lines) {
			if l := &page.Lines[i]; isOwn(l, session.Seat) {
				d.Entries = append(d.Entries, logEntry(l))
			}
		}
		q.Before, d.Before, d.Dropped = page.Before, "", page.Dropped
		if !page.More {
			break
		}
		d.Before = cursorText(page.Before)
	}
	w.Header().Set("Content-Disposition", `attachment; filename="holt-my-data.json"`)
	return writeJSON(w, http.StatusOK, &d)
}

// isOwn reports whether a line of the log is about what a seat did, or about the seat.
func isOwn(l *room.LogLine, seat id.Seat) bool {
	switch {
	case l.Who != nil:
		return l.Who.Seat == seat
	case l.Chat != nil:
		return l.Chat.By == seat
	}
	return l.By == seat
}

// ownState adds what is kept of a seat beside the log.
func (s *Server) ownState(r *http.Request, session room.Session, d *ownData) error {
	frame, err := s.rooms.Read(r.Context(), session)
	if err != nil {
		return err
	}
	full := frame.GetEvents()[0].GetFull()
	d.Title, d.At = full.GetTable().GetTitle(), id.Millis(frame.GetTime()) //nolint:gosec // a time
	if i := slices.IndexFunc(full.GetSeats(), func(of *holtpb.Seat) bool {
		return of.GetId() == uint32(session.Seat)
	}); i >= 0 {
		d.Seat = client.SeatDocument(full.GetSeats()[i])
	}
	list, err := s.rooms.Saves(r.Context(), session)
	if err != nil {
		return err
	}
	for i := range list.All {
		if of := &list.All[i]; of.By == session.Seat {
			d.Saves = append(d.Saves, savePoint{
				ID: of.ID, Kind: client.SaveKinds[of.Kind], Name: of.Name, At: of.At, By: of.By,
			})
		}
	}
	encoded, err := s.rooms.Components(r.Context(), session)
	if err != nil {
		return err
	}
	return d.addComponents(encoded, session.Seat)
}

// addComponents adds the values of a seat, and of the strokes that it has drawn.
func (d *ownData) addComponents(encoded []byte, seat id.Seat) error {
	m, err := crdt.Decode(encoded)
	if err != nil {
		return fmt.Errorf("read components: %w", err)
	}
	own := map[crdt.Entity]bool{schema.EntityOfSeat(seat): true}
	var all []crdt.Op
	for op := range m.Ops() {
		if op.Kind != crdt.Put {
			continue
		}
		all = append(all, op)
		if op.Component == schema.Author {
			author, err := schema.Decode[componentpb.Seat](op.Data)
			own[op.Entity] = err == nil && author.GetSeat() == uint32(seat)
		}
	}
	for i := range all {
		op := &all[i]
		if !own[op.Entity] {
			continue
		}
		known, _ := schema.Find(schema.ClassOf(op.Entity), op.Component)
		d.Components = append(d.Components, ownComponent{
			Entity: op.Entity, Component: op.Component, Name: known.Name, Data: op.Data,
		})
		if op.Component == schema.Profile {
			if p, err := schema.Decode[componentpb.Profile](op.Data); err == nil {
				d.Profile = &ownProfile{
					Nick: p.GetNick(), Colour: formatColour(p.GetColour()), Pronoun: p.GetPronoun(),
				}
			}
		}
	}
	return nil
}

// apiErase erases what is kept of a seat: the own one, which ends, or, for a host, one that has
// ended (T80).
func (s *Server) apiErase(w http.ResponseWriter, r *http.Request, session room.Session) error {
	seat, p, err := s.ending(r, session)
	if err != nil {
		return err
	}
	if err := s.rooms.Erase(r.Context(), session, seat, p); err != nil {
		return err
	}
	if seat == session.Seat {
		return s.forgotten(w, r, session)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
