package settings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// generation loads the section from a home with this file.
func generation(t *testing.T, config string, env map[string]string) (settings.Settings, error) {
	t.Helper()
	w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\n", "home/.cp/config.yaml": config})
	for name, value := range env {
		w.env[name] = value
	}
	return settings.Load(settings.Flags{}, w.place("v"))
}

func TestGeneration(t *testing.T) {
	for _, test := range []struct {
		name, config string
		env          map[string]string
		want         settings.Generation
	}{
		{"nothing", "", nil, settings.Generation{}},
		{"an empty section", "generation:\n", nil, settings.Generation{}},
		{"all of it", "generation: {provider: google, model: m, key_env: K, base_url: 'http://x', timeout: 1m}", nil,
			settings.Generation{Provider: "google", Model: "m", KeyEnv: "K", BaseURL: "http://x", Timeout: time.Minute}},
		{"the other name of key_env", "generation: {provider: google, api_key_env: K}", nil, settings.Generation{Provider: "google", KeyEnv: "K"}},
		{"the environment over the file", "generation: {provider: google, model: m}",
			map[string]string{"CP_GENERATION_PROVIDER": "ollama", "CP_GENERATION_TIMEOUT": "5s"},
			settings.Generation{Provider: "ollama", Model: "m", Timeout: 5 * time.Second}},
	} {
		s, err := generation(t, test.config, test.env)
		if diff := cmp.Diff(test.want, s.Generation, cmpopts.IgnoreUnexported(settings.Generation{})); err != nil || diff != "" || len(s.Warnings) > 0 {
			t.Errorf("%s: %v %v (-want +got):\n%s", test.name, err, s.Warnings, diff)
		}
	}
}

// What is wrong is told without the value: it may be a key.
func TestGenerationTellsNoValues(t *testing.T) {
	const canary = "AIzaCanary"
	for _, test := range []struct{ name, config, says string }{
		{"a word", "generation: " + canary, "line 1: generation has keys of its own, like provider and model"},
		{"a list", "generation: {model: [" + canary + "]}", "line 1: generation.model takes a single value"},
		{"no time", "generation: {timeout: " + canary + "}", "line 1: generation.timeout is a time like 30s"},
		{"no positive time", "generation: {timeout: -1s}", "line 1: generation.timeout is a time like 30s"},
		{"the key itself", "generation: {api_key: " + canary + "}", "generation.api_key is not read"},
		{"an unknown key", "generation: {modell: " + canary + "}", "generation.modell is not one of its keys"},
	} {
		s, err := generation(t, test.config, nil)
		said := strings.Join(s.Warnings, "\n")
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, test.says) || strings.Contains(said, canary) || err != nil && vault.CodeOf(err) != vault.CodeConfig {
			t.Errorf("%s: got %q", test.name, said)
		}
	}
}

// Nobody one pulls from chooses where text goes.
func TestGenerationIsNotTakenFromSharedFiles(t *testing.T) {
	const section = "generation: {provider: openai, model: m, base_url: 'http://evil.example.org/v1'}\n"
	w := newWorld(t, map[string]string{"code/.cp.yaml": "vault: memory\n" + section, "code/memory/.cp/vault.yaml": "format: 1\n" + section})
	s, err := settings.Load(settings.Flags{}, w.place("code/memory"))
	if err != nil || s.Generation.IsConfigured() || s.Generation.BaseURL != "" {
		t.Errorf("got %+v, %v", s.Generation, err)
	}
	told := 0
	for _, warning := range s.Warnings {
		if strings.Contains(warning, "generation is not taken from a shared file") {
			told++
		}
	}
	if told != 2 {
		t.Errorf("got the warnings %q", s.Warnings)
	}
}
