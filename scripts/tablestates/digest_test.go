package main

import (
	"reflect"
	"testing"

	"holt/server/play/table"
)

func TestEachFieldIsListed(t *testing.T) {
	if err := checkFields(reflect.TypeFor[table.Table](), counted, leftOut); err != nil {
		t.Error(err)
	}
	two := reflect.TypeFor[struct{ a, b int }]()
	if err := checkFields(two, []string{"a", "b"}); err != nil {
		t.Error(err)
	}
	for name, listed := range map[string][]string{
		"a field that is gone": {"a", "b", "c"}, "a new field": {"a"},
	} {
		if checkFields(two, listed) == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}
