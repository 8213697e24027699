package table_test

import (
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// args sets arguments of an update.
type args func(*table.Update)

func at(x, y int32) args {
	return func(u *table.Update) { u.X, u.Y, u.Has = x, y, u.Has|table.HasXY }
}

func turned(angle int32) args {
	return func(u *table.Update) { u.Angle, u.Has = angle, u.Has|table.HasAngle }
}

func face(f int32) args {
	return func(u *table.Update) { u.Face, u.Has = f, u.Has|table.HasFace }
}

func z(l zlevel.Level) args {
	return func(u *table.Update) { u.Z, u.Has = l, u.Has|table.HasZ }
}

func kind(k uint32) args {
	return func(u *table.Update) { u.Kind, u.Has = k, u.Has|table.HasKind }
}

func pieces(p ...id.Piece) args {
	return func(u *table.Update) { u.Pieces, u.Has = p, u.Has|table.HasPieces }
}

func side(n uint8) args {
	return func(u *table.Update) { u.Side, u.Has = n, u.Has|table.HasSide }
}

func ms(n int32) args {
	return func(u *table.Update) { u.Ms, u.Has = n, u.Has|table.HasMs }
}

func increment(n int32) args {
	return func(u *table.Update) { u.Increment, u.Has = n, u.Has|table.HasIncrement }
}

func loose() args { return func(u *table.Update) { u.Has |= table.HasLoose } }

func amount(n int32) args {
	return func(u *table.Update) { u.N, u.Has = n, u.Has|table.HasN }
}

func from(at int32) args {
	return func(u *table.Update) { u.At, u.Has = at, u.Has|table.HasAt }
}

func hold() args { return func(u *table.Update) { u.Has |= table.HasHold } }

func into(p id.Piece) args {
	return func(u *table.Update) { u.Into, u.Has = p, u.Has|table.HasInto }
}

func whom(n id.Seat) args {
	return func(u *table.Update) { u.Seat, u.Has = n, u.Has|table.HasSeat }
}

func text(s string) args {
	return func(u *table.Update) { u.Text, u.Has = s, u.Has|table.HasText }
}

func answers(all ...int32) args {
	return func(u *table.Update) { u.Answers, u.Has = all, u.Has|table.HasAnswers }
}
