package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/proto/objectpb"
	"holt/storage"
)

// quarantined writes a set into a file of the quarantine, as the server of a folder does (O28).
func quarantined(t *testing.T, dir string) (file string) {
	t.Helper()
	db, err := storage.Open(t.Context(), dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := db.HostKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	kind := object.Kind{1}
	set := behaviour.SetContent{
		Kinds: []behaviour.Kind{{Hash: kind}}, Parts: []behaviour.Part{{}},
	}
	oid := id.OID{1, 2, 3}
	envelope, err := proto.MarshalOptions{Deterministic: true}.Marshal(&objectpb.Envelope{
		Version: 1, Oid: oid[:], Term: 1, Class: uint32(object.Set),
		Body: &objectpb.Body{Kinds: kind[:], Content: set.Append(nil)},
	})
	if err != nil {
		t.Fatal(err)
	}
	const begin, statement = "holt quarantine 1\n", "holt object 1\x00"
	signature := ed25519.Sign(key, append([]byte(statement+begin), envelope...))
	file = filepath.Join(t.TempDir(), oid.String()+".holtobject")
	b := append(append([]byte(begin), signature...), envelope...)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRestoredBag shows that a link opens the bag of what was in quarantine.
// Clauses: O28.15, O28.16
func TestRestoredBag(t *testing.T) {
	dir := t.TempDir()
	file := quarantined(t, dir)
	address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off").address
	holt := func(args ...string) string {
		t.Helper()
		out, err := command(context.Background(), t,
			append(args, "--data", dir, "--json")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	holt("objects", "--restore", file)
	var bags bagsAnswer
	if err := json.Unmarshal([]byte(holt("bags")), &bags); err != nil || len(bags.Persons) != 1 ||
		bags.Persons[0].Sets != 1 || bags.Persons[0].Fault != "" {
		t.Fatalf("the bags are %+v, %v", bags, err)
	}
	var key bagKeyAnswer
	link := holt("bags", "--link", bags.Persons[0].Person)
	if err := json.Unmarshal([]byte(link), &key); err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, key.URL,
		strings.NewReader(url.Values{}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	a, err := (&http.Client{Jar: jar}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s %v", a.Status, err)
	}
	if !strings.Contains(string(page), bags.Persons[0].Nick) {
		t.Errorf("the link does not lead to the bag of %s:\n%s", bags.Persons[0].Nick, page)
	}
	at, err := url.Parse(address)
	if err != nil || len(jar.Cookies(at)) == 0 {
		t.Errorf("the browser has no bag: %v", err)
	}
}
