#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/metrics.sh: the program's metrics, over HTTP and in a file: the same
# counts as the JSON summary, whoever asks for them and how.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
for tool in python3 curl zcat; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
tmp=$(mktemp -d) || exit 1
pid=
cleanup()
{
	[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT

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
from datetime import datetime
metrics, why = {}, []
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    name, value = line.rsplit(" ", 1)
    metrics[name] = float(value)
summary = [json.loads(l) for l in open(sys.argv[2])
           if l.startswith('{"type":"summary"')][0]
compared, seen = 0, set()
def same(name, value, scale=1):
    global compared
    seen.add("nfsrated_" + name)
    if value is None:
        if "nfsrated_" + name in metrics:
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
    for key in ("calls", "replies", "errors", "retransmits", "write_bytes",
        "read_bytes"):
        same('client_%s_total{client="%s"}' % (key, c["addr"]), c[key])
same("watched_seconds_total", summary["seconds"])
same("rpc_server_restarts_total", summary["rpc"]["server_restarts"])
for d in "in", "out":
    same('interface_errors_total{direction="%s"}' % d, summary[d]["errs"])
same("interface_collisions_total", summary["colls"])
for key in "kernel_drops", "interface_drops":
    same("capture_%s_total" % key, summary["capture"][key])
for how, count in summary["write"]["stable"].items():
    same('write_stability_total{how="%s"}' % how, count)
# What only the rows have: verdicts, and where the time went.
rows = [json.loads(l) for l in open(sys.argv[2])
        if l.startswith('{"type":"second"')]
verdicts = [r["verdict"] for r in rows]
for verdict in "idle", "ok", "underrun", "bursty-underrun", "stall", "unknown":
    same('intervals_total{verdict="%s"}' % verdict, verdicts.count(verdict))
for kind in "underrun", "bursty-underrun", "stall":
    ended = [(datetime.fromisoformat(e["end"].replace("Z", "+00:00")) -
              datetime.fromisoformat(e["start"].replace("Z", "+00:00"))
              ).total_seconds()
             for e in summary["episodes"] if e["kind"] == kind and e["end"]]
    same('episodes_total{kind="%s"}' % kind, sum(
        e["kind"] == kind for e in summary["episodes"]))
    same('episode_seconds_total{kind="%s"}' % kind, sum(ended))
time = {m[1]: v for m, v in ((re.match(
    r'nfsrated_state_seconds_total\{state="(\w+)"\}', k), v)
    for k, v in metrics.items()) if m}
for state, share in (summary["split"] or {}).items():
    compared += 1
    seen.add('nfsrated_state_seconds_total{state="%s"}' % state)
    if abs(time[state] / sum(time.values()) - share) > 2e-5:
        why.append("%s: %s of %s, share %s" % (state, time[state],
            sum(time.values()), share))
# Counters of which a summary knows nothing; no other may be left over.
for name in metrics:
    base = re.sub(r"\{.*", "", name)
    if base.endswith("_total") and name not in seen and not re.match(
        r"(nfsrated_(http|duty|flawed|outstanding|untrusted|io_hidden|"
        r"episode_shortfall|client_timed|client_latency)|process)_", name) \
        and name != 'nfsrated_intervals_total{verdict="none"}':
        why.append("%s was not compared" % name)
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
	start -j -e pps=8637 --textfile "$tmp/file.prom" -r "$tmp/c.pcap"
	until_true at_end && get /metrics >"$tmp/metrics" && stop &&
	    python3 "$tmp/compare.py" "$tmp/metrics" "$tmp/out" >"$tmp/why"
	ok $? "$capture: every counter is what the JSON summary has"
	python3 "$tmp/compare.py" "$tmp/file.prom" "$tmp/out" >"$tmp/why"
	ok $? "$capture: and so in the text file"
done
[ "$(stat -c %a "$tmp/file.prom")" = 644 ]
ok $? "the text file may be read by everybody"
[ "$(ls -A "$tmp" | grep -c '\.prom')" -eq 1 ]
ok $? "nothing is left beside the text file"

# Who means no good: 1000 connections at once, of which some ask and read a
# byte, some say nonsense, some nothing; again and again until the standard
# input ends.  The process has to stay as small as it is.
cat >"$tmp/attack.py" <<'END'
import os, random, select, socket, sys, time
port, pid = int(sys.argv[1]), sys.argv[2]
GET = b"GET /metrics HTTP/1.1\r\nHost: x\r\n"
SAY = [GET + b"\r\n", GET[:9], b"", b"\r\n" * 50, b"\0" * 2000,
    b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n\r\n", GET[:13] + b"\r\n\r\n",
    GET + b"Content-Length: 99999999999999999999999\r\n\r\nx",
    GET + b"Content-Length: -1\r\n\r\n", GET + b"X: y\r\n" * 5000 + b"\r\n",
    GET + b"Accept: " + b"application/openmetrics-text;q=9" * 99 + b"\r\n\r\n",
    GET + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    b"POST" + GET[3:] + b"\r\n" + b"x" * 9999, b"GET /%00%ff HTTP/9.9\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc"]
def size():
    for line in open("/proc/%s/status" % pid):
        if line.startswith("VmRSS"):
            return int(line.split()[1]), len(os.listdir("/proc/%s/fd" % pid))
def once():
    socks, poll = {}, select.poll()
    for i in range(1000):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", port))
        socks[s.fileno()] = s
        poll.register(s, select.POLLOUT)
    end, answers = time.monotonic() + 1, 0
    while time.monotonic() < end:
        for fd, event in poll.poll(100):
            try:
                if event & select.POLLOUT:
                    socks[fd].send(random.choice(SAY +
                        [os.urandom(300)] * 4))
                    poll.modify(fd, select.POLLIN)
                    continue
                answers += len(socks[fd].recv(1))
            except OSError:
                pass
            poll.unregister(fd)
    for s in socks.values():
        s.close()
    return answers
had, most, rounds, answers = size(), (0, 0), 0, 0
while True:
    answers += once()
    rounds += 1
    now = size()
    most = max(most[0], now[0]), max(most[1], now[1])
    if select.select([sys.stdin], [], [], 0)[0]:
        break
grown, more = most[0] - had[0], most[1] - had[1]
print(rounds, "rounds,", answers, "answers, grown by", grown, "KiB,", more,
    "descriptors")
# (A sanitizer remembers much of each thread and of what was freed.)
most_mib = 256 if "-" in os.environ.get("BUILD", "") else 32
sys.exit(grown > most_mib * 1024 or more > 40 or answers == 0)
END

# Counters over time, from a pipe, while it is attacked: another address is
# served, no scrape ever goes back, and the last one has all.
zcat tests/captures/udp-burst-bge5701.pcap.gz >"$tmp/c.pcap"
mkfifo "$tmp/pipe"
port=$(free_port)
: >"$tmp/out"; : >"$tmp/err"
"$p" -M "$port" -j -r "$tmp/pipe" >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
python3 - "$tmp/c.pcap" "$tmp/pipe" "$port" "$tmp/attack.py" "$pid" \
    >"$tmp/why" 2>&1 <<'END'
import http.client, subprocess, sys, time
data, port = open(sys.argv[1], "rb").read(), sys.argv[3]
last, scrapes, bad = {}, 0, 0
def scrape():
    c = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20,
        source_address=("127.0.0.2", 0))
    c.request("GET", "/metrics")
    return c.getresponse().read().decode()
with open(sys.argv[2], "wb") as pipe:
    attack = subprocess.Popen([sys.executable, sys.argv[4], port, sys.argv[5]],
        stdin=subprocess.PIPE)
    step = len(data) // 12
    for at in range(0, len(data), step):
        pipe.write(data[at:at + step])
        pipe.flush()
        time.sleep(0.3)
        text = scrape() if scrapes or at else ""
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
    attack.stdin.close()
    bad |= attack.wait()
print(scrapes, "scrapes")
sys.exit(bad or scrapes < 10)
END
ok $? "counters never go back from scrape to scrape, whoever else comes"
until_true at_end && get /metrics >"$tmp/metrics" && stop &&
    python3 "$tmp/compare.py" "$tmp/metrics" "$tmp/out" >"$tmp/why"
ok $? "however often they were asked for, the last have all"

"$p" -j -r "$tmp/c.pcap" | tail -n 1 >"$tmp/quiet"
tail -n 1 "$tmp/out" | cmp - "$tmp/quiet" >"$tmp/why" 2>&1
ok $? "and that is what there is without an attack"

# Who asks, and how.
start -t -r "$tmp/c.pcap"
until_true at_end
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
python3 "$tmp/attack.py" "$port" "$pid" </dev/null >"$tmp/why" 2>&1 &&
    until_true get /metrics -f
ok $? "1000 connections at once: bounded, and then it serves"
stop
ok $? "and it ends as ever"

start -t -r "$tmp/c.pcap"
until_true at_end
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
	until_true at_end
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
until_true at_end
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
