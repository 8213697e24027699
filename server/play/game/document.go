package game

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"holt/server/strictjson"
)

// value is a JSON value with its place in the document.
type value struct {
	at, key int // the offsets of the value, and of its name if it is a member of an object
	kind    kindOfValue
	text    string  // of a string or a number
	items   []value // of an array
	members map[string]value
	// halved says that half a character stands in the text, or in the name of the member: a
	// surrogate alone. It is read as U+FFFD.
	halved bool
}

// kindOfValue is the name of a sort of JSON value in errors. It is empty if there is no value.
type kindOfValue string

const (
	absent   kindOfValue = ""
	aNull    kindOfValue = "null"
	aTrue    kindOfValue = "true"
	aFalse   kindOfValue = "false"
	aNumber  kindOfValue = "a number"
	aText    kindOfValue = "a text"
	anArray  kindOfValue = "an array"
	anObject kindOfValue = "an object"
)

// reader reads one document. It keeps the first error and goes on with zero values, so that a
// caller needs to look at err only once, at the end.
type reader struct {
	err error
	doc []byte
	in  *strictjson.Reader

	layers int // of all faces so far
}

// readDocument reads all of doc: one JSON value in UTF-8, without repeated names.
func readDocument(doc []byte) (*reader, value) {
	r := &reader{doc: doc, in: strictjson.New(doc)}
	if len(doc) > MaxDocument {
		r.err = fmt.Errorf("the file has more than %d bytes", MaxDocument)
		return r, value{}
	}
	v := r.value()
	r.in.End()
	if err := r.in.Err(); err != nil {
		r.fail(err.Offset, "", "%w", err)
	}
	return r, v
}

// value reads the next value.
func (r *reader) value() value {
	c := r.in.Peek()
	v := value{at: r.in.Offset()}
	switch c {
	case '{':
		v.kind, v.members = anObject, r.members()
	case '[':
		v.kind = anArray
		for r.in.Array(); r.in.More(); {
			v.items = append(v.items, r.value())
		}
	case '"':
		v.kind = aText
		v.text, v.halved = r.text("the value")
	case 't', 'f':
		v.kind = aFalse
		if r.in.Bool("the value") {
			v.kind = aTrue
		}
	case 'n':
		v.kind = aNull
		r.in.Value("the value")
	default:
		v.kind, v.text = aNumber, string(r.in.Number("the value"))
	}
	return v
}

// text reads a string, and reports whether half a character stands in it.
func (r *reader) text(field string) (text string, half bool) {
	start := r.in.Offset()
	text = string(r.in.Text(field))
	return text, r.in.Err() == nil && halved(r.doc[start:r.in.Offset()])
}

// halved reports whether a string in JSON has an escape for half a character without the other
// half.
func halved(quoted []byte) bool {
	if !bytes.Contains(quoted, []byte(`\u`)) {
		return false
	}
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		first, ok := escape(quoted[i:])
		i++ // what is escaped
		if !ok || !utf16.IsSurrogate(first) {
			continue
		}
		second, _ := escape(quoted[min(i+5, len(quoted)):])
		if utf16.DecodeRune(first, second) == utf8.RuneError {
			return true
		}
		i += 10
	}
	return false
}

// escape returns the UTF-16 unit of an escape, such as \u00e9, at the beginning of text.
func escape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

func (r *reader) members() map[string]value {
	members := map[string]value{}
	for r.in.Object(); r.in.More(); {
		r.in.Peek()
		at := r.in.Offset()
		name, half := r.text("the name of a field")
		r.in.Colon()
		if _, twice := members[name]; twice {
			r.fail(at, "", "%q stands here a second time", name)
		}
		v := r.value()
		v.key, v.halved = at, v.halved || half
		members[name] = v
	}
	return members
}

// fail sets the error, unless there is one already. at is the offset of what is wrong. where may be
// empty.
func (r *reader) fail(at int, where, format string, args ...any) {
	if r.err != nil {
		return
	}
	if where != "" {
		where += ": "
	}
	r.err = fmt.Errorf("line %d, column %d: %s%w", r.in.Line(at), r.in.Column(at), where,
		fmt.Errorf(format, args...))
}
