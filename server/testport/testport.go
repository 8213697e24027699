// Package testport is for tests only: it finds a port for a server that is stopped and started again. It does
// not keep the port while the server is stopped.
package testport

import (
	"errors"
	"math/rand/v2"
	"net"
)

// Ports below those that systems give to programs that ask for any port: nobody else gets one by chance
// while its server is stopped.
const (
	first = 10_000
	count = 20_000
)

// Listen opens sockets for TCP and UDP at one port of 127.0.0.1 that is free for both. The caller closes
// what it does not need. The error says why the last of many ports was not free.
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
