package game

import (
	"errors"
	"reflect"
	"testing"
)

// FuzzAdd shows what becomes of a table when the kinds of any packed game are added (T100): its own
// kinds stay as they are, but for offers; the new ones are those of the game, with the versions
// that they have there; the catalogue can be read; and the same game adds nothing again.
func FuzzAdd(f *testing.F) {
	_, data := packedFull(f)
	f.Add(data)
	for _, doc := range []string{sample, withClock(f, clocked), acting, asking, spells} {
		f.Add([]byte(doc))
	}
	bases := [][]Kind{nil, sampleGame(f).Kinds, actingGame(f).Kinds, spellsGame(f).Kinds}
	f.Fuzz(func(t *testing.T, data []byte) {
		var more []Kind
		if p, err := ReadPacked(data); err == nil {
			more = p.Game.Kinds
		} else if g, err := Parse(data, pictures); err == nil {
			more = g.Kinds
		} else {
			return
		}
		for _, kinds := range bases {
			all, at, err := Change(kinds, more, nil)
			if err == nil {
				checkAdded(t, kinds, more, all, at)
			} else if !errors.Is(err, ErrTaken) && !errors.Is(err, ErrTooMany) {
				t.Errorf("they are not added: %v", err)
			}
		}
	})
}

// checkAdded checks what Add has returned.
func checkAdded(t *testing.T, kinds, more, all []Kind, at []int) {
	t.Helper()
	for i := range kinds {
		was, is := kinds[i], all[i]
		if was.Offers == nil {
			is.Offers = nil
		}
		if !reflect.DeepEqual(was, is) {
			t.Errorf("kind %d was %+v and is %+v", i, was, is)
		}
	}
	now, own := Versions(all), Versions(more)
	for i, n := range at {
		if now[n].Hash != own[i].Hash {
			t.Errorf("kind %d has another version as kind %d of the table", i, n)
		}
	}
	doc, _ := EncodeCatalog(all, &CatalogRest{})
	if read, err := ParseCatalog(doc); err != nil || !reflect.DeepEqual(read, all) {
		t.Errorf("the catalogue reads as %+v, want %+v: %v", read, all, err)
	}
	again, still, err := Change(all, more, nil)
	if err != nil || len(again) != len(all) || !reflect.DeepEqual(still, at) {
		t.Errorf("added again they are %v, not %v, of %d, not %d: %v", still, at, len(again), len(all),
			err)
	}
}
