package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/room"
)

// SeatByToken returns the seat of table with that token. ErrNoSeat if there is none, or no such table.
func (db *DB) SeatByToken(ctx context.Context, table id.OID, token room.Hash) (room.SeatRow, error) {
	const query = `SELECT seat FROM seats WHERE table_num = (SELECT num FROM tables WHERE oid = ?) AND token = ?`
	done, err := db.use()
	if err != nil {
		return room.SeatRow{}, err
	}
	defer done()
	r := room.SeatRow{Token: token}
	err = db.read.QueryRowContext(ctx, query, table[:], token[:]).Scan(&r.Seat)
	if errors.Is(err, sql.ErrNoRows) {
		return room.SeatRow{}, room.ErrNoSeat
	}
	if err != nil {
		return room.SeatRow{}, fmt.Errorf("find seat at table %s: %w", table, err)
	}
	return r, nil
}

func (t *tx) insertSeats(ctx context.Context, table id.OID, num int64, seats []room.SeatRow) error {
	const insert = `INSERT INTO seats (table_num, token, seat) VALUES (?, ?, ?)`
	for _, s := range seats {
		if err := t.exec(ctx, insert, num, s.Token[:], int64(s.Seat)); err != nil {
			return fmt.Errorf("add seat %s to table %s: %w", s.Seat, table, err)
		}
	}
	return nil
}
