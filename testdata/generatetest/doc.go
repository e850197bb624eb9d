// Package generatetest is a server for tests that speaks the protocols of three
// vendors: Gemini's generateContent, OpenAI's chat completions, and their and
// Ollama's requests for vectors. It is strict about what it is asked. The model's
// name says what goes wrong:
//
//	good          an answer; the summary names the memory that the prompt is about
//	parent        with a suggestion for the parent
//	fenced, prose, long, blank   an answer in a fence; none in JSON; a long, an empty summary
//	blocked, safety, cut, none   the prompt is blocked, the answer withheld, cut off, missing
//	html, garbage, half, shape   a web page, no JSON, half of it, JSON of another form
//	slow, hangup                 no answer before the client leaves; the connection is closed
//	elsewhere                    a redirection
//	echo                         what it was sent, the key with it, as an answer; echo-400 as an error
//	no-format                    response_format is refused (chat only)
//	401 … 503                    that status; 502 as a web page
//
// What it plays for vectors stands at vectorSize.
//
//	server := generatetest.Start()
//	defer server.Stop()
//	model, err := generate.New(generate.Options{Provider: "openai", Model: "cut", BaseURL: server.URL + "/v1", Env: os.Getenv})
package generatetest
