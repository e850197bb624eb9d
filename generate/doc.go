// Package generate asks language models and embedding models over HTTP: Google's
// Gemini through its own client, and everything that speaks the protocol of OpenAI
// (Ollama, llama.cpp, vLLM, OpenAI itself).
//
// Every failure is one sentence that names the server, with a hint of what to
// do. A key is read from the environment variable that the options name and goes
// into the header of the request. It is blotted out of everything else that
// leaves this package: errors and answers alike.
//
// A question is asked once, since a person or an agent is waiting. Only the vectors
// of documents are asked for again when the server is busy.
//
//	model, err := generate.New(generate.Options{Provider: "ollama", Model: "qwen3:8b", Env: os.Getenv})
//	if err != nil {
//		return err // the options cannot work; nothing was sent
//	}
//	answer, err := model.Generate(ctx, "When does one need this note? …")
package generate
