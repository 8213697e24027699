package web

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/go-chi/chi/v5"
	"golang.org/x/text/language"

	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/templates"
)

// People read the texts of a game in their language, if the game has it (G13).

// maxAcceptLanguage bounds what is read of Accept-Language, in bytes.
const maxAcceptLanguage = 256

// languageFor returns the tag of the language of a game that fits a request best; "" if the game
// fits as it is written, or if none fits. A game that does not say in which languages it is written
// counts as written in that of the pages.
func languageFor(r *http.Request, written []string, has []string) string {
	if len(has) == 0 {
		return ""
	}
	if len(written) == 0 {
		written = []string{templates.Language}
	}
	wanted, _, err := language.ParseAcceptLanguage(
		clip(r.Header.Get("Accept-Language"), maxAcceptLanguage))
	if err != nil {
		return ""
	}
	var tags []language.Tag
	for _, t := range slices.Concat(written, has) {
		tags = append(tags, language.Make(t))
	}
	_, i, sure := language.NewMatcher(tags).Match(wanted...)
	if i < len(written) || sure < language.High {
		return ""
	}
	return has[i-len(written)]
}

// wordsFor returns where in the address of a catalogue the language of a request stands; "" if the
// catalogue is shown as it is written.
func wordsFor(r *http.Request, of *game.Supplement) string {
	tag := languageFor(r, of.Written, slices.Sorted(maps.Keys(of.Languages)))
	if tag == "" {
		return ""
	}
	hash := of.Languages[tag]
	return "/in/" + hex.EncodeToString(hash[:])
}

// shelfTexts returns the texts of a game on the shelf in the language of a request; nil: they are
// shown as they are written.
func shelfTexts(r *http.Request, g *game.Game) map[string]string {
	tags := make([]string, len(g.Languages))
	for i := range g.Languages {
		tags[i] = g.Languages[i].Tag
	}
	tag := languageFor(r, g.About.Languages, tags)
	if i := slices.Index(tags, tag); i >= 0 {
		return g.Languages[i].Texts
	}
	return nil
}

// textsFor returns the texts of a game that is stored, in the language of a request; nil: they are
// shown as they are written. has are the hashes of its languages, by their tags.
func (s *Server) textsFor(
	r *http.Request, written []string, has map[string][sha256.Size]byte,
) map[string]string {
	tag := languageFor(r, written, slices.Sorted(maps.Keys(has)))
	if tag == "" {
		return nil
	}
	blob, err := s.rooms.Blob(r.Context(), has[tag])
	if err != nil {
		return nil
	}
	texts, err := game.ReadTexts(blob.Data)
	if err != nil {
		return nil
	}
	return texts
}

// shelfViews returns the games of the shelf in the language of a request.
func (s *Server) shelfViews(r *http.Request) []templates.GameView {
	views := slices.Clone(s.previews)
	for i := range views {
		if g, ok := s.shelf.Game(views[i].ID); ok {
			texts := shelfTexts(r, g)
			views[i].Name = game.InLanguage(texts, g.Name)
			views[i].Summary = game.InLanguage(texts, g.Summary)
			views[i].Setups = setupViews(texts, library.SetupsOf(g))
		}
	}
	return views
}

// maxTranslated bounds the catalogues in other languages that are kept, in bytes.
const maxTranslated = 16 << 20

// translations keeps catalogues in other languages. It makes one at a time.
type translations struct {
	mu sync.Mutex
	// Guarded by mu.
	size  int
	files map[[2]room.Hash]*file // by catalogue and language
}

// of returns a catalogue in a language.
func (t *translations) of(
	catalog, language room.Hash, doc, texts []byte,
) (*file, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := [2]room.Hash{catalog, language}
	if f, ok := t.files[key]; ok {
		return f, nil
	}
	body, err := game.Translate(doc, texts)
	if err != nil {
		return nil, err
	}
	if t.size += len(body); t.size > maxTranslated || t.files == nil {
		t.size, t.files = len(body), map[[2]room.Hash]*file{}
	}
	sum := sha256.Sum256(body)
	t.files[key] = newFile("application/json", hex.EncodeToString(sum[:]), body)
	return t.files[key], nil
}

// getTranslated serves a catalogue in a language (G13). What is said there follows from the two
// hashes, so it never changes.
func (s *Server) getTranslated(w http.ResponseWriter, r *http.Request) error {
	hash, err := artHash(r)
	if err != nil {
		return err
	}
	var words room.Hash
	text := chi.URLParam(r, "language")
	if n, err := hex.Decode(words[:], []byte(clip(text, 64))); err != nil || n != len(words) ||
		text != hashText(words) {
		return notFound()
	}
	catalog, ok := s.art.file(hash)
	if !ok {
		blob, err := s.rooms.Blob(r.Context(), hash)
		if err != nil {
			return err
		}
		catalog = &file{kind: blob.Type, body: blob.Data}
	}
	texts, err := s.rooms.Blob(r.Context(), words)
	if err != nil {
		return err
	}
	f, err := s.translations.of(hash, words, catalog.body, texts.Data)
	if err != nil {
		return notFound()
	}
	w.Header().Set("Content-Security-Policy", artPolicy)
	f.serve(w, r, forEver)
	return nil
}
