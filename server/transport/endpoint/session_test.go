package endpoint

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

func TestSessions(t *testing.T) {
	t.Run("D18 other requests on the session port end their connection", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			socket, err := w.dialer().Socket()
			if err != nil {
				w.Fatal(err)
			}
			transport, config := &quic.Transport{Conn: socket}, quicConfig()
			config.KeepAlivePeriod = time.Second
			proof := pin("holt", w.hashes)
			proof.NextProtos = []string{http3.NextProtoH3}
			conn, err := transport.Dial(w.Context(),
				net.UDPAddrFromAddrPort(quicAddress), proof, config)
			if err != nil {
				w.Fatal(err)
			}
			web := &http3.Transport{EnableDatagrams: true}
			answer, err := web.NewClientConn(conn).RoundTrip((&http.Request{
				Method: http.MethodConnect, Proto: "connect-udp", Host: quicAddress.String(),
				URL: &url.URL{Scheme: "https", Host: quicAddress.String(), Path: sessionURL},
			}).WithContext(w.Context()))
			if err != nil || answer.StatusCode < http.StatusBadRequest {
				w.Fatalf("answered by %v, %v", answer, err)
			}
			_ = answer.Body.Close()
			w.pass(8 * time.Second)
			if conn.Context().Err() == nil {
				w.Error("the connection is kept")
			}
			if c := w.listener.Counts(); c.Paths != 0 {
				w.Errorf("counts %+v", c)
			}
			if err := errors.Join(transport.Close(), socket.Close()); err != nil {
				w.Error(err)
			}
		})
	})
}
