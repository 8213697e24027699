package peer

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"

	"nhooyr.io/websocket"

	"holt/server/transport/endpoint"
)

// This is the only file of the package that knows the WebSocket library.

// WebPath is the path at which servers accept connections of others by WebSocket (O33).
const WebPath = "/api/v1/peer"

// newWebTransport returns the transport by which other servers are reached by HTTP. It does not
// check their certificates there: the hosts prove their keys by their own TLS inside the WebSocket.
func newWebTransport(dial DialFunc) *http.Transport {
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: pinning(dial), DisableKeepAlives: true,
		TLSHandshakeTimeout: handshakeStepTimeout,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, //nolint:gosec // see above
		},
	}
}

// dialSocket opens a stream of bytes to a server by WebSocket.
func dialSocket(ctx context.Context, t *http.Transport, a Address) (net.Conn, error) {
	client := &http.Client{
		Transport: t,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	ws, _, err := websocket.Dial( //nolint:bodyclose // the library says it need not be closed
		ctx, strings.TrimSuffix(string(a), "/")+WebPath, &websocket.DialOptions{
			HTTPClient: client, Subprotocols: []string{endpoint.ServerProtocol},
			CompressionMode: websocket.CompressionDisabled,
		})
	if err != nil {
		return nil, fmt.Errorf("reach a server by WebSocket: %w", err)
	}
	// The stream outlives ctx, which is for dialling.
	return &socketConn{
		Conn: websocket.NetConn(context.WithoutCancel(ctx), ws, websocket.MessageBinary), ws: ws,
	}, nil
}

// socketConn is a WebSocket as a stream of bytes. Its Close does not wait for the other end.
type socketConn struct {
	net.Conn
	ws *websocket.Conn
}

// Close closes the connection.
func (c *socketConn) Close() error { return c.ws.CloseNow() }
