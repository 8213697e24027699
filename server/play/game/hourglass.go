package game

// Bounds of the duration of an hourglass, in milliseconds (T59).
const (
	MinHourglass int32 = 1000
	MaxHourglass int32 = 3_600_000
)

// Hourglass says that the pieces of a kind are hourglasses (T59). The zero Hourglass stands for a
// kind of other pieces.
type Hourglass struct {
	// Duration is how long all its sand runs, from MinHourglass to MaxHourglass. 0: it is not an
	// hourglass.
	Duration int32
}

var hourglasses = ability{
	field: "hourglass", called: "an hourglass",
	has:  func(k *Kind) bool { return k.Hourglass.Duration != 0 },
	read: func(o object, k *Kind) { k.Hourglass = readHourglass(o, *k) },
	offers: func(*Kind, []Kind) []Offer {
		return []Offer{{Op: "turn", Key: "o", Label: "Turn over"}}
	},
}

// catalogHourglass is the form of an hourglass in a catalogue (docs/protocol/http.md).
type catalogHourglass struct {
	Duration int32 `json:"duration"`
}

func (h Hourglass) catalog() *catalogHourglass {
	if h.Duration == 0 {
		return nil
	}
	return &catalogHourglass{Duration: h.Duration}
}

func readHourglass(kind object, k Kind) Hourglass {
	if !kind.has("hourglass") {
		return Hourglass{}
	}
	o := kind.r.object(kind.get("hourglass"), kind.where+": hourglass", "duration")
	if len(k.Faces) != 1 {
		kind.fail(kind.get("faces"), "an hourglass has one face, not %d", len(k.Faces))
	}
	return Hourglass{Duration: o.integer("duration", MinHourglass, MaxHourglass)}
}
