package object

import "holt/server/id"

// Event is something that the program must know.
type Event interface{ event() }

// Ticket identifies a request of the program. The program chooses it, and gets it back with the
// event that ends the request.
type Ticket uint64

type (
	// Answered ends a Call, a Find, a Give, a Move or a Bring. After a Failure or a Refusal a call
	// may still have been carried out, or may still be carried out, once.
	Answered struct {
		Ticket  Ticket
		OID     id.OID
		Owner   id.HostID // of a Find: the owner of the object
		Refused bool      // by the Behaviour: Answer says why
		Answer  []byte
		Passed  []id.OID
		Refusal Refusal  // 0: none
		Failure *Failure // nil: none
	}
	// Given says that another host has passed a reference on. It is kept for a round of the
	// collection. By then something that is kept should refer to it.
	Given struct {
		From id.HostID
		OID  id.OID
	}
	// Proposed says that an object could move to the host that uses it (O13).
	Proposed struct {
		OID id.OID
		To  id.HostID
	}
	// Arrived says that an object is here now.
	Arrived struct {
		OID  id.OID
		From id.HostID
	}
	// Departed says that an object is elsewhere now.
	Departed struct {
		OID id.OID
		To  id.HostID
	}
	// Returned says that an object is reachable again (O18).
	Returned struct{ OID id.OID }
	// Deleted says that an object was collected (O24).
	Deleted struct{ OID id.OID }
	// Lost says that an object cannot be found any more (O11).
	Lost struct{ OID id.OID }
	// Older says that the content of an object is older than what others have seen of it (O11).
	Older struct{ OID id.OID }
	// Orphaned brings an object that must be written into the quarantine (O28). The host deletes it
	// after Quarantined.
	Orphaned struct {
		OID      id.OID
		Envelope []byte
	}
	// Superseded says that the creator of an object serves another copy than the one that was here
	// (O41).
	Superseded struct {
		OID   id.OID
		Owner id.HostID
	}
	// Thawed says that a frozen copy is served now, because Owner, which had the object, was given
	// up (O41).
	Thawed struct {
		OID   id.OID
		Owner id.HostID
	}
	// Uncopied says that no copy was kept of an object that has left: there are too many copies, or
	// they are too large (O40).
	Uncopied struct{ OID id.OID }
	// Waiting names the hosts for which a restored host still waits after 10 s (O43). Since is when
	// it began to wait in this process.
	Waiting struct {
		Hosts []id.HostID
		Since id.Millis
	}
	// Offended says that a host has made a request that no host in order could have made (O35).
	Offended struct{ Host id.HostID }
	// Rounded ends a round of the collection, and counts what it found and did.
	Rounded struct {
		Number                                     uint64
		Objects, Reached, Nimby, Suspects, Deleted int
		Released, Pinged, Checked                  int
		// Strangers are holders or creators of objects here that are not linked, at most 4,096.
		// Nobody hears of these hosts (O28).
		Strangers []id.HostID
	}
	// WentBack says that another host knows more of this one than it does itself: its folder was
	// put back to an older state (O47). The Host cannot be used any more. Open begins as after a
	// restore.
	WentBack struct{ By id.HostID }
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
