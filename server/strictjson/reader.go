// Package strictjson reads JSON (RFC 8259) token by token, and refuses everything else: a second
// value after the first, control characters in strings, numbers in another form, and text that is
// not UTF-8. It builds no tree and does not know what a document means. The caller checks which
// names an object has. Names refuses repeated names.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is the greatest depth of nested objects and arrays.
const MaxDepth = 16

// Error says what is wrong with a document, and where.
type Error struct {
	Offset int // in bytes, from 0
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// Reader reads one document. It keeps the first error and finds nothing after it, so that every
// loop ends and callers need to look at Err only once. It does not copy the document: its results
// refer to it, except strings with escapes.
type Reader struct {
	doc   []byte
	pos   int
	err   *Error
	open  [MaxDepth]byte // the closing brackets of all open objects and arrays
	depth int
	first bool // the innermost object or array has just been opened

	counted, lines int // the first counted bytes have lines line feeds
}

// New returns a reader of doc.
func New(doc []byte) *Reader {
	r := &Reader{}
	r.Reset(doc)
	return r
}

// Reset makes r a reader of doc.
func (r *Reader) Reset(doc []byte) {
	*r = Reader{doc: doc}
	if !utf8.Valid(doc) {
		r.Fail("it is not UTF-8")
	}
}

// Err returns the first error, or nil.
func (r *Reader) Err() *Error { return r.err }

// Offset returns how many bytes have been read. After an error that is the whole document.
func (r *Reader) Offset() int { return r.pos }

// Count returns how often a byte occurs in the unread part.
func (r *Reader) Count(c byte) int { return bytes.Count(r.doc[r.pos:], []byte{c}) }

// Line returns the line of an offset, counted from 1. It is cheap if offsets rise from call to
// call.
func (r *Reader) Line(offset int) int {
	if offset < r.counted {
		r.counted, r.lines = 0, 0
	}
	r.lines += bytes.Count(r.doc[r.counted:min(offset, len(r.doc))], []byte{'\n'})
	r.counted = min(offset, len(r.doc))
	return 1 + r.lines
}

// Column returns the column of an offset, counted in characters from 1.
func (r *Reader) Column(offset int) int {
	before := r.doc[:min(offset, len(r.doc))]
	return 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// Fail stops the reader with an error at the current offset, unless it has an error already.
func (r *Reader) Fail(detail string) { r.failAt(r.pos, detail) }

func (r *Reader) failAt(offset int, detail string) {
	if r.err == nil {
		r.err = &Error{Offset: offset, Detail: detail}
	}
	r.pos = len(r.doc)
}

// Peek skips white space and returns the first byte of the next token, 0 at the end of the
// document.
func (r *Reader) Peek() byte {
	for ; r.pos < len(r.doc); r.pos++ {
		switch c := r.doc[r.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// Object reads the start of an object.
func (r *Reader) Object() { r.begin('{', '}') }

// Array reads the start of an array.
func (r *Reader) Array() { r.begin('[', ']') }

func (r *Reader) begin(opening, closing byte) {
	switch {
	case r.err != nil:
	case r.Peek() != opening:
		r.Fail("expected " + string(rune(opening)))
	case r.depth == MaxDepth:
		r.Fail(fmt.Sprintf("values nest deeper than %d", MaxDepth))
	default:
		r.open[r.depth] = closing
		r.depth++
		r.pos++
		r.first = true
	}
}

// More reports whether the innermost object or array has another member. It reads the comma before
// that member or, if there is none, the closing bracket.
func (r *Reader) More() bool {
	if r.err != nil || r.depth == 0 {
		return false
	}
	closing, first := r.open[r.depth-1], r.first
	r.first = false
	switch c := r.Peek(); {
	case c == closing:
		r.depth--
		r.pos++
		return false
	case c == 0:
		r.Fail("it ends too early")
		return false
	case first:
		return true
	case c == ',':
		r.pos++
		return true
	default:
		r.Fail("expected , or " + string(rune(closing)))
	}
	return false
}

// Key reads the name of a member and the colon after it.
func (r *Reader) Key() []byte {
	k := r.Text("the name of a field")
	r.Colon()
	return k
}

// Colon reads the colon after the name of a member.
func (r *Reader) Colon() {
	if r.Peek() != ':' {
		r.Fail("expected :")
		return
	}
	r.pos++
}

// Text reads a string. Errors call it field.
func (r *Reader) Text(field string) []byte {
	if r.Peek() != '"' {
		r.Fail(field + " is not a string")
		return nil
	}
	start, escaped := r.pos, false
	for i := start + 1; i < len(r.doc); i++ {
		switch c := r.doc[i]; {
		case c == '"':
			r.pos = i + 1
			if escaped {
				return r.unescape(r.doc[start:r.pos])
			}
			return r.doc[start+1 : i]
		case c == '\\':
			escaped = true
			i++ // the next byte does not end the string
		case c < ' ':
			r.failAt(i, "a string has a control character")
			return nil
		}
	}
	r.failAt(start, "a string does not end")
	return nil
}

// unescape returns the text of a quoted string with escapes.
func (r *Reader) unescape(quoted []byte) []byte {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		r.Fail("a string has an escape that JSON does not know")
		return nil
	}
	return []byte(text)
}

// Number reads a number and returns its text. Errors call it field.
func (r *Reader) Number(field string) []byte {
	r.Peek()
	start := r.pos
	r.skip("-")
	whole := r.digits()
	zero := whole > 1 && r.doc[r.pos-whole] == '0'
	complete := whole > 0
	if r.skip(".") {
		complete = r.digits() > 0 && complete
	}
	if r.skip("eE") {
		r.skip("+-")
		complete = r.digits() > 0 && complete
	}
	switch {
	case !complete:
		r.failAt(start, field+" is not a number")
		return nil
	case zero:
		r.failAt(start, "a number begins with 0")
		return nil
	}
	return r.doc[start:r.pos]
}

// Integer reads a number without fraction and exponent. Errors call it field. fits is false if the
// number does not fit in v.
func (r *Reader) Integer(field string) (v int64, fits bool) {
	r.Peek()
	start := r.pos
	negative := r.skip("-")
	n := r.digits()
	text := r.doc[start:r.pos]
	switch {
	case n == 0 || r.pos < len(r.doc) && (r.doc[r.pos] == '.' || r.doc[r.pos]|0x20 == 'e'):
		r.failAt(start, field+" is not an integer")
		return 0, true
	case n > 1 && r.doc[r.pos-n] == '0':
		r.failAt(start, "a number begins with 0")
		return 0, true
	case negative && r.doc[r.pos-1] == '0' && n == 1:
		r.failAt(start, "zero has no sign")
		return 0, true
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	return v, err == nil
}

// skip reads one byte if it is one of these, and reports whether it did.
func (r *Reader) skip(these string) bool {
	if r.pos == len(r.doc) || !slices.Contains([]byte(these), r.doc[r.pos]) {
		return false
	}
	r.pos++
	return true
}

// digits reads decimal digits and returns their number.
func (r *Reader) digits() int {
	start := r.pos
	for r.pos < len(r.doc) && '0' <= r.doc[r.pos] && r.doc[r.pos] <= '9' {
		r.pos++
	}
	return r.pos - start
}

// Bool reads true or false. Errors call it field.
func (r *Reader) Bool(field string) bool {
	switch {
	case r.word("true"):
		return true
	case r.word("false"):
	default:
		r.Fail(field + " is not true or false")
	}
	return false
}

// Null reads null if it is the next token, and reports whether it did.
func (r *Reader) Null() bool { return r.word("null") }

func (r *Reader) word(w string) bool {
	r.Peek()
	if !bytes.HasPrefix(r.doc[r.pos:], []byte(w)) {
		return false
	}
	r.pos += len(w)
	return true
}

// Value reads any value and returns its text, without white space around it. It refuses objects in
// it that repeat a name. Errors call it field.
func (r *Reader) Value(field string) json.RawMessage {
	c := r.Peek()
	start := r.pos
	switch c {
	case '{':
		var names Names
		for r.Object(); r.More(); {
			key := r.Key()
			names.Add(r, key)
			r.Value(string(key))
		}
	case '[':
		for r.Array(); r.More(); {
			r.Value(field)
		}
	case '"':
		r.Text(field)
	case 't', 'f':
		r.Bool(field)
	case 'n':
		if !r.Null() {
			r.Fail(field + " is not a value")
		}
	case 0:
		r.Fail("it ends too early")
	default:
		r.Number(field)
	}
	if r.err != nil {
		return nil
	}
	return r.doc[start:r.pos]
}

// End checks that only white space follows.
func (r *Reader) End() {
	if r.Peek(); r.pos < len(r.doc) {
		r.Fail("there is something after the end")
	}
}

// Names are the names that one object has had so far. The zero value has none.
type Names struct{ seen map[string]struct{} }

// Add adds a name, and fails r if the object has it already.
func (n *Names) Add(r *Reader, name []byte) {
	if _, twice := n.seen[string(name)]; twice {
		r.Fail("field " + strconv.QuoteToASCII(string(name)) + " is there twice")
		return
	}
	if n.seen == nil {
		n.seen = map[string]struct{}{}
	}
	n.seen[string(name)] = struct{}{}
}

// Has reports whether the object has had a name.
func (n *Names) Has(name string) bool {
	_, ok := n.seen[name]
	return ok
}
