package room_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/game"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// sheeted is a game with a score sheet of the largest size.
func sheeted() (file string, want []crdt.Op) {
	heading := func(n int) string {
		return fmt.Sprint(strings.Repeat("ö", game.MaxSheetText-3), 100+n)
	}
	title := strings.Repeat("T", game.MaxSheetTitle)
	want = append(want, put(schema.TheSheet, schema.Sheet, 1, text(title)))
	var columns, rows []string
	for i := range game.MaxSheetColumns {
		columns = append(columns, heading(i))
		want = append(want,
			put(schema.TheSheet, schema.FirstColumn+uint32(i), 1, text(columns[i])))
	}
	for i := range game.MaxSheetRows {
		rows = append(rows, heading(i))
		want = append(want, put(schema.FirstRow+crdt.Entity(i), schema.Row, 1, text(rows[i])))
	}
	sheet, _ := json.Marshal(map[string]any{"title": title, "columns": columns, "rows": rows})
	file = strings.Replace(gameFile, `"pieces":`, `"sheet":`+string(sheet)+`,"pieces":`, 1)
	return strings.Replace(file, "holt.game/1", "holt.game/2", 1), want
}

// TestGridOfAGame shows that a new table has the grid of its game.
// Clauses: G17.1, G17.2
func TestGridOfAGame(t *testing.T) {
	const table = `"table":{"width":10000,"height":10000,"surface":"felt"`
	if !strings.Contains(gameFile, table) {
		t.Fatal("the game file has another table")
	}
	for form, want := range map[string]componentpb.Grid_Form{
		"squares": componentpb.Grid_FORM_SQUARES, "hexagons": componentpb.Grid_FORM_HEXAGONS,
	} {
		file := strings.Replace(gameFile, table,
			table+`,"grid":{"form":"`+form+`","pitch":800,"x":-40,"y":50,"snap":true}`, 1)
		at := bubble{
			t: t, game: strings.Replace(file, "holt.game/1", "holt.game/2", 1), random: rand.Reader,
		}
		grid := &componentpb.Grid{Form: want, Pitch: 800, X: -40, Y: 50, Snap: true}
		at.Run("G17.1 a new table has "+form, func(t *testing.T, r *rig) {
			ops := opsOf(t, r.open(r.host.Session).reopenForFull().GetComponents())
			if got := put(schema.TheTable, schema.Grid, 1, grid); len(ops) != 1 ||
				fmt.Sprint(ops[0]) != fmt.Sprint(got) {
				t.Errorf("there are\n%v\nwant\n%v", ops, got)
			}
		})
		at.Run("G17.2 a rematch leaves "+form+" as they are", func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.reopenForFull()
			ada.operate(put(schema.TheTable, schema.Grid, 2, &componentpb.Grid{}))
			if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
				Rematch: true, Token: "again", Epoch: ada.epoch,
			}); err != nil {
				t.Fatal(err)
			}
			ops := opsOf(t, r.open(ada.session).reopenForFull().GetComponents())
			if len(ops) != 1 || len(ops[0].Data) != 0 {
				t.Errorf("there are %v", ops)
			}
		})
	}
}

// Clauses: G15.1, G15.2
func TestSheetOfAGame(t *testing.T) {
	file, want := sheeted()
	at := bubble{t: t, game: file, random: rand.Reader}
	at.Run("G15.1 a new table has the score sheet of its game", func(t *testing.T, r *rig) {
		got := opsOf(t, r.open(r.host.Session).reopenForFull().GetComponents())
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("there are\n%v\nwant\n%v", got, want)
		}
		for i := range got {
			if err := schema.Check(got[i].Component, got[i].Data); err != nil {
				t.Errorf("%v: %v", got[i], err)
			}
		}
		r.stop()
		r.start()
		if n := len(opsOf(t, r.open(r.host.Session).reopenForFull().GetComponents())); n != len(want) {
			t.Errorf("after a restart there are %d", n)
		}
	})
	at.Run("G15.2 a rematch leaves it as it is", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		ada.operate(put(schema.TheSheet, schema.Sheet, 2, text("Ours")))
		if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
			Rematch: true, Token: "again", Epoch: ada.epoch,
		}); err != nil {
			t.Fatal(err)
		}
		got := opsOf(t, r.open(ada.session).reopenForFull().GetComponents())
		if len(got) != len(want) || !bytes.Equal(got[0].Data, schema.Encode(text("Ours"))) {
			t.Errorf("there are %d, the first is %q", len(got), got[0].Data)
		}
	})
}
