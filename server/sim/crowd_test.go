package sim

import (
	"context"
	mathrand "math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// viewerCarrier is the carrier of a spectator. It notes how late frames are.
type viewerCarrier struct {
	mu      sync.Mutex
	stalled chan struct{} // nil: it reads
	closed  chan struct{}
	frames  int
	bytes   int
	late    time.Duration // the greatest age of a frame when it was written
	last    []byte
}

func (s *viewerCarrier) Write(_ context.Context, frames [][]byte) error {
	s.mu.Lock()
	stalled := s.stalled
	s.mu.Unlock()
	if stalled != nil {
		select {
		case <-stalled:
		case <-s.closed:
			return context.Canceled
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range frames {
		made, n := protowire.ConsumeVarint(b[1:]) // the time comes first
		if n < 0 {
			return protowire.ParseError(n)
		}
		// The full state waits until everything in it is durable.
		if stalled == nil && s.frames > 0 {
			s.late = max(s.late, time.Duration(time.Now().UnixMilli()-int64(made))*time.Millisecond)
		}
		s.frames++
		s.bytes += len(b)
		s.last = b
	}
	return nil
}

// stats returns how many frames have come, and how late the latest was.
func (s *viewerCarrier) stats() (frames int, late time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames, s.late
}

func (s *viewerCarrier) Close(stream.Code, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
}

// crowd is a table with many spectators and one player.
type crowd struct {
	*host
	player  *simClient
	invites room.Invites
	seats   []*viewerCarrier
	streams []*stream.Stream
}

const pagesPerSeat = 10

func newCrowd(h *host, n int) *crowd {
	h.t.Helper()
	h.start()
	taken, invites, err := h.rooms.Create(h.t.Context(), room.NewTableRequest{
		Game: "sim", Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	c := &crowd{host: h, invites: invites, player: &simClient{
		t: h.t, session: taken.Session, id: id.Client{1}, rnd: mathrand.New(mathrand.NewPCG(1, 0)),
	}}
	var s room.Taken
	for i := range n {
		if i%pagesPerSeat == 0 {
			if s, err = h.rooms.TakeSeat(
				h.t.Context(), invites.Spectator, room.Person{Nick: "Eve"},
			); err != nil {
				h.t.Fatal(err)
			}
		}
		carrier := &viewerCarrier{closed: make(chan struct{})}
		st, err := h.rooms.Open(h.t.Context(), s.Session,
			room.Hello{Client: id.Client{2, byte(i >> 8), byte(i)}}, carrier)
		if err != nil {
			h.t.Fatal(err)
		}
		c.seats, c.streams = append(c.seats, carrier), append(c.streams, st)
	}
	c.player.connect(h.rooms)
	for c.player.pieces == nil {
		<-time.After(latency)
		c.player.step(h.rooms)
	}
	return c
}

func (c *crowd) stop() {
	for i, s := range c.streams {
		c.seats[i].Close(0, "")
		s.Closed(context.Canceled)
		<-s.Done()
	}
	c.player.cut()
	c.host.stop()
}

// play makes the player do something in each of so many ticks that makes a frame of more than 4 KB:
// eight long levels.
func (c *crowd) play(ticks int) {
	c.t.Helper()
	token := cardFirst - 1
	for range ticks {
		p := c.player
		b := wire.Batch{Client: p.id, Epoch: p.epoch}
		for i := range 8 {
			p.seq++
			b.Updates = append(b.Updates, table.Update{
				Seq: p.seq, Op: table.OpSetZ, Has: table.HasPiece | table.HasTag | table.HasZ,
				Piece: token,
				Tag:   id.Version(p.pieces[token].GetMark()),
				Z:     zlevel.Level("0." + strings.Repeat("9", 500) + strconv.Itoa(i+1)),
			})
		}
		if err := c.rooms.Update(c.t.Context(), p.session, b); err != nil {
			c.t.Fatal(err)
		}
		<-time.After(25 * time.Millisecond)
		synctest.Wait()
	}
}

func TestCrowd(t *testing.T) {
	in := func(name string, f func(t *testing.T, h *host)) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) { f(t, &host{t: t, dir: dir}) })
		})
	}
	// Clauses: S7.7
	in("S7 50 of 1,000 clients read nothing: the others are not affected",
		testStalled)
	in("S8 a client opens 100 streams a second: the others are not affected", testStorm)
}

func testStalled(t *testing.T, h *host) {
	const clients, stalled = 1000, 50
	c := newCrowd(h, clients)
	defer c.stop()
	synctest.Wait()
	release := make(chan struct{})
	for _, s := range c.seats[:stalled] {
		s.mu.Lock()
		s.stalled = release
		s.mu.Unlock()
	}
	const ticks = 400
	c.play(1)
	before := heap()
	was, _ := c.seats[clients-1].stats()
	c.play(ticks)
	if grown := heap() - before; grown > stalled*stream.MaxOutbox {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	for i, s := range c.seats[stalled:] {
		frames, late := s.stats()
		if got := frames - was; got != ticks && got != ticks+1 { // and a keepalive
			t.Fatalf("client %d got %d frames of %d ticks", stalled+i, got, ticks)
		}
		if late > 0 {
			t.Fatalf("client %d got a frame %v late", stalled+i, late)
		}
	}
	if overflown := slices.IndexFunc(c.streams[:stalled], func(s *stream.Stream) bool {
		return s.State() == stream.OK
	}); overflown >= 0 {
		t.Errorf("the outbox of client %d has taken everything: it covers little", overflown)
	}
	close(release)
	for _, s := range c.seats[:stalled] {
		s.mu.Lock()
		s.stalled = nil
		s.mu.Unlock()
	}
	synctest.Wait()
	c.play(1)
	for i, s := range c.seats[:stalled] {
		f, err := wire.DecodeFrame(s.last)
		if err != nil || f.GetMark() != lastVersion(t, c.seats[clients-1]) {
			t.Errorf("client %d, which reads again, gets %v, %v", i, f, err)
		}
	}
}

func lastVersion(t *testing.T, s *viewerCarrier) uint64 {
	t.Helper()
	f, err := wire.DecodeFrame(s.last)
	if err != nil {
		t.Fatal(err)
	}
	return f.GetMark()
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func testStorm(t *testing.T, h *host) {
	const clients = 50
	c := newCrowd(h, clients)
	defer c.stop()
	taken, err := c.rooms.TakeSeat(t.Context(), c.invites.Player, room.Person{Nick: "Mallory"})
	if err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		opened := 0
		for {
			carrier := &viewerCarrier{closed: make(chan struct{})}
			s, err := h.rooms.Open(context.Background(), taken.Session,
				room.Hello{Client: id.Client{3}}, carrier)
			if err == nil {
				opened++
				go func() { <-carrier.closed; s.Closed(context.Canceled) }()
			}
			select {
			case <-stop:
				if err == nil {
					carrier.Close(0, "")
					<-s.Done()
				}
				stopped <- opened
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	synctest.Wait()
	was, _ := c.seats[0].stats()
	const ticks = 400
	c.play(ticks)
	close(stop)
	if n := <-stopped; n < 900 {
		t.Errorf("only %d streams were opened", n)
	}
	for i, s := range c.seats {
		frames, late := s.stats()
		if got := frames - was; got < ticks || late > 0 {
			t.Errorf("client %d got %d frames of %d ticks, and one %v late", i, got, ticks, late)
		}
	}
	b, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{Away: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.streams[0].Receive(b); err != nil {
		t.Errorf("S9 after the storm: %v", err)
	}
}
