package node

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"holt/server/federation/object"
	"holt/server/tables/room"
)

// BlobRefs knows what refers to blobs (O30), besides the catalogues of tables. Its functions are
// safe for concurrent use.
type BlobRefs struct {
	// Spaces are the machine's spaces whose values refer to blobs. Value returns the blobs to which
	// a value refers.
	Spaces []object.Space
	Value  func(object.Write) ([]room.Hash, error)
	// Blob returns the blobs to which a blob refers.
	Blob func(room.Blob) []room.Hash
	// Roots returns what else is needed. It is called when all values were read once.
	Roots func() ([]room.Hash, error)
}

// Swept counts what was deleted because nothing refers to it.
type Swept struct {
	Blobs int
	Bytes int64
}

// sweepShare bounds how often sweeps run by themselves: after a sweep, the next one waits for this
// many times as long as the sweep took. A call of SweepBlobs does not wait.
const sweepShare = 100

// sweeping knows when kinds and pictures to which nothing refers are deleted.
type sweeping struct {
	turn chan struct{} // capacity 1: a lock

	mu sync.Mutex
	// Guarded by mu.
	running, again bool
	took           time.Duration
	ended          time.Time
}

// sweepSoon begins a sweep, at once unless the last one is too recent. Only run calls it.
func (w *Objects) sweepSoon() {
	w.sweeping.mu.Lock()
	defer w.sweeping.mu.Unlock()
	w.sweeping.again = true
	if !w.sweeping.running {
		w.sweeping.running = true
		w.errands.Go(w.sweepAgain)
	}
}

// sweepAgain sweeps until no further sweep is asked for.
func (w *Objects) sweepAgain() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancelAtHalt(ctx, cancel)
	for {
		w.sweeping.mu.Lock()
		again := w.sweeping.again
		w.sweeping.again, w.sweeping.running = false, again
		wait := sweepShare*w.sweeping.took - time.Since(w.sweeping.ended)
		w.sweeping.mu.Unlock()
		if !again {
			return
		}
		pause := time.NewTimer(max(0, wait))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		if _, err := w.SweepBlobs(ctx); err != nil && ctx.Err() == nil {
			w.cfg.Log.Warn("pictures that nobody needs are not deleted", "error", err)
		}
	}
}

// SweepBlobs deletes the kinds, pictures and catalogues to which nothing refers.
func (w *Objects) SweepBlobs(ctx context.Context) (Swept, error) {
	select {
	case w.sweeping.turn <- struct{}{}:
	case <-ctx.Done():
		return Swept{}, ctx.Err()
	}
	defer func() { <-w.sweeping.turn }()
	begun := time.Now()
	w.fetching.forget()
	swept, err := w.cfg.Store.SweepBlobs(ctx, BlobRefs{
		Spaces: []object.Space{object.Bodies, object.Copies},
		Value:  kindsOf, Blob: named, Roots: w.quarantined,
	})
	w.fetching.forget()
	w.sweeping.mu.Lock()
	w.sweeping.ended = time.Now()
	w.sweeping.took = w.sweeping.ended.Sub(begun)
	w.sweeping.mu.Unlock()
	if swept.Blobs > 0 {
		w.cfg.Log.Info(
			"kinds and pictures that nobody needs were deleted", "number", swept.Blobs,
			"bytes", swept.Bytes,
		)
	}
	return swept, err
}

// kindsOf returns the kinds that an object has.
func kindsOf(x object.Write) ([]room.Hash, error) {
	kinds, err := object.ReadKinds(x)
	if err != nil {
		return nil, fmt.Errorf("read the kinds of object %s: %w", x.OID, err)
	}
	return hashesOf(kinds), nil
}

func hashesOf(kinds []object.Kind) []room.Hash {
	all := make([]room.Hash, len(kinds))
	for i, k := range kinds {
		all[i] = room.Hash(k)
	}
	return all
}

// hash matches the name of a blob in a catalogue or in a version of a kind.
var hash = regexp.MustCompile(`"[0-9a-f]{64}"`)

// named returns the hashes that a catalogue or a version of a kind names. A text that only looks
// like a hash keeps a blob that nobody needs. That is the lesser evil (O29).
func named(b room.Blob) (all []room.Hash) {
	if b.Type != "application/json" {
		return nil
	}
	for _, text := range hash.FindAll(b.Data, -1) {
		var h room.Hash
		if _, err := hex.Decode(h[:], text[1:len(text)-1]); err == nil {
			all = append(all, h)
		}
	}
	return all
}

// quarantined returns the kinds of the objects in the quarantine, because these can be restored.
func (w *Objects) quarantined() (all []room.Hash, err error) {
	dir := w.cfg.Quarantine
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return nil, nil
	}
	for i := 0; i < len(files) && err == nil; i++ {
		if !strings.HasSuffix(files[i].Name(), quarantineSuffix) {
			continue
		}
		e, bad := w.readQuarantine(filepath.Join(dir, files[i].Name()))
		switch {
		case bad == nil:
			all = append(all, hashesOf(e.Kinds())...)
		case !errors.Is(bad, errQuarantine): // a file with errQuarantine cannot be restored
			err = bad
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the quarantine: %w", err)
	}
	return all, nil
}
