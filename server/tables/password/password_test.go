package password_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"holt/server/tables/password"
)

// TestT68Hashes shows which texts a hash takes.
// Clauses: T68.2, T68.3
func TestT68Hashes(t *testing.T) {
	hash, err := password.Hash("Krähenfuß 7", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	again, err := password.Hash("Krähenfuß 7", rand.Reader)
	if err != nil || again == hash {
		t.Errorf("T68.3 two hashes of a password are equal: %v", err)
	}
	if strings.Contains(hash, "Kr") || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("T68.3 the hash is %q", hash)
	}
	cut := hash[:len(hash)-4]
	for name, row := range map[string]struct {
		hash, text string
		want       bool
	}{
		"T68.3 the password":      {hash, "Krähenfuß 7", true},
		"T68.3 by another salt":   {again, "Krähenfuß 7", true},
		"T68.3 in other letters":  {hash, "krähenfuß 7", false},
		"T68.3 nothing":           {hash, "", false},
		"T68.3 against nothing":   {"", "Krähenfuß 7", false},
		"T68.3 against a part":    {cut, "Krähenfuß 7", false},
		"T68.3 against a prefix":  {hash[:31], "Krähenfuß 7", false},
		"T68.3 against something": {"x" + hash, "Krähenfuß 7", false},
	} {
		if got := password.Matches(row.hash, row.text); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for text, want := range map[string]bool{
		"": false, "a": true, "a\nb": false, "\xff": false,
		strings.Repeat("ß", password.Most):   true,
		strings.Repeat("ß", password.Most+1): false,
	} {
		if password.Valid(text) != want {
			t.Errorf("T68.2 %q can be a password: %v", text, !want)
		}
	}
}
