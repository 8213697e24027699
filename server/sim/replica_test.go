package sim

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// replicaClient is a client of the protocol at a house's table, with a replica of the components
// that its seat may see.
type replicaClient struct {
	*client.Client
	t       *testing.T
	session room.Session
	network *clientNetwork
	rnd     *rand.Rand
	strokes []crdt.Entity // that it has made
	over    chan error
	leave   context.CancelFunc

	mu sync.Mutex
	// Guarded by mu.
	synchronised             int // how often a stream has synchronised it
	taken, overtaken, denied int // the outcomes of its writes
	opened                   map[client.Transport]int
}

// seat seats a program, with a road of its own.
func (h *serverWithHTTP) seat(taken room.Taken, rnd *rand.Rand) *replicaClient {
	h.t.Helper()
	p := &replicaClient{
		t: h.t, session: taken.Session, network: newClientNetwork(h.network, rnd.Uint64()),
		rnd: rand.New(rand.NewPCG(rnd.Uint64(), 0)), over: make(chan error, 1),
		opened: map[client.Transport]int{},
	}
	server, err :=
		client.NewServer("http://"+serverAddress.Addr().String()+"/", &http.Client{Transport: p.network})
	if err != nil {
		h.t.Fatal(err)
	}
	cfg := client.Config{
		Server: server, Seat: client.Seat{Table: taken.Table.String(), Token: taken.Token},
		Handle: p.handle,
	}
	if h.packets != nil {
		cfg.Transport = transports[rnd.IntN(len(transports))]
		cfg.Socket = func() (net.PacketConn, error) { return h.packets.socket(p.network) }
	}
	p.Client, err = client.New(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.leave = cancel
	go func() { p.over <- p.Run(ctx) }()
	return p
}

func (p *replicaClient) handle(e *client.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Kind {
	case client.Opened:
		p.opened[e.Transport]++
	case client.Synchronised, client.Resumed:
		p.synchronised++
	case client.WriteTaken:
		p.taken++
	case client.WriteOvertaken:
		p.overtaken++
	case client.WriteRefused:
		p.denied++
	default:
	}
}

func (p *replicaClient) streams() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.synchronised
}

// end ends a program.
func (p *replicaClient) end() {
	p.leave()
	if err := <-p.over; !errors.Is(err, context.Canceled) {
		p.t.Errorf("seat %v ended with %v", p.session.Seat, err)
	}
	p.network.transport.CloseIdleConnections()
}

func textOf(s string) []byte { return schema.Encode(&componentpb.Text{Text: s}) }

// letter returns a text.
func (p *replicaClient) letter() []byte { return textOf(string(rune('a' + p.rnd.IntN(26)))) }

// write writes something, with or without a connection. It ignores what the client itself refuses:
// the table may not be there yet.
func (p *replicaClient) write(cards bool) {
	switch n := p.rnd.IntN(20); {
	case n < 3:
		_ = p.Put(schema.TheSheet, schema.Sheet, p.letter())
	case n < 6:
		row := schema.FirstRow + crdt.Entity(p.rnd.IntN(3))
		_ = p.Put(row, schema.FirstColumn+p.rnd.Uint32N(2), p.letter())
	case n < 7:
		_ = p.Delete(schema.FirstRow+crdt.Entity(p.rnd.IntN(3)), schema.FirstColumn)
	case n < 11:
		_ = p.Put(schema.EntityOfPiece(p.piece(cards)), schema.Label, p.letter())
	case n < 12:
		_ = p.Put(schema.EntityOfSeat(p.session.Seat), schema.Profile,
			schema.Encode(&componentpb.Profile{Nick: string(p.letter()[2:]), Away: true}))
	case n < 13: // most programs may not do that
		_ = p.Put(schema.TheTable, schema.Title, p.letter())
	case n < 14:
		_ = p.Append(schema.TheTable, schema.Ping, schema.Encode(&componentpb.Ping{
			Seat: uint32(p.session.Seat), X: p.rnd.Int32N(1000),
		}))
	case n < 15:
		e := schema.EntityOfStroke(schema.SecondAt(id.Millis(time.Now().UnixMilli())),
			1+p.rnd.Uint32N(1<<20-1))
		if p.Put(e, schema.Stroke, schema.Encode(&componentpb.Stroke{Colour: 1, Width: 9})) == nil {
			p.strokes = append(p.strokes, e)
		}
	case n < 18 && len(p.strokes) > 0:
		points := &componentpb.Points{
			X: []int32{p.rnd.Int32N(1000)}, Y: []int32{p.rnd.Int32N(1000)},
		}
		_ = p.Append(p.strokes[p.rnd.IntN(len(p.strokes))], schema.Points, schema.Encode(points))
	case n < 19 && len(p.strokes) > 0:
		_ = p.DeleteEntity(p.strokes[p.rnd.IntN(len(p.strokes))])
	case p.session.Role == table.RoleHost && p.rnd.IntN(8) == 0:
		_ = p.DeleteEntity(schema.Clearing(
			schema.SecondAt(id.Millis(time.Now().UnixMilli())) - schema.Second(p.rnd.IntN(20))))
	default:
		p.move(cards)
	}
}

// toy moves cards into a hand and out of it, and writes on them.
func (p *replicaClient) toy() {
	if p.rnd.IntN(2) == 0 {
		p.move(true)
		return
	}
	_ = p.Put(schema.EntityOfPiece(p.piece(true)), schema.Remark, p.letter())
}

// piece returns a random token, or one of the pieces that the program sees.
func (p *replicaClient) piece(cards bool) id.Piece {
	token := cardFirst - 1 - id.Piece(p.rnd.IntN(3))
	all := p.View().Pieces
	if !cards || len(all) == 0 {
		return token
	}
	return all[p.rnd.IntN(len(all))].Name
}

// move moves a piece, perhaps into a hand, or deletes it.
func (p *replicaClient) move(cards bool) {
	u := table.Update{
		Op: table.OpMove, Piece: p.piece(cards), Has: table.HasPiece | table.HasXY,
		X: p.rnd.Int32N(8000) - 4000, Y: []int32{-4000, 0}[p.rnd.IntN(2)],
	}
	if !cards {
		u.Y = 1000
	}
	if p.rnd.IntN(20) == 0 {
		u.Op, u.Has = table.OpDelete, table.HasPiece
	}
	_, _ = p.Do(u)
}
