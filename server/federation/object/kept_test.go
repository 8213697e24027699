package object

import "testing"

func TestFindingR2FilesOfEarlierVersions(t *testing.T) {
	t.Run("O28 an earlier version's quarantine is read, a foreign one refused", func(t *testing.T) {
		e := &Envelope{
			OID: made(0, 1), Term: 3, Class: Set, counter: 1,
			holders: []holder{{Host: hostID(1), Number: 1, Since: 1}},
			body: body{Content: []byte{7},
				Calls: []calls{{Host: hostID(0), Process: 1, Last: 4, Kept: []kept{{Number: 4}}}}},
		}
		b := e.Append(nil)
		if _, err := ReadEnvelope(b); err == nil {
			t.Error("another host may send useless answers")
		}
		if k, err := ReadKept(b); err != nil || k.OID != e.OID || string(k.Content()) != "\x07" {
			t.Errorf("%+v, %v", k, err)
		}
		for n := range b {
			if _, err := ReadKept(b[:n]); err == nil {
				t.Errorf("%d of %d bytes are read", n, len(b))
			}
		}
		if _, err := ReadKept(make([]byte, MaxEnvelope+1)); err == nil {
			t.Error("it may be of any size")
		}
	})
}
