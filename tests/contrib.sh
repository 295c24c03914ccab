#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/contrib.sh: what contrib/ has for Prometheus, Grafana and gnuplot
# holds together: rules, their unit tests, the metrics that are asked for, a
# picture of a rate log.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=${NFSRATED:-build/nfsrated}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

if command -v promtool >/dev/null; then
	(cd contrib/prometheus && promtool check config prometheus.yml) \
	    >"$tmp/why" 2>&1
	ok $? "promtool takes the configuration and the rules"
	(cd contrib/prometheus && promtool test rules nfsrated.test.yml) \
	    >"$tmp/why" 2>&1
	ok $? "the rules do what their tests say"
else
	skip "promtool takes the configuration and the rules" "no promtool"
	skip "the rules do what their tests say" "no promtool"
fi

if command -v python3 >/dev/null; then
	python3 - >"$tmp/why" 2>&1 <<'END'
import json, re, sys
manual = set(re.findall(r"^\.It Li (\S+)", open("nfsrated.8").read(), re.M))
manual |= {m[:-4] + "_max" for m in manual if m.endswith("_min")}
rules = open("contrib/prometheus/nfsrated.rules.yml").read()
alerts = open("contrib/prometheus/nfsrated.alerts.yml").read()
recorded = set(re.findall(r"record: (\S+)", rules))
dashboard = json.load(open("contrib/grafana/nfsrated.json"))
exprs = [t["expr"] for p in dashboard["panels"] for t in p.get("targets", [])]
exprs += [v["definition"] for v in dashboard["templating"]["list"]
          if "definition" in v]
exprs += [a["expr"] for a in dashboard["annotations"]["list"]]
bad = 0
for text in exprs + [rules, alerts]:
    for name in re.findall(r"(?<![\w:])nfsrated_\w+(?![\w:])", text):
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        if name not in manual and base not in manual:
            print("there is no metric", name)
            bad = 1
    for name in re.findall(r"\w+:nfsrated\w+:\w+", text):
        if name not in recorded:
            print("there is no rule", name)
            bad = 1
ids = [p["id"] for p in dashboard["panels"]]
if len(ids) != len(set(ids)) or len(exprs) < 30:
    print("the dashboard is broken")
    bad = 1
sys.exit(bad)
END
	ok $? "rules and dashboard ask for metrics that there are"
else
	skip "rules and dashboard ask for metrics that there are" "no python3"
fi

if command -v gnuplot >/dev/null && command -v python3 >/dev/null; then
	zcat tests/captures/udp-burst-bge5701.pcap.gz >"$tmp/c.pcap"
	"$p" -r "$tmp/c.pcap" -e pps=8637 -l "$tmp/a log" -j >/dev/null
	contrib/plot "$tmp/a log" "$tmp/it's.png" >"$tmp/why" 2>&1 &&
	    [ "$(head -c 8 "$tmp/it's.png" | od -An -tx1 | tr -d ' \n')" = \
	    89504e470d0a1a0a ] &&
	    [ "$(wc -c <"$tmp/it's.png")" -gt 5000 ] && [ ! -s "$tmp/why" ]
	ok $? "a rate log makes a picture"
	for kind in wps MBps; do
		KIND=$kind SIZE=400,300 contrib/plot "$tmp/a log" \
		    "$tmp/$kind.png" >"$tmp/why" 2>&1 &&
		    [ -s "$tmp/$kind.png" ]
		ok $? "and one in $kind"
	done
	tail -c 300 "$tmp/a log" >"$tmp/short"
	! contrib/plot "$tmp/short" >"$tmp/why" 2>&1 &&
	    grep -q 'no intervals' "$tmp/why" && [ ! -e "$tmp/short.png" ]
	ok $? "a log without intervals is told"
	! contrib/plot "$tmp/none" >"$tmp/why" 2>&1 &&
	    grep -q 'No such file' "$tmp/why"
	ok $? "and one that is not there"
else
	skip "a rate log makes a picture" "no gnuplot, or no python3"
fi
# Rotated logs, some compressed, are one log; captures can be merged before.
"$p" -r tests/captures/udp-burst-bge5701.pcap.gz -e pps=8637 \
    -l "$tmp/whole" -j >/dev/null
sed '10,$d' "$tmp/whole" | gzip >"$tmp/part.2.gz"
sed '1,9d' "$tmp/whole" >"$tmp/part.1"
"$p" -L "$tmp/whole" -j -n >"$tmp/want"
zcat -f "$tmp/part.2.gz" "$tmp/part.1" | "$p" -L - -j -n |
    cmp - "$tmp/want" >"$tmp/why" 2>&1
ok $? "the parts of a log are one log"
if command -v mergecap >/dev/null; then
	calls()
	{
		"$p" -r "$1" -j -n | tail -n 1 |
		    sed 's/.*"rpc":{"calls":\([0-9]*\).*/\1/'
	}
	a=tests/captures/v3-mixed-meta.pcap.gz
	b=tests/captures/v40-mixed.pcap.gz
	echo "$(calls $a) + $(calls $b)" >"$tmp/why"
	[ "$(mergecap -w - $a $b | calls -)" -eq \
	    $(($(calls $a) + $(calls $b))) ]
	ok $? "and captures that were merged one capture"
else
	skip "and captures that were merged one capture" "no mergecap"
fi
# A tap near the client sees calls 2 ms earlier and replies 3 ms later.
if command -v python3 >/dev/null; then
	zcat tests/captures/udp-burst-bge5701.pcap.gz >"$tmp/server.pcap"
	python3 - "$tmp/server.pcap" "$tmp/client.pcap" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
unit = 10 ** 9 if data[:4] == b"\x4d\x3c\xb2\xa1" else 10 ** 6
at, packets, server = 24, [], None
while at < len(data):
    s, u, kept, wire = struct.unpack("<IIII", data[at:at + 16])
    packet = data[at + 16:at + 16 + kept]
    at += 16 + kept
    ip = packet[14:]
    if server is None and packet[12:14] == b"\x08\0" and ip[9] == 17 and \
            ip[22:24] == b"\x08\x01":
        server = ip[16:20]
    t = s * unit + u
    if server:
        t += (unit * 3 if ip[12:16] == server else -unit * 2) // 1000
    packets.append((t, kept, wire, packet))
packets.sort(key=lambda p: p[0])
with open(sys.argv[2], "wb") as f:
    f.write(data[:24])
    for t, kept, wire, packet in packets:
        f.write(struct.pack("<IIII", t // unit, t % unit, kept, wire) +
            packet)
END
	NFSRATED=$p contrib/taps "$tmp/client.pcap" "$tmp/server.pcap" \
	    >"$tmp/why" 2>&1 &&
	    grep -Eq '^nfs3 WRITE .* 5\.000$' "$tmp/why"
	ok $? "the time between two taps is their difference"
	"$p" -r "$tmp/client.pcap" -l "$tmp/client.log" -j >/dev/null &&
	    "$p" -r "$tmp/server.pcap" -l "$tmp/server.log" -j >/dev/null &&
	    NFSRATED=$p contrib/taps "$tmp/client.log" "$tmp/server.log" \
	    >"$tmp/why" 2>&1 &&
	    grep -Eq '^nfs3 WRITE .* 5\.000$' "$tmp/why"
	ok $? "and so of two rate logs"
fi
echo "1..$n"
