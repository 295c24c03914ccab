#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/live-capture.sh: live capture on a veth pair in a network namespace of
# its own: silence, signals, tags and fragments, several interfaces,
# interfaces that go and come back, privileges.  Needs root.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
ns=nfsrated-live-$$

[ "$(id -u)" -eq 0 ] || skip_all "needs root"
for tool in ip python3; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
ip netns add $ns 2>/dev/null || skip_all "no network namespaces here"
tmp=$(mktemp -d) || exit 1
trap 'ip netns del $ns; rm -rf "$tmp"' EXIT

make_pair()
{
	ip -n $ns link add cli type veth peer name srv &&
	    ip -n $ns link set cli up && ip -n $ns link set srv up
}
make_pair 2>/dev/null || skip_all "no veth here"
ip -n $ns link set lo up

start()		# start ARGUMENT ...: in the background; pid
{
	: >"$tmp/out"		# not what was before
	ip netns exec $ns "$p" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	tries=0
	# it captures when its packet socket is there
	until grep -q . "$tmp/out" 2>/dev/null || [ -n "$(ip netns exec $ns \
	    sed 1d /proc/net/packet)" ] || [ $tries -ge 100 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

stop()		# stop SIGNAL: status, and ms it took
{
	begin=$(date +%s%N)
	kill -"$1" $pid
	wait $pid
	status=$?
	ms=$((($(date +%s%N) - begin) / 1000000))
}

send()		# the frames below, from cli to srv
{
	ip netns exec $ns python3 "$tmp/send.py" cli
}

# Calls 1 to 6 of NFSv3 NULL over UDP to port 2049, in 9 frames: plain, one
# tag, two tags, IPv6, three fragments of IPv4 (call 5), two of IPv6 (call 6).
# And one frame of HTTP, which is not to be captured.
cat >"$tmp/send.py" <<'END'
import socket, struct, sys
def call(xid): return struct.pack(">10I", xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0)
def udp(data): return struct.pack(">4H", 700, 2049, 8 + len(data), 0) + data
def ip4(data, frag=0, proto=17):
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(data), 77, frag, 64,
        proto, 0) + bytes([10, 9, 0, 1, 10, 9, 0, 9]) + data
def host6(n): return bytes([0xfd] + [0] * 14 + [n])
def ip6(data, proto=17):
    return struct.pack(">IHBB", 6 << 28, len(data), proto, 64) + host6(1) + \
        host6(9) + data
def eth(data, proto, tags=()):
    return bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1]) + b"".join(
        struct.pack(">HH", *t) for t in tags) + struct.pack(">H", proto) + data
large = udp(call(5) + bytes(2992))
large6 = udp(call(6) + bytes(1200))
frag6 = lambda at, more: struct.pack(">BBHI", 17, 0, at | more, 9)
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
for frame in (
    eth(ip4(udp(call(1))), 0x800),
    eth(ip4(udp(call(2))), 0x800, [(0x8100, 5)]),
    eth(ip4(udp(call(3))), 0x800, [(0x88a8, 5), (0x8100, 7)]),
    eth(ip6(udp(call(4))), 0x86dd),
    eth(ip4(large[:1480], 0x2000), 0x800),
    eth(ip4(large[1480:2960], 0x2000 | 185), 0x800),
    eth(ip4(large[2960:], 370), 0x800),
    eth(ip6(frag6(0, 1) + large6[:1208], 44), 0x86dd),
    eth(ip6(frag6(1208, 0) + large6[1208:], 44), 0x86dd),
    eth(ip4(struct.pack(">HHIIHHHH", 700, 80, 0, 0, 0x5010, 1000, 0, 0), 0,
        6), 0x800)):
    s.send(frame)
END

# summary MEMBERS: those of the summary object, as "[1, 2]"
summary()
{
	python3 -c 'import json, sys
def get(o, path):
    for part in path.split("."):
        o = o[part]
    return o
for line in open(sys.argv[1]):
    o = json.loads(line)
    if o["type"] == "summary":
        print([get(o, path) for path in sys.argv[2:]])' "$tmp/out" "$@"
}

# steady: the rows follow each other by one second
steady()
{
	awk '/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/ {
		split(substr($0, 1, 8), t, ":")
		s = t[1] * 3600 + t[2] * 60 + t[3]
		if (rows++ && (s - last + 86400) % 86400 != 1)
			bad++
		last = s
	}
	END { exit bad > 0 || rows < want }' want="$1" "$tmp/out"
}

start -i srv -t
sleep 10.3
rows=$(grep -c '^[0-9][0-9]:' "$tmp/out")
[ "$rows" -ge 10 ] && [ "$rows" -le 11 ]
ok $? "a silent interface yields a row a second for 10 s"
stop INT
[ $status -eq 0 ] && [ $ms -lt $soon ] && steady 11
ok $? "Ctrl-C ends it within 0.2 s, after the last interval"
grep -q '^nfsrated report' "$tmp/out"
ok $? "and with the report"
awk '/^[0-9][0-9]:/ && /^........\*/ { partial = partial " " ++rows; next }
    /^[0-9][0-9]:/ { rows++ }
    END { exit partial != " 1" && partial != " 1 " rows }' "$tmp/out"
ok $? "only the first and the last interval are partial"

start -i srv -t
sleep 0.5
stop TERM
[ $status -eq 0 ] && [ $ms -lt $soon ]
ok $? "SIGTERM does too"

start -i srv -j 1 3
sleep 0.3
wait $pid
[ $? -eq 0 ] && [ "$(grep -c '"type":"second"' "$tmp/out")" -eq 3 ]
ok $? "a count ends it by itself"

facts="packets in.packets ops.nfs3.NULL.calls ip.incomplete
    capture.kernel_drops"
for at in srv cli; do
	start -i $at -j
	sleep 0.3
	send
	sleep 0.4
	stop INT
	[ "$(summary $facts)" = "[9, 9, 6, 0, 0]" ]
	ok $? "tagged and fragmented calls pass the filter on $at, HTTP does not"
done

# What the kernel has not given out yet when it is to end.
for at in '-i srv' '-i srv -i lo' '-i any'; do
	whole=0
	for round in 1 2 3 4 5; do
		start $at -j
		sleep 0.0$((round * 2))
		send
		stop INT
		[ $ms -lt $soon ] && [ "$(summary ops.nfs3.NULL.calls \
		    ip.incomplete)" = "[6, 0]" ] && whole=$((whole + 1))
	done
	[ $whole -eq 5 ]
	ok $? "$at: calls just before Ctrl-C count, five times of five"
done

start -i any -j
sleep 0.3
send
sleep 0.4
stop INT
[ "$(summary packets ops.nfs3.NULL.calls ops.nfs3.NULL.retransmits)" = \
    "[18, 6, 0]" ]
ok $? "any: seen on two interfaces, a call is one call"

start -i srv -i cli -j
sleep 0.3
send
sleep 0.4
stop INT
[ "$(summary packets ops.nfs3.NULL.calls ops.nfs3.NULL.retransmits)" = \
    "[18, 6, 0]" ]
ok $? "two interfaces: a call is one call"

# A portmap GETPORT says 20777 for mountd (RFC 1833 sec. 3); MOUNT NULL there.
cat >"$tmp/learn.py" <<'END'
import socket, struct, sys, time
def udp(a, b, data): return struct.pack(">4H", a, b, 8 + len(data), 0) + data
def ip4(src, dst, data): return struct.pack(">BBHHHBBH", 0x45, 0,
    20 + len(data), 77, 0, 64, 17, 0) + bytes([10, 9, 0, src, 10, 9, 0, dst]) \
    + data
def eth(data): return bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 0]) + data
def call(xid, prog, vers, proc, *args): return struct.pack(
    ">%dI" % (10 + len(args)), xid, 0, 2, prog, vers, proc, 0, 0, 0, 0, *args)
def reply(xid, *res): return struct.pack(">%dI" % (6 + len(res)), xid, 1, 0,
    0, 0, 0, *res)
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
mount = lambda xid: s.send(eth(ip4(1, 9, udp(700, 20777, call(xid, 100005, 3,
    0)))))
mount(1)
s.send(eth(ip4(1, 9, udp(700, 111, call(2, 100000, 2, 3, 100005, 3, 17,
    0)))))
s.send(eth(ip4(9, 1, udp(111, 700, reply(2, 20777)))))
time.sleep(0.5)
mount(3)
s.send(eth(ip4(9, 1, udp(20777, 700, reply(3)))))
END
start -i srv -j
sleep 0.3
ip netns exec $ns python3 "$tmp/learn.py" cli
sleep 0.4
stop INT
[ "$(summary packets ops.portmap2.GETPORT.calls ops.mount3.NULL.calls \
    ops.mount3.NULL.replies)" = "[4, 1, 1, 1]" ]
ok $? "a port that portmap gives out is captured from then on"

# 300 calls on one interface, each answered 0.3 ms later on the other
cat >"$tmp/split.py" <<'END'
import socket, struct, time
def udp(a, b, data): return struct.pack(">4H", a, b, 8 + len(data), 0) + data
def ip4(src, dst, data): return struct.pack(">BBHHHBBH", 0x45, 0,
    20 + len(data), 77, 0, 64, 17, 0) + bytes([10, 9, 0, src, 10, 9, 0, dst]) \
    + data
def eth(data): return bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 0]) + data
out = []
for name in ("cli", "cli2"):
    out.append(socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
    out[-1].bind((name, 0))
for xid in range(300):
    out[0].send(eth(ip4(1, 9, udp(700, 2049, struct.pack(">10I", xid, 0, 2,
        100003, 3, 0, 0, 0, 0, 0)))))
    time.sleep(0.0003)
    out[1].send(eth(ip4(9, 1, udp(2049, 700, struct.pack(">6I", xid, 1, 0, 0,
        0, 0)))))
    time.sleep(0.002)
END
ip -n $ns link add cli2 type veth peer name srv2
ip -n $ns link set cli2 up
ip -n $ns link set srv2 up
start -i srv2 -i srv -j
sleep 0.3
ip netns exec $ns python3 "$tmp/split.py"
sleep 0.4
stop INT
[ "$(summary ops.nfs3.NULL.calls ops.nfs3.NULL.replies rpc.unmatched)" = \
    "[300, 300, 0]" ] && summary ops.nfs3.NULL.latency_us.p50 |
    awk -F '[][.]' '{ exit !($2 >= 200 && $2 < 5000) }'
ok $? "calls on one interface, replies on another: in order of time"
ip -n $ns link del cli2

start -i srv -f 'ip6' -j
sleep 0.3
send
sleep 0.4
stop INT
[ "$(summary packets ops.nfs3.NULL.calls)" = "[3, 2]" ]
ok $? "a further expression narrows it down"

start -i srv -T
sleep 1.2
send
sleep 1.2
stop INT
awk '$1 ~ /^[0-9]+$/ && $8 ~ /^[0-9][0-9]:/ { sum += $1 }
    END { exit sum < 10 }' "$tmp/out"
ok $? "--total counts what the interface counts, HTTP too"

start -i srv -t
sleep 1.2
ip -n $ns link set srv down
sleep 2.2
ip -n $ns link set srv up
sleep 1.2
send
sleep 1
kill -0 $pid
ok $? "an interface that goes down does not end it"
stop INT
grep -q 'no data$' "$tmp/out" && steady 5 &&
    [ "$(grep -c 'waiting for it to come back' "$tmp/err")" -eq 1 ] &&
    [ "$(grep -c 'the capture goes on' "$tmp/err")" -eq 1 ] &&
    grep -q '^nfs3  *NULL  *6 ' "$tmp/out"
ok $? "its seconds are no data, told once each way, then it goes on"

start -i srv -t
sleep 1.2
ip -n $ns link del cli
sleep 2.2
make_pair
sleep 2.2
send
sleep 1
stop INT
grep -q 'no data$' "$tmp/out" && steady 6 &&
    [ "$(grep -c 'waiting for it to come back' "$tmp/err")" -eq 1 ] &&
    [ "$(grep -c 'the capture goes on' "$tmp/err")" -eq 1 ] &&
    grep -q '^nfs3  *NULL  *6 ' "$tmp/out"
ok $? "so it is with one that is taken away and comes again"

start 1 1
wait $pid
grep -q '^nfsrated: interface [a-z]* is chosen: ' "$tmp/err" &&
    grep -Eq '\(nfs (cli|srv)\)' "$tmp/out"
ok $? "without a source it chooses an interface and says so"

# refused PATTERN STATUS TEXT ARGUMENT ...
refused()
{
	pattern=$1 want=$2 text=$3
	shift 3
	ip netns exec $ns "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq "$want" ] && [ ! -s "$tmp/out" ] &&
	    [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	    grep -q "^nfsrated: $pattern" "$tmp/err"
	ok $? "$text"
}
refused 'nosuch0: no such interface; there are: .*srv' 1 \
    "an interface that is not there is told with those that are" \
    "$p" -i nosuch0
refused 'filter "port port": ' 2 "a bad filter is a usage fault" \
    "$p" -i srv -f 'port port'
ip -n $ns link set cli down
refused 'cli: the interface is down' 1 "an interface that is down is told" \
    "$p" -i cli
if command -v setpriv >/dev/null; then
	cp "$p" "$tmp/nfsrated"
	chmod 755 "$tmp" "$tmp/nfsrated"
	refused 'srv: no permission to capture (CAP_NET_RAW .* setcap' 1 \
	    "no privilege: what is missing and how to grant it" \
	    setpriv --reuid=65534 --regid=65534 --clear-groups \
	    "$tmp/nfsrated" -i srv
	ip netns exec $ns python3 - "$tmp/nfsrated" >"$tmp/out" 2>"$tmp/err" \
	    <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("setpriv", ["setpriv", "--reuid=65534", "--regid=65534",
        "--clear-groups", sys.argv[1], "-i", "srv"])
said = b""
try:
    while True:
        said += os.read(fd, 4096)
except OSError:
    pass
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(status, said)
sys.exit(not (status == 1 and b"\033" not in said and said.count(b"\n") == 1
    and b"CAP_NET_RAW" in said))
END
	ok $? "on a terminal it is that line alone"
fi
echo "1..$n"
