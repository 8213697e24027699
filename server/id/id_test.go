package id_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"holt/server/id"
)

// TestTexts shows that each identifier has one text, which leads back to it.
func TestTexts(t *testing.T) {
	t.Run("only a client's text is read back", func(t *testing.T) {
		for range 1000 {
			var c id.Client
			for i := range c {
				c[i] = byte(rand.Uint32())
			}
			if back, err := id.ParseClient(c.String()); err != nil || back != c {
				t.Fatalf("%v comes back as %v, %v", c, back, err)
			}
		}
		for _, text := range []string{
			"", "q83vEjRWeJCrze8SNFZ4k", "q83vEjRWeJCrze8SNFZ4kAA", "q83vEjRWeJCrze8SNFZ4k=",
			"q83vEjRWeJCrze8SNFZ4k/",
			"q83vEjRWeJCrze8SNFZ4kB", // bits beyond the last byte
			"AAAAAAAAAAAAAAAAAAAAAA", "q83vEjRWeJCrze8SNFZ4\nA",
		} {
			if c, err := id.ParseClient(text); err == nil || c != (id.Client{}) {
				t.Errorf("%q is the client %v", text, c)
			}
		}
	})
	t.Run("logs as JSON have the texts of hosts and objects", func(t *testing.T) {
		o := id.OID{0xab, 15: 0xff}
		b, err := json.Marshal(map[string]any{"host": o.Creator(), "object": o})
		want := `{"host":"` + o.Creator().String() + `","object":"` + o.String() + `"}`
		if err != nil || string(b) != want {
			t.Errorf("%s, %v", b, err)
		}
	})
	t.Run("only an object's text is read back", func(t *testing.T) {
		want := id.OID{0xab, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff}
		if back, err := id.ParseOID(want.String()); err != nil || back != want || back.IsZero() ||
			back.Creator() != id.HostID(want[:8]) {
			t.Errorf("%v comes back as %v, %v", want, back, err)
		}
		for _, text := range []string{
			"", strings.ToUpper(want.String()), want.String()[1:], want.String() + "0",
			strings.Repeat("g", 32),
		} {
			if o, err := id.ParseOID(text); err == nil || !o.IsZero() {
				t.Errorf("%q is the object %v", text, o)
			}
		}
	})
}

// store keeps what a minter reserves, as a host does.
type store struct {
	mu       sync.Mutex
	reserved id.Millis
	calls    int
	fail     error
}

func (s *store) reserve(at id.Millis) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.calls++
	s.reserved = at
	return nil
}

// TestMinter shows that identifiers never repeat, even if the clock goes back or the host restarts
// (O1).
func TestMinter(t *testing.T) {
	host := id.HostID{1, 2, 3}
	t.Run("O1.3, O1.5 identifiers never repeat, despite clocks and restarts", func(t *testing.T) {
		seen := map[id.OID]bool{}
		s := &store{}
		now := id.Millis(1_000_000)
		for range 50 {
			m := id.NewMinter(host, s.reserved, s.reserve)
			for range 500 {
				now += id.Millis(rand.IntN(2000) - 1000)
				o, err := m.Mint(now)
				if err != nil {
					t.Fatal(err)
				}
				if seen[o] || o.Creator() != host {
					t.Fatalf("%v exists twice or is not of this host", o)
				}
				seen[o] = true
			}
		}
	})
	t.Run("O1.4 then come 44 bits of milliseconds and 20 of counter, big-endian", func(t *testing.T) {
		m := id.NewMinter(id.HostID{1, 2, 3, 4, 5, 6, 7, 8}, 0, (&store{}).reserve)
		for _, x := range []struct {
			now  id.Millis
			want string
		}{
			{0x123456789ab, "0102030405060708" + "123456789ab" + "00000"},
			{0x123456789ab, "0102030405060708" + "123456789ab" + "00001"},
			{0x123456789ac, "0102030405060708" + "123456789ac" + "00000"},
			{0x123456789ab, "0102030405060708" + "123456789ac" + "00001"},
		} {
			if o, err := m.Mint(x.now); err != nil || o.String() != x.want {
				t.Errorf("%v, %v, want %s", o, err, x.want)
			}
		}
		for range 1<<20 - 2 {
			if _, err := m.Mint(0); err != nil {
				t.Fatal(err)
			}
		}
		// The counter is full.
		if o, err := m.Mint(0); err != nil ||
			o.String() != "0102030405060708"+"123456789ad"+"00000" {
			t.Errorf("%v, %v", o, err)
		}
	})
	t.Run("O1.5 many at once", func(t *testing.T) {
		s := &store{}
		m := id.NewMinter(host, 0, s.reserve)
		var mu sync.Mutex
		var all sync.WaitGroup
		seen := map[id.OID]bool{}
		for range 8 {
			all.Go(func() {
				for range 1000 {
					o, err := m.Mint(5)
					mu.Lock()
					if err != nil || seen[o] {
						t.Errorf("%v, %v", o, err)
					}
					seen[o] = true
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if s.calls != 1 {
			t.Errorf("%d reservations in one moment, want one", s.calls)
		}
	})
	t.Run("O1.5 more in a millisecond than the counter holds", func(t *testing.T) {
		m := id.NewMinter(host, 0, (&store{}).reserve)
		seen := map[id.OID]bool{}
		for range 1<<20 + 10 {
			o, err := m.Mint(7)
			if err != nil || seen[o] {
				t.Fatalf("%v, %v after %d", o, err, len(seen))
			}
			seen[o] = true
		}
	})
	t.Run("O1.6 no identifier is made that is not reserved", func(t *testing.T) {
		s := &store{fail: errors.New("the disk is full")}
		m := id.NewMinter(host, 0, s.reserve)
		if o, err := m.Mint(1); !errors.Is(err, s.fail) || !o.IsZero() {
			t.Errorf("minted %v, %v", o, err)
		}
		s.fail = nil
		if _, err := m.Mint(1); err != nil {
			t.Error(err)
		}
		if _, err := m.Mint(1 << 44); err == nil {
			t.Error("a time of more than 44 bits was accepted")
		}
		late := id.NewMinter(host, 0, (&store{}).reserve)
		a, err := late.Mint(1<<44 - 60_001)
		b, again := late.Mint(1<<44 - 60_001)
		if err != nil || again != nil || a == b || a.Creator() != host {
			t.Errorf("near the end of time: %v, %v, %v, %v", a, b, err, again)
		}
		if _, err := late.Mint(1<<63 - 1); err == nil {
			t.Error("the end of time was accepted")
		}
	})
}
