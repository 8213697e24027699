package room

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// holding is a parlour with a full table whose room is driven step by step, to measure for how long
// a request holds it. A step is what the room's goroutine does without a pause.
type holding struct {
	*bareRoom
	b        *testing.B
	now      span   // of this request
	requests []span // of all requests
}

// span is what the steps of a request take: processor time of the room's own thread, on which other
// work on the machine has little influence, and time that passes. units is what the request cost
// its seat (T49).
type span struct {
	longest, processor, passed time.Duration
	units                      int
}

const (
	// holdPieces is how many pieces lie on the table, besides those of the players.
	holdPieces = 9_800
	// holdPlayers is how many seats there are. Each has a view of its own.
	holdPlayers = 40
	heapY       = 40_000 // where the pieces lie that a player picks up
)

// hold returns a full table with so many viewers.
func hold(b *testing.B, viewers int, more []table.Place) *holding {
	b.Helper()
	h := &holding{bareRoom: newBareRoom(b, holdPlayers, more), b: b}
	h.cfg.Store = emptyStore{}
	h.position = 1
	h.recorded = work{}
	h.timers.state.Stop() // the benchmark calls the steps itself
	h.publishedGen = h.table.Gen()
	for seat := range id.Seat(holdPlayers) {
		h.part(seat+1, int(seat)+1)
	}
	for seat := range id.Seat(viewers) {
		h.join(seat + 1)
	}
	return h
}

// part makes a player turn a card in their hand over so often. Nobody else is sent that, so each
// view counts by itself.
func (h *holding) part(seat id.Seat, times int) {
	all := h.table.All(seat, id.Client{})
	card := all[slices.IndexFunc(all, func(s table.Shown) bool {
		return s.Kind == kindAce && s.Owner == seat
	})].Name
	for i := range times {
		h.apply(seat, table.Update{
			Op: table.OpFlip, Piece: card, Has: table.HasFace, Face: int32(i+1) % 2,
		})
	}
	h.table.Take()
}

// join gives a seat a stream that is synchronised.
func (h *holding) join(seat id.Seat) *attached {
	s := stream.Open(discardingCarrier{}, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
	h.b.Cleanup(func() { s.Closed(io.EOF); <-s.Done() })
	a := h.attach(seat, s)
	a.release = func() {}
	s.Synchronise(nil)
	return a
}

// emptyStore is a store that keeps nothing.
type emptyStore struct{ noStore }

func (emptyStore) Append(context.Context, Append) error { return nil }

func (emptyStore) SaveSnapshot(context.Context, id.OID, Position, []byte, int64) error {
	return nil
}

func (emptyStore) Said(context.Context, id.OID, []Position) ([]ChatText, error) { return nil, nil }

func (emptyStore) SaidAt(context.Context, id.OID, id.ChatLine) (Position, error) { return 0, nil }

func (emptyStore) DropHistory(context.Context, Dropping) error { return nil }

// processor returns the processor time of this thread.
func (h *holding) processor() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		h.b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// step is one step of the room's goroutine.
func (h *holding) step(do func()) {
	used, start := h.processor(), time.Now()
	do()
	took := h.processor() - used
	h.now.longest, h.now.processor, h.now.passed = max(h.now.longest, took), h.now.processor+took,
		h.now.passed+time.Since(start)
}

// request makes the room do something and all that follows, as run does, until everything is
// published.
func (h *holding) request(do func()) {
	h.now = span{}
	h.unmeasured(do)
	h.now.units = h.budgets.cost.Units()
	h.requests = append(h.requests, h.now)
}

// unmeasured is a request that does not count.
func (h *holding) unmeasured(do func()) {
	h.budgets = budgets{seats: map[id.Seat]*budget{}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h.states.begin()
	h.step(func() { do(); h.drain(); h.dispatch() })
	for len(h.states.waiting) > 0 {
		h.states.begin()
		h.step(func() { h.serveWaiting(); h.dispatch() })
	}
	for h.committing != nil {
		err := <-h.done
		h.step(func() { h.committed(err); h.dispatch() })
	}
	h.step(h.flush)
	h.snapshots.wait()
	if h.broken != nil {
		h.b.Fatal(h.broken)
	}
}

// report reports how long a request holds the room: the median of all rounds.
func (h *holding) report() {
	middle := func(of func(span) time.Duration) float64 {
		var all []time.Duration
		for _, s := range h.requests {
			all = append(all, of(s))
		}
		slices.Sort(all)
		return float64(all[len(all)/2]) / float64(time.Millisecond)
	}
	h.b.ReportMetric(middle(func(s span) time.Duration { return s.longest }), "cpu-ms/step")
	h.b.ReportMetric(middle(func(s span) time.Duration { return s.processor }), "cpu-ms/request")
	h.b.ReportMetric(middle(func(s span) time.Duration { return s.passed }), "ms/request")
	if last := h.requests[len(h.requests)-1]; last.units > 0 {
		h.b.ReportMetric(float64(last.units), "units/request")
	}
	h.b.ReportMetric(0, "ns/op")
}

// posting returns a request: a batch of the first player.
func (h *holding) posting(updates ...table.Update) func() {
	return func() {
		for i := range updates {
			h.seq++
			updates[i].Seq = h.seq
		}
		by := Session{Seat: 1, Role: table.RolePlayer}
		if err := h.update(by,
			wire.Batch{Client: clientOf(1), Epoch: h.row.Epoch, Updates: updates},
			make([]id.OID, len(updates)), nil); err != nil {
			h.b.Fatal(err)
		}
	}
}

// post posts a batch that is measured, and prepare one that is not.
func (h *holding) post(updates ...table.Update)    { h.request(h.posting(updates...)) }
func (h *holding) prepare(updates ...table.Update) { h.unmeasured(h.posting(updates...)) }

// blind is an update of the added piece without a tag.
func (h *holding) blind(op table.Op) table.Update {
	return table.Update{Op: op, Has: table.HasPiece, Piece: h.named()}
}

// filled returns a batch with an update and then moves of tokens, as many as T49 allows.
func (h *holding) filled(first table.Update) []table.Update {
	batch := []table.Update{first}
	weigh := func() int { return h.table.Weigh(1, batch, MaxUnits).Units() }
	for len(batch) < wire.MaxBatch && weigh() <= MaxUnits {
		token := h.named() + id.Piece(1+len(batch)%h.players) // they come after what is heavy
		u := h.tagged(table.OpMove, token)
		u.Has, u.X, u.Y = u.Has|table.HasXY, int32(len(h.requests)+len(batch)), tokensY
		batch = append(batch, u)
	}
	if weigh() > MaxUnits {
		batch = batch[:len(batch)-1]
	}
	if weigh() > MaxUnits {
		h.b.Fatal("the first update alone is too heavy")
	}
	h.b.ReportMetric(float64(weigh()), "weighed")
	return batch
}

// toward is an update of the added piece that names a seat.
func (h *holding) toward(op table.Op, seat id.Seat) table.Update {
	return table.Update{Op: op, Has: table.HasPiece | table.HasSeat, Piece: h.named(), Seat: seat}
}

// tagged is an update of a piece whose sender knows all that has happened to it.
func (h *holding) tagged(op table.Op, piece id.Piece) table.Update {
	return table.Update{
		Op: op, Has: table.HasPiece | table.HasTag, Piece: piece,
		Tag: h.table.VersionAt(1, h.table.Gen()),
	}
}

// named returns the name of the first added piece, which is heavy as the hands of the players are.
func (h *holding) named() id.Piece { return id.Piece(h.players + 1) }

// lying returns the names of up to n pieces that lie at heapY.
func (h *holding) lying(n int) (names []id.Piece) {
	all := h.table.All(1, id.Client{})
	for i := range all {
		if all[i].Y == heapY && all[i].Name != h.named() && len(names) < n {
			names = append(names, all[i].Name)
		}
	}
	return names
}

// deckOf returns a deck with so many cards.
func deckOf(n int) []table.Place {
	places := []table.Place{{OID: id.OID{100}, State: table.State{Kind: kindDeck, Y: heapY}}}
	for i := range n {
		places = append(places, table.Place{
			OID:   id.OID{101, byte(i >> 8), byte(i)},
			State: table.State{Kind: kindAce + uint32(i%2), Face: 1}, In: 1,
		})
	}
	return places
}

// heapOf returns a hand without an owner, and so many cards that lie face down where it lies.
func heapOf(n int) []table.Place {
	places := []table.Place{{OID: id.OID{102}, State: table.State{Kind: kindHand, Y: heapY}}}
	for i := range n {
		s := table.State{
			Kind: kindAce + uint32(i%2), Face: 1, X: int32(i%spacing) - spacing/2, Y: heapY,
		}
		places = append(places, table.Place{OID: id.OID{101, byte(i >> 8), byte(i)}, State: s})
	}
	return places
}

// BenchmarkHold measures for how long the most expensive requests that the budgets allow (T49) hold
// the room of a full table. So many viewers look on, each with a view of their own. Encoding for
// the store, or for streams by their own goroutines, does not hold the room.
func BenchmarkHold(b *testing.B) {
	for _, c := range []struct {
		name   string
		places []table.Place
		round  func(h *holding)
	}{
		{"shuffle", deckOf(holdPieces), func(h *holding) { h.post(h.blind(table.OpShuffle)) }},
		{"cut", deckOf(holdPieces), func(h *holding) { h.post(h.blind(table.OpCut)) }},
		{"hand picked up", heapOf(holdPieces), func(h *holding) {
			h.post(h.blind(table.OpClaim))
			h.prepare(h.blind(table.OpLeave))
		}},
		{"hand laid down", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			h.post(h.blind(table.OpLeave))
		}},
		{"hand shared", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			h.post(h.toward(table.OpShare, 2))
			h.prepare(h.toward(table.OpUnshare, 2))
			h.prepare(h.blind(table.OpLeave))
		}},
		{"hand not shared any more", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			h.prepare(h.toward(table.OpShare, 2))
			h.post(h.toward(table.OpUnshare, 2))
			h.prepare(h.blind(table.OpLeave))
		}},
		{"hand given away and back", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			h.post(h.toward(table.OpGive, 2))
			h.prepareAs(2, h.toward(table.OpGive, 1))
			h.prepare(h.blind(table.OpLeave))
		}},
		{"hand of a team laid down", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			for seat := range id.Seat(table.MaxTeam) {
				h.prepare(h.toward(table.OpShare, seat+2))
			}
			h.post(h.blind(table.OpLeave))
		}},
		{"all that one request may weigh", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
			for seat := range id.Seat(table.MaxTeam) {
				h.prepare(h.toward(table.OpShare, seat+2))
			}
			h.post(h.filled(h.blind(table.OpLeave))...)
		}},
		{"256 pieces turned over", heapOf(holdPieces), func(h *holding) {
			var all []table.Update
			for _, name := range h.lying(256) {
				u := h.tagged(table.OpFlip, name)
				u.Has |= table.HasFace
				u.Face = int32(len(h.requests)) % 2
				all = append(all, u)
			}
			h.post(all...)
		}},
		{"state for one who joins", heapOf(holdPieces), func(h *holding) {
			a := h.join(1)
			a.stream.Desync()
			h.request(func() { h.queueFullState(a, 1) })
		}},
		{"state asked for again", heapOf(holdPieces), func(h *holding) {
			h.request(func() {
				for _, a := range h.clients {
					a.resynced = time.Time{}
					h.resync(a)
				}
			})
		}},
		{"table read", heapOf(holdPieces), func(h *holding) {
			h.request(func() {
				if _, err := h.read(Session{Seat: 1}); err != nil {
					h.b.Fatal(err)
				}
			})
		}},
		{"snapshot", heapOf(holdPieces), func(h *holding) {
			h.snapshots.since = snapshotEvery
			h.post(h.tagged(table.OpRaise, h.lying(1)[0]))
		}},
		{"history dropped", heapOf(holdPieces), func(h *holding) {
			h.request(func() {
				h.dropRequests = append(h.dropRequests, request{1, func(none, error) {}})
				h.dropHistory()
			})
		}},
	} {
		for _, viewers := range []int{1, holdPlayers} {
			b.Run(fmt.Sprintf("%s, %d viewers", c.name, viewers), func(b *testing.B) {
				h := hold(b, viewers, c.places)
				for b.Loop() {
					c.round(h)
				}
				h.report()
			})
		}
	}
}

// prepareAs posts a batch of another seat that is not measured.
func (h *holding) prepareAs(seat id.Seat, u table.Update) {
	h.unmeasured(func() {
		h.seq++
		u.Seq = h.seq
		_ = h.update(Session{Seat: seat, Role: table.RolePlayer},
			wire.Batch{Client: clientOf(seat), Epoch: h.row.Epoch, Updates: []table.Update{u}},
			make([]id.OID, 1), nil)
	})
}

// BenchmarkHoldOnce is BenchmarkHold for what can be done once at a table.
func BenchmarkHoldOnce(b *testing.B) {
	for _, c := range []struct {
		name   string
		places []table.Place
		first  func(h *holding)
		then   func(h *holding) func()
	}{
		{"recall of all cards", deckOf(holdPieces), func(h *holding) {
			h.scatter()
		}, func(h *holding) func() {
			return h.posting(h.blind(table.OpRecall))
		}},
		{"hand picked up first of all", heapOf(holdPieces), func(*holding) {}, func(h *holding) func() {
			return h.posting(h.blind(table.OpClaim))
		}},
		{"hand deleted", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
		}, func(h *holding) func() {
			return h.posting(h.tagged(table.OpDelete, h.named()))
		}},
		{"256 pieces deleted", heapOf(holdPieces), func(*holding) {}, func(h *holding) func() {
			var all []table.Update
			for _, name := range h.lying(256) {
				all = append(all, h.tagged(table.OpDelete, name))
			}
			return h.posting(all...)
		}},
		{"seat ended, hand home", append(deckOf(holdPieces), heapOf(0)...), func(h *holding) {
			h.pickUp()
		}, func(h *holding) func() {
			return h.ending(table.HandsBack)
		}},
		{"seat ended, hand given", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
		}, func(h *holding) func() {
			return h.ending(table.HandsGiven)
		}},
		{"seat ended, hand stays", heapOf(holdPieces), func(h *holding) {
			h.prepare(h.blind(table.OpClaim))
		}, func(h *holding) func() {
			return h.ending(table.HandsStay)
		}},
		{"state with components", heapOf(holdPieces), func(h *holding) {
			h.write()
		}, func(h *holding) func() {
			a := h.join(1)
			a.stream.Desync()
			return func() { h.queueFullState(a, 1) }
		}},
	} {
		for _, viewers := range []int{1, holdPlayers} {
			b.Run(fmt.Sprintf("%s, %d viewers", c.name, viewers), func(b *testing.B) {
				var all []span
				var h *holding
				for b.Loop() {
					h = hold(b, viewers, c.places)
					c.first(h)
					h.request(c.then(h))
					all = append(all, h.requests...)
				}
				h.requests = all
				h.report()
			})
		}
	}
}

// ending is the end of the first player's seat.
func (h *holding) ending(hands table.HandsTo) func() {
	rs := &Rooms{sessions: map[Hash]Session{}}
	return func() {
		if err := rs.endSeat(h.room, 1, table.Ending{By: 2, Hands: hands, To: 3}, 1); err != nil {
			h.b.Fatal(err)
		}
	}
}

// scatter lays all cards of the deck on the table.
func (h *holding) scatter() {
	for range holdPieces / table.MaxDraw {
		u := h.blind(table.OpDraw)
		u.Has |= table.HasN | table.HasXY
		u.N, u.Y = table.MaxDraw, heapY
		h.prepare(u)
	}
}

// pickUp lays all cards of the deck on the table, where the first player claims a hand that lies
// there.
func (h *holding) pickUp() {
	h.scatter()
	u := h.blind(table.OpClaim)
	u.Piece++
	h.prepare(u)
}

// write labels all pieces that lie on the table.
func (h *holding) write() {
	for names := range slices.Chunk(h.lying(holdPieces), 1000) {
		var ops []crdt.Op
		for _, name := range names {
			text := schema.Encode(&componentpb.Text{Text: "a label of some thirty-two bytes"})
			ops = append(ops, crdt.Op{
				Kind: crdt.Put, Entity: schema.EntityOfPiece(name), Component: schema.Label,
				Timestamp: 3, Data: text,
			})
		}
		h.unmeasured(func() {
			_ = h.operate(Session{Seat: 1, Role: table.RolePlayer},
				&Operations{Epoch: h.row.Epoch, Ops: ops})
		})
	}
}
