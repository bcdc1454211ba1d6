# The recipes of ratelab. `just` lists them; `./.ci/just RECIPE` finds or installs just first.

set shell := ["bash", "-euo", "pipefail", "-c"]
set positional-arguments := true

just := quote(just_executable())
export RATELAB := env("CARGO_TARGET_DIR", "target") / "release/ratelab"

[private]
@default:
    {{ just }} --list --unsorted

# Check that the tools are there and fetch the crates
setup:
    @for tool in git cc python3 rustc cargo; do \
        command -v "$tool" >/dev/null || { echo "setup: $tool is missing, see README.md" >&2; exit 1; }; \
        printf '%-8s %s\n' "$tool" "$("$tool" --version | head -n 1)"; \
    done
    cargo fetch --locked

# Run experiments/NAME.toml and write reports/NAME/; FLAGS go to `ratelab run`
experiment NAME *FLAGS:
    #!/usr/bin/env bash
    set -euo pipefail
    name=${1#experiments/}
    name=${name%.toml}
    shift
    if [[ ! -f experiments/$name.toml ]]; then
        echo "no experiments/$name.toml; there are:" >&2
        (cd experiments && ls -- *.toml */*.toml) | sed 's/\.toml$//; s/^/    /' >&2
        exit 1
    fi
    cargo build --release --package ratelab
    exec "$RATELAB" run "experiments/$name.toml" --out "reports/$name" "$@"

# Run all experiments and print their tables; writes nothing
experiments:
    cargo build --release --package ratelab
    @.ci/each

# Run all experiments and write all of reports/
reports:
    cargo build --release --package ratelab
    @.ci/each reports

# Fail when reports/ is not what the experiments give now
reports-check:
    cargo build --release --package ratelab
    @.ci/reports-check

# Run the tests, with cargo-nextest where there is one; ARGS (a name, flags) go to it
test *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    if [[ $# -eq 0 ]]; then
        cargo test --workspace --no-fail-fast --doc
    fi
    if command -v cargo-nextest >/dev/null; then
        cargo nextest run --workspace --no-fail-fast "$@"
    else
        cargo test --workspace --no-fail-fast --lib --bins --tests "$@"
    fi

# Check the format and the lints
lint:
    @# Not `cargo fmt`: it does not see the modules that our `catalog!` macro declares.
    git ls-files -z '*.rs' | xargs -0 rustfmt --edition 2024 --check
    cargo clippy --workspace --all-targets -- -D warnings

# Format all files
fmt:
    git ls-files -z '*.rs' | xargs -0 rustfmt --edition 2024

# Build the documentation; a broken link is an error
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Run the benchmarks; ARGS (a name, flags) go to them
bench *ARGS:
    cargo bench --package ratelab-benches "$@"

# Print what an event costs, in CPU time: `just cost experiments/bench/w2.toml duration=20s`
cost *ARGS:
    cargo run --release --quiet --package ratelab-benches --bin cost -- "$@"

# Fail when an event takes 3 % more instructions than benches/instructions.txt; `--accept` writes it
bench-gate *ARGS:
    @.ci/bench-gate "$@"

# Print ratelab beside other engines, side by side on this machine; `--write` fills reports/bench/
bench-peers *ARGS:
    @.ci/bench-peers "$@"

# Check that results do not depend on build or threads; `--accept` writes .ci/fingerprints.txt anew
fingerprints *ARGS:
    @.ci/fingerprints "$@"

# Fail when Cargo.lock does not fit the manifests
[private]
lock:
    cargo metadata --locked --format-version 1 >/dev/null

# All that CI checks
ci:
    @.ci/stages {{ just }} lock lint doc test fingerprints reports-check bench-gate
