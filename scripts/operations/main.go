// Command operations generates what follows from the table of operations
// (server/play/table/operation.go): the client's table, and the reference in
// docs/protocol/table.md. Run it in the root of the project.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"holt/server/play/table"
)

const (
	client    = "static/js/sync/operations.js"
	reference = "docs/protocol/table.md"
	begin     = "<!-- The table is made by scripts/operations. -->\n"
	end       = "<!-- End of the table. -->\n"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "operations:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := os.WriteFile(client, script(), 0o644); err != nil { //nolint:gosec // a source file
		return err
	}
	text, err := os.ReadFile(reference)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(text, []byte(begin))
	_, after, ends := bytes.Cut(rest, []byte(end))
	if !found || !ends {
		return errors.New(reference + " has no place for the table")
	}
	text = append(append(append(append(bytes.Clone(before), begin...), rows()...),
		end...), after...)
	return os.WriteFile(reference, text, 0o644) //nolint:gosec // a document
}

// script returns the client's table.
func script() []byte {
	var b bytes.Buffer
	b.WriteString(`/**
 * The operations that a client may ask for (table.md, T24). Made by scripts/operations from the server's table; not to be edited.
 *
 * @module
 */

/** @typedef {keyof import('../types.js').Args} Arg */

/**
 * @typedef {object} Form
 * @property {Arg[]} needs the arguments that it needs, beside the piece and the tag
 * @property {Arg[]} may those that it may have besides
 * @property {'tagged' | 'made' | 'blind'} sent ` + "`tagged`" + `: with the version of the piece, and shown at once (T9).
 *   ` + "`made`" + `: not shown before the server has done it. ` + "`blind`" + `: without a version (T28).
 */

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const tagged = (needs = [], may = []) => ({ needs, may, sent: 'tagged' });

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const made = (needs = [], may = []) => ({ needs, may, sent: 'made' });

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const blind = (needs = [], may = []) => ({ needs, may, sent: 'blind' });

/** The forms of each operation. @type {Record<string, Form[]>} */
export const FORMS = {
`)
	kinds := map[string][]string{}
	for _, o := range table.Operations() {
		forms := make([]string, len(o.Forms))
		for i, f := range o.Forms {
			sent := sent(&o, f)
			kinds[sent] = append(kinds[sent], o.Name)
			forms[i] = sent + "(" + arguments(f) + ")"
		}
		fmt.Fprintf(&b, "  %s: [%s],\n", o.Name, strings.Join(forms, ", "))
	}
	b.WriteString("};\n")
	for _, set := range []struct {
		name, what string
		trait      table.Traits
	}{
		{"NEEDS_FREE", "What somebody else's hold keeps away (T14).", table.NeedsFree},
		{"NEEDS_UNPINNED", "What a pin keeps away (T14).", table.NeedsUnpinned},
		{"DESPITE_LOCK", "What a lock does not keep away (T14).", table.DespiteLock},
		{"BY_HOST", "What only hosts may do (T14).", table.ByHost},
		{"ON_ANY_HAND", "What may be done to somebody else's hand (T24).", table.OnAnyHand},
		{"OF_CLOCK", "What operates a clock (T27).", table.OfClock},
	} {
		var names []string
		for _, o := range table.Operations() {
			if o.Traits&set.trait != 0 {
				names = append(names, "'"+o.Name+"'")
			}
		}
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s = new Set([%s]);\n", set.what, set.name,
			strings.Join(names, ", "))
	}
	for _, t := range []struct{ sent, name string }{{"tagged", "PieceOp"}, {"made", "MakeOp"},
		{"blind", "BlindOp"}} {
		fmt.Fprintf(&b, "\n/** @typedef {'%s'} %s */\n",
			strings.Join(kinds[t.sent], "' | '"), t.name)
	}
	return b.Bytes()
}

// sent returns how a client sends an operation of a form.
func sent(o *table.Operation, f table.Form) string {
	switch {
	case f.Required&(table.HasPiece|table.HasTag) == table.HasPiece:
		return "blind"
	case o.Traits&table.ShownLater != 0:
		return "made"
	default:
		return "tagged"
	}
}

// arguments returns the arguments of a form as in the client's table.
func arguments(f table.Form) string {
	needs := names(f.Required&^(table.HasPiece|table.HasTag), "'%s'", ", ")
	// Loose is not in the client's table (T17)
	may := names(f.Optional&^table.HasLoose, "'%s'", ", ")
	switch {
	case may != "":
		return "[" + needs + "], [" + may + "]"
	case needs != "":
		return "[" + needs + "]"
	default:
		return ""
	}
}

func names(f table.Fields, format, separator string) string {
	var all []string
	for i := range table.Arguments {
		if a := &table.Arguments[i]; f&a.Field != 0 {
			all = append(all, fmt.Sprintf(format, a.Name))
		}
	}
	return strings.Join(all, separator)
}

// row is the format of a row of the reference.
const row = "| `%s` | %s | %s | %s | %s | %s | %s |\n"

// rows returns the reference.
func rows() []byte {
	var b bytes.Buffer
	b.WriteString("\n| op | required | optional | tag | needs | ack | rejected with |\n|---|---|---|---|---|---|---|\n")
	for _, o := range table.Operations() {
		for i, f := range o.Forms {
			tag := "yes"
			if has := f.Required & (table.HasPiece | table.HasTag); has == 0 {
				tag = "none"
			} else if has == table.HasPiece {
				tag = "blind"
			}
			fmt.Fprintf(&b, row, o.Name,
				code(f.Required&^table.HasTag), code(f.Optional), tag, needs(&o, i), f.Ack, reasons(f))
		}
	}
	b.WriteString("\n")
	return b.Bytes()
}

func code(f table.Fields) string {
	return strings.ReplaceAll(names(f, "`%s`", ", "), "`x`, `y`", "`x y`")
}

// needs returns what the form at i of an operation needs.
func needs(o *table.Operation, i int) string {
	var letters []string
	if o.Forms[i].Required&table.HasPiece != 0 {
		if o.Traits&table.NeedsFree != 0 {
			letters = append(letters, "F")
		}
		if o.Traits&table.NeedsUnpinned != 0 {
			letters = append(letters, "P")
		}
		if o.Traits&table.DespiteLock == 0 {
			letters = append(letters, "L")
		}
	}
	all := []string{strings.Join(letters, " ")}
	if o.Traits&table.ByHost != 0 {
		all = append(all, "a host")
	}
	if o.Traits&table.KeepsSets != 0 {
		all = append(all, "not part of a set (T37)")
	}
	all = append(all, o.Forms[i].Condition)
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
}

func reasons(f table.Form) string {
	all := make([]string, len(f.Rejects))
	for i, r := range f.Rejects {
		all[i] = "`" + r.String() + "`"
	}
	return strings.Join(all, ", ")
}
