package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"holt/server/strictjson"
)

// maxSmallBody bounds every body but batches of updates and messages of operations, in bytes.
const maxSmallBody = 16 << 10

// checkType refuses bodies of another media type, of another charset than UTF-8, or compressed
// ones.
func checkType(r *http.Request, want string) error {
	got, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || got != want ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return newProblem("content-type", "the body has to be "+want)
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return newProblem("content-type", "the body must not be compressed")
	}
	return nil
}

// bodies holds the buffers into which bodies are read.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// withBody reads the whole body, at most limit bytes, and gives it to use. use must not keep it.
func withBody(r *http.Request, limit int64, use func([]byte) error) error {
	buf, _ := bodies.Get().(*bytes.Buffer) // only these go in
	buf.Reset()
	defer bodies.Put(buf)
	n, err := buf.ReadFrom(io.LimitReader(r.Body, limit+1))
	switch {
	case err != nil:
		return malformed("the body broke off")
	case n > limit:
		// A client that is still writing when the connection ends does not get the answer.
		_, _ = io.CopyN(io.Discard, r.Body, maxDrain)
		return &http.MaxBytesError{Limit: limit}
	}
	return use(buf.Bytes())
}

// maxDrain is how many bytes more of a body that is too large are read, so that the answer arrives.
const maxDrain = 1 << 20

// readObject reads the body as one JSON object with no other fields than the given ones, each at
// most once, into the variables to which they point. Fields that required does not name may be
// missing. No field may be null.
func readObject(r *http.Request, required []string, fields map[string]any) error {
	return readLargeObject(r, maxSmallBody, required, fields)
}

// readLargeObject reads a body as readObject does, of at most limit bytes.
func readLargeObject(
	r *http.Request, limit int64, required []string, fields map[string]any,
) error {
	if err := checkType(r, "application/json"); err != nil {
		return err
	}
	return withBody(r, limit, func(body []byte) error {
		return decodeObject(body, required, fields)
	})
}

// decodeObject reads one JSON object. It is stricter than json.Unmarshal, which ignores case,
// repetition and null.
func decodeObject(body []byte, required []string, fields map[string]any) error {
	r := strictjson.New(body)
	var seen strictjson.Names
	for r.Object(); r.More(); {
		key := r.Key()
		name := string(key)
		into, known := fields[name]
		if !known {
			r.Fail("a field is not known: " + clip(name, 40))
			break
		}
		seen.Add(r, key)
		if value := r.Value(name); r.Err() == nil &&
			(string(value) == "null" || json.Unmarshal(value, into) != nil) {
			r.Fail("a field is of the wrong type: " + name)
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return malformed(err.Detail)
	}
	for _, name := range required {
		if !seen.Has(name) {
			return malformed("a field is missing: " + name)
		}
	}
	return nil
}

// readForm reads a form as browsers send it.
func readForm(w http.ResponseWriter, r *http.Request) error {
	if err := checkType(r, "application/x-www-form-urlencoded"); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallBody)
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return malformed("the body is not a form")
	}
	return nil
}

// writeJSON answers with v.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	noStore(w)
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may have gone
	return nil
}
