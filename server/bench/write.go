package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"holt/server/client"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
)

// writeEvery is how often each writer writes.
const writeEvery = time.Second

// Size of the part of the score sheet in which players write. It is small, so that they collide
// sometimes.
const (
	sheetRows    = 16
	sheetColumns = 8
)

// place is a key of a component that players write.
type place struct {
	entity    crdt.Entity
	component uint32
}

// writing holds what a player writes, and which texts of others it has received.
type writing struct {
	mu sync.Mutex
	// Guarded by mu.
	counts  struct{ sent, held, taken, overtaken, refused, received uint64 }
	number  int              // number of texts so far
	pending map[place]string // texts without an outcome
	read    map[string]bool  // texts of others
}

// written says when a text was written, and by which player.
type written struct {
	at     time.Duration
	player int
}

// writes reports whether a player is a writer. The writers are spread evenly over the players.
func (c *Config) writes(player int) bool {
	return math.Floor(float64(player+1)*c.Writers) > math.Floor(float64(player)*c.Writers)
}

// write writes labels on any pieces, and cells of the score sheet, until ctx is done.
func (p *player) write(ctx context.Context) {
	beat := time.NewTimer(between(0, writeEvery))
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
			p.writeOne()
			beat.Reset(writeEvery)
		case <-p.ended:
			return
		case <-ctx.Done():
			return
		}
	}
}

// writeOne writes at one place, unless the player's last text there is still pending.
func (p *player) writeOne() {
	w := &p.writing
	w.mu.Lock()
	defer w.mu.Unlock()
	at := p.somewhere()
	if w.pending[at] != "" || !p.here.Load() {
		w.counts.held++
		return
	}
	w.number++
	text := fmt.Sprintf("%d.%d", p.index, w.number)
	p.run.texts.Store(text, written{at: p.run.clock(), player: p.index})
	w.pending[at] = text // before the outcome can come
	if err := p.client.Put(
		at.entity, at.component, schema.Encode(&componentpb.Text{Text: text}),
	); err != nil {
		delete(w.pending, at)
		w.counts.held++
		p.run.recordError(fmt.Errorf("write: %w", err))
		return
	}
	w.counts.sent++
}

// somewhere chooses a random place: on a piece or on the score sheet.
func (p *player) somewhere() place {
	if n := len(p.hand.every); n > 0 && p.pen.IntN(2) == 0 {
		return place{schema.EntityOfPiece(p.hand.every[p.pen.IntN(n)]), schema.Label}
	}
	return place{
		schema.FirstRow + crdt.Entity(p.pen.Uint64N(sheetRows)),
		schema.FirstColumn + p.pen.Uint32N(sheetColumns),
	}
}

// wrote counts the outcome of the player's own write.
func (p *player) wrote(e *client.Event) {
	w := &p.writing
	w.mu.Lock()
	defer w.mu.Unlock()
	at := place{e.Entity, e.Component}
	if w.pending[at] == "" {
		return
	}
	delete(w.pending, at)
	switch e.Kind {
	case client.WriteTaken:
		w.counts.taken++
	case client.WriteOvertaken:
		w.counts.overtaken++
	default:
		w.counts.refused++
		p.run.recordError(cmp.Or(e.Err, fmt.Errorf("%w: %v", errRefused, e.Refusal)))
	}
}

// reads measures a text of somebody else. It records no latency if one of the two was disconnected
// meanwhile.
func (p *player) reads(e *client.Event) {
	data, ok := p.client.Component(e.Entity, e.Component)
	if !ok {
		return
	}
	m, err := schema.Decode[componentpb.Text](data)
	if err != nil {
		return
	}
	of, ok := p.run.texts.Load(m.GetText())
	if !ok {
		return
	}
	from, _ := of.(written) // holds no other type
	w := &p.writing
	w.mu.Lock()
	defer w.mu.Unlock()
	if from.player == p.index || w.read[m.GetText()] {
		return
	}
	w.read[m.GetText()] = true
	w.counts.received++
	if !p.frame.late {
		p.run.writeLatency.add(p.now - from.at)
	}
}

// cutOff excludes pending texts from the latency: the stream has ended.
func (w *writing) cutOff(texts *sync.Map) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range w.pending {
		texts.Delete(text)
	}
}

var errRefused = errors.New("what was written was refused")

// outstanding returns the number of texts without an outcome.
func (w *writing) outstanding() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// Writes counts what players wrote to components.
type Writes struct {
	Sent uint64 `json:"sent"`
	// Not made, because the previous one at the same place had no outcome yet.
	Held      uint64 `json:"held"`
	Taken     uint64 `json:"taken"`     // came back: durable and published
	Overtaken uint64 `json:"overtaken"` // another player's operation was greater (C2)
	Refused   uint64 `json:"refused"`
	// By others; of several at one place in one frame only the last.
	Received uint64 `json:"received"`
	Lost     uint64 `json:"lost"` // sent and without an outcome
	// Latency is the time from the call that writes, before the request, until the program of
	// another player has received the frame with the text.
	Latency Quantiles `json:"latencyMs"`
}

func (p *run) writesReport() *Writes {
	all := &Writes{Latency: p.writeLatency.quantiles()}
	for _, pl := range p.players {
		w := &pl.writing
		w.mu.Lock()
		c := &w.counts
		all.Sent, all.Held, all.Received = all.Sent+c.sent, all.Held+c.held, all.Received+c.received
		all.Taken, all.Overtaken, all.Refused = all.Taken+c.taken, all.Overtaken+c.overtaken,
			all.Refused+c.refused
		w.mu.Unlock()
	}
	all.Lost = all.Sent - all.Taken - all.Overtaken - all.Refused
	return all
}

// sheet returns the score sheet as a player displays it, by rows and columns.
func (p *player) sheet() (cells [sheetRows][sheetColumns]string) {
	for row := range cells {
		for column := range cells[row] {
			data, ok := p.client.Component(
				schema.FirstRow+crdt.Entity(row), schema.FirstColumn+uint32(column),
			)
			if ok {
				cells[row][column] = string(data)
			}
		}
	}
	return cells
}

// label returns the label of a piece as a player displays it.
func (p *player) label(piece id.Piece) string {
	data, _ := p.client.Component(schema.EntityOfPiece(piece), schema.Label)
	return string(data)
}
