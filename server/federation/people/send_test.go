package people

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// tablesBehind is one table, which takes everything.
type tablesBehind struct {
	Tables
	table id.OID
	got   []room.Delivery
}

func (b *tablesBehind) Invite(_ context.Context, secret string) (room.Invite, error) {
	if secret != "good" {
		return room.Invite{}, room.ErrNoInvite
	}
	return room.Invite{Table: b.table, Role: table.RolePlayer}, nil
}

func (b *tablesBehind) Deliver(_ context.Context, _ id.OID, d room.Delivery) error {
	b.got = append(b.got, d)
	return nil
}

func (b *tablesBehind) SeatsInPlay(context.Context, id.OID) ([]id.Seat, error) { return nil, nil }

// setOf returns the identifier of a set of a host.
func setOf(host id.HostID, n byte) id.OID {
	set := person(host)
	set[14] = n
	return set
}

// Clauses: O52.9, O52.10, O52.11
func TestDeliverForAHost(t *testing.T) {
	s := newServer(linksOf(1, 2, 3))
	b := &tablesBehind{table: person(s.Self())}
	s.cfg.Tables = b
	ben, cleo := keyHost(2), keyHost(3)
	s.links.gives = peer.Visit | peer.Bring
	ask := func(invite string, person, set id.OID) response {
		return s.answerTo(t.Context(), ben, fmt.Appendf(nil,
			`{"do":"deliver","invite":%q,"person":%q,"set":%q,"from":%q}`,
			invite, person, set, setOf(ben, 99)))
	}
	for what, c := range map[string]struct {
		person, set id.OID
		gives       peer.Rights
		says        string
	}{
		"O52.10 of a third server's person": {person(cleo), setOf(cleo, 1), s.links.gives, "understood"},
		"O52.10 that another one has made":  {person(ben), setOf(cleo, 1), s.links.gives, "understood"},
		"O52.10 of who never went there": {
			person(s.Self()), setOf(s.Self(), 1), s.links.gives, "understood",
		},
		"O52.9 without visit": {person(ben), setOf(ben, 1), peer.Bring, "visit its tables"},
		"O52.9 without bring": {person(ben), setOf(ben, 1), peer.Visit, "put their own pieces"},
	} {
		s.links.gives = c.gives
		if a := ask("good", c.person, c.set); !strings.Contains(a.Refuse, c.says) || len(b.got) != 0 {
			t.Errorf("%s: %+v, and %d sets came", what, a, len(b.got))
		}
		s.links.gives = peer.Visit | peer.Bring
	}
	if a := ask("forged", person(ben), setOf(ben, 1)); !a.Void || len(b.got) != 0 {
		t.Errorf("O52.9 by a forged invite: %+v", a)
	}
	for n := range byte(30) {
		if a := ask("good", person(ben), setOf(ben, n)); a.Refuse != "" {
			t.Fatalf("O52.11 set %d: %+v", n, a)
		}
	}
	if a := ask("good", person(ben), setOf(ben, 30)); !strings.Contains(a.Refuse, "Too much") ||
		len(b.got) != 30 {
		t.Errorf("O52.11 one more: %+v, and %d came", a, len(b.got))
	}
	other := person(ben)
	other[15]++
	if a := ask("good", other, setOf(ben, 30)); !strings.Contains(a.Refuse, "Too much") {
		t.Errorf("O52.11 of somebody else of that server: %+v", a)
	}
	s.now += 60_000
	if a := ask("good", person(ben), setOf(ben, 30)); a.Refuse != "" {
		t.Errorf("O52.11 a minute later: %+v", a)
	}
}

// Clauses: O52.11
func TestDeliveriesOfATable(t *testing.T) {
	const ofTable = 60 // as O52.11 says
	var d deliveries
	to := person(keyHost(1))
	self := keyHost(1)
	admit := func(n byte, to id.OID) bool { return d.admit(self, setOf(self, n), to, 1000) }
	for n := range byte(ofTable) {
		if !admit(n, to) {
			t.Fatalf("O52.11 set %d is refused", n)
		}
	}
	if admit(ofTable, to) || !admit(ofTable, setOf(keyHost(1), 1)) {
		t.Error("O52.11 one more came to the table, or none to another one")
	}
}

// Clauses: O52.16
func TestSendInDoubt(t *testing.T) {
	ben := keyHost(2)
	door := Door{Table: person(ben), Invite: "abc", Origin: "https://ben.example.org"}
	for text, doubt := range map[string]bool{
		`{"doubt":true,"refuse":"It has not said so."}`: true,
		`nonsense`:                 true,
		`{"refuse":"It is full."}`: false,
		`{"gone":true}`:            false,
		`{"void":true}`:            false,
	} {
		s, r := repliesOf()
		r.text = text
		err := s.Send(t.Context(), person(s.Self()), door, person(ben), setOf(ben, 1))
		if err == nil || errors.Is(err, ErrInDoubt) != doubt {
			t.Errorf("O52.16 %s: %v", text, err)
		}
	}
}
