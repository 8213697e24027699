package game

import "slices"

// Questions of buttons (T95). Whoever presses the button answers them, and later steps use the
// answers.

// Bounds of questions (T95).
const (
	MaxQuestions = 4   // of a button
	MaxQuestion  = 120 // characters
	MaxChoices   = 8   // among which one is chosen
	MaxChoice    = 40  // characters
)

// Question is what a button asks whoever presses it.
type Question struct {
	Name    string // by which later steps refer to the answer
	Text    string
	For     string   // what the answer is: "number", "choice", "seat" or "piece"
	Min     int32    // of a number
	Max     int32    // of a number
	Initial int32    // of a number: what the page proposes
	Choices []string // of a choice
	Kind    string   // of a piece
}

// What the answer to a question is.
const (
	forNumber = "number"
	forChoice = "choice"
	forSeat   = "seat"
	forPiece  = "piece"
)

// Answers names the questions whose answers a step uses in the place of what a file says otherwise;
// "" where it uses none.
type Answers struct {
	N    string // a number
	Most int32  // the greatest one; N of the step is the least one
	Kind string // a piece
	To   string // a piece
	Seat string // of each seat: the only seat for which its steps are done
}

// ofAnswer is what a condition counts that compares an answer.
const ofAnswer = "answer"

// catalogQuestion is what a question has beside its verb, its name and its kind.
type catalogQuestion struct {
	Question string   `json:"question"`
	For      string   `json:"for"`
	Min      *int32   `json:"min,omitempty"`
	Max      *int32   `json:"max,omitempty"`
	Initial  *int32   `json:"initial,omitempty"`
	Choices  []string `json:"choices,omitempty"`
}

// answerTo refers to the answer to a question.
type answerTo struct {
	Answer string `json:"answer"`
}

// orAnswer returns what stands in a catalogue: the answer to the question name, if that is given,
// or else v.
func orAnswer(name string, v any) any {
	if name != "" {
		return answerTo{name}
	}
	return v
}

func (q *Question) catalogQuestion() *catalogQuestion {
	c := &catalogQuestion{Question: q.Text, For: q.For, Choices: q.Choices}
	if q.For == forNumber {
		c.Min, c.Max, c.Initial = &q.Min, &q.Max, &q.Initial
	}
	return c
}

// Questions returns what a button asks, in order. They are its first steps.
func (b *Button) Questions() (all []*Question) {
	for i := range b.Steps {
		if b.Steps[i].Do == doAsk {
			all = append(all, &b.Steps[i].Ask)
		}
	}
	return all
}

// KindOf returns the kind of the pieces among which one is chosen; -1 if there is none, or if
// nobody may know which pieces are meant.
func (q *Question) KindOf(kinds []Kind) int {
	i := named(kinds, q.Kind)
	if i < 0 || unclear(kinds, i) != "" {
		return -1
	}
	return i
}

// fieldsOf has the fields of a question beside those that all have.
var fieldsOf = map[string][]string{
	forNumber: {"min", "max", "initial"}, forChoice: {"choices"}, forSeat: {}, forPiece: {"kind"},
}

// readQuestion reads what an ask has. asked are the questions before it.
func readQuestion(o object, asked []Question) (q Question) {
	q = Question{
		Name: o.text("name", MaxName), Text: o.text("question", MaxQuestion),
		For: o.choice("for", forNumber, forChoice, forSeat, forPiece),
	}
	if slices.ContainsFunc(asked, func(other Question) bool { return other.Name == q.Name }) {
		o.fail(o.get("name"), "name: another question is called %q", q.Name)
	}
	for _, field := range slices.Concat(fieldsOf[forNumber], fieldsOf[forChoice], fieldsOf[forPiece]) {
		if o.has(field) && !slices.Contains(fieldsOf[q.For], field) {
			o.fail(o.get(field), "%s: a question for a %s has none", field, q.For)
		}
	}
	switch q.For {
	case forNumber:
		q.Min, q.Max = o.integer("min", -MaxValue, MaxValue), o.integer("max", -MaxValue, MaxValue)
		if q.Max <= q.Min {
			o.fail(o.get("max"), "max: %d is not more than min", q.Max)
		}
		q.Initial = q.Min
		if o.has("initial") {
			q.Initial = o.integer("initial", q.Min, q.Max)
		}
	case forChoice:
		q.Choices = readChoices(o)
	case forPiece:
		q.Kind = o.text("kind", MaxName)
	}
	return q
}

// readChoices reads among what one chooses.
func readChoices(o object) (all []string) {
	for i, v := range o.list("choices", 2, MaxChoices) {
		if v.kind != aText {
			o.fail(v, "choices: want a text, not %s", v.kind)
			continue
		}
		if err := CheckName(v.text, 1, MaxChoice); err != nil {
			o.fail(v, "choices: entry %d: %v", i, err)
		}
		if slices.Contains(all, v.text) {
			o.fail(v, "choices: %q stands there twice", v.text)
		}
		all = append(all, v.text)
	}
	return all
}

// answer returns the question whose answer a field refers to, {"answer": "Name"}. It fails if that
// is not for one of the kinds of answers given.
func (o object) answer(field string, asked []Question, of ...string) (q Question) {
	v := o.get(field)
	name := o.r.object(v, o.where+": "+field, "answer").text("answer", MaxName)
	i := slices.IndexFunc(asked, func(q Question) bool { return q.Name == name })
	switch {
	case o.r.err != nil:
	case i < 0:
		o.fail(v, "%s: no question before is called %q", field, name)
	case !slices.Contains(of, asked[i].For):
		o.fail(v, "%s: the answer to %q is a %s, not a %s", field, name, asked[i].For, of[0])
	default:
		q = asked[i]
	}
	return q
}

// isAnswer reports whether a field refers to an answer.
func (o object) isAnswer(field string) bool { return o.get(field).kind == anObject }

// readNumber reads a number from low to high, or the answer to a question for one.
func (s *Step) readNumber(o object, field string, low, high int32, asked []Question) int32 {
	if !o.isAnswer(field) {
		return o.integer(field, low, high)
	}
	q := o.answer(field, asked, forNumber)
	if o.r.err == nil && (q.Min < low || q.Max > high) {
		o.fail(o.get(field), "%s: the answer to %q is not always from %d to %d", field, q.Name,
			low, high)
	}
	s.Answers.N, s.Answers.Most = q.Name, q.Max
	return q.Min
}

// readKind reads the name of a kind, or the answer to a question for a piece: the name of its kind
// and that of the question.
func (o object) readKind(field string, asked []Question) (kind, answer string) {
	if !o.isAnswer(field) {
		return o.text(field, MaxName), ""
	}
	q := o.answer(field, asked, forPiece)
	return q.Kind, q.Name
}

// readCompared reads a condition that compares an answer.
func readCompared(o object, asked []Question) Condition {
	q := o.answer("of", asked, forNumber, forChoice)
	c := Condition{Of: ofAnswer, Answer: q.Name}
	if q.For != forChoice {
		c.Is, c.N = o.choice("is", comparisons...), o.integer("n", -MaxValue, MaxValue)
		return c
	}
	c.Is, c.Choice = "=", o.text("is", MaxChoice)
	c.N = int32(slices.Index(q.Choices, c.Choice)) //nolint:gosec // at most MaxChoices
	switch {
	case c.N < 0:
		o.fail(o.get("is"), "is: %q is none of the choices of %q", c.Choice, q.Name)
	case o.has("n"):
		o.fail(o.get("n"), "n: the answer to %q is a choice, not a number", q.Name)
	}
	return c
}

// onlyFirst fails if one of these steps asks: the questions are the first steps of a button. It
// also fails if a button does nothing but ask.
func onlyFirst(
	steps []Step, at []value, ofButton bool, fail func(at value, format string, args ...any),
) {
	first := 0
	for ofButton && first < len(steps) && steps[first].Do == doAsk {
		first++
	}
	switch {
	case first > MaxQuestions:
		fail(at[MaxQuestions].members["do"], "do: a button asks at most %d questions", MaxQuestions)
	case first > 0 && first == len(steps):
		fail(at[0].members["do"], "do: a button that asks does something with the answers")
	}
	for i := first; i < len(steps); i++ {
		if steps[i].Do == doAsk {
			fail(at[i].members["do"], "do: only the first steps of a button ask")
		}
	}
}

// translate puts the texts of a language in the place of those of questions, and of what refers to
// their names and choices.
func (b *Button) translate(texts map[string]string) {
	asked := b.Questions()
	written := make([]string, len(asked))
	for i, q := range asked {
		written[i] = q.Name
	}
	names, choices := map[string]string{}, map[string][]string{}
	for i, name := range inLanguageApart(texts, written) {
		q := asked[i]
		q.Text, q.Choices = InLanguage(texts, q.Text), inLanguageApart(texts, q.Choices)
		names[q.Name], choices[q.Name] = name, q.Choices
		q.Name = name
	}
	eachStep(b.Steps, func(s *Step) {
		if s.If.Choice != "" {
			s.If.Choice = choices[s.If.Answer][s.If.N]
		}
		for _, name := range []*string{
			&s.Answers.N, &s.Answers.Kind, &s.Answers.To, &s.Answers.Seat, &s.If.Answer,
		} {
			*name = names[*name]
		}
	})
}

// inLanguageApart returns texts that all differ in a language. If two would be the same there, all
// stay as they are written.
func inLanguageApart(texts map[string]string, written []string) (to []string) {
	for _, text := range written {
		in := InLanguage(texts, text)
		if slices.Contains(to, in) {
			return written
		}
		to = append(to, in)
	}
	return to
}
