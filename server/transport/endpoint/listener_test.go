package endpoint

import (
	"fmt"
	"net"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ at, host, told string }{
		{"127.0.0.1:0", "localhost", "127.0.0.1"},
		{"127.0.0.1:0", "127.0.0.1", "127.0.0.1"},
		{"[::1]:0", "localhost", "[::1]"},
		{"127.0.0.1:0", "table.example.org", ""},
		{"127.0.0.1:0", "192.0.2.7", ""},
		{"0.0.0.0:0", "table.example.org", "table.example.org"},
		{"0.0.0.0:0", "2001:db8::7", "[2001:db8::7]"},
		{"0.0.0.0:0", "localhost", "127.0.0.1"},
	} {
		// Clauses: D30.9
		t.Run("D30 a socket at "+c.at+" for a client of "+c.host, func(t *testing.T) {
			socket, err := net.ListenPacket("udp", c.at)
			if err != nil {
				t.Skipf("this machine has no such address: %v", err)
			}
			defer func() { _ = socket.Close() }()
			want := ""
			if c.told != "" {
				want = fmt.Sprintf("%s:%d", c.told, addressOf(socket.LocalAddr()).Port())
			}
			if got := addressFor(c.host, socket); got != want {
				t.Errorf("got %q, not %q", got, want)
			}
		})
	}
	t.Run("D30 without a socket there is none", func(t *testing.T) {
		if got := addressFor("localhost", nil); got != "" {
			t.Errorf("got %q", got)
		}
	})
}
