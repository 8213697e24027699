package room

import (
	"slices"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// kinds returns what the table needs to know of the kinds of a catalogue.
func kinds(of []game.Kind) []table.Kind {
	all := make([]table.Kind, len(of))
	for i := range of {
		all[i] = kind(&of[i])
		all[i].Button = button(&of[i].Button, of)
		all[i].Zone = zone(&of[i].Zone, of)
		all[i].Supply = supply(&of[i], of)
	}
	return all
}

// kind returns what the table needs to know of one kind. The catalogue has kept all bounds.
//
//nolint:gosec // so no number is too large
func kind(k *game.Kind) table.Kind {
	to := table.Kind{
		Width: k.Width, Height: k.Height, Faces: int32(len(k.Faces)), Heavy: k.Weight == "heavy",
		Secret: k.Secret, Unknown: k.Unknown, Private: k.Private, Peek: rights[k.Peek],
		Hand: k.Hand, Rack: k.Rack, Uncounted: k.Uncounted,
		Clock: table.ClockKind{
			Sides: uint8(k.Clock.Sides()), Up: k.Clock.CountsUp,
			Initial: k.Clock.Initial, Increment: k.Clock.Increment,
		},
		Die: table.DieKind{Rolls: k.Die.Rolls, Cooldown: id.Millis(k.Die.Cooldown)},
		Counter: table.CounterKind{
			Counts: k.Counter.Counts, Min: k.Counter.Min, Max: k.Counter.Max,
			Initial: k.Counter.Initial,
		},
		Currency: k.Currency, Text: k.Text.Written, InitialText: k.Text.Initial,
		Seat:      seatKinds[k.Seat],
		Hourglass: table.HourglassKind{Duration: k.Hourglass.Duration},
	}
	if k.Secret {
		to.Mask = uint32(k.Mask)
	}
	for _, c := range k.Cells() {
		to.Cells = append(to.Cells, table.Cell{X: c.X, Y: c.Y})
	}
	if c := k.Container; c.Holds() {
		to.Container = table.ContainerKind{
			Holds: true, Random: c.Draws == "random", Masked: c.Takes != game.AnyLight,
		}
		if to.Container.Masked {
			to.Container.Takes = uint32(c.Takes)
		}
	}
	return to
}

// button returns what the table needs to know of a button: its steps without those that nothing can
// have at this table.
func button(b *game.Button, of []game.Kind) table.ButtonKind {
	to := table.ButtonKind{
		Presses: len(b.Steps) > 0, Who: rights[b.Who], Cooldown: id.Millis(b.Cooldown),
	}
	to.Asks = questions(b, of)
	at := int32(0)
	to.Steps = stepsAt(b.Steps, of, b.Questions(), &at)
	return to
}

// questions returns what the table needs to know of what a button asks.
func questions(b *game.Button, of []game.Kind) (all []table.Question) {
	for _, q := range b.Questions() {
		i := q.KindOf(of)
		asks := table.Question{
			For: answers[q.For], Low: q.Min, High: q.Max,
			Known: i >= 0, Kind: uint32(max(i, 0)), //nolint:gosec // an index
		}
		if n := len(q.Choices); n > 0 {
			asks.High = int32(n) - 1 //nolint:gosec // few
		}
		all = append(all, asks)
	}
	return all
}

// uses returns which answers a step uses.
func uses(s *game.Step, asked []*game.Question) table.Uses {
	number := func(name string) uint8 {
		at := slices.IndexFunc(asked, func(q *game.Question) bool { return q.Name == name })
		return uint8(at + 1) //nolint:gosec // few
	}
	a := &s.Answers
	return table.Uses{
		N: number(a.N), Piece: number(a.Kind), Onto: number(a.To), Seat: number(a.Seat),
		Of: number(s.If.Answer),
	}
}

// steps returns what the table needs to know of steps, without those that nothing can have at this
// table.
func steps(all []game.Step, of []game.Kind) []table.Step {
	at := int32(0)
	return stepsAt(all, of, nil, &at)
}

// stepsAt is steps for a list of which at steps stand before, behind the questions asked. It adds
// how many stand in the list.
func stepsAt(
	all []game.Step, of []game.Kind, asked []*game.Question, at *int32,
) (to []table.Step) {
	for i := range all {
		s := &all[i]
		*at++
		step := table.Step{
			Do: verbs[s.Do], By: s.By, N: s.N, Face: s.Face, At: *at,
			To:   uint32(max(s.ToOf(of), 0)), //nolint:gosec // an index
			Uses: uses(s, asked),
		}
		k := s.Of(of)
		switch {
		case s.Sets:
			step.Do = table.DoSet
		case s.Back:
			step.Do = table.DoPassBack
		case s.Side != 0:
			step.N = s.Side
		}
		if step.Do == table.DoIf && s.If.Known(of) {
			k, step.If = 0, condition(&s.If, of)
		}
		if step.Do == table.DoEach || step.Do == table.DoSetUp {
			k, step.SetUp = 0, s.SetUp
		}
		step.Then, step.Else = stepsAt(s.Then, of, asked, at), stepsAt(s.Else, of, asked, at)
		if k >= 0 {
			step.Kind = uint32(k)
			to = append(to, step)
		}
	}
	return to
}

// condition returns what the table needs to know of a condition that is known there.
//
//nolint:gosec // indices
func condition(c *game.Condition, of []game.Kind) table.Condition {
	return table.Condition{
		Of: facts[c.Of], Any: c.Kind == "", Kind: uint32(max(c.KindOf(of), 0)),
		InZone: c.In != "", Zone: uint32(max(c.ZoneOf(of), 0)), Is: comparisons[c.Is], N: c.N,
	}
}

// zone returns what the table needs to know of a zone.
func zone(z *game.Zone, of []game.Kind) table.ZoneKind {
	to := table.ZoneKind{
		Lay: lays[z.Lay], Gap: z.Gap, Down: z.Down, Chooses: len(z.Takes) > 0, Most: int(z.Most),
		Turns: turns[z.Turns],
	}
	for _, k := range z.Of(of) {
		to.Takes = append(to.Takes, uint32(k)) //nolint:gosec // an index
	}
	return to
}

// supply returns what the table needs to know of a supply.
func supply(k *game.Kind, of []game.Kind) table.SupplyKind {
	i := k.SupplyOf(of)
	return table.SupplyKind{
		Gives: k.Supply != "", Known: i >= 0, Of: uint32(max(i, 0)), //nolint:gosec // an index
	}
}

// What the texts of a catalogue mean to the table.
var (
	rights = map[string]table.Right{"players": table.RightPlayers, "host": table.RightHost}
	verbs  = map[string]table.Verb{
		"flip": table.DoFlip, "rotate": table.DoRotate, "face": table.DoFace, "count": table.DoAdd,
		"roll": table.DoRoll, "shuffle": table.DoShuffle, "recall": table.DoRecall,
		"deal": table.DoDeal, "move": table.DoMove, "pass": table.DoPass, "start": table.DoStart,
		"pause": table.DoPause, "reset": table.DoReset, "sort": table.DoSort, "if": table.DoIf,
		"each seat": table.DoEach, "set up": table.DoSetUp,
	}
	facts = map[string]table.Fact{
		"value": table.FactValue, "pieces": table.FactPieces, "holds": table.FactHolds,
		"answer": table.FactAnswer,
	}
	answers = map[string]table.AnswerForm{
		"number": table.AnswerNumber, "choice": table.AnswerNumber, "seat": table.AnswerSeat,
		"piece": table.AnswerPiece,
	}
	comparisons = map[string]table.Comparison{
		"=": table.Equal, "<": table.Less, "<=": table.LessOrEqual, ">": table.Greater,
		">=": table.GreaterOrEqual,
	}
	lays = map[string]table.ZoneLay{
		"pile": table.LayPile, "row": table.LayRow, "column": table.LayColumn, "grid": table.LayGrid,
		"free": table.LayFree,
	}
	turns = map[string]table.ZoneTurn{
		"keep": table.TurnKeep, "up": table.TurnUp, "down": table.TurnDown,
	}
	seatKinds = map[string]table.SeatKind{"label": table.SeatLabel, "turn": table.SeatTurn}
)

// handsOf returns the name of the hand of each seat of a game, 0 for a seat without one. The pieces
// of a set-up are named from 1, in their order as long as they are heavy, as hands are.
func handsOf(seats []game.Seat) []id.Piece {
	hands := make([]id.Piece, len(seats))
	for i, s := range seats {
		if s.Hand != game.NoHand {
			hands[i] = id.Piece(s.Hand) + 1 //nolint:gosec // an index of a piece of the game
		}
	}
	return hands
}

// ownedOf returns the names of the other pieces that belong to each seat of a game (T92).
func ownedOf(seats []game.Seat) [][]id.Piece {
	all := make([][]id.Piece, len(seats))
	for i := range seats {
		for _, name := range seats[i].Pieces {
			all[i] = append(all[i], id.Piece(name)) //nolint:gosec // at most MaxPieces
		}
	}
	return all
}

// attachedOf returns which pieces of a game are attached to others (T97).
func attachedOf(all []game.Attachment) []table.Attachment {
	attached := make([]table.Attachment, len(all))
	for i, a := range all {
		attached[i] = table.Attachment{
			Piece: id.Piece(a.Piece), To: id.Piece(a.To), //nolint:gosec // at most MaxPieces
		}
	}
	return attached
}
