package people

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
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

// What a visited host requests of a visitor's own host.
const (
	doBag   = "bag"   // what is in the bag
	doBring = "bring" // let a set be put on a table at the host that asks
	doHome  = "home"  // take a set home
	doLeave = "leave" // let a set stay at the host that asks
	doDoor  = "door"  // make a door to the table of an invite (O49)
	doPass  = "pass"  // let one person in by such a door (O50)
	doMay   = "may"   // whether sets may come by such a door (O52)
	// put a set on the table of an invite (O52)
	doDeliver = "deliver"
)

// request is a request as it is sent.
type request struct {
	Do     string `json:"do"`
	Person string `json:"person,omitempty"`
	Set    string `json:"set,omitempty"`
	Invite string `json:"invite,omitempty"`
	From   string `json:"from,omitempty"` // the table from which a set comes through a door
}

// response is an answer as it is sent.
type response struct {
	Items  []itemJSON `json:"items,omitempty"`
	Refuse string     `json:"refuse,omitempty"` // a sentence that says why not
	// Of a door: the table behind it, its title, a pass for one person; or that it was deleted, or
	// that the invite is void.
	Table string `json:"table,omitempty"`
	Title string `json:"title,omitempty"`
	Pass  string `json:"pass,omitempty"`
	Gone  bool   `json:"gone,omitempty"`
	Void  bool   `json:"void,omitempty"`
	// Of a set that came through a door: it is not known whether the table has it.
	Doubt bool `json:"doubt,omitempty"`
}

type itemJSON struct {
	Set    string    `json:"set"`
	Name   string    `json:"name"`
	Place  string    `json:"place"`
	Host   string    `json:"host"`
	Table  string    `json:"table,omitempty"`
	Reason uint8     `json:"reason,omitempty"`
	Until  id.Millis `json:"until,omitempty"`
	Newer  bool      `json:"newer,omitempty"`
	With   []string  `json:"with,omitempty"` // sets of the bag that belong with it
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
			m.visits.questions.Answer(host, msg.Bytes[1:])
			return
		}
	}
	m.Machine.Receive(host, msg)
}

// errFull says that this host waits for too many answers.
var errFull = errors.New("too many requests wait for their answers")

// errNoAnswer says that a host may have carried out a request, and has not answered it.
var errNoAnswer = errors.New("the request was sent, and not answered")

// ask sends a request to a host, and waits for its answer. The error is a *room.Unreachable if the
// host does not answer, and a Refused if it refuses; then the response has the rest of the answer.
func (v *Visits) ask(ctx context.Context, host id.HostID, q request) (response, error) {
	absent := &room.Unreachable{Reason: table.AwayOwner}
	text, err := json.Marshal(q)
	if err != nil {
		return response{}, err
	}
	n, answer, end, ok := v.questions.Ask(host, maxWaiting)
	if !ok {
		return response{}, errors.Join(errFull, absent)
	}
	defer end()
	ctx, cancel := context.WithTimeout(ctx, timeoutOf(q.Do))
	defer cancel()
	b := binary.BigEndian.AppendUint64([]byte{kindAsk}, n)
	if err := v.cfg.Links.Send(
		host, peer.Message{Request: true, Bytes: append(b, text...)},
	); err != nil {
		return response{}, absent
	}
	if text = v.await(ctx, host, answer); text == nil {
		return response{}, errors.Join(errNoAnswer, absent)
	}
	var a response
	if err := json.Unmarshal(text, &a); err != nil {
		v.cfg.Links.Refused(host, id.OID{}, "an answer about a visitor that cannot be read")
		return response{}, errors.Join(errNoAnswer, absent)
	}
	if a.Refuse != "" {
		return a, Refused(plain(a.Refuse))
	}
	return a, nil
}

// await waits for the answer to a request. It returns nil if there is none. It does not wait long
// for a host without a connection.
func (v *Visits) await(ctx context.Context, host id.HostID, answer <-chan []byte) []byte {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for missing := 0; missing < 2; {
		select {
		case text := <-answer:
			return text
		case <-ctx.Done():
			return nil
		case <-look.C:
			if missing++; v.cfg.Links.Reached(host) {
				missing = 0
			}
		}
	}
	return nil
}

// serve answers a request of a host in a goroutine of its own.
func (v *Visits) serve(host id.HostID, b []byte) {
	end, err := v.cfg.Links.Begin(host)
	if err != nil {
		refuse := "Your own server has too much to do. Try again in a moment."
		if isOf(b[8:], doDoor, doPass, doMay, doDeliver) {
			refuse = "The server behind this door has too much to do. Try again in a moment."
		}
		v.answer(host, b[:8], response{Refuse: refuse})
		return
	}
	v.running.Go(func() {
		defer end()
		ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
		if isOf(b[8:], doDeliver) { // the asker waits longer, too
			cancel()
			ctx, cancel = context.WithTimeout(context.Background(), deliveryTimeout-time.Second)
		}
		defer cancel()
		v.answer(host, b[:8], v.answerTo(ctx, host, b[8:]))
	})
}

// isOf reports whether a request asks for one of these. If it is about a door, people read the
// answer at the host that asks, which is not a visited one.
func isOf(text []byte, do ...string) bool {
	var q request
	return len(text) <= maxQuestion && json.Unmarshal(text, &q) == nil && slices.Contains(do, q.Do)
}

// timeoutOf returns how long the answer to a request may take.
func timeoutOf(do string) time.Duration {
	if do == doDeliver {
		return deliveryTimeout
	}
	return askTimeout
}

func (v *Visits) answer(host id.HostID, number []byte, a response) {
	text, err := json.Marshal(a) //nolint:gosec // the pass is for the host that gets this
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
	if len(text) > maxQuestion || json.Unmarshal(text, &q) != nil {
		return v.forged(host, "a question about a visitor that cannot be read")
	}
	switch q.Do {
	case doDoor, doPass, doMay:
		return v.answerDoor(ctx, host, q)
	case doDeliver:
		return v.answerDeliver(ctx, host, q)
	}
	person, err := id.ParseOID(q.Person)
	if err != nil || person.Creator() != v.Self() {
		return v.forged(host, "a question about who has no home here")
	}
	if refusal := v.speaksFor(ctx, host, person); refusal != nil {
		return *refusal
	}
	if q.Do == doBag {
		return v.itemsOf(ctx, person)
	}
	set, err := id.ParseOID(q.Set)
	if err != nil {
		return v.forged(host, "a question about a set that is none")
	}
	switch q.Do {
	case doBring, doHome, doLeave, doAdopt, doKeep:
		return v.sentenceOf(v.moveForPerson(ctx, person, set, q.Do, host))
	default: // of a newer version
		return response{Refuse: "Your own server does not know how to do that."}
	}
}

// forged refuses a request that no host in order could have made.
func (v *Visits) forged(host id.HostID, what string) response {
	v.cfg.Links.Refused(host, id.OID{}, what)
	return response{Refuse: "Your own server has not understood this one."}
}

// speaksFor returns the answer to a host that speaks for a person of this one and may not (O38.4);
// nil if it may.
func (v *Visits) speaksFor(ctx context.Context, host id.HostID, person id.OID) *response {
	switch last, err := v.cfg.Store.Visited(ctx, person, host); {
	case err != nil:
		return &response{Refuse: "Your own server cannot read what it keeps. Try again in a moment."}
	case last == 0:
		a := v.forged(host, "a question about who has not gone there")
		return &a
	case v.cfg.Now() > last+visitLife:
		return &response{
			Refuse: "It is long ago that your own server has sent you here. " +
				"Go there, and follow the link to this table once more.",
		}
	}
	return nil
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
			Refuse: "The server where it is does not let it go: " +
				"it may lie on a table, or be on its way already.",
		}
	default:
		v.cfg.Log.Warn("a set of a visitor was not carried", "error", err)
		return response{Refuse: "That did not work. Try again in a moment."}
	}
}
