package node

import "testing"

func TestHearFor(t *testing.T) {
	t.Run("O48.2 a host that starts waits for 3 s at most", func(t *testing.T) {
		if hearFor != 3000 {
			t.Errorf("it waits for %d ms", hearFor)
		}
	})
}
