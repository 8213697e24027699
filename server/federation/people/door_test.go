package people

import (
	"context"
	"errors"
	"strings"
	"testing"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// replies are links to hosts that answer each request with a text.
type replies struct {
	*links
	to        *server
	text      string
	addresses []peer.Address // on all cards
	last      []byte         // the message that was sent last
}

// repliesOf returns a host with the key 1 that is linked with that with the key 2.
func repliesOf() (*server, *replies) {
	l := linksOf(1, 2)
	s := newServer(l)
	r := &replies{links: l, to: s, addresses: []peer.Address{"https://ben.example.org"}}
	s.cfg.Links = r
	return s, r
}

func (r *replies) Card(host id.HostID) (peer.Card, bool) {
	c, ok := r.links.Card(host)
	c.Addresses = r.addresses
	return c, ok
}

func (r *replies) Send(host id.HostID, m peer.Message) error {
	r.sent++
	r.last = m.Bytes
	if m.Request {
		r.to.questions.Answer(host, append(append([]byte(nil), m.Bytes[1:9]...), r.text...))
	}
	return nil
}

func (r *replies) Begin(id.HostID) (func(), error) { return nil, peer.ErrBusy }

// Clauses: O50.6, O50.9, O50.10
func TestDoorAnswers(t *testing.T) {
	ben := hostOf(keyOf(2))
	there := person(ben)
	door := Door{Table: there, Invite: "abc", Origin: "https://ben.example.org"}
	for text, want := range map[string]error{
		`{"table":"` + there.String() + `","pass":"p"}`: nil,
		`{"gone":true}`: ErrTableGone,
		`{"void":true,"refuse":"Its links were replaced."}`: room.ErrNoInvite,
		`{"void":true}`:                       room.ErrNoInvite,
		`{"refuse":"Try again in a moment."}`: Refused("Try again in a moment."),
		`{}`:                                  Refused("server 2 has not understood this one."),
		`{"something":"newer"}`:               Refused("server 2 has not understood this one."),
		`{"table":"` + person(keyHost(3)).String() + `","pass":"pass"}`: Refused(
			"The link behind this door leads to another table.",
		),
	} {
		s, r := repliesOf()
		r.text = text
		pass, err := s.Pass(t.Context(), door)
		if !errors.Is(err, want) || (err == nil) != (pass == "p") {
			t.Errorf("O50.6, O50.9 %s: %q, %v", text, pass, err)
		}
	}
	t.Run("O50.10 a host that has moved gets no pass at its old address", func(t *testing.T) {
		s, r := repliesOf()
		r.text = `{"table":"` + there.String() + `","pass":"p"}`
		r.addresses = []peer.Address{"https://ben.example.net"}
		var absent *room.Unreachable
		if pass, err := s.Pass(t.Context(), door); !errors.As(err, &absent) || r.sent != 0 {
			t.Errorf("%q, %v", pass, err)
		}
	})
	t.Run("O50.9 a host that has too much to do says nothing of the door", func(t *testing.T) {
		s, r := repliesOf()
		var ends []func()
		for range maxWaiting {
			_, _, end, _ := s.questions.Ask(ben, maxWaiting)
			ends = append(ends, end)
		}
		var refused Refused
		var absent *room.Unreachable
		if _, err := s.Pass(t.Context(), door); !errors.As(err, &refused) ||
			errors.As(err, &absent) || r.sent != 0 {
			t.Errorf("O50.9 without a free number: %v", err)
		}
		for _, end := range ends {
			end()
		}
		for do, want := range map[string]bool{doPass: false, doDoor: false, doBag: true} {
			s.serve(ben, append(make([]byte, 8), `{"do":"`+do+`"}`...))
			if got := string(r.last); !strings.Contains(got, "too much to do") ||
				strings.Contains(got, "Your own server") != want {
				t.Errorf("%s: %s", do, got)
			}
		}
	})
}

func keyHost(n byte) id.HostID { return hostOf(keyOf(n)) }

// Clauses: O50.11
func TestPasses(t *testing.T) {
	const ofOne, ofAll = 256, 4096 // as O50.11 says
	s := newServer(linksOf(1, 2, 3))
	issue := func(n byte) string { s.now++; return s.passes.issue(keyHost(n), "abc", s.now) }
	good := func(pass string) bool { return s.InviteOf(pass) == "abc" }
	ada, oldest := issue(2), issue(3)
	second := issue(3)
	for range ofOne - 2 {
		issue(3)
	}
	if !good(oldest) {
		t.Fatal("O50.11 a pass of a host is void too early")
	}
	issue(3)
	if !good(ada) || good(oldest) || !good(second) {
		t.Errorf("O50.11 of another host %v, the oldest %v, the next %v",
			good(ada), good(oldest), good(second))
	}
	for n := byte(4); len(s.passes.of) < ofAll; n++ {
		for range ofOne {
			if len(s.passes.of) < ofAll {
				issue(n)
			}
		}
	}
	last := issue(200)
	if len(s.passes.of) != ofAll || !good(last) || !good(ada) {
		t.Errorf("O50.11 %d passes, the new one %v, the only one of a host %v",
			len(s.passes.of), good(last), good(ada))
	}
}

// adopted counts what is adopted here.
type adopted struct {
	*sets
	all []id.OID
}

func (a *adopted) Adopt(_ context.Context, set id.OID) error {
	a.all = append(a.all, set)
	return nil
}

// Clauses: O30.13
func TestAdoptForAHostileHome(t *testing.T) {
	s, r := repliesOf()
	here := &adopted{sets: s.sets}
	s.cfg.Objects = here
	visitor := person(keyHost(2))
	of := map[byte]id.OID{1: person(s.Self()), 2: person(keyHost(2)), 3: person(keyHost(3))}
	for n, set := range of {
		set[15]++
		// The visitor's home says that the set is theirs, and that it is here.
		r.text = `{"items":[{"set":"` + set.String() + `","name":"Deck","place":"elsewhere","host":"` +
			s.Self().String() + `"}],"refuse":""}`
		here.all = nil
		err := s.Adopt(t.Context(), visitor, set)
		if (len(here.all) == 1) != (n == 2) {
			t.Errorf("O30.13 a set of server %d: adopted %v, %v", n, here.all, err)
		}
	}
}

// oneTable is a host with one table, which has one invite. Nothing else is asked of it.
type oneTable struct {
	Tables

	oid id.OID
}

func (o oneTable) Invite(_ context.Context, secret string) (room.Invite, error) {
	if secret != "good" {
		return room.Invite{}, room.ErrNoInvite
	}
	return room.Invite{Table: o.oid, Title: "Chess"}, nil
}

// Clauses: O49.7
func TestDoorIsGivenTo(t *testing.T) {
	l := linksOf(1, 2)
	s := newServer(l)
	there := person(s.Self())
	s.cfg.Tables = oneTable{oid: there}
	ask := func(do, invite string) response {
		return s.answerDoor(t.Context(), keyHost(2), request{Do: do, Invite: invite})
	}
	if a := ask(doPass, "good"); a.Table != there.String() || s.InviteOf(a.Pass) != "good" {
		t.Errorf("O49.7 a host whose people may come gets %+v", a)
	}
	for _, do := range []string{doPass, doDoor} {
		if a := ask(do, "wrong"); !a.Void || a.Table != "" || a.Pass != "" {
			t.Errorf("O49.7 %s with a wrong invite: %+v", do, a)
		}
	}
	l.gives = peer.Bring
	for _, do := range []string{doPass, doDoor} {
		if a := ask(do, "good"); !strings.Contains(a.Refuse, "does not let people") ||
			a.Table != "" || a.Pass != "" || a.Void {
			t.Errorf("O49.7 %s by a host whose people may not come: %+v", do, a)
		}
	}
}
