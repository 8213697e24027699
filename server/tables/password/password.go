// Package password keeps passwords of tables as hashes that are slow to compute (T68), and compares
// what somebody says with one.
package password

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash. A change makes older hashes invalid, because Matches computes with it.
const (
	passes  = 2
	memory  = 19 << 10 // KiB
	threads = 1
	salt    = 16
	length  = 32
)

// Most is the most characters of a password.
const Most = 100

// Valid reports whether a text can be a password: it has 1 to Most characters, and none of them
// controls anything.
func Valid(text string) bool {
	n := utf8.RuneCountInString(text)
	return n >= 1 && n <= Most && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// prefix begins all hashes, in the usual form of Argon2.
var prefix = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, memory, passes, threads)

// Hash returns the hash of a password, with a random salt.
func Hash(text string, random io.Reader) (string, error) {
	s := make([]byte, salt)
	if _, err := io.ReadFull(random, s); err != nil {
		return "", fmt.Errorf("draw the salt of a password: %w", err)
	}
	code := base64.RawStdEncoding.EncodeToString
	return prefix + code(s) + "$" + code(key(text, s)), nil
}

// Matches reports whether a hash is that of a text.
func Matches(hash, text string) bool {
	rest, ok := strings.CutPrefix(hash, prefix)
	if !ok || !Valid(text) {
		return false
	}
	first, second, _ := strings.Cut(rest, "$")
	s, err := base64.RawStdEncoding.Strict().DecodeString(first)
	if err != nil {
		return false
	}
	want, err := base64.RawStdEncoding.Strict().DecodeString(second)
	return err == nil && len(want) == length &&
		subtle.ConstantTimeCompare(want, key(text, s)) == 1
}

func key(text string, s []byte) []byte {
	return argon2.IDKey([]byte(text), s, passes, memory, threads, length)
}
