package game

// MaxCooldown is the longest cool-down of a die, in milliseconds.
const MaxCooldown = 60_000

// Die says that the pieces of a kind are dice or coins (T32), with a side for each face. The zero
// Die stands for a kind of other pieces.
type Die struct {
	Rolls    bool  // the pieces are dice
	Cooldown int32 // the least time between two rolls, in milliseconds, up to MaxCooldown
}

var dice = ability{
	field: "die", called: "a die",
	has:    func(k *Kind) bool { return k.Die.Rolls },
	read:   func(o object, k *Kind) { k.Die = readDie(o, *k) },
	offers: func(k *Kind, _ []Kind) []Offer { return dieOffers(k) },
}

// catalogDie is the form of a die in a catalogue (docs/protocol/http.md).
type catalogDie struct {
	Cooldown int32 `json:"cooldown"`
}

func (d Die) catalog() *catalogDie {
	if !d.Rolls {
		return nil
	}
	return &catalogDie{Cooldown: d.Cooldown}
}

func readDie(kind object, k Kind) Die {
	if !kind.has("die") {
		return Die{}
	}
	o := kind.r.object(kind.get("die"), kind.where+": die", "cooldown")
	if len(k.Faces) < 2 {
		kind.fail(kind.get("faces"), "a die has two faces or more, not %d", len(k.Faces))
	}
	return Die{Rolls: true, Cooldown: o.optional("cooldown", 0, MaxCooldown)}
}

func dieOffers(k *Kind) []Offer {
	label := "Roll"
	if len(k.Faces) == 2 {
		label = "Toss"
	}
	return []Offer{{Op: "roll", Key: "o", Label: label}}
}
