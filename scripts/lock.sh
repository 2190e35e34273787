#!/bin/sh
# Write the lock files anew after a change to requirements*.in. Arguments go to uv, for example: --upgrade-package django
set -eu
cd "$(dirname "$0")/.."
for name in requirements requirements-dev; do
    .venv/bin/uv pip compile "$name.in" --output-file "$name.txt" --universal --generate-hashes --python-version 3.11 \
        --no-emit-index-url --no-emit-find-links --no-annotate --quiet \
        --custom-compile-command "scripts/lock.sh" "$@"
done
