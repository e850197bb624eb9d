// Package guard decides who may talk to a server that runs on a person's own machine.
//
// Its subject is what a browser, another site in it and another program can send: the address
// to listen on, the name of the host, the login, requests that another site makes, the headers
// of an answer, and how large and how slow a request may be.
//
// The promise: nothing reaches the handler behind it but a request to an allowed host, with the
// cookie that the one-time link has set, which no other site has caused; and no answer leaves
// that lets a browser run, frame or send home what stands in it. It keeps no log.
//
//	place, err := guard.Listen(guard.Address{})
//	g := guard.New(place.Hosts, rand.Reader)
//	fmt.Println(g.Link(place.Hosts[0]))
//	server := g.Server(handler)
package guard
