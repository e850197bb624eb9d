// Not a part of the program: the tests of the memory browser read the payloads in this
// module's own tests, and go.sum says that they are the same ones.
module e2e

go 1.26

require github.com/microcosm-cc/bluemonday v1.0.27
