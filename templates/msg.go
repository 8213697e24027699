package templates

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"holt/static"
)

// Language is the language of the messages.
const Language = "en"

// messages are the texts of the pages, by id.
var messages = readMessages("messages/" + Language + "/pages.json")

// message is a text with arguments in braces: "You are {nick} of {home}". If the text depends on a
// number, there is one for each plural category of CLDR, chosen by the argument n. "=0" is for
// exactly that number. A text that depends on none is the one for "other".
type message map[string]string

// UnmarshalJSON reads a text, or the texts of the plural categories.
func (m *message) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*m = message{"other": text}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(m))
}

// readMessages reads a file of this program. A file that cannot be read is a fault of this program:
// readMessages panics.
func readMessages(name string) map[string]message {
	data, err := static.Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var all map[string]message
	if err := json.Unmarshal(data, &all); err != nil {
		panic(fmt.Errorf("read %s: %w", name, err))
	}
	return all
}

// Msg returns a message with its arguments, which are given as names and values. The result is
// plain text. A message or an argument that is missing shows its name.
func Msg(id string, args ...any) string {
	values := make(map[string]any, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		values[fmt.Sprint(args[i])] = args[i+1]
	}
	return placeholder.ReplaceAllStringFunc(textOf(id, values), func(in string) string {
		name := strings.Trim(in, "{}")
		if value, ok := values[name]; ok {
			return fmt.Sprint(value)
		}
		return name
	})
}

// HasMsg reports whether there is a message.
func HasMsg(id string) bool { return messages[id] != nil }

// List returns a list in words: "Ann, Ben and Cy".
func List(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	list, last := items[0], len(items)-1
	for _, item := range items[1:last] {
		list = Msg("list.middle", "first", list, "second", item)
	}
	return Msg("list.end", "first", list, "last", items[last])
}

// placeholder stands for an argument.
var placeholder = regexp.MustCompile(`\{\w+\}`)

// textOf returns the text of a message for a number, without the arguments.
func textOf(id string, values map[string]any) string {
	m, ok := messages[id]
	if !ok {
		return id
	}
	n, ok := values["n"].(int)
	if !ok {
		return m["other"]
	}
	if text, ok := m[fmt.Sprintf("=%d", n)]; ok {
		return text
	}
	if text, ok := m[categoryOf(n)]; ok {
		return text
	}
	return m["other"]
}

// categoryOf returns the plural category of a number in the language of the messages.
func categoryOf(n int) string {
	switch plural.Cardinal.MatchPlural(language.Make(Language), n, 0, 0, 0, 0) {
	case plural.Zero:
		return "zero"
	case plural.One:
		return "one"
	case plural.Two:
		return "two"
	case plural.Few:
		return "few"
	case plural.Many:
		return "many"
	default:
		return "other"
	}
}

// slot is markup for an argument of a message.
type slot struct {
	name    string
	content templ.Component
}

// with is an argument that is markup, such as a link inside a sentence.
func with(name string, content templ.Component) slot { return slot{name, content} }

// withText is an argument that is plain text.
func withText(name, text string) slot {
	return slot{name, templ.Raw(templ.EscapeString(text))}
}

// msgWith renders a message some of whose arguments are markup.
func msgWith(id string, slots ...slot) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text, last := textOf(id, nil), 0
		for _, at := range placeholder.FindAllStringIndex(text, -1) {
			name := text[at[0]+1 : at[1]-1]
			content := templ.Raw(templ.EscapeString(name))
			for _, s := range slots {
				if s.name == name {
					content = s.content
				}
			}
			if _, err := io.WriteString(w, templ.EscapeString(text[last:at[0]])); err != nil {
				return err
			}
			if err := content.Render(ctx, w); err != nil {
				return err
			}
			last = at[1]
		}
		_, err := io.WriteString(w, templ.EscapeString(text[last:]))
		return err
	})
}
