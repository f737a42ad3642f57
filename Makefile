# The front door. `make demo` and `make test` need nothing but a Debian or Ubuntu machine.
.DEFAULT_GOAL := help
PRESET ?= release
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
BUILD := build/$(PRESET)

# What later targets need: packages, then a configured and built tree.
.PHONY: bootstrap configure build
bootstrap:
	@scripts/bootstrap build
configure: bootstrap
	@cmake --preset $(PRESET) >build/$(PRESET).log 2>&1 || { cat build/$(PRESET).log; exit 1; }
build: configure
	@cmake --build --preset $(PRESET) -j $(JOBS)

.PHONY: help
help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

.PHONY: demo
demo: configure ## build what it takes, then show the best that Rubble can do so far
	@cmake --build --preset $(PRESET) -j $(JOBS) --target rubble_program pile
	@scripts/demo $(BUILD)

.PHONY: test
test: build ## build and run all tests
	@ctest --preset $(PRESET) -j $(JOBS)

.PHONY: bench
bench: ## run the benchmarks, keep the rows, write docs/results.md; QUICK=1, FULL=1, SUITES="base tree", PEERS=1, KEEP=NAME, CMAKE_ARGS=...
	@scripts/bootstrap build bench $(if $(PEERS),peers)
	@cmake --preset $(PRESET) -DRBL_PEERS=$(if $(filter 0,$(PEERS)),OFF,ON) $(CMAKE_ARGS) >build/$(PRESET).log 2>&1 || \
		{ cat build/$(PRESET).log; exit 1; }
	@cmake --build --preset $(PRESET) -j $(JOBS) --target rubble_program
	@status=0; KEEP=$(KEEP) scripts/bench $(BUILD)/tools/rubble $(BUILD) $(if $(filter 1,$(QUICK)),1,$(if $(filter 1,$(FULL)),2,0)) $(SUITES) || \
			status=1; \
		scripts/results && exit $$status

.PHONY: coverage
coverage: ## line coverage of the library; fails below 90 %
	@scripts/bootstrap coverage
	@scripts/coverage

.PHONY: soak
soak: build ## the long checks: hours, not seconds
	@scripts/soak

.PHONY: fuzz
fuzz: ## every fuzz target for a minute each
	@scripts/bootstrap fuzz
	@scripts/fuzz 60

.PHONY: pictures
pictures: ## install what draws pictures: Chromium and three.js
	@scripts/bootstrap pictures
	@cd scripts/web && npm ci --no-audit --no-fund --silent

.PHONY: web
web: ## the JavaScript package and the playground, in build/web
	@scripts/bootstrap build wasm python web
	@cd web && npm ci --no-audit --no-fund --silent
	@scripts/build-web

.PHONY: docs
docs: ## the reference from the public headers, in out/docs
	@scripts/bootstrap docs
	@scripts/docs

.PHONY: format
format: ## lay out all C files as .clang-format says
	@scripts/bootstrap format
	@scripts/check-format --fix

.PHONY: check
check: ## layers, format, words, names, maps, papers, numbers and shell scripts, without building
	@scripts/bootstrap format
	@failed=; for check in layers format words names maps papers shell; do \
		scripts/check-$$check || failed="$$failed check-$$check"; \
	done; [ -z "$$failed" ] || { echo "make check: failed:$$failed" >&2; exit 1; }

.PHONY: cross
cross: ## build for ARM64 and Windows, run the tests in qemu and Wine
	@scripts/cross

.PHONY: install
install: configure ## install below PREFIX, /usr/local unless told
	@cmake --build --preset $(PRESET) -j $(JOBS) --target rubble_static rubble_shared \
		rubble_io_static rubble_io_shared rubble_program
	@cmake --install $(BUILD) --prefix $(PREFIX)

.PHONY: clean
clean: ## remove everything that was built
	@rm -rf build out
