package bench

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// attack is one way to harm a server.
type attack struct {
	name    string
	by      string
	workers int  // how many workers do steps at once; 0: one
	here    bool // the attacker takes a seat at the table of the players
	// prepare is nil where a seat, or a link that answers one step, is all that is needed.
	prepare func(context.Context, *attacker) error
	step    func(context.Context, *attacker)
}

func (a *attack) prepared(ctx context.Context, t *attacker) error {
	switch {
	case a.prepare != nil:
		return a.prepare(ctx, t)
	case a.here:
		return nil // there is no such table before the players play
	case a.by == bySeat:
		return t.sit(ctx)
	case a.by == byLinked:
		if err := prepareLink(ctx, t); err != nil {
			return err
		}
		return t.firstStep(ctx, a.step)
	}
	return nil
}

// Who attacks.
const (
	bySeat   = "a seat"
	byNobody = "an address"
	byServer = "another server"
	byLinked = "a linked server"
)

// Sizes of what attackers prepare.
const (
	manyCards = 2000
	manyHands = 800
)

// attacks are the cheapest attacks that we know.
var attacks = []attack{
	{name: "shuffles of a large deck", by: bySeat, prepare: prepareDeck, step: stepShuffles},
	{name: "one of many hands moved", by: bySeat, prepare: prepareHands, step: stepHands},
	{name: "bogus batches", by: bySeat, workers: 4, step: stepInvalid},
	{name: "bad updates of a held piece", by: bySeat, here: true, step: stepBadUpdates},
	{name: "notes written", by: bySeat, prepare: prepareNotes, step: stepNotes},
	{name: "rounds opened", by: bySeat, workers: 4, step: stepRounds},
	{name: "tables read", by: bySeat, workers: 4, step: stepReads},
	{name: "streams that come and go", by: bySeat, workers: 8, step: stepReconnects},
	{name: "fragments of a WebSocket", by: bySeat, workers: 2, step: stepFragments},
	{name: "pings", by: bySeat, workers: 2, step: stepPings},
	{name: "readers that do not read", by: bySeat, prepare: prepareDeck, step: stepSlowReaders},
	{name: "seats taken", by: byNobody, workers: 4, prepare: prepareInvite, step: stepSeats},
	{name: "tables made", by: byNobody, workers: 4, step: stepTables},
	{name: "wrong tokens", by: byNobody, workers: 4, prepare: prepareGuesses, step: stepTokens},
	{name: "front pages with cookies", by: byNobody, workers: 4, step: stepFrontPages},
	{name: "bodies that come slowly", by: byNobody, workers: 4, step: stepSlowBodies},
	{name: "connections of servers", by: byServer, workers: 4, step: stepPeers},
	{name: "surveys", by: byLinked, step: stepSurveys},
	{name: "finds of unknown sets", by: byLinked, step: stepFinds},
	{name: "calls of unknown sets", by: byLinked, step: stepCalls},
	{name: "swaps by bad deeds", by: byLinked, step: stepDeeds},
	{name: "largest messages", by: byLinked, prepare: prepareLargest, step: stepLargest},
	{name: "links that come and go", by: byLinked, step: stepRelinks},
	{name: "bags of nobody", by: byLinked, step: stepVisits},
	{name: "unknown pictures", by: byLinked, step: stepFetches},
}

// prepareDeck puts many cards into a deck.
func prepareDeck(ctx context.Context, t *attacker) error {
	if err := t.sit(ctx); err != nil {
		return err
	}
	deck, err := t.kind(func(k *game.Kind) bool { return k.Container.Draws != "" })
	if err != nil {
		return err
	}
	card, err := t.kind(func(k *game.Kind) bool { return k.Secret && !k.Unknown })
	if err != nil {
		return err
	}
	into := t.find(deck, 1)
	if len(into) == 0 {
		return fmt.Errorf("no deck lies on the table")
	}
	t.pieces = []id.Piece{into[0].Name}
	known := map[id.Piece]bool{}
	for _, s := range t.view.Pieces {
		known[s.Name] = true
	}
	if err := t.fill(ctx, card, manyCards); err != nil {
		return err
	}
	var us []table.Update
	for _, s := range t.view.Pieces {
		if !known[s.Name] {
			us = append(us, table.Update{
				Op: table.OpStow, Has: table.HasPiece | table.HasTag | table.HasInto, Piece: s.Name,
				Tag: s.Version, Into: into[0].Name,
			})
		}
	}
	for ; len(us) > 0; us = us[min(len(us), wire.MaxBatch):] {
		if status := t.batch(
			ctx, us[:min(len(us), wire.MaxBatch)]...,
		); status != http.StatusAccepted {
			return fmt.Errorf("cards are not stowed: %d", status)
		}
	}
	return nil
}

func stepShuffles(ctx context.Context, t *attacker) {
	us := make([]table.Update, wire.MaxBatch)
	for i := range us {
		us[i] = table.Update{Op: table.OpShuffle, Has: table.HasPiece, Piece: t.deck()}
	}
	t.batch(ctx, us...)
}

// deck returns the first of the attacker's pieces, such as the deck that prepareDeck filled, or 1.
func (t *attacker) deck() id.Piece {
	if len(t.pieces) == 0 {
		return 1
	}
	return t.pieces[0]
}

// prepareHands puts many hands on the table, all owned by the attacker, and cards beside them.
func prepareHands(ctx context.Context, t *attacker) error {
	if err := t.sit(ctx); err != nil {
		return err
	}
	hand, err := t.kind(func(k *game.Kind) bool { return k.Hand })
	if err != nil {
		return err
	}
	card, err := t.kind(func(k *game.Kind) bool { return k.Secret && !k.Unknown })
	if err != nil {
		return err
	}
	if err = t.fill(ctx, hand, manyHands); err == nil {
		err = t.fill(ctx, card, manyHands)
	}
	for _, s := range t.find(hand, manyHands) {
		t.pieces = append(t.pieces, s.Name)
	}
	if err != nil || len(t.pieces) == 0 {
		return err
	}
	for names := t.pieces; len(names) > 0; names = names[min(len(names), wire.MaxBatch):] {
		var us []table.Update
		for _, name := range names[:min(len(names), wire.MaxBatch)] {
			us = append(us, table.Update{Op: table.OpClaim, Has: table.HasPiece, Piece: name})
		}
		t.batch(ctx, us...)
	}
	t.view, err = t.server.Read(ctx, t.seat)
	return err
}

// tagged returns an update of a piece, tagged with the version of the view that was read last.
func (t *attacker) tagged(op table.Op, name id.Piece) table.Update {
	u := table.Update{Op: op, Has: table.HasPiece | table.HasTag, Piece: name, Tag: t.view.Version}
	return u
}

func stepHands(ctx context.Context, t *attacker) {
	us := make([]table.Update, wire.MaxBatch)
	for i := range us {
		us[i] = t.tagged(table.OpMove, t.deck())
		us[i].Has |= table.HasXY
		us[i].X, us[i].Y = int32(i%7)*100, int32(i%11)*100
	}
	t.batch(ctx, us...)
}

func stepInvalid(ctx context.Context, t *attacker) {
	us := make([]table.Update, wire.MaxBatch)
	for i := range us {
		us[i] = table.Update{
			Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: 1,
			Tag: 1 << 16, X: int32(i),
		}
	}
	us[len(us)-1].Tag = 1 << 52
	t.batch(ctx, us...)
}

// Bad updates: how many are in a batch, and how long to wait before the next batch. That makes at
// least a thousand a second.
const (
	badInBatch  = 40
	badInterval = 25 * time.Millisecond
)

// stepBadUpdates sends updates that are stale, or that its seat may not make, of the piece that the
// first player drags. Of twenty batches one is invalid.
func stepBadUpdates(ctx context.Context, t *attacker) {
	pause(ctx, badInterval)
	held := t.held()
	us := make([]table.Update, badInBatch)
	for i := range us {
		us[i] = table.Update{
			Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: held.Name,
			Tag: held.Version, X: int32(i),
		}
		if i%2 == 0 {
			us[i].Tag = 1 << 16 // the first version of all
		}
	}
	if t.steps.Load()%20 == 19 {
		us[badInBatch-1].Tag = 1 << 52
	}
	t.batch(ctx, us...)
}

// held returns the piece that the first player holds, or any piece if there is none.
func (t *attacker) held() (held table.Shown) {
	first := t.victims.players[0]
	for _, s := range first.client.View().Pieces {
		if held = s; s.Holder == first.seat.Number {
			break
		}
	}
	return held
}

// prepareNotes puts text notes on the table.
func prepareNotes(ctx context.Context, t *attacker) error {
	if err := t.sit(ctx); err != nil {
		return err
	}
	note, err := t.kind(func(k *game.Kind) bool { return k.Text != game.Text{} })
	if err != nil {
		return err
	}
	err = t.fill(ctx, note, wire.MaxBatch)
	for _, s := range t.find(note, wire.MaxBatch) {
		t.pieces = append(t.pieces, s.Name)
	}
	return err
}

func stepNotes(ctx context.Context, t *attacker) {
	text := strings.Repeat("x", 900)
	var us []table.Update
	for _, name := range t.pieces {
		u := t.tagged(table.OpWrite, name)
		u.Has, u.Text = u.Has|table.HasText, text
		us = append(us, u)
	}
	t.batch(ctx, us...)
}

func stepRounds(ctx context.Context, t *attacker) {
	t.send(ctx, http.MethodPost, t.api("/rounds"), nil)
}
func stepReads(ctx context.Context, t *attacker) { t.send(ctx, http.MethodGet, t.api(""), nil) }

func stepReconnects(ctx context.Context, t *attacker) {
	if c := t.newStream(ctx); c != nil {
		_ = c.Close()
	}
}

// frames sends first, and then again without end until the server ends the stream.
func (t *attacker) frames(ctx context.Context, first, again []byte) {
	c := t.newStream(ctx)
	if c == nil {
		return
	}
	defer func() { _ = c.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	go func() { // ends when the connection is closed
		var sink [4096]byte
		for {
			if _, err := c.Read(sink[:]); err != nil {
				return
			}
		}
	}()
	if _, err := c.Write(first); err != nil {
		return
	}
	many := bytes.Repeat(again, 4096)
	for {
		if _, err := c.Write(many); err != nil {
			return
		}
	}
}

// Empty frames of a client (RFC 6455, 5.2).
var (
	emptyStart    = []byte{0x02, 0x80, 1, 2, 3, 4}
	emptyFragment = []byte{0x00, 0x80, 1, 2, 3, 4}
	emptyPing     = []byte{0x89, 0x80, 1, 2, 3, 4}
)

func stepFragments(ctx context.Context, t *attacker) { t.frames(ctx, emptyStart, emptyFragment) }
func stepPings(ctx context.Context, t *attacker)     { t.frames(ctx, emptyPing, emptyPing) }

// stepSlowReaders opens a stream that nobody reads, and makes updates for it.
func stepSlowReaders(ctx context.Context, t *attacker) {
	if c := t.newStream(ctx); c != nil {
		t.keep(c)
	}
	t.batch(ctx, table.Update{Op: table.OpShuffle, Has: table.HasPiece, Piece: t.deck()})
}

// prepareInvite creates a table and drops its token: a newcomer has only an invite.
func prepareInvite(ctx context.Context, t *attacker) error {
	err := t.sit(ctx)
	t.seat.Token = ""
	return err
}

func stepSeats(ctx context.Context, t *attacker) {
	invite := t.invites.Player[strings.LastIndexByte(t.invites.Player, '/')+1:]
	t.sendJSON(
		ctx, http.MethodPost, t.api("/seats"),
		map[string]string{"invite": invite, "nick": "Mallory"},
	)
}

func stepTables(ctx context.Context, t *attacker) {
	t.sendJSON(
		ctx, http.MethodPost, "/api/v1/tables",
		map[string]string{"game": "cards", "nick": "Mallory"},
	)
}

// prepareGuesses creates a table and drops its token.
func prepareGuesses(ctx context.Context, t *attacker) error {
	err := t.sit(ctx)
	t.seat = client.Seat{Table: t.seat.Table}
	return err
}

func stepTokens(ctx context.Context, t *attacker) {
	t.send(ctx, http.MethodGet, t.api(""), nil, "Authorization", "Bearer "+time.Now().String())
}

func stepFrontPages(ctx context.Context, t *attacker) {
	var cookies []string
	for i := range 300 {
		cookies = append(cookies, fmt.Sprintf("holt_%032x=guess", time.Now().UnixNano()+int64(i)))
	}
	t.send(ctx, http.MethodGet, "/", nil, "Cookie", strings.Join(cookies, "; "))
}

// stepSlowBodies begins a request and never completes it.
func stepSlowBodies(ctx context.Context, t *attacker) {
	c, err := t.dialer.DialContext(ctx, "tcp", t.url.Host)
	if err != nil {
		t.answered(0)
		return
	}
	_, _ = fmt.Fprintf(
		c,
		"POST /api/v1/tables HTTP/1.1\r\nHost: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		t.url.Host,
	)
	t.keepOrWait(ctx, c)
}

// stepPeers opens a connection as another server would, and sends nothing.
func stepPeers(ctx context.Context, t *attacker) {
	if c := t.stream(ctx, "/api/v1/peer", "holt-peer/1"); c != nil {
		t.keepOrWait(ctx, c)
	}
}

// maxKept is how many connections an attacker keeps open.
const maxKept = 500

// keepOrWait keeps a connection open. If there are maxKept already, it closes the connection and
// waits 10 ms.
func (t *attacker) keepOrWait(ctx context.Context, c net.Conn) {
	t.mu.Lock()
	many := len(t.open) >= maxKept
	t.mu.Unlock()
	if !many {
		t.keep(c)
		return
	}
	_ = c.Close()
	pause(ctx, 10*time.Millisecond)
}
