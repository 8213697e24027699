package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"holt/server/strictjson"
)

// read reads a whole document as one value.
func read(doc string) (string, *strictjson.Error) {
	r := strictjson.New([]byte(doc))
	v := r.Value("it")
	r.End()
	return string(v), r.Err()
}

// TestAcceptsWhatJSONAccepts shows that valid JSON is read as it is.
func TestAcceptsWhatJSONAccepts(t *testing.T) {
	for _, doc := range []string{
		`{}`, `[]`, `[[],{}]`, `""`, `"\u00e9\n"`, `0`, `-0`, `-1.5e+3`, `1E9`, `true`, `false`,
		`null`, " \t\r\n{ \"a\" : [ 1 , 2 ] }\n", `{"a":{"b":1},"c":{"b":2}}`,
	} {
		if v, err := read(doc); err != nil || !json.Valid([]byte(v)) ||
			v != strings.TrimSpace(doc) {
			t.Errorf("%q: %q, %v", doc, v, err)
		}
	}
}

// TestRefuses shows which documents are refused, with which errors.
func TestRefuses(t *testing.T) {
	for doc, want := range map[string]string{
		"":                     "it ends too early",
		"{":                    "it ends too early",
		`[1,]`:                 "it is not a number",
		`{"a":1,}`:             "the name of a field is not a string",
		`[1 2]`:                "expected , or ]",
		`{"a" 1}`:              "expected :",
		`{a:1}`:                "the name of a field is not a string",
		`01`:                   "a number begins with 0",
		`1.`:                   "it is not a number",
		`1e`:                   "it is not a number",
		`+1`:                   "it is not a number",
		`nul`:                  "it is not a value",
		`tru`:                  "it is not true or false",
		`"a`:                   "a string does not end",
		"\"a\nb\"":             "a string has a control character",
		`"\x"`:                 "a string has an escape that JSON does not know",
		"\"\xff\"":             "it is not UTF-8",
		`{} {}`:                "there is something after the end",
		`{"a":1,"b":2,"a":3}`:  `field "a" is there twice`,
		`[{"\u0061":1,"a":2}]`: `field "a" is there twice`,
		strings.Repeat("[", strictjson.MaxDepth+1) + strings.Repeat("]",
			strictjson.MaxDepth+1): "values nest deeper than 16",
	} {
		if _, err := read(doc); err == nil || err.Detail != want {
			t.Errorf("%q: %v, want %q", doc, err, want)
		}
	}
}

// TestIntegers shows which numbers are integers, and which fit into 64 bits.
func TestIntegers(t *testing.T) {
	for doc, want := range map[string]struct {
		v      int64
		fits   bool
		detail string
	}{
		"7":                    {7, true, ""},
		"-9223372036854775808": {-1 << 63, true, ""},
		"9223372036854775807":  {1<<63 - 1, true, ""},
		"9223372036854775808":  {0, false, ""},
		"00":                   {0, true, "a number begins with 0"},
		"-0":                   {0, true, "zero has no sign"},
		"1.0":                  {0, true, "n is not an integer"},
		"1e3":                  {0, true, "n is not an integer"},
		"-":                    {0, true, "n is not an integer"},
		`"1"`:                  {0, true, "n is not an integer"},
	} {
		r := strictjson.New([]byte(doc))
		v, fits := r.Integer("n")
		detail := ""
		if err := r.Err(); err != nil {
			detail = err.Detail
		}
		if detail != want.detail || fits != want.fits || fits && v != want.v {
			t.Errorf("%s: %d, %t, %q, want %v", doc, v, fits, detail, want)
		}
	}
}

// TestSaysWhere shows that an error says where it is.
func TestSaysWhere(t *testing.T) {
	r := strictjson.New([]byte("{\n  \"a\": 1,\n  \"b\": tru\n}"))
	r.Value("it")
	if err := r.Err(); err == nil || r.Line(err.Offset) != 3 {
		t.Errorf("%v, want an error on line 3", err)
	}
}

// FuzzReader compares the reader with encoding/json, which accepts more: repeated names, deeper
// values, and bytes that are not UTF-8.
func FuzzReader(f *testing.F) {
	for _, doc := range []string{
		`{"a":[1,-2.5e3,"x\u00e9",true,null]}`, `[[[]]]`, `"\ud800"`, `-`, `1e5`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		r := strictjson.New(doc)
		v := r.Value("it")
		r.End()
		switch err := r.Err(); {
		case err == nil && !json.Valid(doc):
			t.Fatalf("%q is not JSON, and is read as %q", doc, v)
		case err != nil && json.Valid(doc):
			d := err.Detail
			if !strings.HasSuffix(d, "is there twice") &&
				!strings.HasPrefix(d, "values nest deeper") && d != "it is not UTF-8" {
				t.Fatalf("%q is JSON: %v", doc, err)
			}
		}
	})
}
