package client

import (
	"cmp"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/depgraph"
)

// requests returns the requests that have come, and fails the test if something is wrong with one.
func (c *crossing) requests() (all []*holtpb.Updates) {
	c.t.Helper()
	<-time.After(50 * time.Millisecond)
	return c.requestsThere()
}

// requestsThere is requests without a wait.
func (c *crossing) requestsThere() (all []*holtpb.Updates) {
	c.t.Helper()
	synctest.Wait()
	for len(c.ups) > 0 {
		if u := (<-c.ups).GetUpdates(); u != nil {
			if _, err := wire.DecodeBatch(u.GetBatch()); err != nil {
				c.t.Error(err)
			}
			all = append(all, u)
		}
	}
	return all
}

// sequences returns the sequences of requests, in order.
func (c *crossing) sequences(requests []*holtpb.Updates) (all []id.ClientSeq) {
	c.t.Helper()
	for _, u := range requests {
		b, err := wire.DecodeBatch(u.GetBatch())
		if err != nil {
			c.t.Fatal(err)
		}
		for i := range b.Updates {
			all = append(all, b.Updates[i].Seq)
		}
	}
	return all
}

// answers sends the answer to a request.
func (c *crossing) answers(request uint64, status, retryAfter int, problem string) {
	c.t.Helper()
	c.says(frame(0, wire.AnswerEvent(request, status, retryAfter, problem)))
}

// sequencesPosted returns the sequences of the batches that came by HTTP, in order.
func (b *booth) sequencesPosted() (all []id.ClientSeq) {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, us := range b.batches {
		for i := range us {
			all = append(all, us[i].Seq)
		}
	}
	return all
}

func pin(p id.Piece) table.Update {
	return table.Update{Op: table.OpPin, Piece: p, Has: table.HasPiece}
}

// does asks for updates, each by a request of its own.
func does(t *testing.T, c *Client, us ...table.Update) {
	t.Helper()
	for _, u := range us {
		if _, err := c.Do(u); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
}

// kinds returns the kinds of the events about updates.
func (h *heardEvents) kinds(of ...EventKind) (got []EventKind) {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.all {
		if slices.Contains(of, h.all[i].Kind) {
			got = append(got, h.all[i].Kind)
		}
	}
	return got
}

func TestUpward(t *testing.T) {
	// open runs a client with four pieces, whose first request was answered.
	open := func(t *testing.T, h *harbour) (*Client, *crossing, *heardEvents) {
		t.Helper()
		c, events, _ := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(
			epoch, at(1, 10, 0, 0), at(2, 20, 50, 50), at(3, 20, 60, 60), at(4, 20, 70, 70),
		)))
		return c, v, events
	}
	proved := func(t *testing.T, h *harbour) (*Client, *crossing, *heardEvents) {
		t.Helper()
		c, v, events := open(t, h)
		does(t, c, pin(4))
		v.requests()
		v.answers(1, http.StatusAccepted, 0, "")
		return c, v, events
	}
	// Clauses: D39.1, D40.5, D40.6
	atHarbour(t, "D39, D40 the first request goes alone, then several", func(
		t *testing.T, h *harbour,
	) {
		c, v, _ := open(t, h)
		does(t, c, pin(1), pin(2))
		first := v.requests()
		if !slices.Equal(v.sequences(first), []id.ClientSeq{1}) || !first[0].GetAlone() ||
			first[0].GetRequest() != 1 {
			t.Fatalf("first it sends %v", first)
		}
		v.answers(1, http.StatusAccepted, 0, "")
		does(t, c, pin(3), pin(4))
		rest := v.requests() // in any order: nothing says that one waits for another
		slices.SortFunc(rest, func(a, b *holtpb.Updates) int {
			return cmp.Compare(a.GetRequest(), b.GetRequest())
		})
		if !slices.Equal(v.sequences(rest), []id.ClientSeq{2, 3, 4}) || len(rest) != 3 {
			t.Fatalf("then it sends %v", rest)
		}
		if !rest[0].GetAlone() || rest[1].GetAlone() || rest[2].GetAlone() {
			t.Errorf("alone: %v", rest)
		}
		for range 40 {
			does(t, c, pin(1))
		}
		if n := len(v.requests()); n != maxRequests-3 {
			t.Errorf("%d more requests are under way, want %d", n, maxRequests-3)
		}
		v.answers(2, http.StatusAccepted, 0, "")
		if got := v.requests(); len(v.sequences(got)) != 27 || len(got) != 1 {
			t.Errorf("what waited goes as %v", got)
		}
		if n := h.posted.Load(); n != 0 {
			t.Errorf("%d batches were posted", n)
		}
	})
	// Clauses: D39.4, D39.5
	atHarbour(t, "D39 a request waits for those about the same pieces alone", func(
		t *testing.T, h *harbour,
	) {
		c, v, _ := proved(t, h)
		h.freeze(true)
		does(t, c, pin(1))
		<-time.After(time.Millisecond)
		h.freeze(false)
		does(
			t, c, table.Update{Op: table.OpLock, Piece: 1, Has: table.HasPiece}, pin(2),
			table.Update{Op: table.OpDraw, Piece: 3, Has: table.HasPiece}, pin(4),
		)
		<-time.After(11 * time.Millisecond) // too soon for what was lost to be repeated
		if got := v.sequences(v.requestsThere()); !slices.Equal(got, []id.ClientSeq{4}) {
			t.Errorf("at first %v arrive, want 4", got)
		}
		<-time.After(time.Second)
		if got := v.sequences(v.requestsThere()); !slices.Equal(got, []id.ClientSeq{2, 3, 5, 6}) {
			t.Errorf("then %v arrive", got)
		}
	})
	// Clauses: D40.7, D40.10
	atHarbour(t, "D40 what has no answer for 3 s is posted in order", func(t *testing.T, h *harbour) {
		c, v, _ := proved(t, h)
		does(t, c, pin(1), pin(2), pin(3))
		v.requests()
		v.answers(3, http.StatusAccepted, 0, "")
		<-time.After(2800 * time.Millisecond)
		if got := h.sequencesPosted(); len(got) != 0 {
			t.Fatalf("%v are posted too early", got)
		}
		<-time.After(200 * time.Millisecond)
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{2, 4}) {
			t.Fatalf("%v are posted, want 2 and 4", got)
		}
		does(t, c, pin(1))
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{2, 4, 5}) {
			t.Fatalf("%v are posted, as long as answers are due", got)
		}
		v.answers(4, http.StatusAccepted, 0, "")
		v.answers(2, http.StatusAccepted, 0, "")
		does(t, c, pin(2))
		if got := v.sequences(v.requests()); !slices.Equal(got, []id.ClientSeq{6}) {
			t.Errorf("then %v come by datagrams", got)
		}
	})
	// Clauses: D40.8
	atHarbour(t, "D40 what was not accepted is posted after Retry-After", func(
		t *testing.T, h *harbour,
	) {
		c, v, events := proved(t, h)
		does(t, c, pin(1), pin(2), pin(3))
		v.requests()
		v.answers(2, http.StatusServiceUnavailable, 2, `{"status":503,"code":"busy"}`)
		v.answers(3, http.StatusFailedDependency, 0, `{"status":424,"code":"dependency"}`)
		does(t, c, pin(4))
		if got := v.requests(); len(got) != 0 || len(h.sequencesPosted()) != 0 {
			t.Fatalf("%v are sent before all is answered", got)
		}
		v.answers(4, http.StatusFailedDependency, 0, `{"status":424,"code":"dependency"}`)
		<-time.After(1900 * time.Millisecond)
		if got := h.sequencesPosted(); len(got) != 0 {
			t.Fatalf("%v are posted before Retry-After", got)
		}
		<-time.After(200 * time.Millisecond)
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{2, 3, 4, 5}) {
			t.Fatalf("%v are posted", got)
		}
		if got := events.kinds(Retried); len(got) != 3 {
			t.Errorf("%d refusals are reported", len(got))
		}
		does(t, c, pin(2))
		got := v.requests()
		if !slices.Equal(v.sequences(got), []id.ClientSeq{6}) || !got[0].GetAlone() {
			t.Errorf("then %v come by datagrams", got)
		}
	})
	// Clauses: D40.9
	atHarbour(t, "D40, T15.15, T15.17 an invalid batch is dropped", func(t *testing.T, h *harbour) {
		c, v, events := proved(t, h)
		does(t, c, pin(1), pin(2))
		v.requests()
		v.answers(2, http.StatusUnprocessableEntity, 0, `{"status":422,"code":"unknown-piece"}`)
		v.answers(3, http.StatusFailedDependency, 0, `{"status":424,"code":"dependency"}`)
		resync := slices.ContainsFunc(v.heard(), func(up *holtpb.Up) bool {
			return up.GetResync() != nil
		})
		if got := events.kinds(Refused); len(got) != 1 || !resync {
			t.Errorf("%d refusals, full state: %v", len(got), resync)
		}
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{3}) {
			t.Errorf("%v are posted", got)
		}
	})
	atHarbour(t, "D40.9 a seat that is gone ends the client", func(t *testing.T, h *harbour) {
		c, v, _ := proved(t, h)
		does(t, c, pin(1))
		v.requests()
		v.answers(2, http.StatusUnauthorized, 0, `{"status":401,"code":"no-seat"}`)
		<-v.ended
	})
	atHarbour(t, "D39.7 a large update goes by HTTP, behind the others", func(
		t *testing.T, h *harbour,
	) {
		c, v, _ := proved(t, h)
		text := string(slices.Repeat([]byte{'"'}, 2000))
		does(t, c, pin(1), table.Update{
			Op: table.OpWrite, Piece: 2, Text: text, Has: table.HasPiece | table.HasText,
		}, pin(3))
		if got := v.sequences(v.requests()); !slices.Equal(got, []id.ClientSeq{2}) ||
			len(h.sequencesPosted()) != 0 {
			t.Fatalf("%v and %v are sent at first", got, h.sequencesPosted())
		}
		v.answers(2, http.StatusAccepted, 0, "")
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{3, 4}) {
			t.Errorf("%v are posted", got)
		}
	})
	atHarbour(t, "D40.7, S5.26 a lost stream sends all again", func(t *testing.T, h *harbour) {
		c, v, _ := proved(t, h)
		does(t, c, pin(1), pin(2))
		v.requests()
		c.Cut(100 * time.Millisecond)
		v = <-h.arrived
		v.says(frame(20, resumed()))
		got := v.requests()
		if !slices.Equal(v.sequences(got), []id.ClientSeq{1, 2, 3}) || len(got) != 1 ||
			!got[0].GetAlone() || got[0].GetRequest() != 4 {
			t.Errorf("it sends %v", got)
		}
	})
	// Clauses: D30.17
	atHarbour(t, "D30.17 an older server gets all by HTTP", func(t *testing.T, h *harbour) {
		h.old = true
		c, v, _ := open(t, h)
		does(t, c, pin(1))
		if got := h.sequencesPosted(); !slices.Equal(got, []id.ClientSeq{1}) ||
			len(v.requests()) != 0 {
			t.Errorf("%v are posted", got)
		}
	})
}

// TestFootprints shows what has to keep its order (D39.4, D39.5).
func TestFootprints(t *testing.T) {
	move := func(p id.Piece, x, y int32) table.Update {
		return table.Update{Op: table.OpMove, Piece: p, X: x, Y: y, Has: table.HasPiece | table.HasXY}
	}
	stow := table.Update{
		Op: table.OpStow, Piece: 1, Into: 9, Has: table.HasPiece | table.HasInto,
	}
	for _, row := range []struct {
		name    string
		a, b    table.Update
		ordered bool
	}{
		{"D39.4 the same piece", move(1, 0, 0), pin(1), true},
		{"D39.4 different pieces", move(1, 0, 0), move(2, 5, 5), false},
		{"D39.8 the same place", move(1, 5, 5), move(2, 5, 5), true},
		{"D39.4 the container", stow, pin(9), true},
		{"D39.4 what is made", table.Update{Op: table.OpAdd, Has: table.HasXY}, move(1, 0, 0), false},
		{"D39.5 a recall", table.Update{Op: table.OpRecall, Piece: 9, Has: table.HasPiece}, pin(1),
			true},
		{"D39.5 a shuffle of a list", table.Update{
			Op: table.OpShuffle, Pieces: []id.Piece{1, 2}, Has: table.HasPieces,
		}, pin(3), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := footprintOf([]table.Update{row.a}, nil)
			b := footprintOf([]table.Update{row.b}, nil)
			if a.meets(&b) != row.ordered || b.meets(&a) != row.ordered {
				t.Errorf("ordered: %v, want %v", a.meets(&b), row.ordered)
			}
		})
	}
	t.Run("D39.4 a piece that is renamed keeps its order", func(t *testing.T) {
		u := &upward{}
		u.under = []*upRequest{{number: 1, about: footprintOf([]table.Update{pin(1)}, nil)}}
		u.rename(1, 20_000)
		about := footprintOf([]table.Update{pin(20_000)}, nil)
		if deps, numbers := u.behind(&about); len(deps) != 1 || !slices.Equal(numbers, []uint64{1}) {
			t.Errorf("it waits for %v", numbers)
		}
	})
	t.Run("D39.4 of a chain the last one is named", func(t *testing.T) {
		u := &upward{}
		for n := range uint64(3) {
			r := &upRequest{number: n, about: footprintOf([]table.Update{pin(1)}, nil)}
			var deps []*depgraph.Handle
			deps, r.behind = u.behind(&r.about)
			if want := min(int(n), 1); len(deps) != want {
				t.Errorf("request %d names %d, want %d", n, len(deps), want)
			}
			u.under = append(u.under, r)
		}
	})
}
