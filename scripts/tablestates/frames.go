package main

import (
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// publication is what one commit sends to each client, as server/tables/room publishes it.
type publication struct {
	room   *room
	bodies [][]byte // the events for each client
	counts []id.Piece
	err    error
}

func (r *room) publication() *publication {
	return &publication{room: r, bodies: make([][]byte, len(r.world.Seats))}
}

// event appends an event for one client.
func (p *publication) event(client int, e *holtpb.Event) {
	b, err := wire.AppendEvent(p.bodies[client], e)
	p.bodies[client], p.err = b, errors.Join(p.err, err)
}

// entry appends what each client gets of an entry.
func (p *publication) entry(e *table.Entry) {
	for i := range p.bodies {
		p.entryFor(i, e)
	}
	for _, t := range []table.Tally{e.Left, e.Entered} {
		if t.Piece != 0 && !slices.Contains(p.counts, t.Piece) {
			p.counts = append(p.counts, t.Piece)
		}
	}
}

// entryFor appends what one client gets of an entry: an update, the ack of its own, or both.
func (p *publication) entryFor(client int, e *table.Entry) {
	t, seat := p.room.table, p.room.world.seat(client)
	own := e.Client == clientID(client)
	switch {
	case e.Who != nil:
		p.event(client, wire.SeatEvent(e.Who, holtpb.Presence_PRESENCE_HERE))
	case e.Notice && (!own || e.Server):
		piece, count, faces := t.Notice(e, seat)
		p.event(client, wire.NoticeEvent(e, piece, count))
		if faces {
			p.event(client, wire.FacesEvent(e, piece))
		}
	case e.Notice:
	case !own || e.Server:
		if before, after, ok := t.Shows(e, seat); ok {
			u, err := wire.EncodeUpdate(e, &before, &after)
			p.err = errors.Join(p.err, err)
			p.bodies[client] = u.Append(p.bodies[client], t.VersionAt(seat, e.Gen))
		}
	}
	if own {
		p.event(client, p.ack(e, seat))
	}
}

// ack acknowledges the update that e records (T10).
func (p *publication) ack(e *table.Entry, seat id.Seat) *holtpb.Event {
	if e.Notice || e.Made && e.Brought == 0 {
		return wire.AckEvent(e, nil)
	}
	t := p.room.table
	filled := &holtpb.Piece{Id: uint32(e.Name), Mark: uint64(t.VersionAt(seat, e.Gen))}
	if before, after, ok := t.Shows(e, seat); ok && !e.Server {
		filled = wire.PieceFilled(&before, &after)
		if e.After.In != e.Before.In {
			angle := uint32(after.Angle) //nolint:gosec // never negative
			filled.Angle = &angle
		}
	}
	return wire.AckEvent(e, filled)
}

// frames returns the frame for each client; nil for whom there is nothing.
func (p *publication) frames() ([][]byte, error) {
	slices.Sort(p.counts)
	for _, piece := range p.counts {
		if holds := p.room.holds(piece); holds != nil {
			for i := range p.bodies {
				p.event(i, wire.HoldsEvent(holds))
			}
		}
	}
	all := make([][]byte, len(p.bodies))
	for i, body := range p.bodies {
		if len(body) > 0 {
			all[i] = append(p.room.head(i), body...)
		}
	}
	return all, p.err
}

// holds returns how many pieces lie in a hand or a container now; nil if that is gone.
func (r *room) holds(piece id.Piece) *holtpb.Holds {
	var of []table.Tally
	for _, t := range r.table.Counts() {
		if t.Piece == piece {
			of = append(of, t)
		}
	}
	return wire.Holds(piece, of)
}

// head returns the head of a frame, which says up to where the view of a client is complete (S4).
func (r *room) head(client int) []byte {
	return wire.AppendHead(nil, r.now, r.table.VersionAt(r.world.seat(client), r.table.Gen()))
}

// toOne returns a frame for one client: what a stream begins with, or has missed.
func (r *room) toOne(asked *request, resume bool) (answer, error) {
	var b []byte
	var err error
	if resume {
		b, err = r.missed(asked)
	} else {
		b, err = r.full(asked.Client)
	}
	if err != nil {
		return answer{}, err
	}
	acks := r.table.Acks(clientID(asked.Client), id.ClientSeq(asked.Seq), r.table.Gen())
	for _, ack := range acks {
		if b, err = wire.AppendEvent(b, wire.RepeatEvent(ack)); err != nil {
			return answer{}, err
		}
	}
	frames := make([][]byte, len(r.world.Seats))
	frames[asked.Client] = b
	return answer{Frames: frames}, nil
}

// hello opens a stream, which resumes the last one if the client wants that (S1, S5). The room of
// this program keeps all entries.
func (r *room) hello(asked *request) (answer, error) {
	if asked.Mark != 0 || asked.Seq != 0 {
		seat := r.world.seat(asked.Client)
		r.table.Return(clientID(asked.Client), seat, id.ClientSeq(asked.Seq))
	}
	return r.toOne(asked, asked.Resume)
}

// full returns a frame with the full state for a client.
func (r *room) full(client int) ([]byte, error) {
	seat := r.world.seat(client)
	var pieces []byte
	for s := range r.table.Each(seat, clientID(client)) {
		b, err := wire.EncodeFullPiece(s)
		if err != nil {
			return nil, err
		}
		pieces = wire.AppendFullPiece(pieces, b, s.Version, s.ZVersion)
	}
	full := &holtpb.Full{
		Epoch: uint64(epoch), You: uint32(seat), Seats: r.seats(),
		Table: &holtpb.TableInfo{Title: "Test", Width: 20_000, Height: 20_000},
	}
	counts := r.table.Counts()
	for len(counts) > 0 {
		n := 1
		for n < len(counts) && counts[n].Piece == counts[0].Piece {
			n++
		}
		full.Holds = append(full.Holds, wire.Holds(counts[0].Piece, counts[:n]))
		counts = counts[n:]
	}
	return wire.AppendFull(r.head(client), full, pieces)
}

func (r *room) seats() (all []*holtpb.Seat) {
	seats := r.table.Seats()
	for i := range seats {
		all = append(all, wire.Seat(&seats[i], holtpb.Presence_PRESENCE_HERE))
	}
	return all
}

// missed returns the frame that sends a client what it has missed, as it would have come (S5).
func (r *room) missed(asked *request) ([]byte, error) {
	seat := r.world.seat(asked.Client)
	from, ok := r.table.GenAt(seat, id.Version(asked.Mark))
	if !ok {
		return r.full(asked.Client)
	}
	p := r.publication()
	p.event(asked.Client, wire.ResumedEvent(r.seats(), nil, nil))
	for i := range r.log {
		if e := &r.log[i]; e.Gen > from && e.Who == nil {
			p.entry(e)
		}
	}
	all, err := p.frames()
	return all[asked.Client], err
}
