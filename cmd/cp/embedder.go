package main

import (
	"os"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/generate"
	"github.com/cp-memory/cp/generate/static"
	"github.com/cp-memory/cp/vault/embed"
)

// embedders returns the models of the settings, each made once in the life of
// the process: a static one reads its tokens when it is first asked.
func embedders() func(*app.Session) embed.Ports {
	var mu sync.Mutex
	made := map[settings.Embedding]embed.Embedder{}
	return func(s *app.Session) embed.Ports {
		e := s.Settings.Embedding
		mu.Lock()
		defer mu.Unlock()
		if made[e] == nil {
			made[e] = embedder(e)
		}
		return embed.Ports{Model: made[e], Vectors: s.Vectors, Holders: s.Holders, Files: s.Store}
	}
}

func embedder(e settings.Embedding) embed.Embedder {
	if e.Provider == "static" {
		return static.New(e.Folder)
	}
	model, err := generate.NewEmbedder(generate.EmbedderOptions{
		Options:   generate.Options{Provider: e.Provider, Model: e.Model, KeyEnv: e.KeyEnv, BaseURL: e.BaseURL, Env: os.Getenv},
		Dimension: e.Dimension, Rate: e.Rate,
	})
	if err != nil {
		return embed.Unusable{Err: err}
	}
	return model
}
