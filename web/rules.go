package web

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"sync"

	"holt/server/play/game"
	"holt/server/tables/room"
)

// rulesCost is how many updates a request for rules counts as.
const rulesCost = 20

// maxKeptProse bounds the texts that are kept after they have been read, in bytes.
const maxKeptProse = 8 << 20

// proses keeps what was read of Markdown, because it takes long. It reads one text at a time.
type proses struct {
	mu sync.Mutex
	// Guarded by mu.
	size  int
	texts map[[sha256.Size]byte]json.RawMessage
}

// of returns what stands in a text, as JSON. hash is that of the text.
func (p *proses) of(hash [sha256.Size]byte, source []byte) (json.RawMessage, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.texts[hash]; ok {
		return known, nil
	}
	all, err := json.Marshal(prose(source))
	if err != nil {
		return nil, err
	}
	if p.size += len(all); p.size > maxKeptProse || p.texts == nil {
		p.size, p.texts = len(all), map[[sha256.Size]byte]json.RawMessage{}
	}
	p.texts[hash] = all
	return all, nil
}

// apiRules answers with the rules with which a table was set up (G12), for the page.
func (s *Server) apiRules(w http.ResponseWriter, r *http.Request, session room.Session) error {
	rules, of, err := s.rulesOf(r, session)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("ETag", tagOf(hashText(of.Rules)))
	if hasTag(r.Header.Get("If-None-Match"), tagOf(hashText(of.Rules))) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	answer := struct {
		Name string          `json:"name"`
		File string          `json:"file"` // where they are as they were written
		Text json.RawMessage `json:"text,omitempty"`
	}{Name: of.RulesName, File: r.URL.Path + "/file"}
	if of.RulesName == game.RulesText {
		if answer.Text, err = s.proses.of(of.Rules, rules.Data); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, answer)
}

// apiCredits answers with who made the pictures of a table (G27).
func (s *Server) apiCredits(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := s.limits.updates.take(keyOf(session), rulesCost); err != nil {
		return err
	}
	of, err := s.rooms.Supplement(r.Context(), session.Table)
	if err != nil {
		return err
	}
	type credit struct {
		Author   string `json:"author,omitempty"`
		Licence  string `json:"licence,omitempty"`
		Source   string `json:"source,omitempty"`
		Pictures int    `json:"pictures"`
	}
	all := []credit{}
	for _, c := range of.Credits.Counted() {
		all = append(all, credit{c.Author, c.Licence, c.Source, c.Pictures})
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	return writeJSON(w, http.StatusOK, struct {
		Credits []credit `json:"credits"`
	}{all})
}

// apiRulesFile answers with the rules as they were written: text, or a PDF to be saved.
func (s *Server) apiRulesFile(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	rules, of, err := s.rulesOf(r, session)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	sendRules(w, of.RulesName, rules.Data)
	return nil
}

// sendRules answers with rules as they were written.
func sendRules(w http.ResponseWriter, name string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8") // browsers show no Markdown
	if name == game.RulesPDF {
		h.Set("Content-Type", "application/pdf")
		h.Set("Content-Disposition", `attachment; filename="rules.pdf"`)
	}
	h.Set("Content-Security-Policy", artPolicy)
	_, _ = w.Write(data) // the client may have gone
}

// rulesOf returns the rules of the table of a session.
func (s *Server) rulesOf(
	r *http.Request, session room.Session,
) (rules room.Blob, of game.Supplement, err error) {
	if err := s.limits.updates.take(keyOf(session), rulesCost); err != nil {
		return rules, of, err
	}
	of, err = s.rooms.Supplement(r.Context(), session.Table)
	if err != nil {
		return rules, of, err
	}
	if of.RulesName == "" {
		return rules, of, newProblem("not-found", "the game of this table has no rules")
	}
	rules, err = s.rooms.Blob(r.Context(), of.Rules)
	return rules, of, err
}

// supplement returns what a table has of its game beside the catalogue. A page that cannot know
// does without it.
func (s *Server) supplement(r *http.Request, session room.Session) game.Supplement {
	of, err := s.rooms.Supplement(r.Context(), session.Table)
	if err != nil {
		s.log.Warn("what a table has of its game cannot be read", "table", session.Table, "error", err)
		return game.Supplement{}
	}
	return of
}
