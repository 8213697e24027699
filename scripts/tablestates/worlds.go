package main

import "holt/server/play/table"

// The kinds of the tables of this program.
const (
	kindToken uint32 = iota
	kindCounter
	kindBack // the mask of the cards
	kindAce
	kindKing
	kindHand
	kindDeck
	kindDie
	kindNote
	kindChip
)

var kinds = []table.Kind{
	kindToken: {Width: 400, Height: 400, Faces: 3},
	kindCounter: {
		Width: 500, Height: 300, Faces: 1,
		Counter: table.CounterKind{Counts: true, Min: -2, Max: 2},
	},
	kindBack: {Width: 635, Height: 889, Faces: 1},
	kindAce:  {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindKing: {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindHand: {Width: 6000, Height: 2000, Faces: 1, Heavy: true, Hand: true},
	kindDeck: {
		Width: 700, Height: 950, Faces: 1, Heavy: true, Peek: table.RightPlayers,
		Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindBack},
	},
	kindDie:  {Width: 160, Height: 160, Faces: 6, Private: true, Die: table.DieKind{Rolls: true}},
	kindNote: {Width: 1500, Height: 1500, Faces: 1, Text: true},
	kindChip: {Width: 390, Height: 390, Faces: 1, Private: true, Currency: 100},
}

var config = table.Config{Kinds: kinds, Width: 20_000, Height: 20_000}

func place(kind uint32, x, y, face int32) table.Place {
	return table.Place{State: table.State{Kind: kind, X: x, Y: y, Face: face}}
}

// tokens is a table with two pieces without abilities, and a counter.
func tokens() (table.Config, []table.Place) {
	return config, []table.Place{
		place(kindToken, -1000, 0, 0), place(kindToken, 1000, 0, 0), place(kindCounter, 0, 3000, 0),
	}
}

// cards is a table with three hands, a deck of twelve cards, and some of everything else.
func cards() (table.Config, []table.Place) {
	places := []table.Place{
		place(kindHand, 0, -8000, 0), place(kindHand, 0, 8000, 0), place(kindHand, -7000, 0, 0),
		place(kindDeck, 3000, 0, 0), place(kindToken, -1000, 0, 0), place(kindToken, 1000, 0, 0),
		place(kindCounter, 0, 3000, 0), place(kindDie, 500, 2000, 0), place(kindNote, 5000, 3000, 0),
		place(kindChip, 2000, 2000, 0), place(kindChip, 2500, 2000, 0), place(kindAce, 0, 0, 1),
		place(kindKing, 300, 0, 1), place(kindAce, 600, 0, 1),
	}
	const deck = 4 // its place, from 1 on
	for i := range uint32(12) {
		p := place(kindAce+i%2, 0, 0, 1)
		p.In = deck
		places = append(places, p)
	}
	return config, places
}
