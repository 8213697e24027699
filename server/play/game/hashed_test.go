package game

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

// Games that are read by the hashes of their parts (O54).

// TestReadHashed reads a game of a shelf by its hashes.
// Clauses: O54.2
func TestReadHashed(t *testing.T) {
	want, file := packedFull(t)
	files := besideFull()
	shelf, err := LoadShelf(fstest.MapFS{}, func() fstest.MapFS {
		more := maps.Clone(files)
		more["full.json"] = &fstest.MapFile{Data: []byte(full)}
		return more
	}())
	if err != nil {
		t.Fatal(err)
	}
	if id := shelf.Identity(shelf.Games()[0]); id != want.ID {
		t.Fatalf("the identity is %x, not %x", id, want.ID)
	}
	asked := map[[sha256.Size]byte]int{}
	get := func(hash [sha256.Size]byte) ([]byte, error) {
		asked[hash]++
		if data, ok := shelf.Part(hash); ok {
			return data, nil
		}
		if art, ok := shelf.Art(hash); ok {
			return art.Data, nil
		}
		return nil, errors.New("it is nowhere")
	}
	doc, err := get(want.ID)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ReadHashed(doc, get)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := p.Bytes(); err != nil || !bytes.Equal(data, file) {
		t.Errorf("it is packed as another file: %v", err)
	}
	if len(asked) != len(want.Files()) {
		t.Errorf("%d parts were asked for, not %d", len(asked), len(want.Files()))
	}
	for hash, n := range maps.Clone(asked) {
		if n != 1 {
			t.Errorf("%x was asked for %d times", hash, n)
		}
		if hash == want.ID {
			continue
		}
		for what, instead := range map[string]func([sha256.Size]byte) ([]byte, error){
			"nowhere": func([sha256.Size]byte) ([]byte, error) { return nil, errors.New("it is nowhere") },
			"another hash": func([sha256.Size]byte) ([]byte, error) {
				return []byte(square + " "), nil
			},
		} {
			_, err := ReadHashed(doc, func(h [sha256.Size]byte) ([]byte, error) {
				if h == hash {
					return instead(h)
				}
				return get(h)
			})
			if err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%x, %s: the error is %v", hash, what, err)
			}
		}
	}
}
