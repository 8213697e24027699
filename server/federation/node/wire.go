package node

import (
	"errors"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
)

// The first byte of each message between linked hosts.
const (
	kindObject = 0x01 // object.Message
	kindFetch  = 0x02 // 8B number, 32B hash, 8B offset
	// 8B number, 8B size of all (0: not there), the bytes from the offset on
	kindFetched = 0x03
	kindNewer   = 0x04 // 8B number, 32B of each kind of a set
	kindNewest  = 0x05 // 8B number, 32B of the newest version of each of them
	kindShelf   = 0x06 // 8B number
	kindShelfIs = 0x07 // 8B number, JSON: the games of the shelf
)

// request identifies a request of a linked host.
type request struct {
	host            id.HostID
	process, number uint64
}

// Receive processes a message of a linked host. It is a method of peer.Machine.
func (w *Objects) Receive(host id.HostID, m peer.Message) {
	if len(m.Bytes) == 0 {
		w.cfg.Links.Refused(host, m.About, "an empty message")
		return
	}
	switch m.Bytes[0] {
	case kindObject:
		w.receiveObject(host, m)
	case kindFetch:
		if w.asks(host, m, "fetch") {
			w.serveFetch(host, m.Bytes[1:])
		}
	case kindFetched:
		w.fetched(host, m.Bytes[1:])
	case kindNewer:
		if w.asks(host, m, "newer") {
			w.serveNewer(host, m.Bytes[1:])
		}
	case kindNewest:
		w.newestFrom(host, m.Bytes[1:])
	case kindShelf:
		if w.asks(host, m, "shelf") {
			w.serveShelf(host, m.Bytes[1:])
		}
	case kindShelfIs:
		w.shelfIs(host, m.Bytes[1:])
	default: // of a newer version
		w.cfg.Links.Refused(host, m.About, "a message of an unknown kind")
	}
}

// asks reports whether a question says that it is a request, and refuses it otherwise.
func (w *Objects) asks(host id.HostID, m peer.Message, what string) bool {
	if !m.Request {
		w.cfg.Links.Refused(host, m.About, what+", which does not say that it is a request")
	}
	return m.Request
}

// receiveObject gives a message to the machine. A request counts as one that is being carried out
// from here until its answer is sent (O36).
func (w *Objects) receiveObject(host id.HostID, m peer.Message) {
	msg, err := object.ReadMessage(m.Bytes[1:])
	if err != nil {
		w.cfg.Links.Refused(host, m.About, err.Error())
		return
	}
	about, what, asks := describe(msg.Body)
	if asks && !m.Request {
		w.cfg.Links.Refused(host, about, what+", which does not say that it is a request")
		return
	}
	end := func() {}
	if asks {
		if end, err = w.cfg.Links.Begin(host); err != nil {
			w.transmit(object.Send{To: host, Message: object.Message{
				Process: msg.Process, Number: msg.Number, Body: &object.Refused{Why: object.Busy},
			}})
			return
		}
	}
	// put fails when the world ends. Nobody gets an answer any more then.
	_ = w.put(forever, func() {
		key := request{host, msg.Process, msg.Number}
		if asks && w.begun[key] == nil {
			w.begun[key] = end
		} else {
			end()
		}
		w.inHand = inHand{about, what}
		err := w.work(func(at object.Moment) (object.Step, error) {
			return w.host.Receive(at, host, msg)
		})
		w.inHand = inHand{}
		if err != nil {
			w.ended(key)
		}
	})
}

// ended records that a request is not being carried out any more.
func (w *Objects) ended(r request) {
	if end := w.begun[r]; end != nil {
		delete(w.begun, r)
		end()
	}
}

// Up records that a host can be reached.
func (w *Objects) Up(host id.HostID) {
	w.newer.forget(host)
	_ = w.put(forever, func() { // as above
		w.up[host] = true
		w.heardFrom(host)
		// work has logged an error.
		_ = w.work(with(w.host.Up, host))
	})
}

// Down records that a host cannot be reached any more.
func (w *Objects) Down(host id.HostID) {
	_ = w.put(forever, func() { // as above
		delete(w.up, host)
		w.heardFrom(host)
		for r := range w.begun {
			if r.host == host {
				w.ended(r)
			}
		}
		// work has logged an error.
		_ = w.work(with(w.host.Down, host))
	})
}

// send sends a message of the machine.
func (w *Objects) send(s object.Send) {
	if _, _, asks := describe(s.Message.Body); !asks {
		w.ended(request{s.To, s.Message.Process, s.Message.Number})
	}
	w.introduce(s.To, s.Message.Body)
	w.transmit(s)
}

// transmit gives a message to the links. A message that cannot be sent is lost, as any message may
// be: the machine repeats it or gives up.
func (w *Objects) transmit(s object.Send) {
	about, _, asks := describe(s.Message.Body)
	err := w.cfg.Links.Send(s.To, peer.Message{
		About: about, Request: asks, Bytes: s.Message.Append([]byte{kindObject}),
	})
	if err != nil && (errors.Is(err, peer.ErrTooLarge) || errors.Is(err, peer.ErrBusy)) {
		w.cfg.Log.Warn(
			"a message to a linked server is not sent", "host", s.To,
			"object", about, "error", err,
		)
	}
}

// introduce sends a host the cards of the hosts whose objects a message names (O31).
func (w *Objects) introduce(to id.HostID, b object.Body) {
	told := map[id.HostID]bool{to: true, w.self: true, {}: true}
	tell := func(host id.HostID) {
		if !told[host] {
			told[host] = true
			w.cfg.Links.Introduce(to, host)
		}
	}
	passed := func(refs []object.Passed) {
		for _, p := range refs {
			tell(p.OID.Creator())
		}
	}
	switch b := b.(type) {
	case *object.Call:
		passed(b.Passed)
	case *object.Offer:
		tell(b.Deed.OID.Creator())
		passed(b.Passed)
	case *object.Answer:
		passed(b.Passed)
	case *object.Give:
		passed(b.Passed)
	case *object.Elsewhere:
		tell(b.Where.Owner)
	}
}

// describe returns the object that a message is about, a name of its kind for the log, and whether
// it is a request.
func describe(b object.Body) (about id.OID, what string, asks bool) {
	switch b := b.(type) {
	case *object.Find:
		return b.OID, "find", true
	case *object.Call:
		return b.OID, "call " + b.Method, true
	case *object.Offer:
		return b.Deed.OID, "offer", true
	case *object.Swap:
		return b.Deed.OID, "swap", true
	case *object.Settle:
		return b.OID, "settle", true
	case *object.Retain:
		return b.OID, "retain", true
	case *object.Release:
		return b.OID, "release", true
	case *object.Renew:
		return id.OID{}, "renew", true
	case *object.Ping:
		return b.OID, "ping", true
	case *object.Check:
		return b.OID, "check", true
	case *object.Gone:
		return b.OID, "gone", true
	case *object.Take:
		return b.OID, "take", true
	case *object.Give:
		return id.OID{}, "give", true
	case *object.Survey:
		return id.OID{}, "survey", true
	case *object.Recall:
		return id.OID{}, "recall", true
	default:
		return id.OID{}, "answer", false
	}
}
