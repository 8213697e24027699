package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestTablesCommand(t *testing.T) {
	t.Run("T42.2 operators list and delete tables", func(t *testing.T) {
		dir := t.TempDir()
		address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off").address
		ask := func(args ...string) (string, error) {
			out, err := command(context.Background(), t,
				append([]string{"tables", "--data", dir}, args...)...).CombinedOutput()
			return string(out), err
		}
		if out, err := ask(); err != nil || !strings.Contains(out, "There are no tables.") {
			t.Errorf("%v\n%s", err, out)
		}
		res, err := http.Post(address+"api/v1/tables", "application/json",
			strings.NewReader(`{"game":"chess","title":"Game night"}`))
		if err != nil {
			t.Fatal(err)
		}
		var made struct{ Table string }
		if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if out, err := ask(); err != nil || !strings.Contains(out, made.Table) ||
			!strings.Contains(out, "Game night") {
			t.Errorf("%v\n%s", err, out)
		}
		for _, wrong := range []string{"chess", strings.Repeat("0", 32)} {
			if out, err := ask("--discard", wrong); err == nil || !strings.Contains(out, "holt: ") {
				t.Errorf("%s: %v\n%s", wrong, err, out)
			}
		}
		if out, err := ask("--discard", made.Table); err != nil ||
			!strings.Contains(out, `The table "Game night" was thrown away.`) {
			t.Errorf("%v\n%s", err, out)
		}
		var all []tableAnswer
		if out, err := ask("--json"); err != nil || json.Unmarshal([]byte(out), &all) != nil ||
			len(all) != 0 {
			t.Errorf("%v\n%s", err, out)
		}
		if res, err = http.Get(address + "t/" + made.Table); err != nil ||
			res.StatusCode != http.StatusGone {
			t.Errorf("%v %v", res, err)
		}
		_ = res.Body.Close()
	})
}

func TestHostLinkCommand(t *testing.T) {
	dir := t.TempDir()
	ask := func(args ...string) (string, error) {
		out, err := command(context.Background(), t,
			append([]string{"tables", "--data", dir}, args...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := ask("--host-link", strings.Repeat("0", 32)); err == nil ||
		!strings.Contains(out, "no holt is serving") {
		t.Errorf("without a server: %v\n%s", err, out)
	}
	address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off").address
	var made createAnswer
	out, err := ask("--create", "chess", "--title", "Club night", "--nick", "Ada", "--json")
	if err != nil || json.Unmarshal([]byte(out), &made) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, wrong := range []string{"chess", strings.Repeat("0", 32)} {
		if out, err := ask("--host-link", wrong); err == nil || !strings.Contains(out, "holt: ") {
			t.Errorf("%s: %v\n%s", wrong, err, out)
		}
	}
	out, err = ask("--host-link", made.Table)
	if err != nil || !strings.HasPrefix(out, `For Ada at the table "Club night", once, until `) {
		t.Fatalf("%v\n%s", err, out)
	}
	link := strings.TrimSpace(out[strings.LastIndex(out, " "):])
	if !strings.HasPrefix(link, address+"seat/") {
		t.Fatalf("the link is %s", link)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	open := func(method, link string) (status int, cookie, page string) {
		t.Helper()
		r, err := http.NewRequest(method, link, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", strings.TrimSuffix(address, "/"))
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, res.Header.Get("Set-Cookie"), string(body)
	}
	const operators = "The operator of this server made it"
	if status, _, page := open(http.MethodGet, link); status != http.StatusOK ||
		!strings.Contains(page, operators) {
		t.Errorf("the page: %d\n%s", status, page)
	}
	status, cookie, page := open(http.MethodPost, link)
	if status != http.StatusSeeOther || !strings.Contains(cookie, "holt_"+made.Table) {
		t.Errorf("the form: %d\n%s", status, page)
	}
	if status, _, _ := open(http.MethodPost, link); status != http.StatusNotFound {
		t.Errorf("a second time: %d", status)
	}
	if status, _, _ := open(http.MethodGet, made.Host); status == http.StatusSeeOther {
		t.Error("the host's previous link is still valid")
	}
	var answer hostLinkAnswer
	if out, err := ask("--host-link", made.Table, "--json"); err != nil ||
		json.Unmarshal([]byte(out), &answer) != nil || answer.Name != "Ada" || answer.Until == 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFindingS8TablesOfTheOperator(t *testing.T) {
	dir := t.TempDir()
	address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off",
		"--who-may-create", "link").address
	ask := func(args ...string) string {
		t.Helper()
		out, err := command(context.Background(), t,
			append([]string{"tables", "--data", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	create := func(link string) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, address+"api/v1/tables",
			strings.NewReader(`{"game":"chess"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+link[strings.LastIndex(link, "/")+1:])
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	first := ask("--create-link")
	if !strings.HasPrefix(first, address+"create/") || ask("--create-link") != first {
		t.Errorf("the link is %s, then %s", first, ask("--create-link"))
	}
	if got := create(first); got != http.StatusCreated {
		t.Errorf("with the link: %d", got)
	}
	second := ask("--create-link", "--renew")
	if got := []int{create(first), create(second)}; got[0] != http.StatusForbidden ||
		got[1] != http.StatusCreated {
		t.Errorf("after the renewal: %v", got)
	}
	var made createAnswer
	if err := json.Unmarshal([]byte(ask("--create", "chess", "--title", "Club night", "--json")),
		&made); err != nil {
		t.Fatal(err)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Get(made.Host)
	if err != nil || res.StatusCode != http.StatusSeeOther ||
		!strings.Contains(res.Header.Get("Set-Cookie"), "holt_"+made.Table) {
		t.Errorf("the host's link: %v %v", res, err)
	}
	_ = res.Body.Close()
	if out := ask(); !strings.Contains(out, "Club night") || !strings.Contains(out, "LOG") {
		t.Errorf("the tables are\n%s", out)
	}
	if out, err := command(context.Background(), t, "tables",
		"--data", dir, "--renew").CombinedOutput(); err == nil {
		t.Errorf("--renew alone passes: %s", out)
	}
}

// TestCreateSeveralTables shows that the command sets up all tables of a game, with their doors.
// Clauses: G16.1, G16.2
func TestCreateSeveralTables(t *testing.T) {
	dir := t.TempDir()
	address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off",
		"--games", "../../docs/guides/samples", "--who-may-create", "nobody").address
	ask := func(args ...string) []byte {
		t.Helper()
		out, err := command(t.Context(), t,
			append([]string{"tables", "--data", dir, "--create", "house"}, args...)...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	if out := string(ask()); strings.Count(out, "For the host alone: "+address+"t/") != 2 ||
		!strings.Contains(out, `The table "Cellar", to which a door leads`) {
		t.Errorf("it prints\n%s", out)
	}
	var made createAnswer
	if err := json.Unmarshal(ask("--title", "Ours", "--json"), &made); err != nil ||
		len(made.Further) != 1 || made.Further[0].Title != "Cellar" {
		t.Fatalf("%v: %+v", err, made)
	}
	for behind, of := range map[string]createdTable{
		"Cellar": made.createdTable, "Ours": made.Further[0].createdTable,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			address+"api/v1/tables/"+of.Table+"/components", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, token, _ := strings.Cut(of.Host, "?token=")
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("G16.1 the host's token: %d, %v\n%s", res.StatusCode, err, body)
		}
		if !strings.Contains(string(body), behind) {
			t.Errorf("G16.2 no door leads to %s: %q", behind, body)
		}
	}
}
