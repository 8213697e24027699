package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// attacker is somebody with bad intentions. It has a table of its own and sends the server whatever
// it likes.
type attacker struct {
	// Set at construction.
	url    *url.URL
	dialer *net.Dialer
	http   *http.Client
	// Returns an invitation of the server; nil: there is none.
	invite func(context.Context) (string, error)
	linked *linked // set by prepareLink

	victims *run // set by join

	// Set by sit.
	server  *client.Server
	seat    client.Seat
	invites client.Invites
	view    client.View
	kinds   []game.Kind
	pieces  []id.Piece // made by fill

	steps atomic.Uint64

	mu sync.Mutex
	// Guarded by mu.
	client  id.Client
	seq     id.ClientSeq
	answers map[int]uint64
	open    []net.Conn
}

// attackerTimeout bounds one request of an attacker.
const attackerTimeout = 10 * time.Second

// newAttacker returns an attacker. If this machine has more than one loopback address, the attacker
// uses one of its own, which depends on number.
func newAttacker(ctx context.Context, server string, number byte) (*attacker, error) {
	t := &attacker{answers: map[int]uint64{}, dialer: &net.Dialer{Timeout: attackerTimeout}}
	u, err := url.Parse(server)
	if err != nil {
		return t, err
	}
	t.url = u
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && a.Is4() {
		own := &net.Dialer{
			Timeout: attackerTimeout, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 66, number+1)},
		}
		// On Linux all of 127.0.0.0/8 is local.
		if c, err := own.DialContext(ctx, "tcp", u.Host); err == nil {
			_ = c.Close()
			t.dialer = own
		}
	}
	_, _ = rand.Read(t.client[:]) // never fails
	t.http = &http.Client{
		Timeout: attackerTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Transport: &http.Transport{DialContext: t.dialer.DialContext, MaxIdleConnsPerHost: 64},
	}
	t.server, err = client.NewServer(server, t.http)
	return t, err
}

// leave closes all connections.
func (t *attacker) leave(ctx context.Context) {
	if t.linked != nil {
		t.linked.stop(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.open {
		_ = c.Close()
	}
	if t.http != nil {
		t.http.CloseIdleConnections()
	}
}

func (t *attacker) counted() (uint64, map[int]uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.steps.Load(), t.answers
}

func (t *attacker) answered(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answers[status]++
}

// sit creates a table for the game of cards and reads it.
func (t *attacker) sit(ctx context.Context) error {
	var err error
	if t.seat, t.invites, err = t.server.CreateTable(
		ctx, "cards", "Attack", client.Person{Nick: "Mallory"},
	); err != nil {
		return err
	}
	if t.view, err = t.server.Read(ctx, t.seat); err != nil {
		return err
	}
	b, err := t.server.Blob(ctx, t.view.Info.Catalog)
	if err == nil {
		t.kinds, err = game.ParseCatalog(b)
	}
	return err
}

// join takes a seat at the table of the players.
func (t *attacker) join(ctx context.Context, p *run) error {
	var err error
	t.victims = p
	t.seat, err = t.server.TakeSeat(ctx, p.host.Table, p.invite, client.Person{Nick: "Mallory"})
	if err == nil {
		t.view, err = t.server.Read(ctx, t.seat)
	}
	return err
}

// api returns the path of a resource of the table.
func (t *attacker) api(path string) string { return "/api/v1/tables/" + t.seat.Table + path }

// send makes a request with the seat's token, if there is a seat, and counts the status of the
// answer. It returns the status, 0 if there was no answer.
func (t *attacker) send(
	ctx context.Context, method, path string, body []byte, headers ...string,
) int {
	r, err := http.NewRequestWithContext(
		ctx, method, t.url.JoinPath("/").String()+strings.TrimPrefix(path, "/"),
		bytes.NewReader(body),
	)
	if err != nil {
		return 0
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if t.seat.Token != "" {
		r.Header.Set("Authorization", "Bearer "+t.seat.Token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	status := 0
	if a, err := t.http.Do(r); err == nil {
		_, _ = io.Copy(io.Discard, a.Body) // only the status matters
		_ = a.Body.Close()
		status = a.StatusCode
	}
	if ctx.Err() == nil || status != 0 {
		t.answered(status)
	}
	return status
}

// sendJSON makes a request with a JSON body.
func (t *attacker) sendJSON(ctx context.Context, method, path string, body any) {
	if b, err := json.Marshal(body); err == nil {
		t.send(ctx, method, path, b)
	}
}

// batch numbers updates and posts them. Requests of one client must not overlap.
func (t *attacker) batch(ctx context.Context, us ...table.Update) int {
	t.mu.Lock()
	for i := range us {
		t.seq++
		us[i].Seq = t.seq
	}
	b := wire.AppendBatch(nil, wire.Batch{Client: t.client, Epoch: t.view.Epoch, Updates: us})
	t.mu.Unlock()
	return t.send(ctx, http.MethodPost, t.api("/updates"), b)
}

// kind returns the first kind for which is holds.
func (t *attacker) kind(is func(*game.Kind) bool) (uint32, error) {
	for i := range t.kinds {
		if is(&t.kinds[i]) {
			return uint32(i), nil
		}
	}
	return 0, fmt.Errorf("the game lacks a kind of piece")
}

// fill adds n pieces of a kind to the table and reads the table again.
func (t *attacker) fill(ctx context.Context, kind uint32, n int) error {
	for ; n > 0; n -= wire.MaxBatch {
		us := make([]table.Update, min(n, wire.MaxBatch))
		for i := range us {
			us[i] = table.Update{
				Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: kind, X: int32(i) * 10,
				Y: int32(n % 1000),
			}
		}
		if status := t.batch(ctx, us...); status != http.StatusAccepted {
			return fmt.Errorf("pieces are refused: %d", status)
		}
	}
	v, err := t.server.Read(ctx, t.seat)
	t.view = v
	return err
}

// find returns up to most pieces of a kind.
func (t *attacker) find(kind uint32, most int) []table.Shown {
	var found []table.Shown
	for _, s := range t.view.Pieces {
		if s.Kind == kind && len(found) < most {
			found = append(found, s)
		}
	}
	return found
}

// stream opens a WebSocket by hand. It returns nil if the server refuses it.
func (t *attacker) stream(ctx context.Context, path, protocol string) net.Conn {
	c, err := t.dialer.DialContext(ctx, "tcp", t.url.Host)
	if err != nil {
		t.answered(0)
		return nil
	}
	_ = c.SetDeadline(time.Now().Add(attackerTimeout))
	token := ""
	if t.seat.Token != "" {
		token = "Authorization: Bearer " + t.seat.Token + "\r\n"
	}
	_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\n%s\r\n", path,
		t.url.Host, protocol, token)
	//nolint:bodyclose // an upgrade has none
	a, err := http.ReadResponse(bufio.NewReaderSize(c, 16), nil)
	if err != nil {
		t.answered(0)
		_ = c.Close()
		return nil
	}
	t.answered(a.StatusCode)
	if a.StatusCode != http.StatusSwitchingProtocols {
		_ = c.Close()
		return nil
	}
	_ = c.SetDeadline(time.Time{})
	return c
}

// newStream opens a stream of a new client of the seat.
func (t *attacker) newStream(ctx context.Context) net.Conn {
	var c id.Client
	_, _ = rand.Read(c[:]) // never fails
	return t.stream(ctx, t.api("/stream?client="+c.String()), "holt.v1")
}

// keep keeps a connection open until leave.
func (t *attacker) keep(c net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, c)
}
