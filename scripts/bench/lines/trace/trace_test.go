package trace

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTrace(t *testing.T) {
	made := Trace{
		{Size: 30, Lanes: []int{0}},
		{At: 5 * time.Millisecond, Size: 31},
		{At: 5 * time.Millisecond, Size: 700, Lanes: []int{0, 4}, Deps: []int{0, 1}},
	}
	t.Run("a written trace is read back", func(t *testing.T) {
		var b bytes.Buffer
		if err := made.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&b)
		if err != nil || !reflect.DeepEqual(got, made) {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("the beginning of it", func(t *testing.T) {
		for d, want := range map[time.Duration]int{0: 0, 1: 1, 5 * time.Millisecond: 1,
			6 * time.Millisecond: 3, time.Hour: 3} {
			if got := len(made.Until(d)); got != want {
				t.Errorf("until %v there are %d, want %d", d, got, want)
			}
		}
	})
	for text, why := range map[string]string{
		"0 30 0":               "a field is missing",
		"0 30 0 - -":           "a field is too much",
		"x 30 0 -":             "no number",
		"0 0 0 -":              "nothing in it",
		"-5 30 0 -":            "before the beginning",
		"0 30 0 0":             "it depends on itself",
		"0 30 0 1":             "it depends on a later one",
		"0 30 0 -1":            "an unknown message",
		"0 30 -1 -":            "an unknown piece",
		"0 30 1,0 -":           "pieces out of order",
		"0 30 , -":             "an empty number",
		"5 30 0 -\n4 30 0 -":   "times go back",
		"0 9 0 -\n0 9 0 0,0":   "a dependency twice",
		"99999999999999 9 0 -": "beyond all times",
	} {
		t.Run("refused: "+why, func(t *testing.T) {
			if got, err := Read(strings.NewReader(text)); !errors.Is(err, ErrFormat) {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
