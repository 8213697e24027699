package room_test

import (
	"errors"
	"strings"
	"testing"

	"holt/server/tables/room"
)

// Clauses: T68.1, T68.2, T68.4, T68.5
func TestT68Password(t *testing.T) {
	in(t).Run("T68 a table with a password", func(t *testing.T, r *rig) {
		ctx := t.Context()
		bob := r.seat(r.invites.Player, "Bob")
		set := func(s room.Session, text string) error { return r.rooms.SetPassword(ctx, s, text) }
		come := func(link, text string) error {
			_, err := r.rooms.TakeSeat(ctx, link, room.Person{Nick: "Cid", Password: text})
			return err
		}
		if err := set(bob.Session, "sesame"); !errors.Is(err, room.ErrRole) {
			t.Errorf("T68.1 set by a player: %v", err)
		}
		for _, bad := range []string{"a\nb", strings.Repeat("x", 101)} {
			if err := set(r.host.Session, bad); !errors.Is(err, room.ErrBadPassword) {
				t.Errorf("T68.2 %q: %v", bad, err)
			}
		}
		if err := come(r.invites.Player, "not needed"); err != nil {
			t.Errorf("T68.1 without a password: %v", err)
		}
		if err := set(r.host.Session, "sesame"); err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			t.Helper()
			for _, link := range []string{r.invites.Player, r.invites.Spectator} {
				for _, wrong := range []string{"", "Sesame"} {
					if err := come(link, wrong); !errors.Is(err, room.ErrPassword) {
						t.Errorf("T68.1 %s by %q: %v", when, wrong, err)
					}
				}
				if err := come(link, "sesame"); err != nil {
					t.Errorf("T68.1 %s by the password: %v", when, err)
				}
				if i, err := r.rooms.Invite(ctx, link); err != nil || !i.Locked {
					t.Errorf("T68.4 %s the link does not say it: %v", when, err)
				}
			}
		}
		check("at once")
		inv, err := r.rooms.Invites(ctx, r.host.Session)
		if err != nil || inv.Player != r.invites.Player || !inv.Password {
			t.Errorf("T68.5 the links have changed: %v", err)
		}
		r.stop()
		r.start()
		check("after a restart")
		if _, err := r.rooms.Authenticate(ctx, bob.Table, bob.Token); err != nil {
			t.Errorf("T68.5 who has a seat is put out: %v", err)
		}
		if err := set(r.host.Session, ""); err != nil {
			t.Fatal(err)
		}
		if err := come(r.invites.Player, ""); err != nil {
			t.Errorf("T68.1 after it was removed: %v", err)
		}
	})
}
