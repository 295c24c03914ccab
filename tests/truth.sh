#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/truth.sh: what nfsrated counts in tests/captures is what the server's
# kernel and the load generators counted.  Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 1
exec python3 tests/truth.py "${NFSRATED:-build/nfsrated}" tests/captures
