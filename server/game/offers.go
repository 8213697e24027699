package game

// Offer is an operation that the pieces of a kind offer (T36): what a client that knows no more of it needs to offer it.
type Offer struct {
	Op    string           // as in T24
	Key   string           // a small letter, or "" if there is none
	Label string           // what it says on the button
	With  map[string]int32 // arguments that are always the same
	Asks  []Ask            // arguments that the player is asked for
}

// Ask is an argument of an operation that a player is asked for. Numbers have bounds and a value to begin with; a
// "text" has a Max in bytes, a "seat" and the container "into" have none.
type Ask struct {
	Name, Label       string
	Min, Max, Initial int32
}
