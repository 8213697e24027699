package crdt

import (
	"slices"
	"testing"
)

const (
	aPiece  = FirstNamed + 5
	other   = FirstNamed + 6
	second  = Entity(1) << TimedBits
	aStroke = FirstTimed + 10*second + 3
)

// TestC5DeletedEntities shows which entities a deletion deletes along with its own (C5).
// Clauses: C5.1, C5.2, C5.3
func TestC5DeletedEntities(t *testing.T) {
	for _, row := range []struct {
		name    string
		deleted []Entity
		gone    []Entity
		there   []Entity
	}{
		{"C5.4 a version takes lower ones along", []Entity{versioned(7, 2)},
			[]Entity{versioned(7, 0), versioned(7, 1), versioned(7, 2)},
			[]Entity{versioned(7, 3), versioned(8, 0), versioned(6, 2)}},
		{"C5.4 a lower version after a higher one", []Entity{versioned(7, 2), versioned(7, 1)},
			[]Entity{versioned(7, 2), versioned(7, 0)}, []Entity{versioned(7, 3)}},
		{"C5.4 the greatest version", []Entity{versioned(65535, 65535)},
			[]Entity{versioned(65535, 0), versioned(65535, 65535)},
			[]Entity{versioned(65534, 65535), FirstNamed}},
		{"C5.4 entity 0", []Entity{0}, []Entity{0}, []Entity{1, versioned(0, 1)}},
		{
			"C5.4 from 2^32 one by one", []Entity{aPiece}, []Entity{aPiece},
			[]Entity{aPiece - 1, aPiece + 1, aPiece - FirstNamed},
		},
		{
			"C5.4 from 2^52 one by one", []Entity{aStroke}, []Entity{aStroke},
			[]Entity{aStroke - 1, aStroke + 1, aStroke - second},
		},
		{"C5.4, C16.5 a time takes all earlier ones along", []Entity{FirstTimed + 10*second},
			[]Entity{FirstTimed + 1, FirstTimed + 9*second + 1, FirstTimed + 10*second - 1},
			[]Entity{FirstTimed + 10*second + 1, aStroke, MaxEntity, FirstTimed - 1}},
		{
			"C5.4 an earlier time after a later one",
			[]Entity{FirstTimed + 10*second, FirstTimed + 5*second},
			[]Entity{FirstTimed + 9*second + 1}, []Entity{aStroke},
		},
		{
			"C5.4 the first time of all", []Entity{FirstTimed}, []Entity{FirstTimed},
			[]Entity{FirstTimed + 1, FirstTimed - 1},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			var written, deletions []Op
			for _, e := range append(slices.Clone(row.gone), row.there...) {
				written = append(written, put(e, 5, "a"), app(e, 5, "b"))
			}
			for _, e := range row.deleted {
				deletions = append(deletions, deleteEntity(e))
			}
			for order, r := range map[string]*Replica{
				"written before": of(append(slices.Clone(written), deletions...)...),
				"written after":  of(append(slices.Clone(deletions), written...)...),
				"both":           of(slices.Concat(written, deletions, written)...),
			} {
				for _, e := range row.gone {
					if _, ok := r.Get(e, 1); ok || !r.Deleted(e) || r.Len(e, pair) != 0 {
						t.Errorf("%s: %d is there", order, e)
					}
					if got := r.Merge(put(e, MaxTimestamp, "z")); got.Outcome != Ignored ||
						got.Correction.Kind != 0 {
						t.Errorf("%s: a write to %d is answered: %+v", order, e, got)
					}
					if got := r.Merge(deleteEntity(e)); got.Outcome != Same {
						t.Errorf("%s: deleting %d again: %+v", order, e, got)
					}
				}
				for _, e := range row.there {
					if data, ok := r.Get(e, 1); !ok || string(data) != "a" || r.Deleted(e) ||
						r.Len(e, pair) != 1 {
						t.Errorf("%s: %d is gone", order, e)
					}
				}
			}
		})
	}
}

// TestC7Garbage shows what a replica drops when an entity is deleted (C7).
func TestC7Garbage(t *testing.T) {
	t.Run("C7.1 deleted keys go with their entity", func(t *testing.T) {
		r := of(del(aPiece, 3), put(aPiece, 4, "a"), del(aPiece, 5), deleteEntity(aPiece))
		if got := state(r); !slices.Equal(got, []string{text(deleteEntity(aPiece))}) {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("C7.2 one deleted version of a number is kept", func(t *testing.T) {
		r := of()
		for v := range uint16(1000) {
			r.Merge(put(versioned(7, v), 1, "a"))
			r.Merge(deleteEntity(versioned(7, v)))
		}
		if got := state(r); !slices.Equal(got, []string{text(deleteEntity(versioned(7, 999)))}) {
			t.Errorf("kept %d", len(got))
		}
	})
	t.Run("C7.3 a time takes deleted ones along", func(t *testing.T) {
		r := of()
		for i := range Entity(1000) {
			r.Merge(put(FirstTimed+i*second+1, 1, "a"))
			r.Merge(deleteEntity(FirstTimed + i*second + 1))
		}
		if living, deleted := r.Count(Timed); living != 0 || deleted != 1000 {
			t.Errorf("%d, %d deleted", living, deleted)
		}
		r.Merge(deleteEntity(FirstTimed + 999*second))
		want := []string{
			text(deleteEntity(FirstTimed + 999*second)), text(deleteEntity(FirstTimed + 999*second + 1)),
		}
		if got := state(r); !slices.Equal(got, want) {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("C7.5 a forgotten entity is new again", func(t *testing.T) {
		r := of(put(aPiece, 9, "a"), app(aPiece, 9, "a"), put(other, 1, "a"),
			put(versioned(7, 1), 9, "a"), put(versioned(7, 2), 9, "a"))
		for _, e := range []Entity{aPiece, versioned(7, 1), versioned(7, 3), FirstTimed + 1} {
			r.Forget(e)
		}
		if got := state(r); !slices.Equal(got,
			[]string{text(put(versioned(7, 2), 9, "a")), text(put(other, 1, "a"))}) {
			t.Errorf("kept %q", got)
		}
		if got := r.Merge(put(aPiece, 1, "b")).Outcome; got != Applied {
			t.Errorf("outcome %d", got)
		}
		r.Merge(deleteEntity(versioned(7, 2)))
		if living, _ := r.Count(Versioned); living != 0 || len(r.living) != 0 {
			t.Errorf("%d versions, %d numbers", living, len(r.living))
		}
	})
	t.Run("C16 entities are counted, by their class", func(t *testing.T) {
		r := of(put(0, 1, ""), put(versioned(0, 1), 1, ""), del(aPiece, 1), app(other, 1, ""),
			put(aStroke, 1, ""), put(aStroke+1, 1, ""),
			deleteEntity(aStroke), deleteEntity(other), deleteEntity(7), deleteEntity(versioned(7, 1)),
			deleteEntity(0))
		for class, want := range map[Class][2]int{Versioned: {1, 2}, Named: {1, 1}, Timed: {1, 1}} {
			if living, deleted := r.Count(class); [2]int{living, deleted} != want {
				t.Errorf("class %d: %d, %d deleted; want %v", class, living, deleted, want)
			}
		}
	})
}
