package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
)

// Packed games that come in parts, so that a cut costs one part (T108). They are kept in memory
// until all is there: what is cancelled or given up leaves nothing.

// Bounds of what comes in parts.
const (
	arrivalIdle   = 2 * time.Minute  // without a part it is forgotten
	arrivalLife   = 30 * time.Minute // in all
	arrivalsFrom  = 4                // of one address
	arrivalsAll   = 64
	arrivalsBytes = 128 << 20 // that have come, of all together
	maxPart       = 4 << 20   // bytes of a part
)

// arrivals are the files that come in parts.
type arrivals struct {
	mu sync.Mutex
	// Guarded by mu.
	byID map[string]*arrival
	came int64 // bytes of all of them
}

// arrival is a file that comes in parts. Its fields are guarded by arrivals.mu.
type arrival struct {
	id     string
	seat   seatKey
	from   netip.Addr
	size   int // that it will have
	came   int // bytes that are here
	blocks [][]byte
	part   int // the number of the part that is being read: an older one is not taken any more
	born   time.Time
	idle   *time.Timer
}

// begin admits a file of so many bytes. The seat's earlier one is forgotten. It reports false if
// too many are coming.
func (all *arrivals) begin(seat seatKey, from netip.Addr, size int) (id string, ok bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	near := 0
	for _, a := range all.byID {
		if a.seat == seat {
			all.forget(a)
		} else if a.from == from {
			near++
		}
	}
	if near >= arrivalsFrom || len(all.byID) >= arrivalsAll {
		return "", false
	}
	a := &arrival{id: rand.Text(), seat: seat, from: from, size: size, born: time.Now()}
	a.idle = time.AfterFunc(arrivalIdle, func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		all.forget(a)
	})
	if all.byID == nil {
		all.byID = map[string]*arrival{}
	}
	all.byID[a.id] = a
	return a.id, true
}

// forget forgets a file. all.mu is held.
func (all *arrivals) forget(a *arrival) {
	if all.byID[a.id] != a {
		return
	}
	delete(all.byID, a.id)
	a.idle.Stop()
	all.came -= int64(a.came)
	a.blocks, a.part = nil, a.part+1
}

// of calls f with a file of a seat, and reports whether there is one.
func (all *arrivals) of(seat seatKey, id string, f func(*arrival)) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	a, ok := all.byID[id]
	if !ok || a.seat != seat {
		return false
	}
	if time.Since(a.born) > arrivalLife {
		all.forget(a)
		return false
	}
	a.idle.Reset(arrivalIdle)
	f(a)
	return true
}

// Errors of a part.
var (
	errOtherPart = errors.New("another part is coming")
	errNoRoom    = errors.New("there is no room")
)

// blockSize is how much of a part is read at once.
const blockSize = 64 << 10

// read reads a part. What came of one that breaks off is kept.
func (all *arrivals) read(seat seatKey, id string, offset int, body io.Reader) error {
	number, left := 0, 0
	if !all.of(seat, id, func(a *arrival) {
		a.part++
		number, left = a.part, a.size-a.came
		if offset != a.came {
			left = 0 // the answer says where the next one begins
		}
	}) {
		return noSuchArrival()
	}
	for left > 0 {
		block := make([]byte, min(left, blockSize))
		n, broken := io.ReadFull(body, block)
		var refused error
		if !all.of(seat, id, func(a *arrival) {
			switch {
			case a.part != number:
				refused = errOtherPart
			case all.came+int64(n) > arrivalsBytes:
				refused = errNoRoom
			default:
				a.blocks = append(a.blocks, slices.Clone(block[:n]))
				a.came += n
				all.came += int64(n)
				left = a.size - a.came
			}
		}) {
			return noSuchArrival()
		}
		if refused != nil || broken != nil {
			return refused // after the end of the part, or a cut, the answer says how much is here
		}
	}
	return nil
}

// take returns a file that is complete, and forgets it.
func (all *arrivals) take(seat seatKey, id string) (data []byte, err error) {
	var blocks [][]byte
	err = noSuchArrival()
	all.of(seat, id, func(a *arrival) {
		if err = nil; a.came < a.size {
			err = newProblem("malformed", "not all of the file is here")
			return
		}
		data, blocks = make([]byte, 0, a.size), a.blocks
		all.forget(a)
	})
	for _, block := range blocks {
		data = append(data, block...)
	}
	return data, err
}

func noSuchArrival() error {
	return newProblem("not-found", "there is no such upload, or it was given up")
}

// apiBeginArrival begins a file that comes in parts.
func (s *Server) apiBeginArrival(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	var size int
	if err := readObject(r, []string{"bytes"}, map[string]any{"bytes": &size}); err != nil {
		return err
	}
	switch {
	case size < 1:
		return newProblem("impossible-value", "bytes: a file has some")
	case size > game.MaxPacked:
		return &http.MaxBytesError{Limit: game.MaxPacked}
	}
	if _, err := s.rooms.BaseOf(r.Context(), session); err != nil {
		return err
	}
	if err := s.limits.kinds.take(keyOf(session), 1); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	upload, ok := s.arrivals.begin(keyOf(session), addressOf(r), size)
	if !ok {
		return tooManyArrivals()
	}
	return writeJSON(w, http.StatusCreated, struct {
		Upload string `json:"upload"`
		Offset int    `json:"offset"`
		Part   int    `json:"part"` // the most bytes of one
	}{upload, 0, maxPart})
}

func tooManyArrivals() error {
	return &problem{
		Code: "busy", Detail: "other files are coming at the moment", After: 10 * time.Second,
	}
}

// apiArrivalPart takes a part of a file.
func (s *Server) apiArrivalPart(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	offset, err := strconv.Atoi(r.URL.Query().Get("offset"))
	if err != nil || offset < 0 {
		return malformed("offset is where the part begins")
	}
	if err := checkType(r, "application/octet-stream"); err != nil {
		return err
	}
	if r.ContentLength > maxPart {
		return &http.MaxBytesError{Limit: maxPart}
	}
	if err := s.limits.updates.take(keyOf(session), partCost); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	until := time.Now().Add(partTimeout)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(until)                     // a recorder in tests has none
	_ = control.SetWriteDeadline(until.Add(answerTimeout)) // as above
	err = s.arrivals.read(keyOf(session), chi.URLParam(r, "upload"), offset,
		io.LimitReader(r.Body, maxPart))
	switch {
	case errors.Is(err, errNoRoom):
		return tooManyArrivals()
	case err != nil && !errors.Is(err, errOtherPart):
		return err
	}
	return s.apiArrival(w, r, session)
}

const (
	partCost    = 20              // updates that a part counts as
	partTimeout = 2 * time.Minute // for a part, on a slow line
)

// apiArrival says how much of a file is here.
func (s *Server) apiArrival(w http.ResponseWriter, r *http.Request, session room.Session) error {
	var at struct {
		Offset int `json:"offset"`
	}
	if !s.arrivals.of(keyOf(session), chi.URLParam(r, "upload"), func(a *arrival) {
		at.Offset = a.came
	}) {
		return noSuchArrival()
	}
	noStore(w)
	return writeJSON(w, http.StatusOK, at)
}

// apiForgetArrival gives a file up.
func (s *Server) apiForgetArrival(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if !s.arrivals.of(keyOf(session), chi.URLParam(r, "upload"), s.arrivals.forget) {
		return noSuchArrival()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiAddArrivedKinds adds the kinds of a packed game that has come in parts.
func (s *Server) apiAddArrivedKinds(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	c, err := changedKinds(r.URL.Query())
	if err != nil {
		return err
	}
	if _, err := s.rooms.BaseOf(r.Context(), session); err != nil {
		return err
	}
	end, err := s.receiveFile(w, r)
	if err != nil {
		return err
	}
	defer end()
	file, err := s.arrivals.take(keyOf(session), chi.URLParam(r, "upload"))
	if err != nil {
		return err
	}
	return s.addKinds(w, r, session, file, c)
}

// addKinds adds the kinds of a packed game to a table, or changes kinds there (T104). They may
// refer to its kinds (T103), and pictures that it has need not be in the file (T108).
func (s *Server) addKinds(
	w http.ResponseWriter, r *http.Request, session room.Session, file []byte, c room.ChangedKinds,
) error {
	ctx := r.Context()
	base, err := s.rooms.BaseOf(ctx, session) // the file may have come slowly
	if err != nil {
		return err
	}
	has := map[room.Hash]bool{}
	for _, hash := range game.Pictures(base.Kinds) {
		has[hash] = true
	}
	base.Art = func(hash [sha256.Size]byte) ([]byte, error) {
		if !has[hash] {
			return nil, game.ErrLacking
		}
		return s.pictureOf(ctx, hash)
	}
	p, err := game.ReadPackedAt(file, base)
	if err != nil {
		return &library.Unreadable{Err: err}
	}
	numbers, err := s.rooms.AddKinds(ctx, session, p, c)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Kinds []uint32 `json:"kinds"`
	}{numbers})
}

// pictureOf returns a picture of a table.
func (s *Server) pictureOf(ctx context.Context, hash room.Hash) ([]byte, error) {
	b, err := s.rooms.Blob(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("picture %x: %w", hash, err)
	}
	return b.Data, nil
}
