// Package stream feeds clients. It has each client's state (NEW, DESYNCED, OK, TEARDOWN) and its
// bounded outbox, and writes frames to a carrier. It does not know what is in a frame, or what
// carries it.
package stream

import (
	"context"
	"errors"
)

// Carrier carries frames to one client. A WebSocket is one.
type Carrier interface {
	// Write sends frames, each as one message, in order. One goroutine calls it. It returns when
	// the network has taken the bytes, when ctx is done or when the carrier is closed. After an
	// error it is not called again. The frames are shared with other carriers, so Write must not
	// change them.
	Write(ctx context.Context, frames [][]byte) error
	// Close ends the carrier and makes Write return. It does not wait for the peer. Further calls
	// do nothing.
	Close(code Code, reason string)
}

// Code is a close code (stream.md).
type Code uint16

// The close codes (stream.md).
const (
	CodeGoingAway     Code = 1001 // the server is stopping
	CodeProtocol      Code = 1002 // the client broke the protocol
	CodeFlood         Code = 1008 // far too many messages from the client
	CodeTooLarge      Code = 1009 // a message from the client was too large
	CodeInternal      Code = 1011 // fault in the server
	CodeResetRequired Code = 1013 // a bridge has to start again (component.md, C19)
	CodeKeepalive     Code = 4000 // the client missed a keepalive
	CodeTakenOver     Code = 4001 // another stream took over
	CodeNoSeat        Code = 4002 // the seat was withdrawn
	CodeTableClosed   Code = 4004 // the table is closed
)

// ErrLeft is the error that a carrier passes to Closed when the client has ended it in good order.
// Any other error is a connection that broke (S11).
var ErrLeft = errors.New("the client has closed the stream")

// ErrFlood is the error of Receive for a client that sends far more messages than it may (S9). The
// answer is CodeFlood.
var ErrFlood = errors.New("far too many messages")
