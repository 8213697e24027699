package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle returns an entry with all that it imports, minified. It returns files that are neither
// script nor style unchanged.
func bundle(files fs.FS, entry string) ([]byte, error) {
	if ext := path.Ext(entry); ext != ".js" && ext != ".css" {
		return fs.ReadFile(files, entry)
	}
	result, err := build(files, api.BuildOptions{EntryPoints: []string{entry}})
	if err != nil {
		return nil, err
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%s became %d files, want 1", entry, len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

// bundled is a script. Its name changes with its content, and with the content of what it imports.
type bundled struct {
	name string
	body []byte
}

// bundleClient returns the script of a table's page and those of its parts, each by its entry. Code
// that the page and a part both use is in the page's script, and parts import it from there. So a
// part is one file, and needs no other. It returns an error if two parts share code that the page
// does not have.
func bundleClient(files fs.FS, parts []string) (map[string]bundled, error) {
	scripts := slices.DeleteFunc(slices.Clone(parts), func(p string) bool {
		return path.Ext(p) != ".js"
	})
	result, err := build(files, api.BuildOptions{
		EntryPoints: append([]string{mainScript}, scripts...),
		Splitting:   true,
		Outdir:      "/",
		EntryNames:  "[name]-[hash]",
		ChunkNames:  "main-[hash]",
		Metafile:    true,
	}, scripts...)
	if err != nil {
		return nil, err
	}
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Inputs     map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, fmt.Errorf("read what became of the client: %w", err)
	}
	found := map[string]bundled{}
	for _, f := range result.OutputFiles {
		name := path.Base(f.Path)
		output := meta.Outputs[name]
		_, shared := output.Inputs[namespace+":"+mainScript]
		entry := strings.TrimPrefix(output.EntryPoint, namespace+":")
		switch {
		case shared: // all code of the page: its parts import it
			found[mainScript] = bundled{name, f.Contents}
		case entry == mainScript: // imports that, and nothing else
		case entry != "":
			found[entry] = bundled{name, f.Contents}
		default:
			return nil, fmt.Errorf("some parts share what the page does not use: %s",
				strings.Join(slices.Sorted(maps.Keys(output.Inputs)), ", "))
		}
	}
	if len(found) != 1+len(scripts) {
		return nil, fmt.Errorf("%d scripts became %d", 1+len(scripts), len(found))
	}
	return found, nil
}

// build runs esbuild on files. It reads each part as if it imported the client: so every part
// depends on all of the client, and the client becomes one file.
func build(files fs.FS, o api.BuildOptions, parts ...string) (api.BuildResult, error) {
	o.Bundle = true
	o.Write = false
	o.Format = api.FormatESModule
	o.Target = api.ES2022
	o.Charset = api.CharsetUTF8
	o.MinifyWhitespace = true
	o.MinifyIdentifiers = true
	o.MinifySyntax = true
	o.LegalComments = api.LegalCommentsEndOfFile
	o.LogLevel = api.LogLevelSilent
	o.AbsWorkingDir = "/"
	o.Plugins = []api.Plugin{fromFS(files, parts)}
	result := api.Build(o)
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return result, errors.New(strings.TrimSpace(strings.Join(text, "\n")))
	}
	return result, nil
}

// namespace distinguishes the files from those of the disk.
const namespace = "static"

// besideStyle resolves a file to which a style sheet refers. It is served beside the style sheet,
// under the name of its content.
func besideStyle(files fs.FS, entry string) (api.OnResolveResult, error) {
	body, err := fs.ReadFile(files, entry)
	if err != nil {
		return api.OnResolveResult{}, err
	}
	return api.OnResolveResult{Path: nameOf(entry, body), External: true}, nil
}

// fromFS makes esbuild read from files instead of the disk. Imports are relative, as in a browser.
func fromFS(files fs.FS, parts []string) api.Plugin {
	return api.Plugin{Name: namespace, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				name := a.Path
				if a.Kind == api.ResolveCSSURLToken {
					return besideStyle(files, path.Join(path.Dir(a.Importer), name))
				}
				if a.Importer != "" {
					if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
						return api.OnResolveResult{},
							fmt.Errorf("%s imports %q, which is not relative", a.Importer, a.Path)
					}
					name = path.Join(path.Dir(a.Importer), name)
				}
				return api.OnResolveResult{Path: name, Namespace: namespace}, nil
			})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace},
			func(a api.OnLoadArgs) (api.OnLoadResult, error) {
				text, err := fs.ReadFile(files, a.Path)
				if err != nil {
					return api.OnLoadResult{}, err
				}
				contents, loader := string(text), api.LoaderJS
				switch path.Ext(a.Path) {
				case ".css":
					loader = api.LoaderCSS
				case ".json":
					loader = api.LoaderJSON
				}
				if slices.Contains(parts, a.Path) {
					contents += "\nimport '" +
						strings.Repeat("../",
							strings.Count(a.Path, "/")-strings.Count(mainScript, "/")) +
						path.Base(mainScript) + "';\n"
				}
				return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
			})
	}}
}
