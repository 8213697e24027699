package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// window is a server with one table, of which it shows only that it exists.
func window(t *testing.T) (link string) {
	t.Helper()
	whole, err := wire.EncodeFrame(&holtpb.Frame{Mark: 1,
		Events: []*holtpb.Event{{Event: &holtpb.Event_Full{Full: &holtpb.Full{Epoch: 1, You: 1}}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/stream") {
			http.NotFound(w, r)
			return
		}
		ws, err := websocket.Accept(w, r,
			&websocket.AcceptOptions{Subprotocols: []string{"holt.v1"}})
		if err != nil {
			t.Error(err)
			return
		}
		if err := ws.Write(r.Context(), websocket.MessageBinary, whole); err != nil {
			t.Error(err)
		}
		for err == nil {
			_, _, err = ws.Read(context.Background())
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/t/ab"
}

// reader collects the output, and calls then when the output contains until.
type reader struct {
	bytes.Buffer
	until string
	then  func() error
}

func (r *reader) Write(b []byte) (int, error) {
	n, err := r.Buffer.Write(b)
	if bytes.Contains(r.Bytes(), []byte(r.until)) {
		err = errors.Join(err, r.then())
	}
	return n, err
}

func TestWatch(t *testing.T) {
	args := []string{"watch", window(t), "--token", "T"}
	t.Run("a watcher that stops ends the command in order", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var errs strings.Builder
		out := &reader{until: `"event":"whole"`, then: func() error { cancel(); return nil }}
		status := run(ctx, args, streams{Out: out, Err: &errs}, nil)
		if want := `{"event":"opened","transport":"websocket"}` + "\n"; status != exitOK ||
			errs.Len() > 0 || !strings.HasPrefix(out.String(), want) {
			t.Errorf("status %d, after\n%s\n%s", status, out, &errs)
		}
		if ctx.Err() != context.Canceled {
			t.Error(ctx.Err())
		}
	})
	t.Run("it ends when nobody reads it any more", func(t *testing.T) {
		var errs strings.Builder
		out := &reader{until: `"event":"whole"`,
			then: func() error { return errors.New("the pipe is broken") }}
		if status := run(t.Context(), args,
			streams{Out: out, Err: &errs}, nil); status != exitFault ||
			errs.String() != "holt: write a line: the pipe is broken\n" {
			t.Errorf("status %d: %s", status, &errs)
		}
	})
}
