package storage

import (
	"errors"
	"testing"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
)

func TestSitters(t *testing.T) {
	t.Run("whoever gets a number that was free again does not get the bag of who sat there", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustSeat(t, db, 1)
		free := id.Seat(3)
		// Somebody opened a bag, or a visitor arrived, while the seat ended. This row comes after
		// the end.
		if err := db.PutSeatedPerson(t.Context(),
			people.SeatedPerson{Table: tableID(1), Seat: free, Person: tableID(1000)}); err != nil {
			t.Fatal(err)
		}
		if err := db.Append(t.Context(), room.Append{
			Table: tableID(1), Expect: 2, Entries: raw("c"),
			Seats: []room.SeatRow{{Token: token(1, "three"), Seat: free}},
		}); err != nil {
			t.Fatal(err)
		}
		if is, err := db.SeatedPerson(t.Context(),
			tableID(1), free); !errors.Is(err, people.ErrNoPerson) {
			t.Errorf("%+v, %v", is, err)
		}
	})
}
