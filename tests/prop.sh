#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/prop.sh: the property suite: generated conversations, hurt in every
# way, against their truth.  PROP_COUNT conversations (20000; 2000 in a build
# with a sanitizer or for coverage; 200 where threads are looked at, as there
# are none).
case ${BUILD:=build} in
*-tsan)	count=${PROP_COUNT:-200} ;;
*-*)	count=${PROP_COUNT:-2000} ;;
*)	count=${PROP_COUNT:-20000} ;;
esac
out=$BUILD/tests/out
mkdir -p "$out"
"$BUILD/tests/prop" -s -n "$count" -w "$out" >"$out/prop.txt" 2>&1
status=$?
if [ $status -eq 0 ]; then
	echo "ok $(tail -n 1 "$out/prop.txt")"
else
	echo "not ok $(tail -n 1 "$out/prop.txt")"
	head -n 60 "$out/prop.txt" | sed 's/^/# /'
	tail -n 20 "$out/prop.txt" | sed 's/^/# /'
fi
echo "1..1"
