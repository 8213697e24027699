package people

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// The first byte of each message about visitors. Package node has the values below these.
const (
	kindAsk    = 0x11 // 8B number, JSON
	kindAnswer = 0x12 // 8B number, JSON
)

// visitLife is for how long a host that a person has visited may speak for them, in milliseconds
// (O38).
const visitLife id.Millis = 7 * 24 * 60 * 60_000

// Bounds of requests.
const (
	askTimeout = 10 * time.Second
	// After two looks without a connection the wait ends.
	lookEvery = time.Second
	// Requests without an answer. Beyond this the host counts as unreachable.
	maxWaiting  = 1024
	maxQuestion = 1 << 12
	messageHead = 1 + 8
)

// asking has the requests to other hosts. It is safe for concurrent use.
type asking struct {
	mu sync.Mutex
	// Guarded by mu.
	number  uint64
	waiting map[uint64]*pendingRequest
}

type pendingRequest struct {
	host   id.HostID
	answer chan []byte // capacity 1: a request is answered once
}

// What a visited host requests of a visitor's own host.
const (
	doBag   = "bag"   // what is in the bag
	doBring = "bring" // let a set be put on a table at the host that asks
	doHome  = "home"  // take a set home
	doLeave = "leave" // let a set stay at the host that asks
)

// request is a request as it is sent.
type request struct {
	Do     string `json:"do"`
	Person string `json:"person"`
	Set    string `json:"set,omitempty"`
}

// response is an answer as it is sent.
type response struct {
	Items  []itemJSON `json:"items,omitempty"`
	Refuse string     `json:"refuse,omitempty"` // a sentence that says why not
}

type itemJSON struct {
	Set    string    `json:"set"`
	Name   string    `json:"name"`
	Place  string    `json:"place"`
	Host   string    `json:"host"`
	Table  string    `json:"table,omitempty"`
	Reason uint8     `json:"reason,omitempty"`
	Until  id.Millis `json:"until,omitempty"`
}

// machine passes on what is not about visitors.
type machine struct {
	peer.Machine
	visits *Visits
}

// keeper is a machine that knows how many objects hosts have of each other.
type keeper struct {
	machine
	peer.Keeper
}

// Machine returns the machine for the links. It processes the messages about visitors, and passes
// the others on to next.
func (v *Visits) Machine(next peer.Machine) peer.Machine {
	m := machine{Machine: next, visits: v}
	if k, ok := next.(peer.Keeper); ok {
		return keeper{m, k}
	}
	return m
}

// Receive processes a message of a linked host.
func (m machine) Receive(host id.HostID, msg peer.Message) {
	if len(msg.Bytes) >= messageHead {
		switch msg.Bytes[0] {
		case kindAsk:
			m.visits.serve(host, msg.Bytes[1:])
			return
		case kindAnswer:
			m.visits.receiveAnswer(host, msg.Bytes[1:])
			return
		}
	}
	m.Machine.Receive(host, msg)
}

// ask sends a request to a host, and waits for its answer. The error is a *room.Unreachable if the
// host does not answer, and a Refused if it refuses.
func (v *Visits) ask(ctx context.Context, host id.HostID, q request) (response, error) {
	absent := &room.Unreachable{Reason: table.AwayOwner}
	text, err := json.Marshal(q)
	if err != nil {
		return response{}, err
	}
	waits := &pendingRequest{host: host, answer: make(chan []byte, 1)}
	n, ok := v.asking.add(waits)
	if !ok {
		return response{}, absent
	}
	defer v.asking.remove(n)
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	b := binary.BigEndian.AppendUint64([]byte{kindAsk}, n)
	if err := v.cfg.Links.Send(
		host, peer.Message{Request: true, Bytes: append(b, text...)},
	); err != nil {
		return response{}, absent
	}
	if text = v.await(ctx, waits); text == nil {
		return response{}, absent
	}
	var a response
	if err := json.Unmarshal(text, &a); err != nil {
		v.cfg.Links.Refused(host, id.OID{}, "an answer about a visitor that cannot be read")
		return response{}, absent
	}
	if a.Refuse != "" {
		return response{}, Refused(plain(a.Refuse))
	}
	return a, nil
}

// await waits for the answer to a request. It returns nil if there is none. It does not wait long
// for a host without a connection.
func (v *Visits) await(ctx context.Context, q *pendingRequest) []byte {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for missing := 0; missing < 2; {
		select {
		case text := <-q.answer:
			return text
		case <-ctx.Done():
			return nil
		case <-look.C:
			if missing++; v.cfg.Links.Reached(q.host) {
				missing = 0
			}
		}
	}
	return nil
}

func (a *asking) add(q *pendingRequest) (uint64, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) >= maxWaiting {
		return 0, false
	}
	a.number++
	a.waiting[a.number] = q
	return a.number, true
}

func (a *asking) remove(n uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, n)
}

// receiveAnswer processes an answer. It ignores one for which nobody waits: the answer came late.
func (v *Visits) receiveAnswer(host id.HostID, b []byte) {
	v.asking.mu.Lock()
	q := v.asking.waiting[binary.BigEndian.Uint64(b)]
	v.asking.mu.Unlock()
	if q == nil || q.host != host {
		return
	}
	select {
	case q.answer <- b[8:]:
	default: // it was answered before
	}
}

// serve answers a request of a host in a goroutine of its own.
func (v *Visits) serve(host id.HostID, b []byte) {
	end, err := v.cfg.Links.Begin(host)
	if err != nil {
		v.answer(host, b[:8], response{
			Refuse: "Your own server has too much to do. Try again in a moment.",
		})
		return
	}
	v.running.Go(func() {
		defer end()
		ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
		defer cancel()
		v.answer(host, b[:8], v.answerTo(ctx, host, b[8:]))
	})
}

func (v *Visits) answer(host id.HostID, number []byte, a response) {
	text, err := json.Marshal(a)
	if err != nil || len(text) > peer.MaxMessage-messageHead {
		text = []byte(`{"refuse":"There is too much in your bag to be shown here."}`)
	}
	b := append([]byte{kindAnswer}, number...)
	// If this fails, the host asks again.
	_ = v.cfg.Links.Send(host, peer.Message{Bytes: append(b, text...)})
}

// answerTo carries out a request of a host. A host learns something only of people for whom this
// host has vouched to it.
func (v *Visits) answerTo(ctx context.Context, host id.HostID, text []byte) response {
	var q request
	forged := func(what string) response {
		v.cfg.Links.Refused(host, id.OID{}, what)
		return response{Refuse: "Your own server has not understood this one."}
	}
	if len(text) > maxQuestion || json.Unmarshal(text, &q) != nil {
		return forged("a question about a visitor that cannot be read")
	}
	person, err := id.ParseOID(q.Person)
	if err != nil || person.Creator() != v.Self() {
		return forged("a question about who has no home here")
	}
	switch last, err := v.cfg.Store.Visited(ctx, person, host); {
	case err != nil:
		return response{Refuse: "Your own server cannot read what it keeps. Try again in a moment."}
	case last == 0:
		return forged("a question about who has not gone there")
	case v.cfg.Now() > last+visitLife:
		return response{
			Refuse: "It is long ago that your own server has sent you here. Go there, and follow the link to this table once more.",
		}
	}
	if q.Do == doBag {
		return v.itemsOf(ctx, person)
	}
	set, err := id.ParseOID(q.Set)
	if err != nil {
		return forged("a question about a set that is none")
	}
	switch q.Do {
	case doBring, doHome, doLeave:
		return v.sentenceOf(v.moveForPerson(ctx, person, set, q.Do, host))
	default: // of a newer version
		return response{Refuse: "Your own server does not know how to do that."}
	}
}

// sentenceOf makes an answer of the outcome of a request.
func (v *Visits) sentenceOf(err error) response {
	var refused Refused
	var absent *room.Unreachable
	var refusal *room.Refusal
	switch {
	case err == nil:
		return response{}
	case errors.As(err, &refused):
		return response{Refuse: string(refused)}
	case errors.As(err, &absent):
		return response{Refuse: "It cannot be reached: " + v.Why(absent.Reason, absent.Host) + "."}
	case errors.As(err, &refusal):
		return response{
			Refuse: "The server where it is does not let it go: it may lie on a table, or be on its way already.",
		}
	default:
		v.cfg.Log.Warn("a set of a visitor was not carried", "error", err)
		return response{Refuse: "That did not work. Try again in a moment."}
	}
}
