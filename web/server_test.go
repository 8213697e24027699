package web_test

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
)

// exhausted is a listener that fails once for lack of file descriptors, and is closed then.
type exhausted struct {
	net.Listener
	said bool
}

type noFiles struct{}

func (noFiles) Error() string   { return "too many open files" }
func (noFiles) Timeout() bool   { return false }
func (noFiles) Temporary() bool { return true }

func (l *exhausted) Accept() (net.Conn, error) {
	if l.said {
		return nil, net.ErrClosed
	}
	l.said = true
	return nil, noFiles{}
}

func TestOperatorHearsThatNobodyCanConnect(t *testing.T) {
	s := newServer(t, unbundled)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.must(err)
	err = s.web.HTTP().Serve(&exhausted{Listener: l})
	if !errors.Is(err, net.ErrClosed) || errors.Is(err, http.ErrServerClosed) {
		t.Fatal(err)
	}
	if log := s.log.String(); !strings.Contains(log, "level=WARN") ||
		!strings.Contains(log, "too many open files") {
		t.Errorf("the log: %s", log)
	}
}
