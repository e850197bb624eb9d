package main

import (
	"os"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/generate"
	"github.com/cp-memory/cp/vault/phrase"
)

// generator returns the language model of the settings.
func generator(g settings.Generation) (phrase.Generator, error) {
	m, err := generate.New(generate.Options{
		Provider: g.Provider,
		Model:    g.Model,
		KeyEnv:   g.KeyEnv,
		BaseURL:  g.BaseURL,
		Timeout:  g.Timeout,
		Env:      os.Getenv,
		Schema:   []byte(phrase.Schema),
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}
