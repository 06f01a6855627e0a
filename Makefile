# `make up` runs Berth, `make unit` runs the quick tests in a few minutes, `make test` all of them. `make help` lists the
# rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help up demo example check-games check-cluster check-android check-gpu manifests down unit test lint format coverage coverage-c typecheck build package images image-android image-android-device sbom base clean install

TSX := node_modules/.bin/tsx
ENGINE := scripts/with-engine.sh

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: install ## build what is missing, start the service in the background, print how to use it
	@$(ENGINE) $(TSX) scripts/up.ts

demo: install ## start a session and print its address; DEMO='{"start_url": "https://example.com"}' sets options
	@$(TSX) scripts/demo.ts

example: install ## run an example against what `make up` runs: E=watch-party, webhook-auth, event-log, webgl-texture or kiosk
	@$(TSX) scripts/example.ts $(E)

check-games: images ## try the games in FOLDER and say which of them play; docs/how-to/consoles.md has its other variables
	@$(ENGINE) $(TSX) scripts/check-games.ts

check-cluster: install ## try on a Kubernetes cluster what sessions need of it; takes the settings of the service
	@$(TSX) scripts/check-cluster.ts

check-android: build ## try on this machine what Android sessions need of it; takes the settings of the service
	@$(ENGINE) $(TSX) scripts/check-android.ts

check-gpu: build ## try on this machine whether a graphics card encodes and renders sessions, with the service's settings
	@$(ENGINE) $(TSX) scripts/check-gpu.ts

manifests: install ## render the Helm chart with VALUES into the plain manifests OUT, to apply without Helm
	@$(TSX) scripts/manifests.ts

down: install ## end the service and everything it started
	@$(ENGINE) --as-is $(TSX) scripts/down.ts

# Patterns in T are for the scripts, not for the shell.
unit: ## run the tests that need no container, in a few minutes, without Docker and root; T as for make test
	@scripts/install.sh --no-packages
	@set -f; $(TSX) scripts/unit.ts $(T)

test: install ## run every test; T="test/server test/*/link*" runs those whose paths begin so or match
	@set -f; $(TSX) scripts/test.ts $(T)

coverage: install ## print which lines make unit reaches, also as coverage/index.html, and those of the programs in C
	@set -f; failed=0; node_modules/.bin/c8 $(TSX) scripts/unit.ts $(T) || failed=$$?; \
	  $(MAKE) --no-print-directory coverage-c; exit $$failed

coverage-c: ## print which lines of the programs in C their unit tests reach
	@$(MAKE) --silent --directory test/c coverage

lint: install ## look for likely mistakes in TypeScript; in shell scripts and C where shellcheck and clang-format are installed
	@npm run --silent generate
	@npm run --silent lint
	@scripts/shellcheck.sh
	@scripts/clang-format.sh --dry-run -Werror

format: install ## format TypeScript, JSON and YAML, and C where clang-format is installed
	@npm run --silent format
	@scripts/clang-format.sh -i

typecheck: install ## check the types
	@npm run --silent typecheck

build: install ## build the service, the agent and the web client into dist/
	@npm run --silent build

package: build ## pack the npm package of clients, web SDK and React component into dist/, with its bill of materials
	@npm run --silent types
	@$(TSX) scripts/package.ts

images: build ## build the container images, and say how old their packages are; REFRESH=1 fetches newer ones, PUSH=registry/prefix puts them there
	@PUSH='$(PUSH)' $(ENGINE) images/build.sh all $(if $(PUSH),service)
	@$(if $(PUSH),,$(ENGINE) images/build.sh status)

image-android-device: build ## build the image for sessions with Android devices of a pool
	@$(ENGINE) images/build.sh base
	@$(ENGINE) images/build.sh android-device

image-android: build ## build the image with Google's emulator; ACCEPT_ANDROID_LICENSE=yes accepts its licences
	@$(ENGINE) images/build.sh android

sbom: build ## write bills of materials of the npm package and of the images into dist/sbom/
	@$(ENGINE) $(TSX) scripts/sbom.ts

base: ## make the base image debian:trixie-slim with debootstrap where it cannot be pulled
	@$(ENGINE) images/build.sh base

clean: ## remove what was built and fetched, and the npm dependencies
	@rm -rf dist .cache node_modules .tap src/protocol/generated

install:
	@scripts/install.sh
