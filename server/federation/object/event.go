package object

import "holt/server/id"

// Event is what the program is to know.
type Event interface{ event() }

// Ticket names a request of the program. It is the program's own, and comes back with the event that ends the request.
type Ticket uint64

type (
	// Answered ends a Call, a Find, a Give, a Move or a Bring. With a Failure or a Refusal, a call may have been carried out all the same,
	// or may be yet, once.
	Answered struct {
		Ticket  Ticket
		OID     id.OID
		Owner   id.GWID // of a Find: who owns the object
		Refused bool    // by the Behaviour: Answer says why
		Answer  []byte
		Passed  []id.OID
		Refusal Refusal  // 0: none
		Failure *Failure // nil: none
	}
	// Given says that another host has passed a reference on. It is kept for a round of the collection; until then something that
	// is kept should refer to it.
	Given struct {
		From id.GWID
		OID  id.OID
	}
	// Proposed says that an object could move to the host that uses it (O13).
	Proposed struct {
		OID id.OID
		To  id.GWID
	}
	// Arrived says that an object is here now.
	Arrived struct {
		OID  id.OID
		From id.GWID
	}
	// Departed says that an object is elsewhere now.
	Departed struct {
		OID id.OID
		To  id.GWID
	}
	// Returned says that an object that was away is not any more (O18).
	Returned struct{ OID id.OID }
	// Deleted says that an object was collected (O24).
	Deleted struct{ OID id.OID }
	// Lost says that an object is not to be found any more (O11).
	Lost struct{ OID id.OID }
	// Older says that the content of an object is older than what others have seen of it (O11).
	Older struct{ OID id.OID }
	// Orphaned gives an object to the quarantine (O28). It is deleted when Quarantined says that it is kept there.
	Orphaned struct {
		OID      id.OID
		Envelope []byte
	}
	// Superseded says that a copy of an object that was here is of the past: its creator serves another one (O41).
	Superseded struct {
		OID   id.OID
		Owner id.GWID
	}
	// Thawed says that a frozen copy is served since Owner, which had the object, was given up (O41).
	Thawed struct {
		OID   id.OID
		Owner id.GWID
	}
	// Uncopied says that no copy was kept of an object that has left: there are too many, or too large ones (O40).
	Uncopied struct{ OID id.OID }
	// Waiting says for whom a restored host has waited for 10 s, and still does (O43). Since is when the host began to wait, since it was started
	// last.
	Waiting struct {
		Hosts []id.GWID
		Since id.Millis
	}
	// Offended says that a host has asked for what nobody in order could have asked for (O35). Pause: that is enough.
	Offended struct {
		Host  id.GWID
		Pause bool
	}
	// Rounded ends a round of the collection.
	Rounded struct {
		Number                                      uint64
		Objects, Reached, Nimby, Suspects, Deleted  int
		References, Released, Pinged, Checked, Held int
		// Strangers are holders of what is here, and creators of it, that are not linked, at most 4,096: nobody hears of them (O28).
		Strangers []id.GWID
	}
	// WentBack says that another host knows more of this one than it does itself: its folder was put back to an older state (O47). The Host
	// is of no use any more. Open begins as after a restore.
	WentBack struct{ By id.GWID }
	// Settled says that a restored host serves again what it has made (O11).
	Settled struct{}
)

func (Answered) event() {}
func (Given) event()    {}
func (Proposed) event() {}
func (Arrived) event()  {}
func (Departed) event() {}
func (Returned) event() {}
func (Deleted) event()  {}
func (Lost) event()     {}
func (Older) event()    {}
func (Orphaned) event() {}
func (Offended) event() {}
func (Rounded) event()  {}
func (Settled) event()  {}
func (WentBack) event() {}

func (Superseded) event() {}
func (Thawed) event()     {}
func (Uncopied) event()   {}
func (Waiting) event()    {}
