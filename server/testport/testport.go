// Package testport is for tests only. It finds a port for a server that is stopped and started
// again. It does not reserve the port while the server is stopped.
package testport

import (
	"errors"
	"math/rand/v2"
	"net"
)

// Systems give higher ports to programs that ask for any port. So no other program gets one of
// these by chance while its server is stopped.
const (
	first = 10_000
	count = 20_000
)

// Listen opens sockets for TCP and UDP at one port of 127.0.0.1 that is free for both. The caller
// closes the socket that it does not need. The error says why the last of 1,000 ports was not free.
func Listen() (tcp *net.TCPListener, udp *net.UDPConn, err error) {
	local := net.IPv4(127, 0, 0, 1)
	for range 1000 {
		port := first + rand.IntN(count) //nolint:gosec // no secret
		if tcp, err = net.ListenTCP("tcp", &net.TCPAddr{IP: local, Port: port}); err != nil {
			continue
		}
		if udp, err = net.ListenUDP("udp", &net.UDPAddr{IP: local, Port: port}); err == nil {
			return tcp, udp, nil
		}
		err = errors.Join(err, tcp.Close())
	}
	return nil, nil, err
}
