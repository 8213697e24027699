package game

// Bounds of what a game file keeps and this program does not interpret (docs/guides/games.md).
const (
	MaxForeign = 64 << 10  // bytes of one foreign value, in canonical JSON
	MaxScript  = 256 << 10 // bytes
)

// Foreign is what importers leave in a game file: values of other systems in canonical JSON, which
// nobody interprets.
type Foreign struct {
	Game   []byte
	Kinds  map[int][]byte // by the index in Game.Kinds
	Pieces map[int][]byte // by the index in Game.Pieces of the first piece of the entry
}

// kept returns a field as canonical JSON of at most limit bytes, nil if it is missing.
func (o object) kept(name string, limit int) []byte {
	if !o.has(name) {
		return nil
	}
	v := o.get(name)
	if bad, err := checkKept(v); err != nil {
		o.fail(bad, "%s: %w", name, err)
		return nil
	}
	b := canonical(v, nil)
	if len(b) > limit {
		o.fail(v, "%s has %d bytes, more than %d", name, len(b), limit)
	}
	return b
}

// put adds a value for i to m, which may be nil, unless there is none.
func put(m map[int][]byte, i int, v []byte) map[int][]byte {
	if v == nil {
		return m
	}
	if m == nil {
		m = map[int][]byte{}
	}
	m[i] = v
	return m
}

// readScript reads the script of a game, which is kept and not run.
func readScript(root object) string {
	if !root.has("script") {
		return ""
	}
	v, _ := root.want("script", aText)
	switch {
	case v.halved:
		root.fail(v, "script: half a character, such as \\ud800 alone, cannot be kept")
	case len(v.text) > MaxScript:
		root.fail(v, "script has %d bytes, more than %d", len(v.text), MaxScript)
	case hasControls(v.text):
		root.fail(v, "script has a control character other than tabs and ends of lines")
	}
	return v.text
}

// hasControls reports whether a text of several lines has characters that cannot be shown.
func hasControls(text string) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c >= 0x7f && c < 0xa0 {
			return true
		}
	}
	return false
}
