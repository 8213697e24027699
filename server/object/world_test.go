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

// memory is a store that can lose everything behind its last durable batch.
type memory struct {
	values [spaces + 1]map[id.OID][]byte
	order  [spaces + 1][]id.OID // nil: to be sorted again
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

// apply writes, and returns what takes it back.
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
	id      id.GWID
	host    *Host
	disk    *memory
	batches []batch
	skew    id.Millis
	minted  uint64
	life    uint64           // how often it was restored, and 1
	durable map[id.OID]*head // the heads that are durable
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
	// quirks is what the machines do wrong on purpose.
	config func(*Config)

	tickets Ticket
	asked   map[Ticket]request
	added   map[id.OID]map[uint64]bool // acknowledged
	aways   map[absentee]absence       // what is away for whom
	owners  map[tenure]int
	terms   map[id.OID]Term
	class   map[id.OID]Class
	dead    map[id.OID]bool
	// collected is what was deleted by its owner.
	collected map[id.OID]bool
	problem   string
	given     func(to int, oid id.OID) // what a host does with what it is given
	shelves   func(i int, oid id.OID)  // keeps what a host gives to the quarantine; nil: the test does
	shelvings int                      // how often the quarantine was asked whether it has room
	sent      int                      // messages
	heard     map[uint64]Body          // answers to what was asked by ask
	events    []Event                  // if keep
	keep      bool
	lax       bool // things may be lost, and contents are not looked at
	// outcast are hosts that others have given up: until they are told they may serve what has a newer term elsewhere.
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

// counts is what happened in a world, so that one can see that it shows something.
type counts struct {
	crashes, moves, deleted, answers, failures, refusals, offences, pinged, inputs, checked int
	faults
}

// faults is what was done to the hosts of a world.
type faults struct {
	hosts     [16]int // how many worlds had so many
	undone    int     // batches that a crash took back
	halved    int     // crashes at which some of the messages of the last batch had gone out
	cuts      int     // lines that were cut
	downs     int     // hosts that were told that another one is not there
	pauses    int     // links that were paused
	dropped   int     // packets that were lost
	doubled   int     // packets that came twice
	overtaken int     // packets that came before older ones of the same line
	back      int     // clocks that were set back
}

func newWorld(t testing.TB, r *rand.Rand, n int, config func(*Config)) *world {
	w := &world{
		t: t, r: r, now: 1_000_000_000, config: config, asked: map[Ticket]request{}, added: map[id.OID]map[uint64]bool{},
		owners: map[tenure]int{}, terms: map[id.OID]Term{}, aways: map[absentee]absence{}, class: map[id.OID]Class{}, dead: map[id.OID]bool{}, collected: map[id.OID]bool{}, heard: map[uint64]Body{},
		log: func(string, ...any) {},
	}
	w.seen.hosts[n-1]++
	for i := range n {
		b := &box{id: gwid(i), life: 1, disk: newMemory(), durable: map[id.OID]*head{}}
		w.boxes = append(w.boxes, b)
	}
	for i := range w.boxes {
		w.start(i)
	}
	return w
}

func gwid(i int) id.GWID { return id.GWID{0: 0x10 + byte(i), 7: byte(i + 1)} }

func indexOf(g id.GWID) int { return int(g[7]) - 1 }

func (w *world) moment(i int) Moment {
	m := Moment{Now: w.now + w.boxes[i].skew}
	binary.LittleEndian.PutUint64(m.Random[:], w.r.Uint64())
	return m
}

func sum(host id.GWID, b []byte) []byte {
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
		Verify: func(h id.GWID, m, s []byte) bool { return bytes.Equal(s, sum(h, m)) },
		Link: func(h id.GWID) Link {
			return Link{Open: indexOf(h) < len(w.boxes) && !w.paused[i][indexOf(h)], Keep: true, Objects: 1000, Bytes: 1 << 30}
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

// input gives a host something to do.
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

// did takes a step into what is not durable yet.
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

// absentee is an object that a host could not reach.
type absentee struct {
	box int
	oid id.OID
}

// waits is after how many minutes an object that was away so often in a row is asked for again (O17).
var waits = []id.Millis{0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 7 * 24 * 60}

// missed checks that what is away is waited for exactly as long as it is to be (O17).
func (w *world) missed(i int, x Write) {
	key, now := absentee{i, x.OID}, max(0, w.now+w.boxes[i].skew)
	old := w.aways[key]
	if x.Value == nil {
		delete(w.aways, key)
		return
	}
	var a absence
	if err := decode(x.Value, &a); err != nil {
		panic(err)
	}
	w.aways[key] = a
	wait := waits[min(int(a.Failures), len(waits)-1)] * 60_000
	switch {
	case a.Until != now+wait:
		w.fail("O17: %s is away for %d for the %dth time, until %d from now", x.OID, i, a.Failures, a.Until-now)
	case a.Failures == 1: // for the first time, or since it came back
	case a.Failures == old.Failures && a.Until >= old.Until, a.Failures != old.Failures && a.Failures != old.Failures+1:
		w.fail("O17: %s is away for %d: %+v after %+v", x.OID, i, a, old)
	case a.Failures > old.Failures && now < old.Until:
		w.fail("O17: %s is asked for by %d before its time", x.OID, i)
	}
}

func parseHead(b []byte) *head {
	h := &head{}
	if err := decode(b, h); err != nil {
		panic(err)
	}
	return h
}

// served checks that a host serves an object alone (O8, O10), and that nothing moves that must not (O5).
func (w *world) served(i int, x Write) {
	h := parseHead(x.Value)
	if h.Class.Fixed() && x.OID.Creator() != w.boxes[i].id {
		w.fail("O5: %s of class %d is at %d", x.OID, h.Class, i)
	}
	if h.State != here || h.Life < w.boxes[i].life {
		return
	}
	for j, b := range w.boxes {
		v := b.disk.values[Heads][x.OID]
		if j == i || v == nil {
			continue
		}
		if o := parseHead(v); o.State == here && o.Life >= b.life && !w.pastOf(i, h.Term, o.Term) && !w.pastOf(j, o.Term, h.Term) {
			w.fail("O10: %s is served by %d in term %d and by %d in term %d", x.OID, i, h.Term, j, o.Term)
		}
	}
}

// pastOf reports whether a host may serve an object in a term though somebody else serves it in another one: others have gone on without
// that host, and nobody reaches the newer term by moving (O41).
func (w *world) pastOf(i int, term, now Term) bool { return w.outcast[i] && outdated(term, now) }

// once checks that nothing was carried out twice (O14).
func (w *world) once(x Write) {
	if w.lax {
		return
	}
	b := &body{}
	if err := decode(x.Value, b); err != nil {
		panic(err)
	}
	seen, last := map[uint64]bool{}, map[uint64]uint64{}
	for c := b.Content; len(c) >= 8; c = c[8:] {
		tag := binary.LittleEndian.Uint64(c)
		if seen[tag] {
			w.fail("O14: call %d of %s was carried out twice", tag, x.OID)
		}
		seen[tag] = true
		if from := tag >> 56; tag < last[from] {
			w.fail("O15: call %d of %s was carried out after %d of the same host", tag, x.OID, last[from])
		}
		last[tag>>56] = tag
	}
}

// flush makes the oldest batch of a host durable, and lets out what waited for that. most: how many messages get out.
func (w *world) flush(i, most int) {
	b := w.boxes[i]
	if len(b.batches) == 0 {
		return
	}
	x := b.batches[0]
	b.batches = b.batches[1:]
	var gone []id.OID
	for _, y := range x.step.Writes {
		if y.Space != Heads {
			continue
		}
		if y.Value == nil {
			if b.durable[y.OID] != nil {
				gone = append(gone, y.OID)
			}
			delete(b.durable, y.OID)
			continue
		}
		h := parseHead(y.Value)
		b.durable[y.OID] = h
		w.tenured(i, y.OID, h)
		w.refers(i, y.OID, h)
	}
	for _, y := range x.step.Writes {
		if y.Space == Helds && y.Value != nil && w.dead[y.OID] && !w.lax && w.disasters == nil {
			w.fail("O29: %d gets a reference to %s, which is deleted", i, y.OID)
		}
	}
	for n, s := range x.step.Sends {
		if n >= most {
			break
		}
		w.post(i, s)
	}
	if len(gone) > 0 {
		w.vanished(gone, x.step.Events)
	}
	if most < len(x.step.Sends) {
		return // it crashes now
	}
	for _, e := range x.step.Events {
		w.event(i, e)
	}
}

// tenured checks that terms rise, and that each has one owner (O10).
func (w *world) tenured(i int, oid id.OID, h *head) {
	if h.State != here || h.Life < w.boxes[i].life {
		return
	}
	if w.disasters != nil {
		delete(w.disasters.unborn, oid)
	}
	if h.Term < w.terms[oid] && !w.pastOf(i, h.Term, w.terms[oid]) && !w.begun(i, oid, h.Term) {
		w.fail("O10: %s at %d in term %d after %d", oid, i, h.Term, w.terms[oid])
	}
	w.terms[oid] = max(h.Term, w.terms[oid])
	if o, ok := w.owners[tenure{oid, h.Term}]; ok && o != i {
		w.fail("O10: %s in term %d at %d and %d", oid, h.Term, i, o)
	}
	w.owners[tenure{oid, h.Term}] = i
}

// begun reports whether a tenure is one that has begun before: a term of later may be forgotten by who was restored (O11).
func (w *world) begun(i int, oid id.OID, term Term) bool {
	o, ok := w.owners[tenure{oid, term}]
	return w.disasters != nil && ok && o == i
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

// reachable returns what can be reached from any root, through all durable copies and what is under way.
func (w *world) reachable() map[id.OID]bool {
	seen := map[id.OID]bool{}
	var queue []id.OID
	push := func(o id.OID) {
		if !seen[o] {
			seen[o] = true
			queue = append(queue, o)
		}
	}
	for _, b := range w.boxes {
		for oid, h := range b.durable {
			if h.root() {
				push(oid)
			}
		}
	}
	for len(queue) > 0 {
		o := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, b := range w.boxes {
			if h := b.durable[o]; h != nil {
				for _, ref := range h.Refs {
					push(ref)
				}
			}
		}
	}
	return seen
}

func (w *world) exists(oid id.OID) bool {
	for _, b := range w.boxes {
		if b.durable[oid] != nil {
			return true
		}
	}
	return false
}

// refers checks that nothing that is needed refers to what is deleted (O29).
func (w *world) refers(i int, oid id.OID, h *head) {
	if w.lax || w.disasters != nil || !slices.ContainsFunc(h.Refs, func(ref id.OID) bool { return w.dead[ref] }) {
		return
	}
	if w.reachable()[oid] {
		w.fail("O29: %s at %d is needed, and refers to what is deleted: %v", oid, i, h.Refs)
	}
}

// vanished checks that what was let go of was collected, and is not needed (O29).
func (w *world) vanished(gone []id.OID, said []Event) {
	if w.lax || w.disasters != nil {
		return
	}
	for _, e := range said {
		if d, ok := e.(Deleted); ok {
			w.collected[d.OID] = true // there may be a copy left of who has not heard yet that it was moved
		}
	}
	var lost []id.OID
	for _, oid := range gone {
		if !w.exists(oid) {
			lost = append(lost, oid)
			w.dead[oid] = true
			if !w.collected[oid] {
				w.fail("O29: %s was not collected, and is nowhere", oid)
			}
		}
	}
	if len(lost) == 0 {
		return
	}
	reachable := w.reachable()
	for _, oid := range lost {
		if reachable[oid] {
			w.fail("O29: %s is needed and deleted", oid)
		}
		for i, b := range w.boxes {
			if b.disk.values[Helds][oid] != nil {
				w.fail("O29: %s is held by %d and deleted", oid, i)
			}
		}
		for _, p := range w.net {
			if w.carries(p, oid) {
				w.fail("O29: %s is on its way from %d to %d and deleted", oid, p.from, p.to)
			}
		}
	}
}

// carries reports whether a packet passes a reference on that would be taken.
func (w *world) carries(p packet, oid id.OID) bool {
	m, err := ReadMessage(p.b)
	if err != nil {
		w.fail("under way: %v", err)
		return false
	}
	var ps []Passed
	switch b := m.Body.(type) {
	case *Call:
		ps = b.Passed
	case *Offer:
		ps = b.Passed
	case *Give:
		ps = b.Passed
	case *Answer:
		if m.Process == w.boxes[p.to].host.self.Process && w.boxes[p.to].host.asks[m.Number] != nil {
			ps = b.Passed
		}
	}
	for _, x := range ps {
		if x.OID == oid && x.Number > 0 {
			d := w.boxes[p.to].host.disowned.peek(oid)
			return d == nil || x.Number > d.Number
		}
	}
	return false
}

// deliver gives a packet to whom it is for.
func (w *world) deliver(k int) {
	p := w.net[k]
	w.net[k] = w.net[len(w.net)-1]
	w.net = w.net[:len(w.net)-1]
	if w.cut[p.from][p.to] || w.now-p.born > 3_600_000 {
		w.seen.dropped++
		return
	}
	if slices.ContainsFunc(w.net, func(o packet) bool { return o.from == p.from && o.to == p.to && o.number < p.number }) {
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

// crash ends a process, with some of its batches durable and some of the messages of the last of them on their way.
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

// full reports whether the quarantine has no room: it has none every eighth time. Nothing is drawn for that, so that older seeds mean what
// they meant.
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

// reread takes what a host has on its disk for what it knows of what is away.
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

// toy is what the objects of a world do.
type toy struct{}

func (toy) Invoke(i Invocation) Result {
	r := Result{Content: i.Content, Refs: i.Refs}
	switch i.Method {
	case "add":
		r.Changed, r.Content = true, append(slices.Clip(i.Content), i.Args...)
	case "lay":
		r.Changed, r.Refs = true, append(slices.Clip(i.Refs), i.Passed...)
		if len(setOf(r.Refs)) > 6 && i.Caller != gwid(0) {
			r.Refused = true
		}
	case "cut":
		if len(i.Refs) > 0 {
			at := int(i.Args[0]) % len(i.Refs)
			r.Changed, r.Refs = true, slices.Delete(slices.Clone(i.Refs), at, at+1)
		}
	case "big":
		r.Answer = make([]byte, 60<<10)
	case "show":
		if len(i.Refs) > 0 {
			r.Passed = i.Refs[int(i.Args[0])%len(i.Refs):][:1]
		}
	case "pull": // gives it away
		if len(i.Refs) > 0 {
			at := int(i.Args[0]) % len(i.Refs)
			r.Passed = i.Refs[at:][:1]
			r.Changed, r.Refs = true, slices.Delete(slices.Clone(i.Refs), at, at+1)
		}
	}
	return r
}

func (w *world) create(i int, class Class, refs ...id.OID) id.OID {
	b := w.boxes[i]
	b.minted++
	oid := id.OID{}
	copy(oid[:], b.id[:])
	binary.BigEndian.PutUint64(oid[8:], b.minted)
	w.class[oid] = class
	s, err := b.host.Create(w.moment(i), oid, class, nil, nil, refs)
	w.input(i, s, err)
	w.log("%d creates %s class %d %v", i, oid, class, refs)
	return oid
}

func (w *world) call(i int, oid id.OID, method string, args []byte, passed ...id.OID) Ticket {
	w.tickets++
	q := request{box: i, oid: oid, method: method}
	if method == "add" {
		q.tag = uint64(w.tickets) | uint64(i)<<56
		args = binary.LittleEndian.AppendUint64(nil, q.tag)
	}
	w.asked[w.tickets] = q
	s, err := w.boxes[i].host.Call(w.moment(i), w.tickets, oid, method, args, passed)
	if a, away := w.aways[absentee{i, oid}]; away && w.now+w.boxes[i].skew < a.Until && a.Until <= w.now+w.boxes[i].skew+minute*waits[len(waits)-1] && w.waits(i, oid, s) {
		w.fail("O17: %d sends something for %s before %d: %+v", i, oid, a.Until, s)
	}
	w.log("%d calls %s of %s with %v", i, method, oid, passed)
	w.input(i, s, err)
	return w.tickets
}

// waits reports whether a step asks for an object that is away.
func (w *world) waits(i int, oid id.OID, s Step) bool {
	return slices.ContainsFunc(s.Sends, func(x Send) bool {
		c, ok := x.Message.Body.(*Call)
		return ok && c.OID == oid && c.Number == w.boxes[i].host.next
	})
}

func (w *world) event(i int, e Event) {
	w.log("%d: %T %+v", i, e, e)
	if w.keep {
		w.events = append(w.events, e)
	}
	switch e := e.(type) {
	case Answered:
		w.answered(i, e)
	case Given:
		if w.given != nil {
			w.given(i, e.OID)
		} else if own := w.pick(i, func(_ id.OID, h *head) bool { return h.root() }); !own.IsZero() {
			w.call(i, own, "lay", nil, e.OID)
		}
	case Deleted:
		w.seen.deleted++
		if w.disasters != nil {
			w.collectedAt(i, e.OID)
		}
	case Arrived:
		w.seen.moves++
	case Offended:
		w.seen.offences++
	case Orphaned:
		if w.shelves != nil {
			w.shelves(i, e.OID)
		}
	case Superseded:
		if w.disasters != nil {
			w.superseded(e.OID)
		}
	case Proposed:
		if w.r.IntN(2) == 0 {
			w.move(i, e.OID, e.To)
		}
	case WentBack:
		w.noticed(i)
	case Rounded:
		w.rounds[i]++
		w.seen.pinged += e.Pinged
		w.seen.checked += e.Checked
	}
}

func (w *world) move(i int, oid id.OID, to id.GWID) {
	w.tickets++
	s, err := w.boxes[i].host.Move(w.moment(i), w.tickets, oid, to)
	w.input(i, s, err)
}

func (w *world) answered(i int, e Answered) {
	q, ok := w.asked[e.Ticket]
	if !ok {
		return
	}
	delete(w.asked, e.Ticket)
	switch {
	case e.Failure != nil:
		w.seen.failures++
	case e.Refusal == Forgotten:
		w.fail("O14: call %d of %s at %d is forgotten", q.tag, q.oid, i)
	case e.Refusal != 0:
		w.seen.refusals++
	default:
		w.seen.answers++
		if q.method == "add" && !e.Refused && (w.disasters == nil || e.Ticket > w.disasters.since[q.oid]) {
			if w.added[q.oid] == nil {
				w.added[q.oid] = map[uint64]bool{}
			}
			w.added[q.oid][q.tag] = true
		}
		if len(e.Passed) > 0 && w.r.IntN(3) > 0 {
			if own := w.pick(i, func(_ id.OID, h *head) bool { return h.root() }); !own.IsZero() {
				w.call(i, own, "lay", nil, e.Passed...)
			}
		}
	}
}

// pick draws one of the objects that a host owns.
func (w *world) pick(i int, fits func(id.OID, *head) bool) id.OID {
	var some []id.OID
	for oid, v := range w.boxes[i].disk.values[Heads] {
		if h := parseHead(v); h.State == here && fits(oid, h) {
			some = append(some, oid)
		}
	}
	return w.draw(some)
}

// pickAny draws one of what a host has.
func (w *world) pickAny(i int) id.OID {
	var some []id.OID
	for oid := range w.boxes[i].disk.values[Heads] {
		some = append(some, oid)
	}
	for oid := range w.boxes[i].disk.values[Helds] {
		some = append(some, oid)
	}
	some = slices.DeleteFunc(setOf(some), func(o id.OID) bool { return !w.boxes[i].host.has(o) })
	return w.draw(some)
}

func (w *world) draw(some []id.OID) id.OID {
	if len(some) == 0 {
		return id.OID{}
	}
	slices.SortFunc(some, compare)
	return some[w.r.IntN(len(some))]
}
