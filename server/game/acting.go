package game

// MaxValue is the greatest value of a counter or a heap of currency, and -MaxValue the least one of a counter (T33, T34).
const MaxValue int32 = 1 << 30

// MaxText is how many bytes may be written on a note or a label (T35).
const MaxText = 2_000

// Die says that the pieces of a kind are dice or coins (T32), with a side for each face. The zero Die is of a kind
// whose pieces are none.
type Die struct {
	Rolls    bool  // it is one
	Cooldown int32 // for how long it cannot be rolled again, in milliseconds, up to MaxCooldown
}

// MaxCooldown is the longest cool-down of a die, in milliseconds.
const MaxCooldown = 60_000

// Counter says that the pieces of a kind are counters (T33), and what they may show. The zero Counter is of a kind whose
// pieces are none.
type Counter struct {
	Counts            bool // it is one
	Min, Max, Initial int32
}

// Text says that the pieces of a kind are notes or labels (T35). The zero Text is of a kind whose pieces are none.
type Text struct {
	Written bool   // it is written on
	Initial string // what stands on a new one: up to MaxText bytes, without control characters but for line feeds
}
