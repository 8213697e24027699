package static

import (
	"io/fs"
	"strings"
	"testing"
)

func TestFilesHoldWhatBrowsersNeedAndNoTests(t *testing.T) {
	extensions := map[string]int{}
	err := fs.WalkDir(Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if strings.Contains(name, "test") || strings.Contains(name, "node_modules") {
			t.Errorf("%s is served", name)
		}
		folder, _, _ := strings.Cut(name, "/")
		extensions[folder+"/*."+name[strings.LastIndex(name, ".")+1:]]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"art/*.svg", "games/*.json", "games/*.md", "css/*.css", "js/*.js", "messages/*.json",
		"fonts/*.woff2", "fonts/*.txt", "js/*.mjs", "js/*.txt",
	} {
		if extensions[want] == 0 {
			t.Errorf("there is no %s", want)
		}
		delete(extensions, want)
	}
	if len(extensions) != 0 {
		t.Errorf("there are also %v", extensions)
	}
}
