#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/sandbox.sh: in the sandbox everything is as outside of it: every kind
# of source, what is learned and kept, options that change, signals, and every
# key of the view.  (What the sandbox forbids: test_sandbox; the service in it:
# daemon.sh.)  Live ones need root.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
captures=tests/captures
ns=nfsrated-sandbox-$$
tmp=$(mktemp -d) || exit 1
views=0
clean_up()
{
	tmux -S "$tmp/tmux$views" kill-server
	ip netns del $ns
	rm -rf "$tmp"
} 2>/dev/null
trap clean_up EXIT

status_of()	# status_of PID NAME: of /proc/PID/status
{
	awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"
}

in_sandbox()
{
	[ "$(status_of "$1" Seccomp)" = 2 ] &&
	    [ "$(status_of "$1" NoNewPrivs)" = 1 ] &&
	    [ "$(status_of "$1" CapEff)" = 0000000000000000 ]
}

: >"$tmp/err"
gzip -dc $captures/v3-tcp-stall.pcap.gz >"$tmp/plain"
mkfifo "$tmp/pipe"
: >"$tmp/out"; : >"$tmp/err"
"$p" -r - -j <"$tmp/pipe" >"$tmp/out" 2>"$tmp/err" &
pid=$!
exec 3>"$tmp/pipe"
cat "$tmp/plain" >&3
until_true grep -q '"type":"second"' "$tmp/out"
if [ "$(status_of $pid Seccomp)" != 2 ]; then
	exec 3>&-
	wait $pid
	echo "1..0 # SKIP not in this build"
	echo "ok sandbox # SKIP not in this build"
	exit 0
fi
in_sandbox $pid
ok $? "without being asked it is in the sandbox"
exec 3>&-
wait $pid
ok $? "and ends well"

alike()		# alike TEXT ARGUMENT ...: the same in it as outside
{
	text=$1
	shift
	"$p" --sandbox off "$@" <"$input" >"$tmp/want" 2>"$tmp/want.err"
	want=$?
	"$p" "$@" <"$input" >"$tmp/got" 2>"$tmp/err"
	[ $? -eq $want ] && cmp -s "$tmp/want" "$tmp/got" &&
	    cmp -s "$tmp/want.err" "$tmp/err"
	ok $? "$text"
}
input=/dev/null
cp "$tmp/plain" "$tmp/capture"
for pack in gzip zstd xz lz4; do
	command -v $pack >/dev/null || continue
	$pack -c <"$tmp/plain" >"$tmp/capture.$pack" 2>/dev/null
done
for file in "$tmp"/capture*; do
	alike "a file: ${file##*/}" -r "$file" -j
	input=$file
	alike "standard input: ${file##*/}" -r - -t --report
	input=/dev/null
done
for file in $captures/v42-mixed.pcap.gz $captures/udp-burst-bge5701.pcap.gz; do
	alike "rows and a report of ${file##*/}" -r "$file" -t --human \
	    -e pps=8637 --report
	alike "rows of ${file##*/} with further columns" -r "$file" -T \
	    -f 'ip or ip6' -p 2049 0.1
done
head -c 5000 "$tmp/plain" >"$tmp/torn"
alike "a torn file" -r "$tmp/torn" -j
head -c 5000 "$tmp/capture.gzip" >"$tmp/torn.gz"
alike "a torn compressed file" -r "$tmp/torn.gz" -j
alike "the demonstration" --demo -j 1 20
"$p" -r "$tmp/plain" -l "$tmp/log" -e pps=500 --for 1/1 -j 0.5 >"$tmp/out" \
    2>"$tmp/err" && [ -s "$tmp/log" ] && grep -q '"episode"' "$tmp/log"
ok $? "a log is written"
gzip -c "$tmp/log" >"$tmp/log.gz"
for file in log log.gz; do
	alike "rows of a $file" -L "$tmp/$file" -t --report
	alike "a $file judged anew" -L "$tmp/$file" -j -e pps=100000
done
alike "a check" --check -L "$tmp/log" --critical 1:
{
	echo '            input        (Total)           output'
	echo '   packets  errs      bytes    packets  errs      bytes colls'
	yes '      8637     0   12293330       1440     0     291000     0' |
	    head -n 5
} >"$tmp/rows"
alike "rows of netstat" -N "$tmp/rows" -t -e pps=8637 --report
input=$tmp/rows
alike "rows of netstat from a pipe" -N - -j
input=/dev/null

# what is learned
mkdir "$tmp/state"
export STATE_DIRECTORY="$tmp/state"
learn()
{
	"$p" -r $captures/udp-burst-bge5701.pcap.gz -e learn -j 0.1 \
	    >"$tmp/out" 2>"$tmp/err"
}
learn && [ -s "$tmp/state/learned" ]
ok $? "what is learned is kept"
learn && learn && learn && [ ! -s "$tmp/err" ] &&
    sed 1q "$tmp/out" | grep -q '"expect":{"kind":"pps","value":[1-9]'
ok $? "and known the next time"

# live
live=
[ "$(id -u)" -eq 0 ] && ip netns add $ns 2>/dev/null &&
    ip -n $ns link add cli type veth peer name srv 2>/dev/null &&
    ip -n $ns link set cli up && ip -n $ns link set srv up &&
    ip -n $ns link set lo up && live=1

lines_of()	# lines_of FILE NUMBER
{
	[ "$(grep -c '"type":"second"' "$1")" -ge "$2" ]
}

if [ -n "$live" ]; then
	for at in '-i srv' '-i srv -i lo' '-i any' ''; do
		ip netns exec $ns "$p" $at -j 0.1 5 >"$tmp/out" 2>"$tmp/err" &&
		    lines_of "$tmp/out" 5
		ok $? "live: ${at:-chosen by itself}"
	done
	printf 'interface srv\nexpect pps=5\nalways\nlog %s\n' \
	    "$tmp/live" >"$tmp/conf"
	: >"$tmp/out"; : >"$tmp/err"
	ip netns exec $ns "$p" -c "$tmp/conf" -j 0.1 >"$tmp/out" \
	    2>"$tmp/err" </dev/null &
	pid=$!
	until_true lines_of "$tmp/out" 3
	in_sandbox $pid
	ok $? "a live capture is in it"
	for expect in auto learn pps=7 'auto
link 1G' learn; do
		printf 'interface srv\nexpect %s\nalways\nlog %s\n' "$expect" \
		    "$tmp/live" >"$tmp/conf"
		changed=$(grep -c 'option expect has changed' "$tmp/err")
		kill -HUP $pid
		until_true [ "$(grep -c 'option expect has changed' \
		    "$tmp/err")" -gt "$changed" ]
		sleep 0.3
	done
	kill -USR1 $pid
	until_true grep -q 'intervals, ' "$tmp/err"
	kill -0 $pid && [ "$(grep -c 'option expect has changed' \
	    "$tmp/err")" -eq 5 ]
	ok $? "options change, and what is learned too"
	mv "$tmp/live" "$tmp/live.1"
	kill -HUP $pid
	until_true lines_of "$tmp/live" 2
	ok $? "the log is opened anew"
	ip -n $ns link del cli
	until_true grep -q 'waiting for it' "$tmp/err"
	ip -n $ns link add cli type veth peer name srv
	ip -n $ns link set cli up
	ip -n $ns link set srv up
	until_true grep -q 'the capture goes on' "$tmp/err"
	ok $? "an interface that goes and comes back"
	kill -INT $pid
	wait $pid
	ok $? "and ends well"
else
	skip "live" "needs root and network namespaces"
fi

# the view
T()
{
	LC_ALL=C.UTF-8 tmux -S "$tmp/tmux$views" -f /dev/null "$@" 2>/dev/null
}

has()		# has PATTERN: the screen does
{
	T capture-pane -p | grep -q -- "$1"
}

view()		# view TEXT FIRST ARGUMENT ...: each key; ends well
{
	text=$1 first=$2
	shift 2
	: >"$tmp/status"
	T new-session -d -x 100 -y 30 "cd $tmp/saved && $* 2>$tmp/err;
	    echo \$? >$tmp/status; sleep 1"
	until_true has "$first"
	until_true pgrep -P "$(T display -p '#{pane_pid}')"
	pid=$(pgrep -P "$(T display -p '#{pane_pid}')")
	in_sandbox "$pid"
	ok $? "$text: it is in the sandbox"
	T resize-window -x 60 -y 20
	for key in 1 2 3 4 5 6 Tab e E C-l h Space Up Down PageUp PageDown Home End s \
	    '>' '<' / n u l l Enter t + - r w Right Left p Space r 6 End Enter \
	    1; do
		T send-keys "$key"
		sleep 0.03
	done
	T resize-window -x 120 -y 40
	sleep 0.3
	! grep -q . "$tmp/status"
	ok $? "$text: no key and no size ends it"
	T send-keys Escape q q
	until_true grep -q . "$tmp/status"
	[ "$(cat "$tmp/status")" = 0 ]
	ok $? "$text: q does"
	T kill-server
	views=$((views + 1))
}
if command -v tmux >/dev/null && locale -a 2>/dev/null | grep -qi '^c\.utf'
then
	mkdir "$tmp/saved"
	view "view of a log" Rates "$p -L $tmp/log"
	view "view of a capture" Rates "$p -r $tmp/plain --speed 1"
	view "view of the demonstration" Rates "$p --demo"
	[ -z "$live" ] || view "view of an interface" Rates \
	    "ip netns exec $ns $p -i srv 0.2"
	[ "$(find "$tmp/saved" -type f | wc -l)" -ge 2 ]
	ok $? "w leaves files"
else
	skip "the view" "there is no tmux"
fi
echo "1..$n"
