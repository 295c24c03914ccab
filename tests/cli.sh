#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/cli.sh: what the built program says when something is wrong, and its
# exit codes; input of all kinds, signals, slow and closed outputs.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=${NFSRATED:-build/nfsrated}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

run()		# run ARGUMENT ...: leaves out, err and status
{
	"$p" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# refused STATUS PATTERN TEXT ARGUMENT ...: that status, nothing on standard
# output, and one line on standard error that matches.
refused()
{
	want=$1 pattern=$2 text=$3
	shift 3
	run "$@"
	[ $status -eq "$want" ] && [ ! -s "$tmp/out" ] &&
	    [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	    grep -q "^nfsrated: $pattern" "$tmp/err"
	ok $? "$text"
}

# A capture (pcap, raw IP): at 100 s a call of NFSv3 NULL over UDP, at 102 s
# its reply.
header='\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\145\0\0\0'
call='\144\0\0\0\0\0\0\0\104\0\0\0\104\0\0\0'\
'\105\0\0\104\0\1\0\0\100\21\0\0\12\0\0\1\12\0\0\2'\
'\2\274\10\1\0\60\0\0'\
'\0\0\0\7\0\0\0\0\0\0\0\2\0\1\206\243\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0'\
'\0\0\0\0\0\0\0\0'
reply='\146\0\0\0\0\0\0\0\64\0\0\0\64\0\0\0'\
'\105\0\0\64\0\1\0\0\100\21\0\0\12\0\0\2\12\0\0\1'\
'\10\1\2\274\0\40\0\0'\
'\0\0\0\7\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
printf "$header$call$reply" >"$tmp/two.pcap"

# usage: exit 2
refused 2 'there is no option --nosuch' "an unknown option" --nosuch
refused 2 'there is no option -Z' "an unknown letter" -Z
refused 2 'option --port: "0" is out of range (1 to 65535)' \
    "a number out of range" -p 0
refused 2 'option --port: "http" is no whole number' "no number" -p http
refused 2 'interval: "0" is out of range (0.1 to 3600)' "a bad interval" 0
refused 2 'count: "0" is out of range' "a bad count" 1 0
refused 2 '"3" is one argument too many' "too many arguments" 1 2 3
refused 2 'option --read needs a value: FILE' "a value is missing" -r
refused 2 'more than one source' "two sources" -r a -i b
refused 2 '--text and --json exclude each other' "two outputs" -t -j
refused 2 '--daemon has no output' "a daemon with rows" -d -t
refused 2 'option --alert: "a .b" has a quote that is not closed' \
    "an open quote in a command" --alert 'a "b'
refused 2 'filter "port port": ' "a bad filter" -r "$tmp/two.pcap" \
    -f 'port port'

refused 2 'option --link: "100" is too little for a link; 100 Mbit/s are' \
    "a link of megabits" -r "$tmp/two.pcap" -e auto --link 100

# what is wrong with a file: exit 1
refused 1 '/no/such: No such file' "a missing file" -r /no/such
refused 1 "$tmp: is a directory" "a directory" -r "$tmp"
: >"$tmp/empty"
refused 1 "$tmp/empty: is empty" "an empty file" -r "$tmp/empty"
echo "no capture" >"$tmp/text"
refused 1 "$tmp/text: is no capture" "a file that is no capture" \
    -r "$tmp/text"
refused 1 "$tmp/text: has no rows of a BSD's netstat -w 1; a capture is for" \
    "a file that has no rows of netstat" -N "$tmp/text" -t
refused 1 "$tmp/two.pcap: has no rows of a BSD's netstat -w 1; a capture is" \
    "nor has a capture" -N "$tmp/two.pcap" -t
cp "$tmp/two.pcap" "$tmp/kept.pcap"
refused 1 "$tmp/kept.pcap: is a capture or packed, not text" \
    "a log with the name of a capture" -r "$tmp/two.pcap" -t -l "$tmp/kept.pcap"
cmp -s "$tmp/two.pcap" "$tmp/kept.pcap"
ok $? "and the capture is as it was"
refused 1 "$tmp/text: cannot be written.*: Not a directory" \
    "a recorder in a file" -r "$tmp/two.pcap" -t --recorder "$tmp/text"
printf '\037\213\10\0\0\0\0\0\0\3rubbish' >"$tmp/bad.gz"
refused 1 "$tmp/bad.gz: damaged gzip data: " "damaged gzip data" \
    -r "$tmp/bad.gz"
if [ "$(id -u)" -ne 0 ]; then
	: >"$tmp/closed"
	chmod 0 "$tmp/closed"
	refused 1 "$tmp/closed: Permission denied" "an unreadable file" \
	    -r "$tmp/closed"
fi

# a cut capture: all that came before, then the fault, exit 1
size=$(wc -c <"$tmp/two.pcap")
head -c $((size - 5)) "$tmp/two.pcap" >"$tmp/cut.pcap"
run -r "$tmp/cut.pcap" -j
[ $status -eq 1 ] && grep -q '"type":"summary"' "$tmp/out" &&
    grep -q '"packets":1,' "$tmp/out" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q "^nfsrated: $tmp/cut.pcap: cut short after 1 packet, at byte" \
    "$tmp/err"
ok $? "a cut capture is reported up to the cut, then the fault"

head -c 30000 tests/captures/v3-tcp-stall.pcap.gz >"$tmp/cut.gz"
run -r "$tmp/cut.gz" -j
[ $status -eq 1 ] && grep -q '"type":"summary"' "$tmp/out" &&
    [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q "cut.gz: unreadable after [0-9]* packets, at byte .*truncated" \
    "$tmp/err"
ok $? "so is one that was packed"

# help, version, configuration
run --help
[ $status -eq 0 ] && grep -q '^usage: nfsrated' "$tmp/out" &&
    [ ! -s "$tmp/err" ]
ok $? "help goes to standard output"
run -V
[ $status -eq 0 ] && grep -q '^nfsrated [0-9]' "$tmp/out"
ok $? "version"
printf '# a comment\nport 12049\njson\n' >"$tmp/good.conf"
run --configtest -c "$tmp/good.conf"
[ $status -eq 0 ] && [ ! -s "$tmp/err" ]
ok $? "a good configuration passes its test in silence"
printf 'port 2049\nprot 12049\n' >"$tmp/bad.conf"
refused 2 "$tmp/bad.conf:2: there is no option \"prot\"" \
    "a bad configuration is told with file and line" \
    --configtest -c "$tmp/bad.conf"
run -c "$tmp/good.conf" -p 2049 -r "$tmp/two.pcap"
[ $status -eq 0 ] && grep -q '"type":"second"' "$tmp/out"
ok $? "what a configuration says is done"

# one answer, whatever the input is wrapped in
run -r "$tmp/two.pcap" -j
[ $status -eq 0 ] && grep -q '"nfs3":{"NULL":{"calls":1,"replies":1' \
    "$tmp/out"
ok $? "a plain file"
cp "$tmp/out" "$tmp/plain"
same()		# same TEXT: as the plain file gave it
{
	[ $status -eq 0 ] && cmp -s "$tmp/out" "$tmp/plain"
	ok $? "$1"
}
"$p" -r - -j <"$tmp/two.pcap" >"$tmp/out" 2>"$tmp/err"
status=$?
same "standard input"
cat "$tmp/two.pcap" | "$p" -r - -j >"$tmp/out" 2>"$tmp/err"
status=$?
same "a pipe"
for tool in gzip zstd xz lz4 bzip2; do
	if ! command -v $tool >/dev/null; then
		skip "$tool" "there is no $tool"
		continue
	fi
	$tool -c <"$tmp/two.pcap" >"$tmp/packed"
	run -r "$tmp/packed" -j
	same "$tool, known by content"
	$tool -c <"$tmp/two.pcap" | "$p" -r - -j >"$tmp/out" 2>"$tmp/err"
	status=$?
	same "$tool through a pipe"
done

# intervals
run -r "$tmp/two.pcap" -t
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 5 ]
ok $? "a banner of two lines, and a row for each second"
run -r "$tmp/two.pcap" -t 1 2
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 4 ]
ok $? "a count of intervals"
run -r "$tmp/two.pcap" -t 10
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 3 ]
ok $? "longer intervals"
run -r "$tmp/two.pcap" -t --report
[ $status -eq 0 ] && grep -q 'report' "$tmp/out"
ok $? "a report at the end"
printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\177\0\0\0' \
    >"$tmp/radio.pcap"
run -r "$tmp/radio.pcap" -j
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q 'link type 127' "$tmp/err"
ok $? "an unknown link type is told, and no fault"

run -r "$tmp/two.pcap" -j -a 'nosuchcommand now'
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q '^nfsrated: --alert: there is no command nosuchcommand in PATH' \
    "$tmp/err"
ok $? "a command for alerts that there is not is told at the start"
run -r "$tmp/two.pcap" -t -f 'tcp'
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q "two.pcap: has no packets that match the filter" "$tmp/err"
ok $? "a filter that leaves nothing is told"
other='\144\0\0\0\0\0\0\0\34\0\0\0\34\0\0\0'\
'\105\0\0\34\0\1\0\0\100\21\0\0\12\0\0\1\12\0\0\2'\
'\0\65\0\65\0\10\0\0'
printf "$header$other" >"$tmp/other.pcap"
run -r "$tmp/other.pcap" -t
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q "other.pcap: has no NFS that can be read in its 1 packets; capture" \
    "$tmp/err"
ok $? "so is a capture without NFS"
run -L "$tmp/empty" -t
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q "^nfsrated: $tmp/empty: is empty; its first line" "$tmp/err"
ok $? "an empty log is told, and no fault"

# outputs that fail
{ "$p" -r "$tmp/two.pcap" -j 2>"$tmp/err"; echo $? >"$tmp/out"; } | :
sleep 0.1
[ "$(cat "$tmp/out")" = 0 ] && [ ! -s "$tmp/err" ]
ok $? "a closed pipe is a quiet end"
if [ -w /dev/full ]; then
	"$p" -r "$tmp/two.pcap" -j >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] && grep -q '^nfsrated: standard output: No space' \
	    "$tmp/err" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
	ok $? "a full disk is told once"
else
	skip "a full disk is told once" "there is no /dev/full"
fi

# signals, while a pipe is silent
mkfifo "$tmp/fifo"
for signal in INT TERM; do
	: >"$tmp/out"; : >"$tmp/err"
	"$p" -r - -t <"$tmp/fifo" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	exec 3>"$tmp/fifo"
	printf "$header$call$reply" >&3
	sleep 0.3
	kill -USR1 $pid
	sleep 0.1
	start=$(date +%s%N)
	kill -$signal $pid
	wait $pid
	status=$?
	ms=$((($(date +%s%N) - start) / 1000000))
	exec 3>&-
	[ $status -eq 0 ] && [ $ms -lt $soon ] &&
	    [ "$(grep -c '^00:01:4' "$tmp/out")" -eq 3 ] &&
	    grep -q report "$tmp/out"
	ok $? "SIG$signal on a silent pipe: the rest, a report, the end"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	    grep -q '^nfsrated: stdin: .* packets' "$tmp/err"
	ok $? "SIGUSR1 gives one line of status"
done
echo "1..$n"
