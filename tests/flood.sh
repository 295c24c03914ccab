#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/flood.sh: floods of packets around real traffic (see flood.c): memory
# stays flat and rates right.  FLOOD=full is 10 million packets each and a
# million clients; FLOOD=n is n of each.  Prints TAP.
set -u
build=${BUILD:-build}
case $build in
*-tsan)	echo "ok floods # SKIP one thread, and memory that is not its own"
	exit 0 ;;
esac
case ${FLOOD:-}:$build in
full:*)	many=10000000 clients=1000000 ;;
:*-*)	many=120000 clients=100000 ;;
:*)	many=300000 clients=100000 ;;
*)	many=${FLOOD%%:*} clients=$many ;;
esac
for name in syns fragments xids holes; do
	"$build/tests/flood" $name "$many" || status=1
done
"$build/tests/flood" clients "$clients" || status=1
exit ${status:-0}
