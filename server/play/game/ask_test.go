package game

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// asksWho is a question.
const asksWho = `{"do": "ask", "name": "Who", "question": "Who?", "for": "seat"}`

// asking is the game with a button, with questions.
var asking = strings.Replace(pressing, flips+",", `
       {"do": "ask", "name": "Many", "question": "How many?", "for": "number", "min": 1, "max": 5,
        "initial": 2},
       {"do": "ask", "name": "What", "question": "Which colour?", "for": "choice",
        "choices": ["Red", "Blue"]},
       `+asksWho+`,
       {"do": "ask", "name": "Coin", "question": "Which one?", "for": "piece", "kind": "Coin"},
       {"do": "flip", "kind": {"answer": "Coin"}},
       {"do": "if", "of": {"answer": "What"}, "is": "Blue", "then": [
         {"do": "count", "kind": "Score", "set": {"answer": "Many"}}]},
       {"do": "if", "of": {"answer": "Many"}, "is": ">", "n": 3, "then": [
         {"do": "count", "kind": "Score", "add": {"answer": "Many"}}]},
       {"do": "each seat", "seat": {"answer": "Who"}, "steps": [
         {"do": "deal", "kind": "Bag", "n": {"answer": "Many"}}]},
       {"do": "move", "kind": "Bag", "n": {"answer": "Many"}, "to": {"answer": "Coin"}},`, 1)

// TestQuestions shows how questions and answers are read, and that catalogues and translations keep
// them.
// Clauses: G13.1
func TestQuestions(t *testing.T) {
	g, err := readFull(asking)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, schema(t), asking); err != nil {
		t.Errorf("the schema: %v", err)
	}
	const next = 5
	many := Answers{N: "Many", Most: 5}
	want := []Step{
		{Do: "ask", Ask: Question{
			Name: "Many", Text: "How many?", For: "number", Min: 1, Max: 5, Initial: 2,
		}},
		{Do: "ask", Ask: Question{
			Name: "What", Text: "Which colour?", For: "choice", Choices: []string{"Red", "Blue"},
		}},
		{Do: "ask", Ask: Question{Name: "Who", Text: "Who?", For: "seat"}},
		{Do: "ask", Ask: Question{Name: "Coin", Text: "Which one?", For: "piece", Kind: "Coin"}},
		{Do: "flip", Kind: "Coin", Answers: Answers{Kind: "Coin"}},
		{
			Do: "if", If: Condition{Of: "answer", Answer: "What", Choice: "Blue", Is: "=", N: 1},
			Then: []Step{{Do: "count", Kind: "Score", Sets: true, N: 1, Answers: many}},
		},
		{
			Do: "if", If: Condition{Of: "answer", Answer: "Many", Is: ">", N: 3},
			Then: []Step{{Do: "count", Kind: "Score", N: 1, Answers: many}},
		},
		{
			Do: "each seat", Answers: Answers{Seat: "Who"},
			Then: []Step{{Do: "deal", Kind: "Bag", N: 1, Answers: many}},
		},
		{
			Do: "move", Kind: "Bag", N: 1, To: "Coin", Face: -1,
			Answers: Answers{N: "Many", Most: 5, To: "Coin"},
		},
	}
	b := &g.Game.Kinds[next].Button
	if got := b.Steps[:len(want)]; !reflect.DeepEqual(got, want) {
		t.Errorf("the game has %+v", got)
	}
	if n := len(b.Questions()); n != MaxQuestions {
		t.Errorf("it asks %d questions", n)
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !reflect.DeepEqual(again[next].Button.Steps[:len(want)], want) {
		t.Errorf("the catalogue has %+v, %v", again[next].Button, err)
	}
	if q := &want[3].Ask; q.KindOf(again) != 0 || q.KindOf(again[1:]) != -1 {
		t.Error("the kind of the question is known without its pieces, or not with them")
	}
	for text, limit := range map[string]int{
		"Who": MaxName, "How many?": MaxQuestion, "Red": MaxChoice, "Blue": MaxChoice,
	} {
		if got := g.Game.texts()[text]; got != limit {
			t.Errorf("G13.1 a language may have %d characters for %q, not %d", got, text, limit)
		}
	}
	in, err := Translate(g.Game.Catalog, []byte(`{"texts": {"Coin": "Münze", "Which one?": "Welche?",
		"Blue": "Blau", "Many": "Viele", "What": "Was", "Who": "Wer"}}`))
	if err != nil {
		t.Fatal(err)
	}
	german, err := ParseCatalog(in)
	if err != nil {
		t.Fatal(err)
	}
	steps := german[next].Button.Steps
	if q := steps[3].Ask; q.Kind != "Münze" || q.Text != "Welche?" || q.Name != "Münze" ||
		steps[1].Ask.Choices[1] != "Blau" || steps[5].If.Choice != "Blau" || steps[4].Kind != "Münze" {
		t.Errorf("in German it is %+v", steps)
	}
	if steps[4].Answers.Kind != "Münze" || steps[5].If.Answer != "Was" ||
		steps[5].Then[0].Answers.N != "Viele" || steps[6].If.Answer != "Viele" ||
		steps[7].Answers.Seat != "Wer" || steps[8].Answers.To != "Münze" {
		t.Errorf("in German steps refer to %+v", steps)
	}
	same, err := Translate(g.Game.Catalog,
		[]byte(`{"texts": {"Red": "Rot", "Blue": "Rot", "Many": "Was", "What": "Was"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if kinds, err := ParseCatalog(same); err != nil ||
		kinds[next].Button.Steps[1].Ask.Choices[0] != "Red" ||
		kinds[next].Button.Steps[0].Ask.Name != "Many" {
		t.Errorf("choices and questions of one name: %+v, %v", kinds, err)
	}
}

// TestQuestionFaults shows which questions and answers are refused, and where.
// Clauses: T95.10, T95.11
func TestQuestionFaults(t *testing.T) {
	const first = `{"do": "ask", "name": "Many"`
	for _, c := range []struct{ old, new, want string }{
		{`"is": "Blue", "then": [`, `"is": "Blue", "then": [` +
			strings.ReplaceAll(asksWho, `"Who"`, `"W"`) + `, `,
			`button: step 5: do: only the first steps of a button ask`},
		{`{"do": "flip", "kind": {"answer"`, asksWho + `, {"do": "flip", "kind": {"answer"`,
			`step 4: name: another question is called "Who"`},
		{`{"do": "flip", "kind": {"answer"`,
			strings.ReplaceAll(asksWho, `"Who"`, `"W"`) + `, {"do": "flip", "kind": {"answer"`,
			`button: do: a button asks at most 4 questions`},
		{first, flips + `, ` + first, `button: do: only the first steps of a button ask`},
		{`"pieces": [`, `"steps": [` + asksWho + `], "pieces": [`,
			`do: only the first steps of a button ask`},
		{`"for": "seat"`, `"for": "luck"`, `for: "luck" is not number or choice or seat or piece`},
		{`"for": "seat"`, `"for": "seat", "max": 3`, `max: a question for a seat has none`},
		{`"question": "Who?", `, ``, `question is missing`},
		{`"Who?"`, `"` + strings.Repeat("é", 121) + `"`, `question: `},
		{`"max": 5`, `"max": 1`, `max: 1 is not more than min`},
		{`"initial": 2},`, `"initial": 6},`, `initial: 6 is not a whole number from 1 to 5`},
		{`["Red", "Blue"]`, `["Red", "Red"]`, `choices: "Red" stands there twice`},
		{`["Red", "Blue"]`, `["Red"]`, `choices has 1 entries, not 2 to 8`},
		{`["Red", "Blue"]`, `["Red", 5]`, `choices: want a text, not a number`},
		{`["Red", "Blue"]`, `["Red", ""]`, `choices: entry 1: `},
		{`"for": "piece", "kind": "Coin"`, `"for": "piece", "kind": "Ace"`,
			`button: step 3: "Ace" is secret: a button would tell its pieces from others`},
		{`"for": "piece", "kind": "Coin"`, `"for": "piece", "kind": "Gold"`,
			`button: step 3: no kind "Gold"`},
		{`"for": "piece", "kind": "Coin"`, `"for": "piece", "kind": "Bag"`,
			`button: step 4: "Bag" is a hand or a container, which this verb leaves alone`},
		{`{"do": "flip", "kind": {"answer": "Coin"}}`, `{"do": "flip", "kind": {"answer": "Gold"}}`,
			`step 4: kind: no question before is called "Gold"`},
		{`{"do": "flip", "kind": {"answer": "Coin"}}`, `{"do": "flip", "kind": {"answer": "Who"}}`,
			`step 4: kind: the answer to "Who" is a seat, not a piece`},
		{`{"do": "flip", "kind": {"answer": "Coin"}}`, `{"do": "flip", "kind": {}}`,
			`step 4: kind: answer is missing`},
		{`"seat": {"answer": "Who"}`, `"seat": {"answer": "Many"}`,
			`seat: the answer to "Many" is a number, not a seat`},
		{`"seat": {"answer": "Who"}`, `"seat": "Who"`, `seat: want an object, not a text`},
		{`"n": {"answer": "Many"}}]`, `"n": {"answer": "What"}}]`,
			`n: the answer to "What" is a choice, not a number`},
		{`"min": 1, "max": 5`, `"min": 0, "max": 5`,
			`n: the answer to "Many" is not always from 1 to 100`},
		{`"min": 1, "max": 5`, `"min": 1, "max": 100`, `"Score" cannot show 100`},
		{`"is": "Blue"`, `"is": "Green"`, `is: "Green" is none of the choices of "What"`},
		{`"is": "Blue"`, `"is": "Blue", "n": 1`, `n: the answer to "What" is a choice, not a number`},
		{`"of": {"answer": "What"}`, `"of": {"answer": "Who"}`,
			`of: the answer to "Who" is a seat, not a number`},
		{`"of": {"answer": "What"}`, `"kind": "Coin", "of": {"answer": "What"}`,
			`kind: an answer is compared, and no pieces`},
		{`"by": 9000`, `"by": {"answer": "Many"}`, `by: want a number, not an object`},
	} {
		if strings.Count(asking, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(asking, c.old), c.old)
		}
		_, err := readFull(strings.Replace(asking, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	only := strings.Replace(pressing, flips, asksWho, 1)
	from := strings.Index(only, asksWho) + len(asksWho)
	only = only[:from] + only[from+strings.Index(only[from:], "]"):]
	at := strings.Index(only, `"ask"`)
	line := strings.Count(only[:at], "\n") + 1
	want := fmt.Sprintf("line %d, column %d: kind 5: button: do: a button that asks does something "+
		"with the answers", line, at-strings.LastIndex(only[:at], "\n"))
	if _, err := readFull(only); err == nil || err.Error() != want {
		t.Errorf("only a question: %v, want %s", err, want)
	}
}
