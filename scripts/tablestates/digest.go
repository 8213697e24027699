package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// digest returns a number of the state of a room. Two rooms with the same one behave in the same
// way from then on: it covers the log, and all that the table knows besides.
func (r *room) digest() [32]byte {
	h := sha256.New()
	for i := range r.log {
		e := &r.log[i]
		_, _ = fmt.Fprintln(
			h, e.Gen, e.Op, e.Client, e.Seq, e.Digest, e.Server, e.Name, e.NewName, e.Before, e.After,
		)
	}
	t := reflect.ValueOf(r.table).Elem()
	for _, field := range counted {
		write(h, t.FieldByName(field))
	}
	var sum [32]byte
	h.Sum(sum[:0])
	return sum
}

// counted are the fields of a table that its digest covers besides the log.
var counted = []string{"clients", "forgot", "loaded", "public", "views", "names"}

// leftOut are those that it need not cover: they do not change, follow from the log, are empty
// between two requests, or count uses.
var leftOut = []string{
	"kinds", "width", "height", "lots", "bring", "alike", "veiled", "gen", "at", "pieces", "lastName",
	"listed", "heavy", "light", "hands", "containers", "holds", "homes", "members", "racked",
	"natives", "ground", "lengths", "looks", "zones", "zoned", "supplies", "seats", "named", "sets",
	"lastSet", "blurred", "tracked",
	"tabs",
	"touched", "pending", "taken", "judged", "rewinds", "rewindCounted", "pressed", "steps", "sides",
	"owned", "attached", "settingUp",
	"playersRecall", "chatRules", "recent", "gestures",
	"referees", "closed",
}

// checkFields returns an error if a type does not have exactly the fields of the lists.
func checkFields(of reflect.Type, lists ...[]string) error {
	names := slices.Concat(lists...)
	for _, name := range names {
		if _, ok := of.FieldByName(name); !ok {
			return fmt.Errorf("%v has no field %s, which digest.go lists", of, name)
		}
	}
	for i := range of.NumField() {
		if name := of.Field(i).Name; !slices.Contains(names, name) {
			return fmt.Errorf("digest.go does not say whether it covers field %s of %v", name, of)
		}
	}
	return nil
}

// uncounted are fields that say when a client was used last, where a piece is kept, or what can be
// undone.
var uncounted = []string{"used", "byHome", "bySet", "byCell", "byRack", "was", "trace"}

// write writes a value, and whatever it refers to.
func write(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			_, _ = io.WriteString(w, "nil ")
			return
		}
		write(w, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; !slices.Contains(uncounted, name) {
				_, _ = io.WriteString(w, name+":")
				write(w, v.Field(i))
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			return slices.Compare([]byte(fmt.Sprint(a)), []byte(fmt.Sprint(b)))
		})
		for _, key := range keys {
			_, _ = fmt.Fprint(w, "[", key, "]")
			write(w, v.MapIndex(key))
		}
	case reflect.Slice, reflect.Array:
		_, _ = fmt.Fprint(w, "#", v.Len())
		for i := range v.Len() {
			write(w, v.Index(i))
		}
	default:
		_, _ = fmt.Fprint(w, v, " ")
	}
}
