package web

import (
	"encoding/json"
	"testing"
)

func FuzzDecodeObject(f *testing.F) {
	f.Add([]byte(`{"game":"chess","seats":4}`))
	f.Add([]byte(`{"game":"chess"} `))
	f.Add([]byte(`{"g\u0061me":"","game":""}`))
	f.Add([]byte(`{"game":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var game string
		var seats int
		err := decodeObject(body, []string{"game"}, map[string]any{"game": &game, "seats": &seats})
		if err != nil {
			if p := problemOf(err); p.Code != "malformed" || p.Detail == "" {
				t.Fatalf("refused as %v", p)
			}
			return
		}
		var members map[string]any
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatalf("accepted invalid JSON: %v", err)
		}
		if members["game"] != game || len(members) > 2 {
			t.Fatalf("read %q, %d of %v", game, seats, members)
		}
	})
}
