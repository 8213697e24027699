package room

import (
	"context"

	"holt/server/id"
	"holt/server/proto/holtpb"
)

// Glance is what somebody with a seat sees of a table from the front page.
type Glance struct {
	Here   []string // who has a stream, without the asking seat
	ToMove []string // whose turn it is, without the asking seat
	Yours  bool     // whether it is the turn of the asking seat
}

// Glance looks at a table at which the token has a seat. It loads no table: where nobody is, it
// sees nothing, and returns the zero Glance. ErrNoTable, ErrNoSeat.
func (rs *Rooms) Glance(ctx context.Context, t id.OID, token string) (Glance, error) {
	rs.mu.Lock()
	s := rs.loaded[t]
	rs.mu.Unlock()
	if s == nil {
		return Glance{}, nil
	}
	session, err := rs.Authenticate(ctx, t, token)
	if err != nil {
		return Glance{}, err
	}
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return Glance{}, err
	}
	defer release()
	return ask(ctx, r, func(answer func(Glance, error)) { answer(r.glance(session.Seat), nil) })
}

// glance is what a seat sees from afar.
func (r *room) glance(own id.Seat) (g Glance) {
	for _, who := range r.table.Seats() {
		if who.Seat == own || who.Left != 0 {
			continue
		}
		if p := r.presence(who.Seat); p == holtpb.Presence_PRESENCE_HERE ||
			p == holtpb.Presence_PRESENCE_AWAY {
			g.Here = append(g.Here, who.Name())
		}
	}
	for _, seat := range r.table.ToMove() {
		if seat == own {
			g.Yours = true
		} else if who, ok := r.table.Seat(seat); ok && who.Left == 0 {
			g.ToMove = append(g.ToMove, who.Name())
		}
	}
	return g
}
