package table

import (
	"reflect"
	"testing"
)

func TestKinds(t *testing.T) {
	// Fields of State that every piece has, and those that no copy takes over. All others are of
	// some kinds only.
	common := map[string]bool{
		"X": true, "Y": true, "Angle": true, "Z": true, "ZGen": true, "Pinned": true, "Locked": true,
		"Gone": true, "Holder": true, "Owner": true, "Team": true, "In": true, "Home": true,
		"Native": true, "Since": true, "Rolled": true, "Set": true, "Part": true,
	}
	t.Run("T24, T57 a copied field is one that a new piece begins with", func(t *testing.T) {
		var s State
		fill(t, reflect.ValueOf(&s).Elem())
		copied, begun := s.own(), s
		begun.forgetOwn()
		of, kept, left := reflect.TypeFor[State](), reflect.ValueOf(copied), reflect.ValueOf(begun)
		for i := range of.NumField() {
			field := of.Field(i)
			if field.Name == "Kind" || field.Name == "Face" {
				continue
			}
			if kept.Field(i).IsZero() != common[field.Name] || left.Field(i).IsZero() == common[field.Name] {
				t.Errorf("own or forgetOwn is wrong about %s", field.Name)
			}
		}
	})
	t.Run("T24 an operation is defined once, with one effect", func(t *testing.T) {
		for name, o := range map[string]Operation{
			"twice":            {Name: "roll", change: (*judging).roll},
			"with two effects": {Name: "other", change: (*judging).roll, run: (*judging).peek},
			"without effect":   {Name: "other"},
		} {
			op := OpNone
			if name == "twice" {
				op = OpRoll
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("it is defined %s", name)
					}
				}()
				define(rows{op: o})
			}()
		}
	})
}

// fill gives every field of a struct a value other than zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString("0")
		case reflect.Struct:
			fill(t, f)
		case reflect.Array:
			f.Index(0).Set(reflect.ValueOf(1).Convert(f.Type().Elem()))
		default:
			f.Set(reflect.ValueOf(1).Convert(f.Type()))
		}
	}
}
