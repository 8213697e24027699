package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// world says what lies on the table, and who is there.
type world struct {
	// Pieces are "tokens" for two pieces without abilities and a counter, or "cards" for hands, a
	// deck, cards, dice and more.
	Pieces string   `json:"pieces"`
	Seats  []uint32 `json:"seats"` // the seat of each client, from 1 on
	Seed   uint64   `json:"seed"`
	// Linear says that the test goes through one history only: only the newest state is kept.
	Linear bool `json:"linear"`
}

// request asks what becomes of a state.
type request struct {
	From int `json:"from"`
	// Do is what happens: "post", "hello", "resync", "restart", or "view", which changes nothing.
	Do     string          `json:"do"`
	Client int             `json:"client"`
	Batch  json.RawMessage `json:"batch,omitempty"`
	Seq    uint64          `json:"seq"`    // of a hello or a resync
	Resume bool            `json:"resume"` // whether a hello asks to resume at Mark
	Mark   uint64          `json:"mark"`
}

// answer is the new state, and what everybody gets.
type answer struct {
	To      int        `json:"to"`
	Code    string     `json:"code"`   // of the problem, empty if the batch is accepted
	Frames  [][]byte   `json:"frames"` // for each client; null: none
	Judged  []judged   `json:"judged"`
	Entries []recorded `json:"entries"`
	Views   [][]shown  `json:"views,omitempty"` // of each client, in the new state
}

// judged is the outcome of one update of a batch.
type judged struct {
	Seq     uint64 `json:"seq"`
	Piece   uint32 `json:"piece"`
	Tag     uint64 `json:"tag"`
	Verdict string `json:"verdict"`
	Floor   uint64 `json:"floor"` // the version of a reject that names a piece
}

// recorded is an entry about a piece.
type recorded struct {
	Client   int      `json:"client"` // -1: nobody's
	Seq      uint64   `json:"seq"`
	Server   bool     `json:"server"`
	Op       string   `json:"op"`
	Piece    uint32   `json:"piece"`
	Made     bool     `json:"made"`
	Before   shown    `json:"before"`
	Versions []uint64 `json:"versions"` // in the view of each client; 0: it is not shown there
}

// shown is a piece as the state of a client has it.
type shown struct {
	ID     uint32 `json:"id"`
	Kind   uint32 `json:"kind"`
	X      int32  `json:"x"`
	Y      int32  `json:"y"`
	Angle  int32  `json:"angle"`
	Face   int32  `json:"face"`
	Z      string `json:"z"`
	ZMark  uint64 `json:"zMark"`
	Pinned bool   `json:"pinned"`
	Locked bool   `json:"locked"`
	Holder uint32 `json:"holder"`
	Owner  uint32 `json:"owner"`
	Value  int32  `json:"value"`
	Text   string `json:"text"`
}

func shownOf(s *table.Shown) shown {
	return shown{
		ID: uint32(s.Name), Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face,
		Z: string(s.Z), ZMark: uint64(s.ZVersion), Pinned: s.Pinned, Locked: s.Locked,
		Holder: uint32(s.Holder), Owner: uint32(s.Owner), Value: s.Value, Text: s.Text,
	}
}

// states are all states that the test has reached.
type states struct {
	world   *world
	config  table.Config
	first   []table.Place
	made    []made
	numbers map[[32]byte]int
	live    *room // the room of the last state, to go on from there
	at      int
}

// made says how a state comes about.
type made struct {
	from int
	by   request
}

// room is a table with what a room keeps beside it.
type room struct {
	*states
	table  *table.Table
	log    []table.Entry
	image  table.Image // before the first entry of the log
	names  *lots
	random *rand.Rand
	oids   uint64
	now    id.Millis
}

const epoch id.Epoch = 1

func newStates(w *world) (*states, error) {
	if err := checkFields(reflect.TypeFor[table.Table](), counted, leftOut); err != nil {
		return nil, err
	}
	s := &states{world: w, numbers: map[[32]byte]int{}}
	switch w.Pieces {
	case "tokens":
		s.config, s.first = tokens()
	case "cards":
		s.config, s.first = cards()
	default:
		return nil, fmt.Errorf("no pieces are called %q", w.Pieces)
	}
	for i := range s.first {
		s.first[i].OID = oid(uint64(i + 1))
	}
	s.made = []made{{from: -1}}
	s.live = s.begin()
	s.numbers[s.live.digest()] = 0
	return s, nil
}

func oid(n uint64) (o id.OID) {
	binary.BigEndian.PutUint64(o[8:], n)
	return o
}

// clientID returns the identifier of a client, as the test gives it to its page.
func clientID(i int) (c id.Client) {
	c[0], c[15] = 0xc1, byte(i) //nolint:gosec // few
	return c
}

func (w *world) seat(client int) id.Seat { return id.Seat(w.Seats[client]) }

// by returns who a client is. The first seat is the host's.
func (w *world) by(client int) table.By {
	role := table.RolePlayer
	if w.Seats[client] == 1 {
		role = table.RoleHost
	}
	return table.By{Client: clientID(client), Seat: w.seat(client), Role: role}
}

// begin returns the room of state 0.
func (s *states) begin() *room {
	seeded := func(n uint64) *rand.Rand {
		return rand.New(rand.NewPCG(s.world.Seed, n)) //nolint:gosec // no secrets here
	}
	r := &room{states: s, random: seeded(1), oids: 1000, now: 1000}
	r.names = &lots{random: seeded(2), drawn: map[int]bool{}}
	config := s.config
	config.RandomNames = r.names
	r.table = table.New(config)
	r.image = r.table.Image()
	r.table.SetUp(slices.Clone(s.first), r.now)
	for n := range slices.Max(s.world.Seats) {
		role := table.RolePlayer
		if n == 0 {
			role = table.RoleHost
		}
		r.table.Sit(table.SeatInfo{Nick: fmt.Sprint("seat ", n+1), Role: role}, r.now)
	}
	r.take()
	return r
}

// lots draws names, each only once.
type lots struct {
	random *rand.Rand
	drawn  map[int]bool
}

func (l *lots) IntN(n int) int {
	for {
		if v := l.random.IntN(n); !l.drawn[v] {
			l.drawn[v] = true
			return v
		}
	}
}

// room returns the room of a state. Only one of them is in use at a time.
func (s *states) room(n int) (*room, error) {
	if n == s.at && s.live != nil {
		return s.live, nil
	}
	if n < 0 || n >= len(s.made) || s.world.Linear {
		return nil, errors.New("no such state")
	}
	var way []request
	for at := n; at > 0; at = s.made[at].from {
		way = append(way, s.made[at].by)
	}
	r := s.begin()
	for i := range way {
		if _, err := r.do(&way[len(way)-1-i]); err != nil {
			return nil, err
		}
	}
	s.live, s.at = r, n
	return r, nil
}

func (s *states) answer(asked *request) (answer, error) {
	r, err := s.room(asked.From)
	if err != nil {
		return answer{}, err
	}
	a, err := r.do(asked)
	if err != nil || asked.Do == "view" {
		a.To = asked.From
		return a, err
	}
	if s.world.Linear {
		s.at++
		a.To = s.at
		return a, nil
	}
	digest := r.digest()
	to, known := s.numbers[digest]
	if !known {
		to = len(s.made)
		s.numbers[digest] = to
		s.made = append(s.made, made{asked.From, *asked})
	}
	s.at, a.To = to, to
	a.Views = r.views()
	return a, nil
}

// do lets something happen at a room.
func (r *room) do(asked *request) (answer, error) {
	switch asked.Do {
	case "post":
		return r.post(asked)
	case "hello":
		return r.hello(asked)
	case "resync":
		return r.toOne(asked, false)
	case "restart":
		return answer{}, r.restart()
	case "view":
		return answer{Views: r.views()}, nil
	default:
		return answer{}, errors.New("nothing is called so")
	}
}

func (r *room) views() [][]shown {
	all := make([][]shown, len(r.world.Seats))
	for i := range all {
		all[i] = []shown{}
		for _, s := range r.table.All(r.world.seat(i), clientID(i)) {
			all[i] = append(all[i], shownOf(&s))
		}
	}
	return all
}

// take moves what the table has recorded to the log, and returns it.
func (r *room) take() []table.Entry {
	from := len(r.log)
	r.log = append(r.log, r.table.Take()...)
	return r.log[from:]
}

// restart opens the table again from its image and its log (T19).
func (r *room) restart() error {
	config := r.config
	config.RandomNames = r.names
	back, err := table.Open(config, &r.image)
	if err != nil {
		return fmt.Errorf("open the table: %w", err)
	}
	for i := range r.log {
		e := r.log[i]
		if err := back.Replay(&e); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	back.Loaded()
	r.table = back
	return nil
}

// post judges a batch (T15).
func (r *room) post(asked *request) (answer, error) {
	b, err := wire.DecodeBatch(asked.Batch)
	by := r.world.by(asked.Client)
	var invalid *table.Invalid
	switch {
	case errors.As(err, &invalid):
		return answer{Code: invalid.Code}, nil
	case err != nil:
		return answer{}, err
	case b.Client != by.Client:
		return answer{}, errors.New("the batch of another client")
	case b.Epoch != epoch:
		return answer{Code: "epoch"}, nil
	}
	if invalid := r.table.Check(by.Client, by.Seat, b.Updates); invalid != nil {
		return answer{Code: invalid.Code}, nil //nolint:nilerr // a refusal is an answer
	}
	var a answer
	p := r.publication()
	for i := range b.Updates {
		u := &b.Updates[i]
		r.oids++
		out := r.table.Apply(by, u, table.Inputs{
			Now: r.now, OID: oid(r.oids), Rand: r.random, Unproved: r.random, Round: 1,
		})
		j := judged{
			Seq: uint64(u.Seq), Piece: uint32(u.Piece), Tag: uint64(u.Tag),
			Verdict: verdicts[out.Verdict], Floor: uint64(out.Reject.Piece.Version),
		}
		a.Judged = append(a.Judged, j)
		switch out.Verdict {
		case table.Rejected:
			p.event(asked.Client, wire.RejectEvent(&out.Reject))
		case table.Repeated:
			p.event(asked.Client, wire.RepeatEvent(out.Ack))
		case table.Recorded, table.Discarded, table.Deferred:
		}
		for _, e := range r.take() {
			p.entry(&e)
			if e.OfPiece() {
				a.Entries = append(a.Entries, r.recorded(&e))
			}
		}
	}
	a.Frames, err = p.frames()
	return a, err
}

var verdicts = [...]string{
	table.Recorded: "recorded", table.Discarded: "discarded", table.Rejected: "rejected",
	table.Repeated: "repeated", table.Deferred: "deferred",
}

func (r *room) recorded(e *table.Entry) recorded {
	of := recorded{
		Client: r.clientOf(e.Client), Seq: uint64(e.Seq), Server: e.Server, Op: e.Op.String(),
		Piece: uint32(e.Name), Made: e.Made,
		Before: shown{
			X: e.Before.X, Y: e.Before.Y, Angle: e.Before.Angle, Holder: uint32(e.Before.Holder),
			Pinned: e.Before.Pinned, Value: e.Before.Value,
		},
	}
	for i := range r.world.Seats {
		version := id.Version(0)
		if _, _, ok := r.table.Shows(e, r.world.seat(i)); ok {
			version = r.table.VersionAt(r.world.seat(i), e.Gen)
		}
		of.Versions = append(of.Versions, uint64(version))
	}
	return of
}

func (r *room) clientOf(c id.Client) int {
	for i := range r.world.Seats {
		if clientID(i) == c {
			return i
		}
	}
	return -1
}
