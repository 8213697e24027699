package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestVisitSecrets(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	_, table, invite := away.hosted()
	ada := home.browser()
	sent := home.sends(ada, invite)
	to, err := url.Parse(sent.Header.Get("Location"))
	if err != nil || sent.StatusCode != http.StatusSeeOther {
		t.Fatal(sent.Status, err)
	}
	var token string
	t.Run("O37 a person's token is for their browser and this server only", func(t *testing.T) {
		for _, c := range sent.Cookies() {
			if strings.HasPrefix(c.Name, "holt_person_") {
				token = c.Value
				if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
					c.Domain != "" {
					t.Errorf("%+v", c)
				}
			}
		}
		if len(token) < 32 {
			t.Fatalf("the token is %q", token)
		}
	})
	there := away.browser()
	door := there.get("/visit?" + to.RawQuery)
	if a := there.submit("/visit", to.Query()); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", a.Status, says(a.body))
	}
	operator := away.browser()
	pageToken := away.operatorLinks.New()
	entered := operator.get("/servers?token=" + pageToken)
	t.Run("O37 pages with a secret address are not cached or referred", func(t *testing.T) {
		if sent.Header.Get("Cache-Control") != "no-store" ||
			door.Header.Get("Cache-Control") != "no-store" {
			t.Error("they are cached")
		}
		for _, a := range []answer{sent, door, entered} {
			if p := a.Header.Get("Referrer-Policy"); p != "strict-origin" && p != "no-referrer" {
				t.Errorf("Referrer-Policy: %q", p)
			}
		}
		for _, c := range entered.Cookies() {
			if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Value == pageToken {
				t.Errorf("%+v", c)
			}
		}
	})
	t.Run("O37 a visitor's page leads home only to pages", func(t *testing.T) {
		if page := there.get("/t/" + table + "?home=javascript:alert(1)"); !strings.Contains(
			page.body, `data-home="`+home.URL+`/?away=`) {
			t.Error("the page does not know the way home")
		}
		for _, link := range []string{
			strings.Replace(invite, "http://", "javascript://", 1),
			strings.Replace(invite, "http://", "file://", 1),
			strings.Replace(invite, "http://", "http://ada:secret@", 1),
			strings.Replace(invite, "http://", "http://evil.example\\@", 1),
			strings.Replace(invite, "http://", "//", 1), invite + "/../../x",
			"http://evil.example/join/abc",
		} {
			if a := ada.submit("/go",
				url.Values{"link": {link}}); a.StatusCode == http.StatusSeeOther {
				t.Errorf("%q leads to %q", link, a.Header.Get("Location"))
			}
		}
	})
	t.Run("O37 nothing is done for the page of another site", func(t *testing.T) {
		foreign := []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"}
		for path, form := range map[string]url.Values{
			"/go": {"link": {invite}}, "/bag": {"do": {"key"}}, "/visit": to.Query(),
			"/bag/" + strings.Repeat("a", 32): {},
		} {
			if a := ada.submit(path, form, foreign...); a.StatusCode != http.StatusForbidden {
				t.Errorf("POST %s: %s", path, a.Status)
			}
		}
		if a := operator.submit("/servers",
			url.Values{"do": {"invite"}}, foreign...); a.StatusCode != http.StatusForbidden {
			t.Errorf("POST /servers: %s", a.Status)
		}
		r := there.request(http.MethodPost, "/api/v1/tables/"+table+"/bag", `{"do":"open"}`,
			header(append([]string{"Content-Type", "application/json"}, foreign...)))
		if a := there.do(r, there.jar); a.StatusCode != http.StatusForbidden {
			t.Errorf("POST bag: %s", a.Status)
		}
	})
	t.Run("O37 no log has a token, a voucher or an invite", func(t *testing.T) {
		q := to.Query()
		for _, l := range []*linked{home, away} {
			for name, secret := range map[string]string{"token": token, "voucher": q.Get("voucher"),
				"invite": q.Get("invite"), "page": pageToken} {
				if strings.Contains(l.log.String(), secret) {
					t.Errorf("the %s is in a log", name)
				}
			}
		}
	})
}
