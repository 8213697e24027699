package game

import "testing"

// TestCheckName shows that names that people have are accepted, and that names with invisible parts
// are refused.
func TestCheckName(t *testing.T) {
	for name, good := range map[string]bool{
		"Ada": true, "Ada Lovelace": true, "Ægir ☺️": true, "李雷": true, "नमस्ते": true,
		"👨\u200d👩\u200d👧\u200d👦": true, "👩🏽\u200d🚀": true, "❤️\u200d🔥": true, "🏳️\u200d🌈 Kim": true,
		"": false, " Ada": false, "Ada ": false, "A\nda": false, "A\u0000da": false,
		"A\u202eda": false, "\u2066Ada": false, "A\u200dda": false, "\u200d👧": false,
		"👧\u200d": false, "👧\u200d\u200d👦": false, "👧\u200dAda": false, "A\u200b": false,
		"A\xffda": false,
	} {
		if err := CheckName(name, 1, 40); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}
