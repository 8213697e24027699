package peer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"holt/server/id"
)

func TestInvitations(t *testing.T) {
	// Clauses: O31.6, O32.10, O32.13
	t.Run("O31, O32 an invited operator sees inviter and rights before accepting", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), Visit|Bring, DefaultLimits, false)
			w.must(err)
			for range 2 {
				terms, err := b.links.Look(w.Context(), o)
				w.must(err)
				if terms.Host != a.self() || terms.Name != "host 0" || terms.Given != Visit|Bring ||
					terms.Confirm || terms.Address != o.Addresses[0] {
					t.Errorf("the terms are %+v", terms)
				}
			}
			if len(a.links.List())+len(b.links.List()) != 0 {
				t.Error("there are links")
			}
			_, err = b.links.Accept(w.Context(), o, Keep, DefaultLimits)
			w.must(err)
			b.machine.await(w, "up", func(r *recorder) bool { return r.up[a.self()] })
			if got := a.links.List()[0]; got.Gives != Visit|Bring || got.Given != Keep ||
				got.State != Active || got.Name != "host 1" {
				t.Errorf("the inviting host has %+v", got)
			}
			if got := b.links.List()[0]; got.Gives != Keep || got.Given != Visit|Bring ||
				got.State != Active || got.Name != "host 0" {
				t.Errorf("the accepting host has %+v", got)
			}
		})
	})
	t.Run("O32.1 an invitation is valid once", func(t *testing.T) {
		inWorld(t, 3, func(w *world) {
			a, b, c := w.hosts[0], w.hosts[1], w.hosts[2]
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			_, err = b.links.Accept(w.Context(), o, 0, DefaultLimits)
			w.must(err)
			if _, err := c.links.Accept(w.Context(), o,
				0, DefaultLimits); !errors.Is(err, refusedInvitation) {
				t.Errorf("a second one accepts: %v", err)
			}
			if _, err := c.links.Look(w.Context(), o); !errors.Is(err, refusedInvitation) {
				t.Errorf("a second one looks: %v", err)
			}
			w.must(a.links.Remove(w.Context(), b.self()))
			w.must(b.links.Remove(w.Context(), a.self()))
			if _, err := b.links.Accept(w.Context(), o,
				0, DefaultLimits); !errors.Is(err, refusedInvitation) {
				t.Errorf("the first one accepts again, after the link was removed: %v", err)
			}
			if !strings.Contains(a.log.String(), "an invitation that is not good was shown") {
				t.Error("it is not in the log")
			}
		})
	})
	t.Run("O32.15 a retry of a lost acceptance gets the same answer", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, false)
			w.must(err)
			b.store.fault = errors.New("the disk is full")
			if _, err := b.links.Accept(w.Context(), o, 0, DefaultLimits); err == nil {
				t.Fatal("it was accepted and cannot have been kept")
			}
			b.store.fault = nil
			terms, err := b.links.Accept(w.Context(), o, 0, DefaultLimits)
			w.must(err)
			if terms.Given != Visit || len(a.links.List()) != 1 {
				t.Errorf("the terms are %+v, and there are %d links", terms, len(a.links.List()))
			}
			b.machine.await(w, "up", func(r *recorder) bool { return r.up[a.self()] })
		})
	})
	t.Run("O32 an invitation is valid for 24 hours", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			pass(InvitationLife - time.Minute)
			_, err = b.links.Look(w.Context(), o)
			w.must(err)
			pass(time.Minute)
			if _, err := b.links.Accept(w.Context(), o,
				0, DefaultLimits); !errors.Is(err, refusedInvitation) {
				t.Errorf("after a day: %v", err)
			}
		})
	})
	t.Run("O32.12, O32.14 with confirmation a link needs both operators", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, true)
			w.must(err)
			terms, err := b.links.Accept(w.Context(), o, Visit, DefaultLimits)
			w.must(err)
			if !terms.Confirm {
				t.Error("the terms do not say so")
			}
			pass(time.Minute)
			if err := a.links.Send(b.self(), Message{}); !errors.Is(err, ErrPaused) ||
				a.links.Rights(b.self()) != 0 || b.machine.ups != 0 {
				t.Errorf("before it is confirmed: %v, %v, %d", err,
					a.links.Rights(b.self()), b.machine.ups)
			}
			if got := b.links.List()[0]; got.Fault == "" ||
				!strings.Contains(got.Fault, "confirmed") {
				t.Errorf("the accepting operator sees %q", got.Fault)
			}
			w.must(a.links.Confirm(w.Context(), b.self()))
			if err := a.links.Confirm(w.Context(), b.self()); err == nil {
				t.Error("it was confirmed twice")
			}
			b.machine.await(w, "up", func(r *recorder) bool { return r.up[a.self()] })
		})
	})
	t.Run("O32.9 an invitation with another host's key fails", func(t *testing.T) {
		inWorld(t, 3, func(w *world) {
			a, b, c := w.hosts[0], w.hosts[1], w.hosts[2]
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			// another host is there
			o.Addresses = []Address{Address("quic://" + c.address.String()),
				Address("http://" + c.address.String())}
			if _, err := b.links.Look(w.Context(), o); !errors.Is(err, errImpostor) {
				t.Errorf("an impostor is %v", err)
			}
			if strings.Contains(c.log.String(), "invitation") {
				t.Error("the impostor got the secret")
			}
		})
	})
	t.Run("O32 nobody accepts their own or a linked host's invitation", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, 0)
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			for _, h := range w.hosts {
				if _, err := h.links.Look(w.Context(), o); err == nil || !strings.Contains(
					err.Error(), "already") && !strings.Contains(err.Error(), "itself") {
					t.Errorf("host %d: %v", h.index, err)
				}
			}
		})
	})
	t.Run("O32.1 of two concurrent acceptances one succeeds", func(t *testing.T) {
		inWorld(t, 4, func(w *world) {
			o, err := w.hosts[0].links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			results := make(chan error, 3)
			for _, h := range w.hosts[1:] {
				go func() {
					_, err := h.links.Accept(w.Context(), o, 0, DefaultLimits)
					results <- err
				}()
			}
			good := 0
			for range 3 {
				if err := <-results; err == nil {
					good++
				} else if !errors.Is(err, refusedInvitation) {
					t.Error(err)
				}
			}
			if good != 1 || len(w.hosts[0].links.List()) != 1 {
				t.Errorf("%d have accepted, and there are %d links", good,
					len(w.hosts[0].links.List()))
			}
		})
	})
}

func TestOperating(t *testing.T) {
	t.Run("O32.17 a paused link only answers that it is paused, until it resumes", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			w.must(a.links.Pause(w.Context(), b.self()))
			for _, h := range w.hosts {
				h.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			}
			w.must(b.links.Send(a.self(), Message{Bytes: []byte("hello?")}))
			pass(time.Hour)
			if err := a.links.Send(b.self(), Message{}); !errors.Is(err, ErrPaused) ||
				a.links.Rights(b.self()) != 0 {
				t.Errorf("while it is paused: %v, %v", err, a.links.Rights(b.self()))
			}
			if n := len(a.machine.texts(b.self(), id.OID{})); n != 0 || b.machine.ups != 1 {
				t.Errorf("%d messages were received, and %d ups", n, b.machine.ups)
			}
			if got := b.links.List()[0].Fault; !strings.Contains(got, "paused") {
				t.Errorf("the other one sees %q", got)
			}
			a.stop()
			a.start()
			if got := a.links.List()[0].State; got != Paused {
				t.Errorf("after a restart it is %s", got)
			}
			w.must(a.links.Resume(w.Context(), b.self()))
			for _, h := range w.hosts {
				h.machine.await(w, "up",
					func(r *recorder) bool { return r.up[a.self()] || r.up[b.self()] })
			}
		})
	})
	t.Run("O32.18 a removed host is a stranger", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			w.must(a.links.Remove(w.Context(), b.self()))
			b.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			if a.machine.downs != 1 {
				t.Errorf("down was reported %d times", a.machine.downs)
			}
			pass(time.Hour)
			if err := a.links.Send(b.self(), Message{}); !errors.Is(err, ErrStranger) {
				t.Errorf("to a stranger: %v", err)
			}
			if got := b.links.List()[0]; got.Network != "" ||
				!strings.Contains(got.Fault, "no link") {
				t.Errorf("the other one sees %q", got.Fault)
			}
			if _, ok := a.links.Card(b.self()); ok || len(a.store.links) != 0 ||
				len(a.store.cards) != 1 {
				t.Errorf("something is left of it: %d links, %d cards", len(a.store.links),
					len(a.store.cards))
			}
			w.must(b.links.Remove(w.Context(), a.self()))
			w.link(b, a, Visit)
		})
	})
	t.Run("O34.6, O34.8 rights are as granted, and changes are sent", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, 0)
			if a.links.Rights(b.self()) != 0 || b.links.Rights(a.self()) != 0 {
				t.Error("there are rights that were not granted")
			}
			w.must(a.links.SetRights(w.Context(), b.self(), Bring|Keep))
			pass(time.Second)
			if got := b.links.List()[0].Given; got != Bring|Keep ||
				a.links.Rights(b.self()) != Bring|Keep || b.links.Rights(a.self()) != 0 {
				t.Errorf("granted are %s", got)
			}
			b.stop()
			w.must(a.links.SetRights(w.Context(), b.self(), Visit))
			b.start()
			b.machine.await(w, "up", func(r *recorder) bool { return r.up[a.self()] })
			pass(time.Second)
			if got := b.links.List()[0].Given; got != Visit {
				t.Errorf("granted while it was unreachable: %s", got)
			}
		})
	})
	t.Run("O32 an operator finds links by name, number or prefix", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, 0)
			for _, text := range []string{"host 1", b.self().String(),
				strings.ToUpper(b.self().String()[:4]), Fingerprint(b.self())} {
				if i, err := a.links.Find(text); err != nil || i.Host != b.self() {
					t.Errorf("%q is %v, %v", text, i.Host, err)
				}
			}
			if a.links.Linked()[0] != b.self() {
				t.Error("it is not among the linked ones")
			}
			for _, text := range []string{"", "host", "abc", b.self().String() + "0"} {
				if i, err := a.links.Find(text); err == nil {
					t.Errorf("%q is %v", text, i.Host)
				}
			}
		})
	})
}
