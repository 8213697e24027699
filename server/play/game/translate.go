package game

// Translate returns a catalogue with the texts of a file of a language in the place of those that
// stand in the game (G13). Everything else is the same, above all which kind has which number.
func Translate(catalog, language []byte) ([]byte, error) {
	texts, err := ReadTexts(language)
	if err != nil {
		return nil, err
	}
	kinds, rest, err := ReadCatalog(catalog)
	if err != nil {
		return nil, err
	}
	names := namesIn(kinds, texts)
	rename := func(name *string) {
		if of := named(kinds, *name); of >= 0 {
			*name = names[of]
		}
	}
	for i := range kinds { // before the kinds have other names
		k := &kinds[i]
		eachStep(k.Button.Steps, func(s *Step) {
			rename(&s.Kind)
			rename(&s.To)
			rename(&s.If.Kind)
			rename(&s.If.In)
			rename(&s.Ask.Kind)
		})
		k.Button.translate(texts)
		for j := range k.Zone.Takes {
			rename(&k.Zone.Takes[j])
		}
		rename(&k.Supply)
	}
	for i := range kinds {
		k := &kinds[i]
		k.Name = names[i]
		for j := range k.Faces {
			f := &k.Faces[j]
			f.Name = InLanguage(texts, f.Name)
			for n := range f.Layers {
				f.Layers[n].Text = InLanguage(texts, f.Layers[n].Text)
			}
		}
		for _, all := range [][]string{k.Grid.ColumnNames, k.Grid.RowNames, k.Grid.CellNames} {
			for j := range all {
				all[j] = InLanguage(texts, all[j])
			}
		}
		for j := range k.Snaps.Points {
			k.Snaps.Points[j].Name = InLanguage(texts, k.Snaps.Points[j].Name)
		}
	}
	for i := range rest.Seats {
		rest.Seats[i].Name = InLanguage(texts, rest.Seats[i].Name)
	}
	if in := rest.Sheet.in(texts); !in.equal(&rest.Sheet) {
		rest.SheetIn = in
	}
	return encodeCatalog(kinds, &rest), nil
}

// ReadTexts reads the texts of a file of a language, by what stands in the game. It does not know
// the game, so it does not know what stands there, or how long a text may be.
func ReadTexts(language []byte) (map[string]string, error) {
	r, root := readDocument(language)
	v, _ := r.object(root, "", "texts").want("texts", anObject)
	texts := make(map[string]string, len(v.members))
	for from, to := range v.members {
		if to.kind != aText {
			r.fail(to.at, "texts", "%q: want %s, not %s", from, aText, to.kind)
		}
		texts[from] = to.text
	}
	return texts, r.err
}

// InLanguage returns what is to be read in the place of a text.
func InLanguage(texts map[string]string, text string) string {
	if to := texts[text]; to != "" {
		return to
	}
	return text
}

// namesIn returns the names of kinds in a language. Two kinds of different names are not called the
// same: those that would be stay as they are written.
func namesIn(kinds []Kind, texts map[string]string) []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = InLanguage(texts, kinds[i].Name)
	}
	for changed := true; changed; {
		changed = false
		first := map[string]int{}
		for i := range names {
			j, twice := first[names[i]]
			if !twice {
				first[names[i]] = i
			} else if kinds[i].Name != kinds[j].Name {
				changed = changed || names[i] != kinds[i].Name || names[j] != kinds[j].Name
				names[i], names[j] = kinds[i].Name, kinds[j].Name
			}
		}
	}
	return names
}
