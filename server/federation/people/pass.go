package people

import (
	"maps"
	"sync"

	"holt/server/id"
)

// PassLife is how long a pass is good, in milliseconds (O50.5).
const PassLife id.Millis = 10 * 60_000

// maxPasses bounds the passes that wait for their people, and maxHostPasses those of a host that
// has asked for them. Beyond these the oldest is void, of that host, or of the one that has most.
const (
	maxPasses     = 4096
	maxHostPasses = 256
)

// passes are the passes that this host has given to others, each for one seat. They are kept in
// memory: after a restart people open the door once more.
type passes struct {
	mu sync.Mutex
	// Guarded by mu.
	of map[string]pass
}

type pass struct {
	host   id.HostID // that has asked for it
	invite string
	until  id.Millis
}

// issue makes a pass that stands for an invite, for a person of a host.
func (p *passes) issue(host id.HostID, invite string, now id.Millis) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]pass{}
	}
	maps.DeleteFunc(p.of, func(_ string, k pass) bool { return k.until < now })
	p.makeRoom(host)
	is := secret()
	p.of[is] = pass{host: host, invite: invite, until: now + PassLife}
	return is
}

// makeRoom voids a pass if there are too many for one more of a host. The caller holds p.mu.
func (p *passes) makeRoom(host id.HostID) {
	count, most := map[id.HostID]int{}, host
	for _, k := range p.of {
		count[k.host]++
		if count[k.host] > count[most] {
			most = k.host
		}
	}
	if count[host] >= maxHostPasses {
		most = host
	} else if len(p.of) < maxPasses {
		return
	}
	oldest, first := "", id.Millis(0)
	for secret, k := range p.of {
		if k.host == most && (oldest == "" || k.until < first) {
			oldest, first = secret, k.until
		}
	}
	delete(p.of, oldest)
}

// InviteOf returns the invite for which a pass stands. It returns the text itself if it is no pass.
func (v *Visits) InviteOf(text string) string {
	v.passes.mu.Lock()
	defer v.passes.mu.Unlock()
	if k, ok := v.passes.of[text]; ok && v.cfg.Now() <= k.until {
		return k.invite
	}
	return text
}

// UsePass is InviteOf for somebody who takes a seat. From then on the pass is void. undo makes it
// good again, if there was no seat.
func (v *Visits) UsePass(text string) (invite string, undo func()) {
	v.passes.mu.Lock()
	defer v.passes.mu.Unlock()
	k, ok := v.passes.of[text]
	if !ok || v.cfg.Now() > k.until {
		return text, func() {}
	}
	delete(v.passes.of, text)
	return k.invite, func() {
		v.passes.mu.Lock()
		defer v.passes.mu.Unlock()
		v.passes.of[text] = k
	}
}
