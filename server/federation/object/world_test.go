package object

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

// memory is a store that can lose everything after its last durable batch.
type memory struct {
	values [spaces + 1]map[id.OID][]byte
	order  [spaces + 1][]id.OID // nil: it must be sorted again
}

func newMemory() *memory {
	m := &memory{}
	for i := range m.values {
		m.values[i] = map[id.OID][]byte{}
	}
	return m
}

func (m *memory) Get(s Space, oid id.OID) ([]byte, error) { return m.values[s][oid], nil }

func (m *memory) Scan(s Space, behind id.OID, each func(id.OID, []byte) bool) error {
	if m.order[s] == nil {
		for oid := range m.values[s] {
			m.order[s] = append(m.order[s], oid)
		}
		slices.SortFunc(m.order[s], compare)
	}
	at, found := slices.BinarySearchFunc(m.order[s], behind, compare)
	if found {
		at++
	}
	for _, oid := range m.order[s][at:] {
		if !each(oid, m.values[s][oid]) {
			break
		}
	}
	return nil
}

// apply writes, and returns the writes that undo it.
func (m *memory) apply(ws []Write) (undo []Write) {
	for _, w := range ws {
		old, had := m.values[w.Space][w.OID]
		undo = append(undo, Write{w.Space, w.OID, old})
		if w.Value == nil {
			delete(m.values[w.Space], w.OID)
		} else {
			m.values[w.Space][w.OID] = w.Value
		}
		if had != (w.Value != nil) {
			m.order[w.Space] = nil
		}
	}
	slices.Reverse(undo)
	return undo
}

// batch is a step that is not durable yet.
type batch struct {
	step Step
	undo []Write
}

// box is one host of a world, with its disk.
type box struct {
	id      id.HostID
	host    *Host
	disk    *memory
	batches []batch
	skew    id.Millis
	minted  uint64
	life    uint64           // how often it was restored, plus 1
	durable map[id.OID]*head // the durable heads
}

// packet is a message under way.
type packet struct {
	from, to int
	b        []byte
	born     id.Millis
	number   int
}

// world is some hosts with objects, and lines between them.
type world struct {
	t      testing.TB
	r      *rand.Rand
	now    id.Millis
	boxes  []*box
	net    []packet
	cut    [16][16]bool
	paused [16][16]bool
	loss   int // percent
	twice  int // percent
	// config changes the machines so that they do something wrong on purpose.
	config func(*Config)

	tickets Ticket
	asked   map[Ticket]request
	added   map[id.OID]map[uint64]bool // acknowledged calls
	redrawn map[id.OID]uint64          // the newest versions of kinds that were acknowledged
	aways   map[absentee]absence       // which objects are unreachable for which hosts
	owners  map[tenure]int
	terms   map[id.OID]Term
	class   map[id.OID]Class
	dead    map[id.OID]bool
	// collected has the objects that their owners deleted.
	collected map[id.OID]bool
	problem   string
	given     func(to int, oid id.OID) // what a host does with a reference that it was given
	// keeps what a host puts into the quarantine; nil: the test does
	shelves   func(i int, oid id.OID)
	shelvings int             // how often the quarantine was asked whether it has space
	sent      int             // messages
	heard     map[uint64]Body // answers to requests of ask
	events    []Event         // recorded if keep is set
	keep      bool
	declines  bool // the game declines all moves that are proposed
	accepts   bool // it accepts all of them; neither: every other one
	// redraws lets objects get newer versions of their kinds. Seeds that failed before there were
	// such steps play without them, so that they keep their meaning.
	redraws bool
	ties    bool // sets are tied together (O53)
	lax     bool // things may be lost, and contents are not checked
	// outcast are hosts that others have given up. Until they learn of it they may serve an object
	// that has a newer term elsewhere.
	outcast   [16]bool
	disasters *disasters // nil: disks keep what they have
	log       func(format string, args ...any)
	rounds    [16]int
	seen      counts
}

type request struct {
	box    int
	oid    id.OID
	method string
	tag    uint64
}

type tenure struct {
	oid  id.OID
	term Term
}

// counts is what happened in a world. It shows that a test is not vacuous.
type counts struct {
	crashes, moves, deleted, answers, failures, refusals, offences, pinged, inputs, checked int

	redrawn int // newer versions of kinds that were acknowledged
	// Boxes and sets on different hosts that refer to each other, before the last rounds: those that
	// nobody needs, and those that somebody does.
	deadTies, liveTies int
	faults
}

// faults is what happened to the hosts of a world.
type faults struct {
	hosts     [16]int // how many worlds had i hosts
	undone    int     // batches that a crash undid
	halved    int     // crashes after some messages of the last batch were sent
	cuts      int     // lines that were cut
	downs     int     // hosts that noticed that another one is unreachable
	pauses    int     // links that were paused
	dropped   int     // packets that were lost
	doubled   int     // packets that arrived twice
	overtaken int     // packets that arrived before older ones of the same line
	back      int     // clocks that were set back
}

func newWorld(t testing.TB, r *rand.Rand, n int, config func(*Config)) *world {
	w := &world{
		t: t, r: r, now: 1_000_000_000, config: config, asked: map[Ticket]request{},
		added: map[id.OID]map[uint64]bool{}, redrawn: map[id.OID]uint64{},
		owners: map[tenure]int{}, terms: map[id.OID]Term{}, aways: map[absentee]absence{},
		class: map[id.OID]Class{},
		dead:  map[id.OID]bool{}, collected: map[id.OID]bool{}, heard: map[uint64]Body{},
		log: func(string, ...any) {},
	}
	w.seen.hosts[n-1]++
	for i := range n {
		b := &box{id: hostID(i), life: 1, disk: newMemory(), durable: map[id.OID]*head{}}
		w.boxes = append(w.boxes, b)
	}
	for i := range w.boxes {
		w.start(i)
	}
	return w
}

func hostID(i int) id.HostID { return id.HostID{0: 0x10 + byte(i), 7: byte(i + 1)} }

func indexOf(g id.HostID) int { return int(g[7]) - 1 }

func (w *world) moment(i int) Moment {
	m := Moment{Now: w.now + w.boxes[i].skew}
	binary.LittleEndian.PutUint64(m.Random[:], w.r.Uint64())
	return m
}

func sum(host id.HostID, b []byte) []byte {
	f := fnv.New64a()
	f.Write(host[:])
	f.Write(b)
	return f.Sum(nil)
}

func (w *world) start(i int) {
	b := w.boxes[i]
	c := Config{
		Self: b.id, Store: b.disk, Cache: 64, Suspect: 3,
		Sign:   func(m []byte) []byte { return sum(b.id, m) },
		Verify: func(h id.HostID, m, s []byte) bool { return bytes.Equal(s, sum(h, m)) },
		Link: func(h id.HostID) Link {
			return Link{Open: indexOf(h) < len(w.boxes) && !w.paused[i][indexOf(h)], Keep: true,
				Objects: 1000, Bytes: 1 << 30}
		},
		Class: func(c Class) Behaviour { return toy{} },
	}
	if w.config != nil {
		w.config(&c)
	}
	h, s, err := Open(c, w.moment(i))
	if err != nil {
		w.fail("open %d: %v", i, err)
		return
	}
	b.host = h
	w.did(i, s)
}

func (w *world) fail(format string, args ...any) {
	if w.problem == "" {
		w.problem = fmt.Sprintf(format, args...)
		w.log("PROBLEM %s", w.problem)
	}
}

// input handles the result of an input to a host.
func (w *world) input(i int, s Step, err error) {
	if errors.Is(err, ErrWentBack) {
		return // it is opened again when that is durable
	}
	if err != nil {
		w.fail("host %d: %v", i, err)
		return
	}
	w.did(i, s)
}

// did adds a step to what is not durable yet.
func (w *world) did(i int, s Step) {
	b := w.boxes[i]
	w.seen.inputs++
	if len(s.Writes)+len(s.Sends)+len(s.Events) == 0 {
		return
	}
	b.batches = append(b.batches, batch{s, b.disk.apply(s.Writes)})
	for _, x := range s.Writes {
		if x.Space == Aways {
			w.missed(i, x)
		}
		if x.Space == Copies && x.Value == nil && w.disasters != nil {
			w.droppedCopy(x.OID)
		}
		if x.Space == Heads && x.Value != nil {
			w.served(i, x)
		}
		if x.Space == Bodies && x.Value != nil {
			w.once(x)
		}
	}
}

func (w *world) post(i int, s Send) {
	j := indexOf(s.To)
	w.sent++
	if s.Message.Process == stranger {
		w.heard[s.Message.Number] = s.Message.Body
		return
	}
	if j >= len(w.boxes) || w.cut[i][j] || w.r.IntN(100) < w.loss {
		w.seen.dropped++
		return
	}
	p := packet{i, j, s.Message.Append(nil), w.now, w.sent}
	w.net = append(w.net, p)
	if w.r.IntN(100) < w.twice {
		w.seen.doubled++
		w.net = append(w.net, p)
	}
}

// deliver delivers a packet.
func (w *world) deliver(k int) {
	p := w.net[k]
	w.net[k] = w.net[len(w.net)-1]
	w.net = w.net[:len(w.net)-1]
	if w.cut[p.from][p.to] || w.now-p.born > 3_600_000 {
		w.seen.dropped++
		return
	}
	if slices.ContainsFunc(w.net,
		func(o packet) bool { return o.from == p.from && o.to == p.to && o.number < p.number }) {
		w.seen.overtaken++
	}
	m, err := ReadMessage(p.b)
	if err != nil {
		w.fail("from %d to %d: %v", p.from, p.to, err)
		return
	}
	w.log("%d→%d %T %+v", p.from, p.to, m.Body, m.Body)
	s, err := w.boxes[p.to].host.Receive(w.moment(p.to), w.boxes[p.from].id, m)
	w.input(p.to, s, err)
}

// crash ends a process. Some of its batches are durable, and some of the messages of the last of
// them are on their way.
func (w *world) crash(i int) {
	b := w.boxes[i]
	w.seen.crashes++
	for len(b.batches) > 0 && w.r.IntN(3) > 0 {
		most := len(b.batches[0].step.Sends)
		last := w.r.IntN(2) == 0
		if last {
			if most = w.r.IntN(most + 1); most < len(b.batches[0].step.Sends) {
				w.seen.halved++
			}
		}
		w.flush(i, most)
		if last {
			break
		}
	}
	w.seen.undone += len(b.batches)
	w.undo(i)
	w.reread(i)
	w.log("crash %d", i)
	w.start(i)
}

// full returns whether the quarantine is full: every eighth time. It draws no random number for
// that, so that older seeds keep their meaning.
func (w *world) full() bool {
	w.shelvings++
	return w.shelvings%8 == 0
}

// undo takes back what a host has not made durable.
func (w *world) undo(i int) {
	b := w.boxes[i]
	for k := len(b.batches) - 1; k >= 0; k-- {
		b.disk.apply(b.batches[k].undo)
	}
	b.batches = nil
	if w.disasters != nil {
		w.unborn(i)
	}
}

// reread takes what a host has on its disk as its knowledge of unreachable objects.
func (w *world) reread(i int) {
	for key := range w.aways {
		if key.box == i {
			delete(w.aways, key)
		}
	}
	for oid, v := range w.boxes[i].disk.values[Aways] {
		var a absence
		if err := decode(v, &a); err != nil {
			panic(err)
		}
		w.aways[absentee{i, oid}] = a
	}
}

// Unreachable returns why and until when an object is unreachable, and false if it is reachable
// (O20). Call it between inputs.
func (h *Host) Unreachable(oid id.OID) (Failure, bool) {
	a := h.away.items[oid]
	if a == nil {
		return Failure{}, false
	}
	return *a.failure(oid), true
}
