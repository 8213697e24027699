package game

// hands lie on the table, and what lies in one belongs to its owner (T23).
var hands = ability{
	field: "hand", called: "a hand", old: true,
	has:    func(k *Kind) bool { return k.Hand },
	read:   func(o object, k *Kind) { k.Hand = o.boolean("hand") },
	offers: func(*Kind, []Kind) []Offer { return handOffers() },
}

func handOffers() []Offer {
	return []Offer{
		{Op: "claim", Key: "m", Label: "Make it mine"},
		{Op: "leave", Key: "v", Label: "Leave it"},
		{Op: "give", Key: "y", Label: "Give to a player", Asks: []Ask{seatAsk("To whom?")}},
		{Op: "share", Label: "Share with a player", Asks: []Ask{seatAsk("With whom?")}},
		{Op: "unshare", Label: "Share no longer", Asks: []Ask{seatAsk("With whom?")}},
	}
}
