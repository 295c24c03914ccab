#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/metrics.sh: the program's metrics, over HTTP and in a file: the same
# counts as the JSON summary, whoever asks for them and how.
set -u
cd "$(dirname "$0")/.." || exit 1
p=$(realpath "${NFSRATED:-build/nfsrated}")
n=0
for tool in python3 curl zcat; do
	command -v $tool >/dev/null || {
		echo "ok metrics # SKIP there is no $tool"
		exit 0
	}
done
tmp=$(mktemp -d) || exit 1
pid=
cleanup()
{
	[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT

ok()		# ok STATUS TEXT
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		sed 's/^/# /' "$tmp/err" "$tmp/why" 2>/dev/null | tail -n 40
	fi
}

# A port that was free just now.
free_port()
{
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

get()		# get PATH [CURL-OPTION ...]
{
	path=$1
	shift
	curl -s -m 20 "$@" "http://127.0.0.1:$port$path"
}

wait_for()	# wait_for COMMAND ...: until it is true, for 10 s
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 1
		sleep 0.05
	done
}

# At its end the source is not up, but there is a last interval.
at_end()
{
	get /metrics >"$tmp/now" && grep -q '^nfsrated_source_up 0' \
	    "$tmp/now" && grep -q '^nfsrated_last_interval' "$tmp/now"
}

start()		# start ARGUMENT ...: on a port of its own
{
	port=$(free_port)
	: >"$tmp/out"; : >"$tmp/err"
	"$p" -M "$port" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
}

stop()		# status of the program
{
	kill -TERM "$pid"
	wait "$pid"
	status=$?
	pid=
	return $status
}

# Each counter that both have must be the same number.
cat >"$tmp/compare.py" <<'END'
import json, re, sys
metrics, why = {}, []
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    name, value = line.rsplit(" ", 1)
    metrics[name] = float(value)
summary = [json.loads(l) for l in open(sys.argv[2])
           if l.startswith('{"type":"summary"')][0]
compared = 0
def same(name, value, scale=1):
    global compared
    if value is None:
        if name in metrics:
            why.append("%s is there, though unknown" % name)
        return
    compared += 1
    got = metrics.get("nfsrated_" + name)
    if got is None or abs(got - value * scale) > 1e-6 * abs(value * scale):
        why.append("%s is %s, the summary has %s" % (name, got, value))
for d in "in", "out", "other":
    for key in "packets", "bytes", "wire_packets", "wire_bytes":
        if key in summary[d]:
            same('%s_total{direction="%s"}' % (key, d), summary[d][key])
for key in "calls", "replies", "retransmits", "unmatched", "unanswered":
    same("rpc_%s_total" % key, summary["rpc"][key])
for group in "tcp", "ip":
    for key, value in summary[group].items():
        same("%s_%s_total" % (group, key), value)
for key in "truncated", "copies", "late":
    same("capture_%s_total" % key, summary["capture"][key])
for key, value in summary["discards"].items():
    same('discards_total{reason="%s"}' % key, value)
for key, value in summary["evictions"].items():
    same('evictions_total{table="%s"}' % key, value)
for program, ops in summary["ops"].items():
    for op, row in ops.items():
        labels = '{program="%s",operation="%s"}' % (program, op)
        for key in "calls", "replies", "errors", "retransmits", "bytes":
            if key in row:
                same("operation_%s_total%s" % (key, labels), row[key])
for program, codes in summary["status"].items():
    for code, count in codes.items():
        same('status_total{program="%s",status="%s"}' % (program, code),
            count)
for kind in "write", "read", "commit":
    for key, value in (summary.get(kind) or {}).items():
        if key in ("calls", "replies", "errors", "retransmits", "bytes"):
            same('io_%s_total{kind="%s"}' % (key, kind), value)
for c in summary["clients"][:20]:
    for key in "calls", "replies", "write_bytes", "read_bytes":
        same('client_%s_total{client="%s"}' % (key, c["addr"]), c[key])
same("watched_seconds_total", summary["seconds"])
# histograms add up
for name, value in metrics.items():
    m = re.match(r"(nfsrated_\w+)_count(.*)", name)
    if m:
        compared += 1
        top = [v for k, v in metrics.items()
               if k.startswith(m[1] + "_bucket" + m[2][:-1] + ",")
               and 'le="+Inf"' in k]
        if top != [value]:
            why.append("%s: %s, +Inf %s" % (name, value, top))
print(compared, "compared")
for w in why:
    print(w)
sys.exit(bool(why) or compared < 60)
END

for capture in v3-mixed-meta v3-tcp-lossy v42-mixed udp-burst-bge5701; do
	zcat tests/captures/$capture.pcap.gz >"$tmp/c.pcap"
	start -j --textfile "$tmp/file.prom" -r "$tmp/c.pcap"
	wait_for at_end && get /metrics >"$tmp/metrics" && stop &&
	    python3 "$tmp/compare.py" "$tmp/metrics" "$tmp/out" >"$tmp/why"
	ok $? "$capture: every counter is what the JSON summary has"
	python3 "$tmp/compare.py" "$tmp/file.prom" "$tmp/out" >"$tmp/why"
	ok $? "$capture: and so in the text file"
done
[ "$(stat -c %a "$tmp/file.prom")" = 644 ]
ok $? "the text file may be read by everybody"
[ "$(ls -A "$tmp" | grep -c '\.prom')" -eq 1 ]
ok $? "nothing is left beside the text file"

# Counters over time, from a pipe: no scrape ever goes back, and the last one
# has all.
zcat tests/captures/udp-burst-bge5701.pcap.gz >"$tmp/c.pcap"
mkfifo "$tmp/pipe"
port=$(free_port)
: >"$tmp/out"; : >"$tmp/err"
"$p" -M "$port" -j -r "$tmp/pipe" >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
python3 - "$tmp/c.pcap" "$tmp/pipe" "$port" >"$tmp/why" 2>&1 <<'END'
import sys, time, urllib.request
data = open(sys.argv[1], "rb").read()
last, scrapes, bad = {}, 0, 0
with open(sys.argv[2], "wb") as pipe:
    step = len(data) // 12
    for at in range(0, len(data), step):
        pipe.write(data[at:at + step])
        pipe.flush()
        time.sleep(0.3)
        text = urllib.request.urlopen("http://127.0.0.1:%s/metrics" %
            sys.argv[3]).read().decode() if scrapes or at else ""
        scrapes += 1
        for line in text.splitlines():
            if line.startswith("#"):
                continue
            name, value = line.rsplit(" ", 1)
            if "_total" in name or "_bucket" in name:
                if float(value) < last.get(name, 0):
                    print("goes back:", line)
                    bad = 1
                last[name] = float(value)
print(scrapes, "scrapes")
sys.exit(bad or scrapes < 10)
END
ok $? "counters never go back from scrape to scrape"
wait_for at_end && get /metrics >"$tmp/metrics" && stop &&
    python3 "$tmp/compare.py" "$tmp/metrics" "$tmp/out" >"$tmp/why"
ok $? "however often they were asked for, the last have all"

# Who asks, and how.
start -t -r "$tmp/c.pcap"
wait_for at_end
get /metrics -D "$tmp/head" -o /dev/null &&
    grep -qi '^content-type: text/plain; version=0.0.4' "$tmp/head"
ok $? "the classic format is what one gets who does not ask"
get /metrics -D "$tmp/head" -H 'Accept: application/openmetrics-text' \
    >"$tmp/open" && tail -n 1 "$tmp/open" | grep -qx '# EOF' &&
    grep -qi '^content-type: application/openmetrics-text' "$tmp/head"
ok $? "OpenMetrics is what one gets who accepts it"
[ "$(get /healthz)" = ok ]
ok $? "/healthz is well"
get / | grep -q '<title>nfsrated</title>' && ! get / | grep -q '<script'
ok $? "there is a page for readers, without scripts"
get /metrics -X POST -d x -o /dev/null -w '%{http_code}' | grep -qx 405 &&
    get /metrics -X DELETE -o /dev/null -w '%{http_code}' | grep -qx 405 &&
    get /x -o /dev/null -w '%{http_code}' | grep -qx 404 &&
    get /metrics -I -o /dev/null -w '%{http_code}' | grep -qx 200
ok $? "GET and HEAD only, and no other paths"
python3 - "$port" "$pid" >"$tmp/why" 2>&1 <<'END'
import os, socket, sys, time, urllib.request
port, pid = int(sys.argv[1]), sys.argv[2]
def rss():
    for line in open("/proc/%s/status" % pid):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
def descriptors():
    return len(os.listdir("/proc/%s/fd" % pid))
before, had = rss(), descriptors()
socks = []
for i in range(1000):
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", port))
    socks.append(s)
time.sleep(0.5)
for i, s in enumerate(socks):
    try:
        s.send([b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /metr",
            os.urandom(300), b"\r\n" * 50][i % 4])
    except OSError:
        pass
time.sleep(1)
grown, more = rss() - before, descriptors() - had
print("grown by", grown, "KiB,", more, "descriptors")
for s in socks:
    s.close()
for i in range(100):
    try:
        urllib.request.urlopen("http://127.0.0.1:%d/metrics" % port,
            timeout=5).read()
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit("nobody answers")
sys.exit(grown > 32 * 1024 or more > 40)
END
ok $? "1000 connections at once: bounded, and then it serves"
stop
ok $? "and it ends as ever"

start -t -r "$tmp/c.pcap"
wait_for at_end
"$p" -M "$port" -t -r "$tmp/c.pcap" >"$tmp/out2" 2>"$tmp/why"
[ $? -eq 1 ] && grep -q "metrics: 127.0.0.1:$port: Address already in use" \
    "$tmp/why"
ok $? "a port that is taken is told"
stop
"$p" --textfile "$tmp/none/file.prom" -t -r "$tmp/c.pcap" >/dev/null \
    2>"$tmp/why"
[ $? -eq 1 ] && grep -q 'none/file.prom: cannot be written' "$tmp/why"
ok $? "a text file that cannot be is told at once"
[ "$("$p" -M "$(free_port)" -t -r "$tmp/c.pcap" 1 2 2>&1 | wc -l)" -ge 3 ]
ok $? "with a count it ends by itself"

if command -v promtool >/dev/null; then
	start -e pps=8637 -t -r "$tmp/c.pcap"
	wait_for at_end
	get /metrics | promtool check metrics >"$tmp/why" 2>&1 &&
	    [ ! -s "$tmp/why" ]
	ok $? "promtool finds nothing to say of the metrics"
	stop
else
	n=$((n + 1))
	echo "ok $n promtool finds nothing to say # SKIP there is no promtool"
fi

# The manual has each of them.
start -e pps=8637 -t -r "$tmp/c.pcap"
wait_for at_end
get /metrics | sed -n 's/^# TYPE \([a-z_0-9]*\) .*/\1/p' >"$tmp/names"
stop
: >"$tmp/why"
while read -r name; do
	# of a pair of extremes it has the first
	grep -q "^\.It Li $name$" nfsrated.8 ||
	    grep -q "^\.It Li ${name%_max}_min$" nfsrated.8 ||
	    echo "not in the manual: $name" >>"$tmp/why"
done <"$tmp/names"
[ -s "$tmp/names" ] && [ ! -s "$tmp/why" ]
ok $? "the manual has every metric"
echo "1..$n"
