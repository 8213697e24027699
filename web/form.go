package web

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"holt/server/tables/room"
	"holt/templates"
)

// formState is what somebody has filled in, and what was wrong with it.
type formState struct {
	game        string
	nick        string
	colour      string
	nickProblem string
	problem     string
	sent        bool

	passwordProblem string
	side            uint32 // the place for which they ask; 0: any
}

func (f *formState) wrong() bool { return f.nickProblem != "" || f.problem != "" }

// explain puts an error that the person can correct into the form. It reports false for other
// errors.
func (f *formState) explain(err error) bool {
	switch {
	case errors.Is(err, room.ErrNoGame):
		f.problem = templates.Msg("person.badGame")
	case errors.Is(err, room.ErrNoSetup):
		f.problem = templates.Msg("person.badSetup")
	case errors.Is(err, room.ErrPassword):
		f.passwordProblem = templates.Msg("join.wrongPassword")
	case errors.Is(err, room.ErrPerson):
		f.nickProblem = templates.Msg("person.badNick")
	default:
		return false
	}
	return true
}

// readPerson reads a form with a name and a colour. Errors that the person can correct are in the
// formState, not in the error.
func (s *Server) readPerson(
	w http.ResponseWriter, r *http.Request,
) (formState, room.Person, error) {
	if err := s.checkOrigin(r, false); err != nil {
		return formState{}, room.Person{}, err
	}
	if err := readForm(w, r); err != nil {
		return formState{}, room.Person{}, err
	}
	f := formState{
		nick: strings.TrimSpace(r.PostForm.Get("nick")), colour: r.PostForm.Get("colour"),
		sent: true,
	}
	p, err := person(f.nick, f.colour)
	if err != nil {
		f.problem, f.colour = templates.Msg("person.badColour"), ""
	}
	p.Password = r.PostForm.Get("password")
	if n := utf8.RuneCountInString(f.nick); n < 1 || n > maxNick || !utf8.ValidString(f.nick) ||
		strings.ContainsFunc(f.nick, unicode.IsControl) {
		f.nickProblem = templates.Msg("person.badNick")
	}
	return f, p, nil
}

// palette are the colours that the forms offer.
var palette = func() (all []templates.Swatch) {
	for _, c := range [][2]string{
		{"colours.red", "#c0392b"},
		{"colours.orange", "#d4761c"},
		{"colours.gold", "#c99a12"},
		{"colours.moss", "#5f8d2f"},
		{"colours.jade", "#2a8a5f"},
		{"colours.teal", "#1f8a99"},
		{"colours.blue", "#2f72c4"},
		{"colours.indigo", "#5a55c9"},
		{"colours.violet", "#8a4bb8"},
		{"colours.pink", "#c24391"},
		{"colours.brown", "#8a5a3c"},
		{"colours.slate", "#5d6770"},
	} {
		all = append(all, templates.Swatch{Name: templates.Msg(c[0]), Value: c[1]})
	}
	return all
}()

// randomColour is for people who do not choose: friends who all accept the offered colour get
// different ones.
func randomColour() uint32 {
	//nolint:gosec // a matter of taste, not a secret
	c, _ := parseColour(palette[rand.IntN(len(palette))].Value)
	return c
}

// personView fills the form as it was sent, or with the name and colour that this person used last.
// It prefers a colour that no seated person has. Used colours are marked and can still be chosen.
func personView(r *http.Request, f formState, seated []room.Person) templates.PersonView {
	nick, colour := f.nick, f.colour
	if !f.sent {
		if p, ok := rememberedPerson(r); ok {
			nick, colour = p.Nick, formatColour(p.Colour)
		}
	}
	v := templates.PersonView{Nick: nick, NickError: f.nickProblem, Colours: slices.Clone(palette)}
	own, free := -1, make([]int, 0, len(palette))
	for i := range v.Colours {
		c := &v.Colours[i]
		c.Taken = nicksWith(seated, c.Value)
		if c.Taken == "" {
			free = append(free, i)
		}
		if strings.EqualFold(c.Value, colour) {
			own = i
		}
	}
	v.AnyTaken = len(free) < len(palette)
	v.Colours[preset(own, free, f.sent)].Chosen = true
	return v
}

// preset returns which colour of the palette is chosen at first. own is the colour that this person
// has sent or used last, or -1. If said is true they have just sent it, and it stays. free are the
// colours that nobody has.
func preset(own int, free []int, said bool) int {
	switch {
	case own >= 0 && (said || len(free) == 0 || slices.Contains(free, own)):
		return own
	case len(free) > 0:
		return free[rand.IntN(len(free))] //nolint:gosec // a matter of taste, not a secret
	default:
		return rand.IntN(len(palette)) //nolint:gosec // as above
	}
}

// maxNamed is how many people with the same colour are named: more names do not help to choose.
const maxNamed = 3

// nicksWith returns the names of those who have a colour, or an empty string.
func nicksWith(seated []room.Person, colour string) string {
	var nicks []string
	for _, p := range seated {
		if strings.EqualFold(formatColour(p.Colour), colour) {
			nicks = append(nicks, p.Nick)
		}
	}
	if len(nicks) > maxNamed {
		nicks = append(nicks[:maxNamed], templates.Msg("person.others"))
	}
	return templates.List(nicks)
}
