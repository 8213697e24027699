package wire

import (
	"encoding/json"

	"holt/server/play/table"
)

// scanner reads JSON tokens (RFC 8259) without building a tree. It has no error results: the first thing
// that is malformed is kept, and from then on nothing more is found, so that every loop ends.
type scanner struct {
	in  []byte
	pos int
	// first says that the innermost object or array has just been opened.
	first bool

	index      int          // of the update that is being read, or whole
	malformed  *table.Bogus // what stopped the scanner
	impossible *table.Bogus // the first fault that left the rest readable
}

// fail stops the scanner.
func (s *scanner) fail(detail string) { s.failCode(table.CodeMalformed, detail) }

func (s *scanner) failCode(code, detail string) {
	if s.malformed == nil {
		s.malformed = &table.Bogus{Index: s.index, Code: code, Detail: detail}
	}
	s.pos = len(s.in)
}

// note keeps a fault that leaves the rest readable.
func (s *scanner) note(detail string) { s.noteCode(table.CodeImpossible, detail) }

func (s *scanner) noteCode(code, detail string) {
	if s.impossible == nil {
		s.impossible = &table.Bogus{Index: s.index, Code: code, Detail: detail}
	}
}

// peek skips white space and returns the next byte, 0 at the end of the input.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.in); s.pos++ {
		switch c := s.in[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// open reads the start of an object or array.
func (s *scanner) open(bracket byte) {
	if s.peek() != bracket {
		s.fail("expected " + string(rune(bracket)))
		return
	}
	s.pos++
	s.first = true
}

// more reads what stands between the members of an object or array, and reports whether there is another
// member. If there is none, it has read the closing bracket.
func (s *scanner) more(bracket byte) bool {
	if s.malformed != nil {
		return false
	}
	first := s.first
	s.first = false
	switch c := s.peek(); {
	case c == bracket:
		s.pos++
		return false
	case first:
		return true
	case c == ',':
		s.pos++
		return true
	}
	s.fail("expected , or " + string(rune(bracket)))
	return false
}

// end reads the end of the input.
func (s *scanner) end() {
	if s.peek(); s.pos < len(s.in) {
		s.fail("there is something after the batch")
	}
}

// key reads the name of a member and the colon.
func (s *scanner) key() []byte {
	k := s.text("the name of a field")
	if s.peek() != ':' {
		s.fail("expected :")
		return k
	}
	s.pos++
	return k
}

// text reads a string. The result is valid until the input changes.
func (s *scanner) text(field string) []byte {
	if s.peek() != '"' {
		s.fail(field + " is not a string")
		return nil
	}
	start, escaped := s.pos, false
	for s.pos++; s.pos < len(s.in); s.pos++ {
		switch c := s.in[s.pos]; {
		case c == '"':
			s.pos++
			if escaped {
				return s.unescape(s.in[start:s.pos])
			}
			return s.in[start+1 : s.pos-1]
		case c == '\\':
			escaped = true
			s.pos++ // whatever follows is not the end of the string
		case c < ' ':
			s.fail("a string holds a control character")
			return nil
		}
	}
	s.fail("a string does not end")
	return nil
}

// unescape returns what a quoted string with escapes means. No field needs escapes: this is the rare path.
func (s *scanner) unescape(quoted []byte) []byte {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		s.fail("a string holds an escape that JSON does not know")
		return nil
	}
	return []byte(text)
}

// integer reads an integer without fraction and exponent. fits is false if it does not fit in v.
func (s *scanner) integer(field string) (v int64, fits bool) {
	negative := s.peek() == '-'
	if negative {
		s.pos++
	}
	start := s.pos
	fits = true
	for s.pos < len(s.in) && '0' <= s.in[s.pos] && s.in[s.pos] <= '9' {
		digit := int64(s.in[s.pos] - '0')
		if v > (1<<63-1-9)/10 {
			fits, v = false, 0
		}
		v = v*10 + digit
		s.pos++
	}
	switch {
	case s.pos == start:
		s.fail(field + " is not an integer")
	case s.in[start] == '0' && s.pos-start > 1:
		s.fail("a number begins with 0")
	case negative && s.in[start] == '0':
		s.fail("zero has no sign")
	case s.pos < len(s.in) && (s.in[s.pos] == '.' || s.in[s.pos]|0x20 == 'e'):
		s.fail(field + " is not an integer")
	}
	if negative {
		v = -v
	}
	return v, fits
}

// boolean reads true or false.
func (s *scanner) boolean(field string) bool {
	s.peek()
	switch rest := string(s.in[s.pos:min(s.pos+5, len(s.in))]); {
	case rest == "false":
		s.pos += 5
		return false
	case len(rest) >= 4 && rest[:4] == "true":
		s.pos += 4
		return true
	}
	s.fail(field + " is not true or false")
	return false
}
