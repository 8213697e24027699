package client

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// TestGuestsOfATable shows what a client knows of the guest sets of a table.
func TestGuestsOfATable(t *testing.T) {
	away := &table.SetInfo{Number: 3, Seat: 1, Away: table.AwayOwner, Until: 5000}
	t.Run("T37.2, T39 a set comes, is unreachable, is back and goes", func(t *testing.T) {
		r := withFull(t)
		r.handle(t, wire.SetEvent(away))
		if d := cmp.Diff(
			[]Set{{Number: 3, By: 1, Away: table.AwayOwner, Until: 5000}}, r.view().Sets,
		); d != "" {
			t.Error(d)
		}
		r.handle(t, wire.SetEvent(&table.SetInfo{Number: 3, Seat: 1, Stage: table.StageReturn}))
		if sets := r.view().Sets; sets != nil {
			t.Errorf("there are %v", sets)
		}
	})
	t.Run("T37.1 a piece names its set", func(t *testing.T) {
		r := withFull(t)
		p := at(9, 30, 1, 2)
		p.Set = new(uint32(3))
		kinds(t, r, frame(30, update(1, holtpb.Op_OP_PLACE, p)), Updated)
		if got, _ := r.shown(9); got.Set != 3 {
			t.Errorf("it is %+v", got)
		}
	})
	t.Run("S5.13, S18 a client that resumes gets the current sets and catalogue", func(t *testing.T) {
		r := withFull(t)
		r.handle(t, wire.SetEvent(away))
		m := wire.ResumedEvent(nil, nil, []byte{0xab})
		kinds(t, r, frame(30, m), Resumed, TableChanged)
		if v := r.view(); v.Sets != nil || v.Info.Catalog != "ab" || v.Info.Title != "Test" {
			t.Errorf("the view is %+v", v)
		}
		kinds(t, r, frame(30, m), Resumed)
		old := wire.ResumedEvent(nil, nil, nil)
		kinds(t, r, frame(30, old), Resumed)
		if v := r.view(); v.Info.Catalog != "ab" {
			t.Errorf("the catalogue is %q", v.Info.Catalog)
		}
	})
	t.Run("T37 a view with sets is read back from JSON", func(t *testing.T) {
		r := withFull(t)
		r.handle(t, wire.SetEvent(away))
		v := r.view()
		b, err := json.Marshal(documentOf(&v))
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		back, err := d.view()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(v, back); d != "" {
			t.Error(d)
		}
	})
}

func (r *viewState) handle(t *testing.T, e *holtpb.Event) {
	t.Helper()
	kinds(t, r, frame(0, e), SetChanged)
}
