package storage

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"holt/server/tables/room"
)

// Rows from which a table or an object is rebuilt have a checksum, which is checked whenever they
// are read. It finds bits that a disk has changed, and pages that were written in part or in the
// wrong place. It does not protect against people who change the database on purpose: they can
// compute the checksum, too.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the CRC-32C of a body and of where it belongs (3 numbers at most), in the signed
// form that SQLite stores in four bytes.
func sumOf(body []byte, where ...int64) int64 {
	var key [24]byte
	for i, w := range where {
		binary.LittleEndian.PutUint64(key[8*i:], uint64(w)) //nolint:gosec // its bits
	}
	sum := crc32.Update(crc32.Checksum(key[:8*len(where)], castagnoli), castagnoli, body)
	return int64(int32(sum)) //nolint:gosec // its bits
}

// sumOfObject is sumOf for a value of an object.
func sumOfObject(space int64, oid, value []byte) int64 {
	return sumOf(value, space, int64(crc32.Checksum(oid, castagnoli)))
}

// agrees reports whether a row matches its checksum, or has none.
func agrees(stored sql.NullInt64, sum int64) bool { return !stored.Valid || stored.Int64 == sum }

// damage returns an error that wraps room.ErrDamaged.
func damage(format string, args ...any) error {
	return fmt.Errorf("%w: %w", room.ErrDamaged, fmt.Errorf(format, args...))
}

// readFault returns a read error as room.ErrDamaged if it says that the database file or the disk
// is damaged.
func readFault(err error) error {
	var fault *sqlite.Error
	if !errors.As(err, &fault) || errors.Is(err, room.ErrDamaged) {
		return err
	}
	switch fault.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", room.ErrDamaged, err)
	}
	return err
}
