package web

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"holt/server/tables/room"
)

func TestFilesArePackedOnceAndIfItPays(t *testing.T) {
	var times int
	half := compressedIfSmaller(make([]byte, 100), func(b []byte) []byte { times++; return b[:50] })
	for range 2 {
		if z := half(); len(z) != 50 || times != 1 {
			t.Errorf("packed %d times, to %d bytes", times, len(z))
		}
	}
	if z := compressedIfSmaller(make([]byte, 100), func(b []byte) []byte {
		return b[:95]
	})(); z != nil {
		t.Errorf("a twentieth is saved: %d bytes, want none", len(z))
	}
	picture := newFile("image/png", "0123456789abcdef", bytes.Repeat([]byte("a"), 1000))
	if picture.compressible() {
		t.Error("a picture that is packed already is packed again")
	}
}

func TestWarm(t *testing.T) {
	var packed atomic.Int32
	pack := func() []byte { packed.Add(1); return nil }
	s := &Server{assets: &Assets{byName: map[string]*file{
		"main.js":  {brotli: pack, gzip: pack},
		"main.css": {brotli: pack, gzip: pack},
		"logo.png": {},
	}}, art: &artShelf{albums: map[room.Hash]*file{{1}: {brotli: pack, gzip: pack}}}}
	ended, end := context.WithCancel(t.Context())
	end()
	s.Warm(ended)
	if n := packed.Load(); n != 0 {
		t.Errorf("%d packings are done for a server that has ended, want none", n)
	}
	s.Warm(t.Context())
	if n := packed.Load(); n != 6 {
		t.Errorf("%d packings are done, want 6", n)
	}
	(&Server{assets: &Assets{}, art: &artShelf{}}).Warm(t.Context()) // with nothing to compress
}
