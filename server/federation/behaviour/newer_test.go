package behaviour_test

import (
	"slices"
	"testing"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// adopts calls Adopt, and returns the result.
func (k *keeper) adopts(from id.HostID, all ...behaviour.Newer) object.Result {
	r := k.does.Invoke(object.Invocation{
		Caller: from, Method: behaviour.Adopt, Args: behaviour.AppendNewer(nil, all),
		Content: k.content,
	})
	if r.Changed {
		k.content = r.Content
	}
	return r
}

func TestAdopt(t *testing.T) {
	newest := object.Kind{31: 7}
	free := func() (*keeper, behaviour.Newer) {
		k := newKeeper(t)
		k.call(visited, behaviour.Return, behaviour.Arguments{Table: here}, 0)
		return k, behaviour.Newer{Was: k.set().Kinds[9].Hash, Is: newest}
	}
	t.Run("O4.9, O30.18 only the owner gives a set newer versions", func(t *testing.T) {
		k, n := free()
		for _, from := range []id.HostID{visited, {3}} {
			if r := k.adopts(from, n); !r.Refused || r.Changed {
				t.Errorf("%s: %+v", from, r)
			}
		}
	})
	t.Run("O30.14 a set that lies on a table stays as it is", func(t *testing.T) {
		k := newKeeper(t)
		if r := k.adopts(home, behaviour.Newer{Was: k.set().Kinds[9].Hash, Is: newest}); !r.Refused ||
			behaviour.Why(r.Answer) != table.ReasonNotAllowed {
			t.Errorf("%+v", r)
		}
	})
	t.Run("O30.17 a newer version takes the place of the older one", func(t *testing.T) {
		k, n := free()
		was := k.set()
		r := k.adopts(home, n)
		now := k.set()
		if !r.Changed || now.Kinds[9].Hash != newest || !slices.Equal(r.Kinds, now.Hashes()) {
			t.Fatalf("%+v", r)
		}
		now.Kinds[9].Hash = n.Was
		if !slices.Equal(now.Kinds, was.Kinds) || !slices.Equal(now.Parts, was.Parts) {
			t.Error("something else has changed")
		}
		if r := k.adopts(home, n); r.Refused || r.Changed {
			t.Errorf("repeated: %+v", r)
		}
	})
	t.Run("O30.16 a set adopts all of the versions or none", func(t *testing.T) {
		k, n := free()
		before := k.content
		for name, all := range map[string][]behaviour.Newer{
			"a kind that the set does not have": {n, {Was: object.Kind{1}, Is: object.Kind{2}}},
			"two kinds become one":              {n, {Was: k.set().Kinds[8].Hash, Is: newest}},
			"a kind becomes another of the set": {{Was: n.Was, Is: k.set().Kinds[8].Hash}},
		} {
			if r := k.adopts(home, all...); !r.Refused || r.Changed {
				t.Errorf("%s: %+v", name, r)
			}
		}
		r := k.does.Invoke(object.Invocation{Caller: home, Method: behaviour.Adopt,
			Args: []byte{1, 2}, Content: k.content})
		if !r.Refused || !slices.Equal(before, k.content) {
			t.Errorf("not the form: %+v", r)
		}
	})
}
