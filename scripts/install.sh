#!/usr/bin/env bash
# Installs what package-lock.json says. `npm ci` refuses a lock without the packages of other
# platforms, and a registry may lack some, so that no complete lock can be made with it;
# `npm install --no-save` then follows the same lock and leaves it as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quiet=(--no-audit --no-fund --loglevel=error)
if ! npm ci "${quiet[@]}" >/dev/null 2>&1; then
  npm install --no-save "${quiet[@]}"
fi
# Newer than the lock, by which the launcher and the tests know that nothing is left to install.
touch node_modules/.package-lock.json
