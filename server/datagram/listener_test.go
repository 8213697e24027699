package datagram

import (
	"net"
	"testing"
)

func TestPorts(t *testing.T) {
	for _, c := range []struct {
		at, host string
		found    bool
	}{
		{"127.0.0.1:0", "localhost", true},
		{"127.0.0.1:0", "127.0.0.1", true},
		{"[::1]:0", "::1", true},
		{"127.0.0.1:0", "table.example.org", false},
		{"127.0.0.1:0", "192.0.2.7", false},
		{"0.0.0.0:0", "table.example.org", true},
		{"0.0.0.0:0", "localhost", true},
	} {
		t.Run("D30 a socket at "+c.at+" for a client that knows the server as "+c.host, func(t *testing.T) {
			socket, err := net.ListenPacket("udp", c.at)
			if err != nil {
				t.Skipf("this machine has no such address: %v", err)
			}
			defer func() { _ = socket.Close() }()
			port := portFor(c.host, socket)
			if found := port == addressOf(socket.LocalAddr()).Port(); found != c.found || !found && port != 0 {
				t.Errorf("told port %d of %v", port, socket.LocalAddr())
			}
		})
	}
	t.Run("D30 without a socket there is no port", func(t *testing.T) {
		if port := portFor("localhost", nil); port != 0 {
			t.Errorf("told port %d", port)
		}
	})
}
