package game

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Supplement says what a game has beside its catalogue: its rules, its languages, and who made its
// pictures. A table keeps it, so that it has them as long as it exists, whatever becomes of the
// game (G12).
type Supplement struct {
	RulesName string            // RulesText or RulesPDF; "": the game has no rules
	Rules     [sha256.Size]byte // the SHA-256 of the rules
	Languages map[string][sha256.Size]byte
	// Setups are for how many players the set-ups of the game are, the first one first. It is nil if
	// none of them says so.
	Setups  []Range
	Written []string // the languages in which the game is written; nil: it does not say
	Credits Credits  // of pictures (G27)
}

const supplementFormat = "holt.supplement/1"

// The written form of a supplement. The order of the fields here is their order in the bytes.
type (
	supplementDoc struct {
		Format    string            `json:"format"`
		Rules     *supplementRules  `json:"rules,omitempty"`
		Languages map[string]string `json:"languages,omitempty"`
		Written   []string          `json:"written,omitempty"`
		Setups    [][]int32         `json:"setups,omitempty"`
		Credits   []creditDoc       `json:"credits,omitempty"`
	}
	supplementRules struct {
		Name string `json:"name"`
		Hash string `json:"sha256"`
	}
)

// Supplement returns the supplement of a game, and the files that it names. The document is nil if
// the game has nothing of that. Equal games give equal bytes.
func (g *Game) Supplement() (doc []byte, files [][]byte) {
	s := Supplement{Credits: g.Credits}
	if rules := &g.About.Rules; rules.Data != nil {
		s.RulesName, s.Rules = rules.Name, rules.Hash
		files = append(files, rules.Data)
	}
	for i := range g.Languages {
		l := &g.Languages[i]
		if s.Languages == nil {
			s.Languages, s.Written = map[string][sha256.Size]byte{}, g.About.Languages
		}
		s.Languages[l.Tag] = l.Hash
		files = append(files, l.Data)
	}
	if slices.ContainsFunc(g.AllSetups(), func(of Setup) bool { return of.Players.Most > 0 }) {
		s.Setups = append(s.Setups, g.FirstPlayers())
		for i := range g.Setups {
			s.Setups = append(s.Setups, g.Setups[i].Players)
		}
	}
	return s.Encode(), files
}

// Encode returns the document of a supplement; nil if there is nothing in it.
func (s *Supplement) Encode() []byte {
	d := supplementDoc{
		Format: supplementFormat, Written: s.Written, Credits: s.Credits.docs(),
	}
	if s.RulesName != "" {
		d.Rules = &supplementRules{s.RulesName, hex.EncodeToString(s.Rules[:])}
	}
	for tag, hash := range s.Languages {
		if d.Languages == nil {
			d.Languages = map[string]string{}
		}
		d.Languages[tag] = hex.EncodeToString(hash[:])
	}
	for _, players := range s.Setups {
		d.Setups = append(d.Setups, players.pair())
	}
	if d.Rules == nil && d.Languages == nil && d.Setups == nil && d.Credits == nil {
		return nil
	}
	return encoded(d)
}

// ReadSupplement reads a supplement, as strictly as Parse reads a game.
func ReadSupplement(doc []byte) (s Supplement, err error) {
	r, root := readDocument(doc)
	o := r.object(root, "", "format", "rules", "languages", "written", "setups",
		"credits")
	o.choice("format", supplementFormat)
	if o.has("rules") {
		rules := r.object(o.get("rules"), "rules", "name", "sha256")
		s.RulesName = rules.choice("name", RulesText, RulesPDF)
		s.Rules = *hashText(rules, "sha256")
	}
	if o.has("languages") {
		v, _ := o.want("languages", anObject)
		of := object{r: r, where: "languages", at: v.at, members: v.members}
		s.Languages = make(map[string][sha256.Size]byte, len(v.members))
		for _, t := range slices.Sorted(maps.Keys(v.members)) {
			if err := checkTag(t); err != nil {
				of.fail(of.get(t), "%w", err)
			}
			s.Languages[t] = *hashText(of, t)
		}
	}
	if o.has("setups") {
		for i, v := range o.list("setups", 1, MaxSetups+1) {
			if len(v.items) == 0 {
				s.Setups = append(s.Setups, Range{})
				continue
			}
			of := object{r: r, where: "setups", at: v.at, members: map[string]value{"players": v}}
			of.where = "setups: entry " + strconv.Itoa(i)
			s.Setups = append(s.Setups, of.between("players", MaxPlayers))
		}
	}
	s.Written = o.names("written", MaxLanguages, checkTag)
	s.Credits = readCreditsWith(o, func(of object, v value) [sha256.Size]byte {
		hash, err := ParseHash(v.text)
		if err != nil {
			of.fail(v, "art: %w", err)
		}
		return hash
	})
	return s, r.err
}

// Files returns the hashes of the files that a supplement names, in a fixed order.
func (s *Supplement) Files() (all [][sha256.Size]byte) {
	if s.RulesName != "" {
		all = append(all, s.Rules)
	}
	for _, t := range slices.Sorted(maps.Keys(s.Languages)) {
		all = append(all, s.Languages[t])
	}
	return all
}

// pair returns the least and the most; empty if there are none.
func (r Range) pair() []int32 {
	if r.Most == 0 {
		return []int32{}
	}
	return []int32{r.Least, r.Most}
}

// TypeOf returns the media type under which a file of a game is stored. It follows from the bytes
// alone: a file is stored once, and what one game calls rules may be a picture of another one.
func TypeOf(data []byte) string {
	if art, err := CheckArt(data); err == nil {
		return art.Type
	}
	if json.Valid(data) {
		return "application/json"
	}
	return "application/octet-stream"
}
