// Command operations generates what follows from the operations of clients
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
 * The operations for which a client may ask (table.md, T24). scripts/operations makes this file from
 * the server's table; do not edit it.
 *
 * @module
 */

/** @typedef {keyof import('../types.js').Args} Arg */

/**
 * @typedef {object} Form
 * @property {Arg[]} needs the required arguments, beside the piece and the tag
 * @property {Arg[]} may the optional arguments
 * @property {'tagged' | 'made' | 'blind'} sent ` + "`tagged`" + `: with the version of the piece, and displayed
 *   at once (T9). ` + "`made`" + `: not displayed before the outcome. ` + "`blind`" + `: without a version (T28).
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
		{"NEEDS_FREE", "Operations that are rejected while somebody else holds the piece (T14).", table.NeedsFree},
		{"NEEDS_UNPINNED", "Operations that are rejected while the piece is pinned (T14).", table.NeedsUnpinned},
		{"DESPITE_LOCK", "Operations that are possible while the piece is locked (T14).", table.DespiteLock},
		{"BY_HOST", "Operations that only hosts may use (T14).", table.ByHost},
		{"ON_ANY_HAND", "Operations that are possible with somebody else's hand (T24).", table.OnAnyHand},
		{"OF_CLOCK", "Operations of clocks (T27).", table.OfClock},
	} {
		var names []string
		for _, o := range table.Operations() {
			if o.Traits&set.trait != 0 {
				names = append(names, "'"+o.Name+"'")
			}
		}
		list := strings.Join(names, ", ")
		if len(names) > 8 {
			list = "\n  " + chunked(names, ", ", ",\n  ") + ",\n"
		}
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s = new Set([%s]);\n", set.what, set.name, list)
	}
	for _, t := range []struct{ sent, name string }{{"tagged", "PieceOp"}, {"made", "MakeOp"},
		{"blind", "BlindOp"}} {
		names := make([]string, len(kinds[t.sent]))
		for i, name := range kinds[t.sent] {
			names[i] = "'" + name + "'"
		}
		ops := chunked(names, " | ", "\n *   | ")
		fmt.Fprintf(&b, "\n/**\n * @typedef {%s} %s\n */\n", ops, t.name)
	}
	return b.Bytes()
}

// chunked joins eight names to a line by sep, and the lines by lineBreak.
func chunked(names []string, sep, lineBreak string) string {
	var lines []string
	for line := range slices.Chunk(names, 8) {
		lines = append(lines, strings.Join(line, sep))
	}
	return strings.Join(lines, lineBreak)
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
