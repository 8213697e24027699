package game

import "fmt"

// MaxValue is the greatest value of a counter or a heap of currency. -MaxValue is the least one of
// a counter (T33, T34).
const MaxValue int32 = 1 << 30

// Counter says that the pieces of a kind are counters (T33), and which values they can show. The
// zero Counter stands for a kind of other pieces.
type Counter struct {
	Counts            bool  // the pieces are counters
	Min, Max, Initial int32 // from -MaxValue to MaxValue
	Step              int32 // by how much its buttons count, at least 1
}

var counters = ability{
	field: "counter", called: "a counter", written: true,
	has:    func(k *Kind) bool { return k.Counter.Counts },
	read:   func(o object, k *Kind) { k.Counter = readCounter(o) },
	offers: func(k *Kind, _ []Kind) []Offer { return counterOffers(k.Counter) },
}

// catalogCounter is the form of a counter in a catalogue (docs/protocol/http.md).
type catalogCounter struct {
	Min     int32 `json:"min"`
	Max     int32 `json:"max"`
	Initial int32 `json:"initial"`
	Step    int32 `json:"step,omitempty"` // 1 if it is left out
}

func (c Counter) catalog() *catalogCounter {
	if !c.Counts {
		return nil
	}
	of := &catalogCounter{Min: c.Min, Max: c.Max, Initial: c.Initial}
	if c.Step != 1 {
		of.Step = c.Step
	}
	return of
}

func readCounter(kind object) Counter {
	if !kind.has("counter") {
		return Counter{}
	}
	o := kind.r.object(kind.get("counter"), kind.where+": counter", "min", "max", "initial",
		"step")
	c := Counter{
		Counts: true, Step: 1,
		Min:     o.integer("min", -MaxValue, MaxValue),
		Max:     o.integer("max", -MaxValue, MaxValue),
		Initial: o.integer("initial", -MaxValue, MaxValue),
	}
	if o.has("step") {
		c.Step = o.integer("step", 1, MaxValue)
	}
	switch {
	case c.Min >= c.Max:
		o.fail(o.get("max"), "max: %d is not above %d", c.Max, c.Min)
	case c.Initial < c.Min || c.Initial > c.Max:
		o.fail(o.get("initial"), "initial: %d is not from %d to %d", c.Initial, c.Min, c.Max)
	case int64(c.Step) > int64(c.Max)-int64(c.Min):
		o.fail(o.get("step"), "step: %d is more than from %d to %d", c.Step, c.Min, c.Max)
	}
	return c
}

func counterOffers(c Counter) []Offer {
	span := int32(min(int64(c.Max)-int64(c.Min), int64(MaxValue))) //nolint:gosec // bounded
	return []Offer{
		{Op: "count", Key: "k", Label: fmt.Sprint("Add ", c.Step),
			With: map[string]int32{"n": c.Step}},
		{Op: "count", Key: "j", Label: fmt.Sprintf("Take %d off", c.Step),
			With: map[string]int32{"n": -c.Step}},
		{Op: "count", Key: "m", Label: "Add or take off",
			Asks: []Ask{number("How much more? Less than 0 takes off.", -span, span, 1)}},
	}
}
