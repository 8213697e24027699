package storage

import (
	"context"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// SeatByToken returns the seat of table with that token. It returns ErrNoSeat if there is none, if
// its row is damaged, or if there is no such table.
func (db *DB) SeatByToken(
	ctx context.Context, table id.OID, token room.Hash,
) (room.SeatRow, error) {
	const query = `SELECT seat FROM seats WHERE table_num = (SELECT num FROM tables WHERE oid = ?)
		AND token = ? AND ` + soundSeat
	r := room.SeatRow{Token: token}
	err := readFault(db.row(ctx, query, []any{table[:], token[:]}, &r.Seat))
	if err != nil {
		return room.SeatRow{}, finding(err, room.ErrNoSeat, "find seat at table %s", table)
	}
	return r, nil
}

// changeSeats deletes the tokens of some seats, replaces the invites, and adds the tokens of other
// seats.
func (t *tx) changeSeats(num int64, a *room.Append) error {
	for _, seat := range a.Voided {
		if err := t.voidSeat(a.Table, num, seat); err != nil {
			return fmt.Errorf("withdraw the token of seat %s of table %s: %w", seat, a.Table, err)
		}
	}
	if a.Invites != nil {
		if err := t.replaceInvites(a.Table, num, a.Invites); err != nil {
			return err
		}
	}
	return t.insertSeats(a.Table, num, a.Seats)
}

// noSeatedPerson forgets which visitor has a seat.
const noSeatedPerson = `DELETE FROM sitters WHERE table_oid = ? AND seat = ?`

// voidSeat deletes the tokens of a seat, and which visitor had it: the next owner of the seat must
// not get the bag of the previous one.
func (t *tx) voidSeat(table id.OID, num int64, seat id.Seat) error {
	if err := t.exec(`DELETE FROM seats WHERE table_num = ? AND seat = ?`, num,
		seat); err != nil {
		return err
	}
	return t.exec(noSeatedPerson, table[:], seat)
}

func (t *tx) insertSeats(table id.OID, num int64, seats []room.SeatRow) error {
	const insert = `INSERT INTO seats (table_num, token, seat, sum)
		VALUES (?1, ?2, ?3, checksum(?1, ?2, ?3))`
	for _, s := range seats {
		// opening a bag while the seat ended may have left a sitter
		err := t.exec(noSeatedPerson, table[:], s.Seat)
		if err == nil {
			err = t.exec(insert, num, s.Token[:], s.Seat)
		}
		if err != nil {
			return fmt.Errorf("add seat %s to table %s: %w", s.Seat, table, err)
		}
	}
	return nil
}
