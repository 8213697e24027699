package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds how deep values may nest. The formats need five levels.
const maxDepth = 16

// value is a JSON value and the line on which it stands.
type value struct {
	line    int
	kind    kindOfValue
	text    string  // of a string or a number
	items   []value // of an array
	members map[string]value
}

// kindOfValue names a sort of JSON value as an error message does; empty if there is no value.
type kindOfValue string

const (
	absent  kindOfValue = ""
	aNull   kindOfValue = "null"
	aTrue   kindOfValue = "true"
	aFalse  kindOfValue = "false"
	aNumber kindOfValue = "a number"
	aText   kindOfValue = "a text"
	anArray kindOfValue = "an array"
	aMap    kindOfValue = "an object"
)

// reader reads one document. It keeps the first problem that it meets and goes on with zero values, so
// that callers need look at err only once, at the end.
type reader struct {
	err     error
	doc     []byte
	dec     *json.Decoder
	counted int64 // bytes of doc
	line    int   // of the last of them
}

// readDocument reads doc whole: one JSON value in UTF-8, without repeated names.
func readDocument(doc []byte) (*reader, value) {
	r := &reader{doc: doc, line: 1}
	switch {
	case len(doc) > MaxDocument:
		r.err = fmt.Errorf("the file has more than %d bytes", MaxDocument)
		return r, value{}
	case !utf8.Valid(doc):
		r.err = errors.New("the file is not UTF-8 text")
		return r, value{}
	}
	r.dec = json.NewDecoder(bytes.NewReader(doc))
	r.dec.UseNumber()
	v := r.value(r.token(), 0)
	if r.err == nil {
		if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
			r.fail(r.lineAt(r.dec.InputOffset()), "", "there is something after the end")
		}
	}
	return r, v
}

// token returns the next token and leaves r.line at its line; nil when there is none.
func (r *reader) token() json.Token {
	if r.err != nil {
		return nil
	}
	before := r.dec.InputOffset()
	t, err := r.dec.Token()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.fail(r.lineAt(int64(len(r.doc))), "", "the file ends too early")
		return nil
	case err != nil:
		// The error's own offset counts only part of what has been read.
		next := bytes.TrimLeft(r.doc[before:], " \t\r\n,:")
		r.fail(r.lineAt(int64(len(r.doc)-len(next))), "", "not JSON: %v", err)
		return nil
	}
	r.line = r.lineAt(r.dec.InputOffset())
	if t == nil {
		return aNull
	}
	return t
}

// lineAt returns the line of the byte before offset. Offsets never fall, so counting costs the document once.
func (r *reader) lineAt(offset int64) int {
	if offset > r.counted {
		r.line += bytes.Count(r.doc[r.counted:offset], []byte("\n"))
		r.counted = offset
	}
	return r.line
}

// value reads the value that begins with t.
func (r *reader) value(t json.Token, depth int) value {
	v := value{line: r.line}
	switch t := t.(type) {
	case kindOfValue:
		v.kind = t
	case bool:
		v.kind = aFalse
		if t {
			v.kind = aTrue
		}
	case json.Number:
		v.kind, v.text = aNumber, t.String()
	case string:
		v.kind, v.text = aText, t
	case json.Delim:
		if depth >= maxDepth {
			r.fail(v.line, "", "values nest deeper than %d", maxDepth)
			return value{}
		}
		if t == '[' {
			v.kind, v.items = anArray, r.items(depth)
		} else {
			v.kind, v.members = aMap, r.members(depth)
		}
	}
	return v
}

func (r *reader) items(depth int) (items []value) {
	for r.err == nil && r.dec.More() {
		items = append(items, r.value(r.token(), depth+1))
	}
	r.token() // the closing bracket, or what stands in its place
	return items
}

func (r *reader) members(depth int) map[string]value {
	members := map[string]value{}
	for r.err == nil && r.dec.More() {
		name, _ := r.token().(string)
		if _, twice := members[name]; twice {
			r.fail(r.line, "", "%q stands here a second time", name)
		}
		members[name] = r.value(r.token(), depth+1)
	}
	r.token()
	return members
}

// fail notes a problem, unless there is one already. where may be empty.
func (r *reader) fail(line int, where, format string, args ...any) {
	if r.err != nil {
		return
	}
	if where != "" {
		where += ": "
	}
	r.err = fmt.Errorf("line %d: %s%s", line, where, fmt.Sprintf(format, args...))
}

// object is a JSON object of which the fields are being read. where is what an error calls it: "piece 3".
type object struct {
	r       *reader
	where   string
	line    int
	members map[string]value
}

// object takes v for an object that has no fields but those named.
func (r *reader) object(v value, where string, names ...string) object {
	o := object{r: r, where: where, line: v.line, members: v.members}
	if v.kind != aMap {
		r.fail(max(v.line, 1), where, "want an object, not %s", orNothing(v.kind))
		return o
	}
	first, found := "", false // the first in the document, so that the error is always the same one
	for name, m := range v.members {
		if !slices.Contains(names, name) && (!found || m.line < v.members[first].line ||
			m.line == v.members[first].line && name < first) {
			first, found = name, true
		}
	}
	if found {
		r.fail(v.members[first].line, where, "unknown field %q", first)
	}
	return o
}

func orNothing(k kindOfValue) string {
	if k == absent {
		return "nothing"
	}
	return string(k)
}

// has reports whether the field is there.
func (o object) has(name string) bool { return o.members[name].kind != absent }

// get returns the field; if it is missing, a value without a kind on the line of the object.
func (o object) get(name string) value {
	v, ok := o.members[name]
	if !ok {
		v.line = o.line
	}
	return v
}

func (o object) fail(v value, format string, args ...any) {
	o.r.fail(max(v.line, 1), o.where, format, args...)
}

// want returns the field if it is of kind k and fails otherwise.
func (o object) want(name string, k kindOfValue) (value, bool) {
	v := o.get(name)
	switch v.kind {
	case k:
		return v, true
	case absent:
		o.fail(v, "%s is missing", name)
	default:
		o.fail(v, "%s: want %s, not %s", name, k, v.kind)
	}
	return v, false
}

// text returns a text of 1 to limit printable characters without spaces around it.
func (o object) text(name string, limit int) string {
	v, ok := o.want(name, aText)
	if !ok {
		return ""
	}
	n := utf8.RuneCountInString(v.text)
	switch {
	case n < 1 || n > limit:
		o.fail(v, "%s has %d characters, not 1 to %d", name, n, limit)
	case strings.ContainsFunc(v.text, func(c rune) bool { return !unicode.IsPrint(c) }):
		o.fail(v, "%s: %q has a character that cannot be printed", name, v.text)
	case strings.TrimSpace(v.text) != v.text:
		o.fail(v, "%s: %q has spaces around it", name, v.text)
	}
	return v.text
}

// slug returns a text that can stand in an address: small letters, digits and hyphens, 1 to 40.
func (o object) slug(name string) string {
	s := o.text(name, 40)
	for _, c := range s {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			o.fail(o.get(name), "%s: %q may have small letters, digits and hyphens only", name, s)
		}
	}
	return s
}

// choice returns a text that is one of those given.
func (o object) choice(name string, of ...string) string {
	v, ok := o.want(name, aText)
	if ok && !slices.Contains(of, v.text) {
		o.fail(v, "%s: %q is not %s", name, v.text, strings.Join(of, " or "))
	}
	return v.text
}

// integer returns a whole number from low to high.
func (o object) integer(name string, low, high int32) int32 {
	v, ok := o.want(name, aNumber)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil || n < int64(low) || n > int64(high) {
		o.fail(v, "%s: %s is not a whole number from %d to %d", name, v.text, low, high)
		return 0
	}
	return int32(n)
}

// integerOr is integer, or other if the field is left out.
func (o object) integerOr(name string, low, high, other int32) int32 {
	if !o.has(name) {
		return other
	}
	return o.integer(name, low, high)
}

// boolean returns true or false; false if the field is left out.
func (o object) boolean(name string) bool {
	v := o.get(name)
	if v.kind != absent && v.kind != aTrue && v.kind != aFalse {
		o.fail(v, "%s: want true or false, not %s", name, v.kind)
	}
	return v.kind == aTrue
}

// list returns the items of an array of low to high of them.
func (o object) list(name string, low, high int) []value {
	v, ok := o.want(name, anArray)
	if !ok {
		return nil
	}
	if n := len(v.items); n < low || n > high {
		o.fail(v, "%s has %d entries, not %d to %d", name, n, low, high)
		return nil
	}
	return v.items
}
