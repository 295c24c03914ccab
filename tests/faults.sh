#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/faults.sh: faults that others met, where they show in the built program
# only: what it says, standard input, a live interface, a stopped process.
# The numbers are the rows of tests/faults.md.  Live ones need root.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
ns=nfsrated-faults-$$
tmp=$(mktemp -d) || exit 1
trap 'ip netns del $ns 2>/dev/null; rm -rf "$tmp"' EXIT

command -v python3 >/dev/null || skip_all "there is no python3"

# make NAME WHAT: a capture; packets: packets that live senders send.
cat >"$tmp/packets.py" <<'END'
import random, struct
def message(xid, prog, vers, proc, body=b""):
    return struct.pack(">10I", xid, 0, 2, prog, vers, proc, 0, 0, 0, 0) + body
def answer(xid, body=b""):
    return struct.pack(">6I", xid, 1, 0, 0, 0, 0) + body
def record(data): return struct.pack(">I", len(data) | 1 << 31) + data
def udp(sport, dport, data):
    return 17, struct.pack(">4H", sport, dport, 8 + len(data), 0) + data
def tcp(sport, dport, seq, ack, data):
    return 6, struct.pack(">HHIIHHHH", sport, dport, seq, ack, 0x5018, 65535,
        0, 0) + data
def frame(src, dst, segment, ident=1):
    proto, data = segment
    return bytes([2, 0, 0, 0, 0, dst, 2, 0, 0, 0, 0, src]) + struct.pack(
        ">HBBHHHBBH", 0x800, 0x45, 0, 20 + len(data) & 0xffff, ident, 0, 64,
        proto, 0) + bytes([10, 9, 0, src, 10, 9, 0, dst]) + data
def capture(name, packets, order="<", nano=False):
    """packets: (seconds, frame)"""
    unit = 10 ** 9 if nano else 10 ** 6
    with open(name, "wb") as f:
        f.write(struct.pack(order + "IHHiIII", 0xa1b23c4d if nano else
            0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for t, data in packets:
            us = round(t * 10 ** 6)
            f.write(struct.pack(order + "IIII", us // 10 ** 6,
                us % 10 ** 6 * (unit // 10 ** 6), len(data), len(data)) +
                data)
def talk(xid, t, port=2049, vers=3, proc=0, wait=0.001):
    """a call and its answer"""
    return [(t, frame(3, 1, udp(700, port, message(xid, 100003, vers,
        proc)))), (t + wait, frame(1, 3, udp(port, 700, answer(xid))))]
END
cat >"$tmp/make.py" <<'END'
import sys
from packets import *
name, what = sys.argv[1:]
day = 86400
out = []
if what == "noise":			# NTP, and rubbish, at the NFS port
    random.seed(10)
    for i in range(1000):
        data = bytes([0x23, 0, 6, 0xec]) + bytes(44) if i % 2 else \
            random.randbytes(i % 97)
        out.append((i * 0.001, frame(3, 1, udp(123, 2049, data))))
        out.append((i * 0.001, frame(1, 3, tcp(2049, 993, i * 100, 1,
            random.randbytes(100)))))
elif what in ("elsewhere", "named"):	# in the middle of a large WRITE
    port, seq = 12049 if what == "elsewhere" else 2049, 1
    for i in range(300):
        out.append((i * 0.001, frame(3, 1, tcp(700, port, seq, 1,
            bytes(1000)))))
        seq += 1000
    ack = 1
    for xid in range(3):
        call = record(message(xid, 100003, 3, 0))
        reply = record(answer(xid))
        out.append((1 + xid, frame(3, 1, tcp(700, port, seq, ack, call))))
        seq += len(call)
        out.append((1.1 + xid, frame(1, 3, tcp(port, 700, ack, seq, reply))))
        ack += len(reply)
elif what == "beyond":			# procedures behind the tables' ends
    out = talk(1, 1, proc=30) + talk(2, 1.1, vers=2, proc=32) + \
        talk(3, 1.2, proc=0)
elif what == "years":			# 19 years of silence
    for i in range(5):
        out += talk(i, 10 * day + i)
    for i in range(5):
        out += talk(9 + i, 10 * day + 19 * 365 * day + i)
elif what == "back":			# the clock goes back by an hour
    for i in range(5):
        out += talk(i, 10 * day + i)
    for i in range(5):
        out += talk(9 + i, 10 * day + i - 3600)
else:
    for i in range(50):
        out += talk(i, 1000 + i * 0.1)
order = ">" if what.startswith("big") else "<"
capture(name, out, order, nano=what.endswith("nano"))
END
cat >"$tmp/get.py" <<'END'
import json, sys
def get(o, path):
    for part in path.split("/"):
        o = o.get(part) if isinstance(o, dict) else None
    return o
for line in open(sys.argv[1]):
    o = json.loads(line)
    if o["type"] == "summary":
        print([get(o, path) for path in sys.argv[2:]])
END

make()
{
	(cd "$tmp" && python3 make.py "$1" "$2")
}

summary()	# summary MEMBERS: of the summary, as "[1, 2]"
{
	python3 "$tmp/get.py" "$tmp/out" "$@"
}

run()		# run ARGUMENT ...: out, err, status
{
	timeout 60 "$p" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# Row 10: other protocols at the NFS port.
make noise.pcap noise
run -r "$tmp/noise.pcap" -j
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] &&
    [ "$(summary packets rpc/calls rpc/replies ops)" = "[2000, 0, 0, {}]" ]
ok $? "what is no RPC counts as packets, without a line for each"

# Row 14: RPC that is not read.
make elsewhere.pcap elsewhere
run -r "$tmp/elsewhere.pcap" -j
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q '^nfsrated: .*look like RPC.*--port' "$tmp/err" &&
    [ "$(summary rpc/calls discards/elsewhere)" = "[0, 6]" ]
ok $? "RPC on a port that was not named is told in one line"
run -r "$tmp/elsewhere.pcap" -p 12049 -j
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] &&
    [ "$(summary rpc/calls rpc/replies discards/elsewhere)" = "[3, 3, 0]" ]
ok $? "and is read when the port is named"
make named.pcap named
run -r "$tmp/named.pcap" -j
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] &&
    [ "$(summary rpc/calls rpc/replies)" = "[3, 3]" ]
ok $? "as it is on port 2049 without a word"

# Row 16: more procedures than there are names.
make beyond.pcap beyond
run -r "$tmp/beyond.pcap" -j
[ $status -eq 0 ] && [ "$(summary rpc/calls ops/nfs3/NULL/calls \
    ops/nfs3/PROC_30/calls ops/nfs2/PROC_32/calls)" = "[3, 1, 1, 1]" ]
ok $? "a procedure without a name is shown by its number"

# Row 36: byte orders and resolutions.
make plain.pcap plain
run -r "$tmp/plain.pcap" -j
cp "$tmp/out" "$tmp/plain.out"
[ $status -eq 0 ] && [ "$(summary rpc/calls)" = "[50]" ]
ok $? "a file of microseconds is read"
for what in nano big bignano; do
	make $what.pcap $what
	run -r "$tmp/$what.pcap" -j
	[ $status -eq 0 ] && cmp -s "$tmp/out" "$tmp/plain.out"
	ok $? "a file that is $what gives the same"
done
head -c 1000 "$tmp/plain.pcap" | timeout 60 "$p" -r - -j >"$tmp/out" \
    2>"$tmp/err"
[ $? -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
    grep -q '^nfsrated: -: cut short after 10 packets' "$tmp/err" &&
    [ "$(summary packets)" = "[10]" ]
ok $? "what stands before a cut on standard input counts"

# Row 37: the clock.
make years.pcap years
run -r "$tmp/years.pcap" -j
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 12 ] &&
    [ "$(summary rpc/calls gaps restarts)" = "[10, 1, 0]" ]
ok $? "19 years of silence are one record"
run -r "$tmp/years.pcap" -t
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -le 14 ]
ok $? "and one row of text"
make back.pcap back
run -r "$tmp/back.pcap" -j
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 11 ] &&
    [ "$(summary rpc/calls rpc/retransmits restarts)" = "[10, 0, 1]" ]
ok $? "a clock that goes back starts anew, and says so"

# Live, in a network namespace.

live_end()
{
	echo "1..$n"
	exit 0
}

skip_live()
{
	skip "live faults" "$1"
	live_end
}

start()		# start ARGUMENT ...: in the background; pid
{
	: >"$tmp/out"; : >"$tmp/err"
	ip netns exec $ns "$p" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	tries=0
	until [ -n "$(ip netns exec $ns sed 1d /proc/net/packet)" ] ||
	    [ $tries -ge 100 ]; do
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

[ "$(id -u)" -eq 0 ] || skip_live "needs root"
command -v ip >/dev/null || skip_live "there is no ip"
ip netns add $ns 2>/dev/null || skip_live "no network namespaces here"
# Nothing shall speak there but the test.
ip netns exec $ns sh -c \
    'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6' 2>/dev/null

# Rows 26 and 27: an interface with a packet now and then; the end.
cat >"$tmp/now_and_then.py" <<'END'
import socket, sys, time
from packets import *
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
for xid in range(2):
    time.sleep(1.5)
    s.send(talk(xid, 0)[0][1])
END
if ip -n $ns link add idle type dummy 2>/dev/null ||
    ip -n $ns link add idle type veth peer name peer 2>/dev/null; then
	ip -n $ns link set peer up 2>/dev/null
	ip -n $ns link set idle up
	start -i idle -j
	begin=$(date +%s)
	(cd "$tmp" && ip netns exec $ns python3 now_and_then.py idle)
	sleep 0.7
	rows=$(($(grep -c '"type":"second"' "$tmp/out") - $(date +%s) + begin))
	[ $rows -ge -2 ] && [ $rows -le 1 ]
	ok $? "an interface that is nearly silent gives a row a second"
	stop INT
	[ $status -eq 0 ] && [ $ms -lt 1000 ] &&
	    [ "$(summary rpc/calls)" = "[2]" ]
	ok $? "SIGINT ends it within a second, with all that came"
	start -i idle -j
	sleep 0.3
	stop TERM
	[ $status -eq 0 ] && [ $ms -lt 1000 ] &&
	    [ "$(summary rpc/calls)" = "[0]" ]
	ok $? "SIGTERM ends it within a second, too"
	ip -n $ns link del idle
fi

ip -n $ns link add cli mtu 65535 type veth peer name srv mtu 65535 \
    2>/dev/null || skip_live "no veth here"
ip -n $ns link set cli up
ip -n $ns link set srv up

# Row 25: frames as large as offload makes them.
cat >"$tmp/large.py" <<'END'
import socket, sys
from packets import *
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
s.send(frame(3, 1, (6, struct.pack(">HHIIHHHH", 700, 2049, 0, 0, 0x5002, 65535,
    0, 0))))
body = record(message(7, 100003, 3, 0)) + record(message(8, 100003, 3, 0,
    bytes(65535 - 20 - 20 - 44 - 44)))
s.send(frame(3, 1, tcp(700, 2049, 1, 1, body)))
END
start -i srv -j
(cd "$tmp" && ip netns exec $ns python3 large.py cli)
sleep 0.4
stop INT
[ "$(summary in/packets in/bytes capture/truncated rpc/calls)" = \
    "[2, 65603, 0, 2]" ]
ok $? "a frame of 64 KiB is captured whole"
start -i srv -s 128 -j
(cd "$tmp" && ip netns exec $ns python3 large.py cli)
sleep 0.4
stop INT
[ "$(summary in/packets in/bytes capture/truncated)" = "[2, 65603, 1]" ]
ok $? "and has its length, and counts as cut, where it is cut"

# Row 41: stopped for three seconds under steady traffic.
cat >"$tmp/steady.py" <<'END'
import collections, socket, sys, time
from packets import *
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
first, length = time.time(), float(sys.argv[2])
sent, count = collections.Counter(), 0
while time.time() - first < length:
    while count < (time.time() - first) * 1000:
        s.send(talk(count, 0)[0][1])
        sent[int(time.time())] += 1
        count += 1
    time.sleep(0.0005)
for second in sorted(sent):
    print(second, sent[second])
END
cat >"$tmp/compare.py" <<'END'
import calendar, json, sys, time
want = dict(map(int, line.split()) for line in open(sys.argv[1]))
got, bad = {}, []
for line in open(sys.argv[2]):
    o = json.loads(line)
    if o["type"] == "second":
        t = calendar.timegm(time.strptime(o["time"][:19],
            "%Y-%m-%dT%H:%M:%S"))
        got[t] = o
times = sorted(got)
bad += ["rows do not follow each other"] * (
    times != list(range(times[0], times[-1] + 1)))
bad += ["%d is partial" % t for t in times[1:-1] if got[t]["partial"]]
bad += ["%d: %d of %d" % (t, got.get(t, {"in": {"packets": 0}})["in"][
    "packets"], n) for t, n in want.items() if abs(got.get(t, {"in":
    {"packets": 0}})["in"]["packets"] - n) > 0.02 * n + 2]
sys.stderr.write("\n".join(bad))
sys.exit(len(bad) > 0)
END
start -i srv -j
(cd "$tmp" && exec ip netns exec $ns python3 steady.py cli 7 >sent) &
sender=$!
sleep 2
kill -STOP $pid
sleep 3
kill -CONT $pid
wait $sender
sleep 0.5
stop INT
python3 "$tmp/compare.py" "$tmp/sent" "$tmp/out" 2>"$tmp/err"
ok $? "stopped for 3 s and continued, each second has its own packets"
[ "$(summary rpc/calls capture/kernel_drops)" = \
    "[$(awk '{ sum += $2 } END { print sum }' "$tmp/sent"), 0]" ]
ok $? "and none is lost"
live_end
