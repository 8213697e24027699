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
