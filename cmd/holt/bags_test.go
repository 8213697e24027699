package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"holt/server/id"
)

func TestBagsCommand(t *testing.T) {
	dir := t.TempDir()
	address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off").address
	ask := func(args ...string) (string, error) {
		out, err := command(context.Background(), t,
			append([]string{"bags", "--data", dir}, args...)...).CombinedOutput()
		return string(out), err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	post := func(to string, form url.Values) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to,
			strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		a, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Body.Close(); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%s %v", a.Status, err)
		}
	}
	if out, err := ask(); err != nil || !strings.Contains(out, "Nobody has opened a bag") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Run("R1 an unreadable bag is skipped, and reported", func(t *testing.T) {
		a := bagsAnswer{Persons: []bagAnswer{{Nick: "Ada", Sets: 3},
			{Nick: "Ben", Fault: "it is away"}}}
		if err := a.fault(); err == nil || !strings.Contains(err.Error(), "1 of 2 bags") {
			t.Error(err)
		}
	})
	post(address+"bag", url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	out, err := ask("--json")
	var a bagsAnswer
	if err != nil || json.Unmarshal([]byte(out), &a) != nil || len(a.Persons) != 1 ||
		a.Persons[0].Nick != "Ada" || a.Persons[0].Sets != 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("O37.18 a person without a browser gets a link from the operator", func(t *testing.T) {
		for _, who := range []string{"ada", a.Persons[0].Person} {
			out, err := ask("--link", who)
			link, _, _ := strings.Cut(out, "\n")
			if err != nil || !strings.HasPrefix(link, address+"bag/") ||
				!strings.Contains(out, "the bag of Ada") {
				t.Fatalf("%v\n%s", err, out)
			}
			post(link, nil)
		}
		if out, err := ask("--link", "Bob"); err == nil ||
			!strings.Contains(out, "holt: nobody on this server is called like that") {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("O37 persons of one name are distinguished by numbers", func(t *testing.T) {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser = &http.Client{Jar: jar}
		post(address+"bag", url.Values{"nick": {"Ada"}, "colour": {"#2f72c4"}})
		if out, err := ask("--link", "Ada"); err == nil ||
			!strings.Contains(out, "2 people are called Ada") {
			t.Errorf("%v\n%s", err, out)
		}
		if out, err := ask(); err != nil || strings.Count(out, "Ada") != 2 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("O2.1 each person has an OID", func(t *testing.T) {
		out, err := ask("--json")
		var a bagsAnswer
		if err != nil || json.Unmarshal([]byte(out), &a) != nil || len(a.Persons) != 2 {
			t.Fatalf("%v\n%s", err, out)
		}
		seen := map[id.OID]bool{{}: true}
		for _, p := range a.Persons {
			oid, err := id.ParseOID(p.Person)
			if err != nil || seen[oid] {
				t.Errorf("%s has the OID %q: %v", p.Nick, p.Person, err)
			}
			seen[oid] = true
		}
	})
}
