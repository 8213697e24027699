package storage

import (
	"errors"
	"testing"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
)

func TestSitters(t *testing.T) {
	t.Run("a new owner of a reused number does not get the old bag", func(t *testing.T) {
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
	t.Run("T54.9 a seat taken by a link has no bag until its person is known", func(t *testing.T) {
		for _, voided := range [][]id.Seat{{2}, nil} {
			db := openDir(t, t.TempDir())
			mustSeat(t, db, 1)
			sits := people.SeatedPerson{Table: tableID(1), Seat: 2, Person: tableID(1000)}
			stays := people.SeatedPerson{Table: tableID(1), Seat: 1, Person: tableID(2000)}
			for _, p := range []people.SeatedPerson{sits, stays} {
				if err := db.PutSeatedPerson(t.Context(), p); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Append(t.Context(), room.Append{
				Table: tableID(1), Expect: 2, Entries: raw("c"), Voided: voided,
				Seats: []room.SeatRow{{Token: token(1, "moved"), Seat: 2}},
			}); err != nil {
				t.Fatal(err)
			}
			if is, err := db.SeatedPerson(t.Context(), tableID(1), 2); !errors.Is(err,
				people.ErrNoPerson) {
				t.Errorf("voided %v: %+v, %v", voided, is, err)
			}
			if is, err := db.SeatedPerson(t.Context(), tableID(1), 1); err != nil || is != stays {
				t.Errorf("voided %v: at the other seat sits %+v, %v", voided, is, err)
			}
			if err := db.PutSeatedPerson(t.Context(), sits); err != nil {
				t.Fatal(err)
			}
			if is, err := db.SeatedPerson(t.Context(), tableID(1), 2); err != nil || is != sits {
				t.Errorf("voided %v: then there sits %+v, %v", voided, is, err)
			}
		}
	})
}
