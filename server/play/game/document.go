package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
