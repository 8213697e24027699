package room

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
)

// Doors are pieces that lead to other tables (docs/protocol/object.md, O49). A door is a component
// of its piece that only the server writes. So it is durable, everybody who sees the piece has it,
// and it ends when the piece is hidden or deleted. What it leads to is not for the room.

// MaxDoors is how many doors a table has at most.
const MaxDoors = 64

// Errors of the methods for doors.
var (
	// 404 not-found
	ErrNoDoor = errors.New("there is no such door")
	// 409 hidden
	ErrDoorHidden = errors.New("not everybody sees this piece")
	// 403 refused
	ErrNotYours = errors.New("only what is from your own bag can be carried through a door")
	// 403 refused
	ErrDoors = errors.New("the table has as many doors as it may have")
)

// SetDoor makes a piece a door, or gives it another one. It returns the door that the piece had
// before, nil for none. ErrRole unless s is a host's; ErrNoDoor if the view of s does not see the
// piece, ErrDoorHidden if others do not see it; ErrDoors, ErrLogFull.
func (rs *Rooms) SetDoor(
	ctx context.Context, s Session, piece id.Piece, door []byte,
) ([]byte, error) {
	if !s.Role.Hosts() {
		return nil, ErrRole
	}
	if err := schema.Check(schema.Door, door); err != nil {
		return nil, err
	}
	return change(ctx, rs, s, func(r *room) ([]byte, error) {
		name, before, err := r.door(s, piece)
		switch {
		case err != nil:
			return nil, err
		case r.table.Hidden(name):
			return nil, ErrDoorHidden
		case before == nil && len(r.doors()) >= MaxDoors:
			return nil, ErrDoors
		}
		return before, r.writeDoor(s, name, door)
	})
}

// RemoveDoor makes a piece an ordinary one again, and returns the door that it was. ErrRole unless
// s is a host's; ErrNoDoor if there is none.
func (rs *Rooms) RemoveDoor(ctx context.Context, s Session, piece id.Piece) ([]byte, error) {
	if !s.Role.Hosts() {
		return nil, ErrRole
	}
	return change(ctx, rs, s, func(r *room) ([]byte, error) {
		name, before, err := r.door(s, piece)
		if err == nil && before == nil {
			err = ErrNoDoor
		}
		if err != nil {
			return nil, err
		}
		return before, r.writeDoor(s, name, nil)
	})
}

// Door returns the door that a piece is. ErrNoDoor if the view of s sees no such door.
func (rs *Rooms) Door(ctx context.Context, s Session, piece id.Piece) ([]byte, error) {
	return inSession(ctx, rs, s, func(r *room) ([]byte, error) {
		if err := r.budgets.admit(s.Seat, minUnitsOfRead); err != nil {
			return nil, err
		}
		r.budgets.spend(s.Seat, minUnitsOfRead)
		_, door, err := r.door(s, piece)
		if err == nil && door == nil {
			err = ErrNoDoor
		}
		return door, err
	})
}

// NoteDoor writes what opening a door has shown, if the piece still is the door that it was. It
// does nothing if it is not.
func (rs *Rooms) NoteDoor(ctx context.Context, s Session, piece id.Piece, was, is []byte) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		name, door, err := r.door(s, piece)
		if err != nil || door == nil || !bytes.Equal(door, was) {
			return none{}, err
		}
		return none{}, r.writeDoor(s, name, is)
	})
	return err
}

// OwnGuest returns the set of a piece, if the seat of s has put it on the table and it is still
// there. ErrNotYours if not.
func (rs *Rooms) OwnGuest(ctx context.Context, s Session, piece id.Piece) (id.OID, error) {
	return inSession(ctx, rs, s, func(r *room) (id.OID, error) {
		name, sees := r.table.Find(piece, s.Seat)
		if !sees {
			return id.OID{}, ErrNotYours
		}
		is, _ := r.table.Look(name)
		info, ok := r.table.Set(is.Set)
		if !ok || info.Stage != table.StageHere || info.Seat != s.Seat {
			return id.OID{}, ErrNotYours
		}
		return is.Set, nil
	})
}

// Doors returns all doors of a table.
func (rs *Rooms) Doors(ctx context.Context, t id.OID) ([][]byte, error) {
	return inRoom(ctx, rs, t, func(r *room) ([][]byte, error) { return r.doors(), nil })
}

// door returns the current name of a piece that the view of s sees, and the door that it is; nil if
// it is none.
func (r *room) door(s Session, piece id.Piece) (id.Piece, []byte, error) {
	name, sees := r.table.Find(piece, s.Seat)
	if !sees {
		return 0, nil, ErrNoDoor
	}
	door, _ := r.components.replica.Get(schema.EntityOfPiece(name), schema.Door)
	return name, door, nil
}

func (r *room) doors() (all [][]byte) {
	for _, door := range r.doorsByPiece() {
		all = append(all, door)
	}
	return all
}

// doorsByPiece returns the pieces that are doors, in the order of their names.
func (r *room) doorsByPiece() iter.Seq2[id.Piece, []byte] {
	return func(yield func(id.Piece, []byte) bool) {
		first, last := schema.EntityOfPiece(1), schema.EntityOfPiece(table.MaxRandomName)
		for e := range r.components.replica.Entities(first, last) {
			name, _ := schema.PieceOf(e)
			door, ok := r.components.replica.Get(e, schema.Door)
			if ok && !yield(name, door) {
				return
			}
		}
	}
}

// writeDoor writes a door, or deletes it if data is nil. The seat pays for that.
func (r *room) writeDoor(s Session, name id.Piece, data []byte) error {
	o := operation{room: r, by: schema.Writer{Seat: s.Seat, Role: s.Role}}
	if data != nil && o.noSpace() {
		return ErrLogFull
	}
	units := 1 + len(data)/bytesPerUnit
	if err := r.budgets.admit(s.Seat, units); err != nil {
		return err
	}
	before := r.recorded.estimatedBytes
	r.chargeFor(s.Seat, func() {
		if e := schema.EntityOfPiece(name); data != nil {
			o.write(e, schema.Door, data)
		} else {
			o.erase(e, schema.Door)
		}
		o.record()
	})
	r.charge(s.Seat, before)
	return nil
}
