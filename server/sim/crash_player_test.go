package sim

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"nhooyr.io/websocket"

	"holt/server/proto/holtpb"
)

// Bounds of the load.
const (
	maxUnanswered = 64  // of one client; the server remembers 512
	maxExtra      = 150 // pieces that one client has added and not yet deleted
)

// update is one client update as http.md writes it.
type update struct {
	Seq   uint64  `json:"seq"`
	Piece uint32  `json:"piece,omitempty"`
	Tag   *uint64 `json:"tag,omitempty"`
	Op    string  `json:"op"`
	Kind  *uint32 `json:"kind,omitempty"`
	X     *int32  `json:"x,omitempty"`
	Y     *int32  `json:"y,omitempty"`
	n     int     // the number of the place (see numbered)
}

// player is a client that follows the protocol exactly. It moves only its own pieces, so there is
// no conflict. Every place to which it puts something is a new one.
type player struct {
	token, client, table string
	random               *rand.Rand // owned by play
	pieces               []uint32   // that only this client moves
	kind                 uint32     // of what it adds
	first                int        // its places are first+1, first+2, …

	keep    sync.Mutex
	changed chan struct{} // closed and replaced when something was answered
	// Guarded by keep.
	epoch      uint64
	versions   map[uint32]uint64
	seq        uint64
	place      int
	unanswered []update
	acked      uint64
	moved      map[uint32]int // piece to the number of its last acknowledged move
	asked      map[uint32]int // piece to the number of its last move, acknowledged or not
	added      map[int]uint32 // number of the place of an acknowledged addition to the piece
	deleting   map[uint32]int // piece, added and now to be deleted, to the number of its place
	deleted    map[int]bool   // numbers of the places of acknowledged deletions
}

// seatPlayers seats n players and gives each its share of the pieces that can be moved.
func (c *crashTable) seatPlayers(t *testing.T, random *rand.Rand, n int) []*player {
	t.Helper()
	players := make([]*player, n)
	for i := range players {
		token := c.host
		if i > 0 {
			token = c.seat(c.invite, "Player "+strconv.Itoa(i))
		}
		state := c.p.read(c.id, token)
		id := make([]byte, 16)
		for b := range id {
			id[b] = byte(random.Uint32())
		}
		players[i] = &player{
			token: token, client: base64.RawURLEncoding.EncodeToString(id), table: c.id,
			random: rand.New(rand.NewPCG(random.Uint64(), 0)), first: i * 500_000,
			changed: make(chan struct{}), epoch: state.Epoch, versions: map[uint32]uint64{},
			moved: map[uint32]int{}, asked: map[uint32]int{}, added: map[int]uint32{},
			deleting: map[uint32]int{}, deleted: map[int]bool{},
		}
		// Views have names of their own; places are the same for all before the first move.
		free := slices.DeleteFunc(state.Pieces, func(p pieceJSON) bool {
			return p.Pinned || p.Locked
		})
		slices.SortFunc(free, func(a, b pieceJSON) int {
			return int(a.X-b.X)*100_000 + int(a.Y-b.Y)
		})
		for j, p := range free {
			if j%n == i {
				players[i].pieces = append(players[i].pieces, p.ID)
				players[i].kind = p.Kind
				players[i].versions[p.ID] = p.Mark
			}
		}
		for _, p := range state.Pieces {
			if number(p.place()) >= 0 {
				t.Fatalf(
					"the game puts a piece at %v, one of this test's places",
					p.place())
			}
		}
		if len(players[i].pieces) == 0 {
			t.Fatal("there are no pieces to move")
		}
	}
	return players
}

// play opens the stream, sends again what is unanswered, and goes on with new updates until the
// program dies. Half of the time it sends again before the stream can say what was recorded: that
// is when an update may come twice.
func (c *player) play(ctx context.Context, t *testing.T, p *program, acks chan<- struct{}) {
	if c.random.IntN(2) == 0 && !c.post(ctx, t, p, c.resend()) {
		return
	}
	c.connected(ctx, t, p, acks, func(ctx context.Context) {
		alive := c.post(ctx, t, p, c.resend())
		for alive && c.wait(ctx, maxUnanswered-8) {
			alive = c.post(ctx, t, p, c.draw())
		}
	})
}

// settle sends what is unanswered, and waits for the answers.
func (c *player) settle(ctx context.Context, t *testing.T, p *program) {
	c.connected(ctx, t, p, nil, func(ctx context.Context) {
		if !c.post(ctx, t, p, c.resend()) || !c.wait(ctx, 0) {
			t.Errorf("%d updates remain unanswered", len(c.resend()))
		}
	})
}

// connected runs work while the stream is open and read. It returns when both have ended.
func (c *player) connected(
	ctx context.Context, t *testing.T, p *program, acks chan<- struct{}, work func(context.Context),
) {
	c.keep.Lock()
	path := "/api/v1/tables/" + c.table + "/stream?client=" + c.client
	if len(c.unanswered) > 0 {
		path += "&seq=" + strconv.FormatUint(c.unanswered[0].Seq, 10)
	}
	c.keep.Unlock()
	stream, err := dial(ctx, p, path, c.token)
	if err != nil {
		return // it was killed before
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	whole := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		defer cancel()
		for first := true; ; first = false {
			frame, err := receive(ctx, stream)
			if err != nil {
				return
			}
			c.take(t, frame, acks)
			if first {
				close(whole)
			}
		}
	})
	select {
	case <-whole:
		work(ctx)
	case <-ctx.Done():
	}
	cancel()
	stream.CloseNow()
	reader.Wait()
}

// take processes one frame (S5, T10).
func (c *player) take(t *testing.T, frame *holtpb.Frame, acks chan<- struct{}) {
	c.keep.Lock()
	defer c.keep.Unlock()
	for _, e := range frame.GetEvents() {
		switch e := e.GetEvent().(type) {
		case *holtpb.Event_Full:
			clear(c.versions)
			for _, piece := range e.Full.GetPieces() {
				c.versions[piece.GetId()] = piece.GetMark()
			}
		case *holtpb.Event_Update:
			c.versions[e.Update.GetPiece().GetId()] = e.Update.GetPiece().GetMark()
		case *holtpb.Event_Ack:
			c.takeAck(e.Ack)
			select {
			case acks <- struct{}{}:
			default:
			}
		case *holtpb.Event_Reject:
			t.Errorf("update %d was rejected (%v), though nobody else touches the piece",
				e.Reject.GetSeq(), e.Reject.GetReason())
		}
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// takeAck notes an answer. The lock is held.
func (c *player) takeAck(ack *holtpb.Ack) {
	i := slices.IndexFunc(c.unanswered, func(u update) bool { return u.Seq == ack.GetSeq() })
	if version := ack.GetPiece().GetMark(); version > c.versions[ack.GetPiece().GetId()] {
		c.versions[ack.GetPiece().GetId()] = version
	}
	if i < 0 {
		return // answered before
	}
	u := c.unanswered[i]
	c.unanswered = slices.Delete(c.unanswered, i, i+1)
	c.acked++
	switch u.Op {
	case "move":
		c.moved[u.Piece] = max(c.moved[u.Piece], u.n)
	case "add":
		c.added[u.n] = ack.GetMade()
	case "delete":
		n := c.deleting[u.Piece]
		delete(c.added, n)
		delete(c.deleting, u.Piece) // its name may be used again
		c.deleted[n] = true
	}
}

// draw makes up to eight new updates.
func (c *player) draw() []update {
	c.keep.Lock()
	defer c.keep.Unlock()
	batch := make([]update, 1+c.random.IntN(8))
	for i := range batch {
		c.seq++
		u := update{Seq: c.seq}
		switch n := c.random.IntN(10); {
		case n == 0 && len(c.added) < maxExtra:
			c.put(&u)
			u.Op, u.Kind = "add", &c.kind
		case n == 1 && c.drawDelete(&u):
		default:
			c.put(&u)
			u.Op, u.Piece = "move", c.pieces[c.random.IntN(len(c.pieces))]
			c.asked[u.Piece] = u.n
			c.tag(&u)
		}
		batch[i] = u
	}
	c.unanswered = append(c.unanswered, batch...)
	return batch
}

// put gives the update the next place.
func (c *player) put(u *update) {
	c.place++
	u.n = c.first + c.place
	at := numbered(u.n)
	u.X, u.Y = &at.x, &at.y
}

func (c *player) tag(u *update) {
	version := c.versions[u.Piece]
	u.Tag = &version
}

// drawDelete makes u the deletion of a piece that was added, if there is one.
func (c *player) drawDelete(u *update) bool {
	for n, piece := range c.added {
		if _, twice := c.deleting[piece]; twice || c.versions[piece] == 0 {
			continue
		}
		c.deleting[piece] = n
		u.Op, u.Piece = "delete", piece
		c.tag(u)
		return true
	}
	return false
}

// resend returns what is unanswered.
func (c *player) resend() []update {
	c.keep.Lock()
	defer c.keep.Unlock()
	return slices.Clone(c.unanswered)
}

// wait waits until at most n updates are unanswered. It returns false if the stream has ended.
func (c *player) wait(ctx context.Context, n int) bool {
	for {
		c.keep.Lock()
		left, changed := len(c.unanswered), c.changed
		c.keep.Unlock()
		if left <= n {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// post sends a batch until it is accepted. It returns false when the program is gone.
func (c *player) post(ctx context.Context, t *testing.T, p *program, batch []update) bool {
	if len(batch) == 0 {
		return true
	}
	c.keep.Lock()
	body, err := json.Marshal(struct {
		Client  string   `json:"client"`
		Epoch   uint64   `json:"epoch"`
		Updates []update `json:"updates"`
	}{c.client, c.epoch, batch})
	c.keep.Unlock()
	if err != nil {
		t.Error(err)
		return false
	}
	for {
		a, err := p.call(ctx, http.MethodPost, "/api/v1/tables/"+c.table+"/updates", c.token, body)
		if err != nil {
			return false
		}
		switch a.status {
		case http.StatusAccepted:
			return true
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			seconds, _ := strconv.Atoi(a.header.Get("Retry-After"))
			select {
			case <-time.After(time.Duration(seconds) * time.Second):
			case <-ctx.Done():
				return false
			}
		default:
			t.Errorf("updates: %d %s", a.status, a.body)
			return false
		}
	}
}

// dial opens a stream (S1).
func dial(ctx context.Context, p *program, path, token string) (*websocket.Conn, error) {
	header := http.Header{"Authorization": {"Bearer " + token}}
	options := &websocket.DialOptions{Subprotocols: []string{"holt.v1"}, HTTPHeader: header}
	stream, resp, err := websocket.Dial(ctx, "ws"+p.url[len("http"):]+path, options)
	if err != nil {
		return nil, err
	}
	if resp.Body != nil {
		resp.Body.Close()
	}
	stream.SetReadLimit(16 << 20)
	return stream, nil
}

// receive reads one frame (S3).
func receive(ctx context.Context, stream *websocket.Conn) (*holtpb.Frame, error) {
	kind, message, err := stream.Read(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageBinary {
		return nil, fmt.Errorf("a message of type %v", kind)
	}
	frame := &holtpb.Frame{}
	if err := proto.Unmarshal(message, frame); err != nil {
		return nil, fmt.Errorf("decode frame: %w", err)
	}
	return frame, nil
}
