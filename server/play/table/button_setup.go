package table

import (
	"slices"

	"holt/server/id"
)

// Buttons that set the table up again (T93).

// SettingUp is what a press asks for behind its commit: that the table is set up again.
type SettingUp struct {
	Name   string // of the set-up; "": the first one
	By     By
	Button id.OID
	Step   int32 // its number among the steps of the button
}

// setsUp reports whether a step of a button sets the table up.
func (k *ButtonKind) setsUp() bool {
	return slices.ContainsFunc(k.Steps, func(s Step) bool { return s.Do == DoSetUp })
}

// wantSetUp notes that a press sets the table up.
func (t *Table) wantSetUp() Outcome {
	on := &t.pressed
	s := &on.doings[0].steps[0]
	t.settingUp = &SettingUp{Name: s.SetUp, By: on.by, Button: on.button, Step: s.At}
	on.doings = on.doings[1:]
	return Outcome{Verdict: Recorded}
}

// TakeSettingUp returns what the last press asks for, once; nil if that is nothing.
func (t *Table) TakeSettingUp() *SettingUp {
	asks := t.settingUp
	t.settingUp = nil
	return asks
}

// NotSetUp records that what a press asks for could not be done.
func (t *Table) NotSetUp(asks *SettingUp, in Inputs) {
	t.pressed = pressed{by: asks.By, button: asks.Button, came: []result{{at: asks.Step}}}
	t.sayUndone(in)
}
