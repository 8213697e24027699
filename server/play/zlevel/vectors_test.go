package zlevel

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// vectors are results on which the server and the page (static/js/sync/zlevel.js) must agree. An
// empty want stands for an error.
type vectors struct {
	Parse   []parseVector   `json:"parse"`
	Between []betweenVector `json:"between"`
	Above   []countVector   `json:"above"`
	Below   []countVector   `json:"below"`
	Spread  [][]Level       `json:"spread"`
}

type parseVector struct {
	Text string `json:"text"`
	OK   bool   `json:"ok"`
}

type betweenVector struct {
	Lo   Level `json:"lo"`
	Hi   Level `json:"hi"`
	Want Level `json:"want"`
}

type countVector struct {
	From Level `json:"from"`
	Want Level `json:"want"`
}

// TestVectors shows that this package computes what the vectors say (T13).
func TestVectors(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "zlevel.json")
	got, err := json.MarshalIndent(computed(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("T13 the vectors have changed; if they should, run go test -update")
	}
}

func computed() vectors {
	var v vectors
	long := strings.Repeat("3", MaxDigits)
	for _, s := range []string{
		"0.5", "0.05", "0." + long, "", "0", "0.", "0.0", "0.50", ".5", "00.5", "1", "1.5", "-0.5",
		"+0.5", "0,5", " 0.5", "0.5 ", "0.5\n", "5e-1", "0.5e1", "NaN", "Infinity", "0.٥", "0x.8",
		"0." + long + "3", "0." + long + "0",
	} {
		_, err := Parse(s)
		v.Parse = append(v.Parse, parseVector{Text: s, OK: err == nil})
	}
	r := rand.New(rand.NewPCG(20, 3))
	drawn := []Level{
		"", Level(point + strings.Repeat("9", MaxDigits)),
		Level(point + strings.Repeat("0", MaxDigits-1) + "1"),
		Level(point + strings.Repeat("9", 600) + "8"), "0.1", "0.5", "0.9", "0.09", "0.0999",
		"0.8999", "0.50", "1", "NaN",
	}
	for range 150 {
		drawn = append(drawn, drawLevel(r))
	}
	for _, from := range drawn {
		above, _ := Above(from)
		v.Above = append(v.Above, countVector{From: from, Want: above})
		below, _ := Below(from)
		v.Below = append(v.Below, countVector{From: from, Want: below})
	}
	for range 600 {
		lo, hi := drawn[r.IntN(len(drawn))], drawn[r.IntN(len(drawn))]
		if r.IntN(8) > 0 && lo != "" && hi != "" && lo > hi {
			lo, hi = hi, lo
		}
		if r.IntN(3) == 0 && lo != "" && len(lo) < 40 {
			hi = lo + drawLevel(r)[len(point):] // close neighbours, many digits deep
		}
		want, _ := Between(lo, hi)
		v.Between = append(v.Between, betweenVector{Lo: lo, Hi: hi, Want: want})
	}
	for _, n := range []int{0, 1, 2, 7, 8, 54, 80} {
		v.Spread = append(v.Spread, append([]Level{}, Spread(n)...))
	}
	return v
}

// drawLevel returns a level with runs of nines and zeros.
func drawLevel(r *rand.Rand) Level {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(strings.Repeat(string("0959"[r.IntN(4)]), r.IntN(9)))
		b.WriteByte("0123456789"[r.IntN(10)])
	}
	b.WriteByte("123456789"[r.IntN(9)])
	return Level(point + b.String())
}
