package game

import "slices"

// The ways in which a piece may belong to a seat (T35).
const (
	seatLabel = "label"
	seatTurn  = "turn"
)

// labels are the name plates of players, and turn markers (T35).
var labels = ability{
	field: "seat", called: "the label of a seat", written: true,
	has:    func(k *Kind) bool { return k.Seat != "" },
	read:   func(o object, k *Kind) { k.Seat = readSeat(o) },
	offers: func(k *Kind, _ []Kind) []Offer { return seatOffers(k.Seat) },
}

func readSeat(kind object) string {
	if !kind.has("seat") {
		return ""
	}
	return kind.choice("seat", seatLabel, seatTurn)
}

func seatOffers(seat string) []Offer {
	offers := []Offer{
		{Op: "assign", Key: "y", Label: "Give to a player", Asks: []Ask{seatAsk("Whose is it?")}},
		{Op: "assign", Label: "Take back", With: map[string]int32{"seat": 0}},
	}
	if seat == seatTurn {
		offers = slices.Insert(offers, 0, Offer{Op: "pass", Key: "o", Label: "Next player"})
	}
	return offers
}
