package game

import (
	"maps"
	"slices"
	"strconv"
)

// maxValues is the most values of a kind that is made of a template in a catalogue. A form with
// more does not become a template.
const maxValues = 1_000

// leaves returns the parts of the form of a kind in which kinds of a deck differ: names, pictures,
// texts and colours.
func (c *catalogKind) leaves() []*leaf {
	all := []*leaf{&c.Name}
	add := func(l *leaf) {
		if *l != nil {
			all = append(all, l)
		}
	}
	for i := range c.Faces {
		f := &c.Faces[i]
		add(&f.Name)
		add(&f.Art)
		for j := range f.Layers {
			add(&f.Layers[j].Art)
			add(&f.Layers[j].Text)
			add(&f.Layers[j].Colour)
		}
	}
	return all
}

// clone returns a copy whose leaves can be changed.
func (c *catalogKind) clone() catalogKind {
	other := *c
	other.Faces = slices.Clone(c.Faces)
	for i := range other.Faces {
		other.Faces[i].Layers = slices.Clone(other.Faces[i].Layers)
	}
	return other
}

// shared writes kinds that differ in their leaves alone as a template and the values of each. In a
// template, a leaf that differs is the number of its value. Leaves that are the same for each kind
// share a value.
func shared(kinds []catalogKind) (templates []catalogKind, all []any) {
	groups := map[string][]int{}
	var forms []string // in the order of the first kind of each
	for i := range kinds {
		form := kinds[i].clone()
		for _, l := range form.leaves() {
			*l = ""
		}
		key := string(encoded(form))
		if groups[key] == nil {
			forms = append(forms, key)
		}
		groups[key] = append(groups[key], i)
	}
	all = make([]any, len(kinds))
	for _, form := range forms {
		group := groups[form]
		t, values := templateOf(kinds, group)
		for n, i := range group {
			if len(group) == 1 || len(values[n]) > maxValues {
				all[i] = kinds[i]
			} else {
				all[i] = catalogRow{Template: len(templates), Values: values[n]}
			}
		}
		if len(group) > 1 && len(values[0]) <= maxValues {
			templates = append(templates, t)
		}
	}
	return templates, all
}

// templateOf returns the template of kinds of one form, and the values of each of them.
func templateOf(kinds []catalogKind, group []int) (t catalogKind, values [][]string) {
	t = kinds[group[0]].clone()
	values = make([][]string, len(group))
	columns := map[string]int{} // the numbers of values, by the values of all kinds
	leaves := make([][]*leaf, len(group))
	for n, i := range group {
		leaves[n] = kinds[i].leaves()
	}
	for at, l := range t.leaves() {
		column := make([]string, len(group))
		differ := false
		for n := range group {
			column[n], _ = (*leaves[n][at]).(string)
			differ = differ || column[n] != column[0]
		}
		if !differ {
			continue
		}
		key := string(encoded(column))
		number, known := columns[key]
		if !known {
			number = len(columns)
			columns[key] = number
			for n := range group {
				values[n] = append(values[n], column[n])
			}
		}
		*l = number
	}
	for n := range values {
		if values[n] == nil {
			values[n] = []string{}
		}
	}
	return t, values
}

// unshared returns the kind that a row of a catalogue makes of a template.
func unshared(r *reader, row value, where string, templates []value) value {
	o := r.object(row, where, "template", "values")
	number := int(o.integer("template", 0, MaxKinds-1))
	values := o.list("values", 0, maxValues)
	for _, v := range values {
		if v.kind != aText {
			o.fail(v, "values: want %s, not %s", aText, v.kind)
		}
	}
	if number >= len(templates) {
		o.fail(o.get("template"), "template: there is no template %d", number)
	}
	if r.err != nil {
		return row
	}
	t := templates[number]
	pick := func(of value, fields ...string) value {
		if of.kind != anObject {
			return of
		}
		of.members = maps.Clone(of.members)
		for _, field := range fields {
			v := of.members[field]
			if v.kind != aNumber {
				continue
			}
			n, err := strconv.Atoi(v.text)
			if err != nil || n < 0 || n >= len(values) {
				o.fail(v, "%s: there is no value %s", field, v.text)
				continue
			}
			of.members[field] = values[n]
		}
		return of
	}
	kind := pick(t, "name")
	if kind.kind != anObject {
		return kind // readKind refuses it
	}
	eachFace(kind, pick)
	return kind
}
