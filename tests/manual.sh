#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/manual.sh: nfsrated.8 and README.md say what the program says: the
# members of JSON, the keys of the view, the words of the diagnosis.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=${NFSRATED:-build/nfsrated}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# The section of the manual, without what stands around it.
section()	# section NAME
{
	awk -v name="$1" '/^\.Sh / { on = $0 == ".Sh " name; next } on' \
	    nfsrated.8
}

command -v python3 >/dev/null || skip_all "there is no python3"

# Objects of all captures, of a log, and of rows of netstat.
for c in tests/captures/*.pcap*; do
	"$p" -r "$c" -j -n -e pps=8637
done >"$tmp/objects" 2>"$tmp/why"
"$p" --demo -j --speed max -l "$tmp/log" >>"$tmp/objects" 2>>"$tmp/why"
cat "$tmp/log" >>"$tmp/objects"
printf '%s\n' 'packets errs bytes packets errs bytes colls' \
    '8637 0 12411369 1439 0 256142 0' '900 0 1293300 142 0 25614 0' \
    >"$tmp/rows"
"$p" -N "$tmp/rows" -j >"$tmp/netstat" 2>>"$tmp/why"
cat "$tmp/netstat" >>"$tmp/objects"
section JSON >"$tmp/json"

# What has names of programs, operations and codes for members; what only the
# program reads.
python3 - "$tmp/objects" "$tmp/json" >>"$tmp/why" 2>&1 <<'END'
import glob, json, re, sys
found, open_to_all = set(), {"ops", "status"}

def walk(o):
    if isinstance(o, list):
        for v in o:
            walk(v)
    if not isinstance(o, dict):
        return
    for k, v in o.items():
        found.add(k)
        if k in open_to_all and v:
            for program in v.values():
                for row in program.values():
                    walk(row)
        elif k != "log":
            walk(v)

types = set()
for line in open(sys.argv[1]):
    o = json.loads(line)
    types.add(o["type"])
    walk(o)
# What no capture here has, too.
for name in set(glob.glob("src/json*.c")) - {"src/jsonlog.c"}:
    found |= set(re.findall(r'jsonout_\w+\(&?j, "(\w+)"', open(name).read()))
told = set()
for line in open(sys.argv[2]):
    m = re.match(r"\.(?:It |Pq )*Cm (.*)", line)
    if m:
        told |= set(re.findall(r"\w+", m.group(1)))
told -= {"null"}
told_types = {"second", "episode", "summary", "lost"}
bad = sorted(found - told)
if bad:
    print("not in the manual:", *bad)
more = sorted(told - found - told_types - {"intervals"})
if more:
    print("there is no member", *more)
if types - told or len(found) < 100:
    print("objects:", *types)
    bad = True
sys.exit(bool(bad or more))
END
ok $? "the manual has every member of JSON, and no other"

python3 - "$tmp/netstat" "$tmp/json" >"$tmp/why" 2>&1 <<'END'
import json, re, sys
text = open(sys.argv[2]).read()
told = [set(re.findall(r"\w+", " ".join(re.findall(r"^\.Cm (.*)", part,
        re.M)))) - {"null"} for part in re.findall(
        r"^With rows of netstat(.*?)^\.It", text + "\n.It", re.M | re.S)]
objects = [json.loads(line) for line in open(sys.argv[1])]
null = [{k for k, v in o.items() if v is None} for o in objects]
second, summary = null[0] - {"expect", "verdict", "cause"}, null[-1]
print("null:", *sorted(second))
print("null in the summary:", *sorted(summary - second))
sys.exit(len(told) != 2 or told[0] != second or
    told[1] != summary - second)
END
ok $? "and says what is null with rows of netstat"

section "THE VIEW" >"$tmp/view"
python3 - "$tmp/view" >"$tmp/why" 2>&1 <<'END'
import re, sys
told = [re.sub(r"[, ]+", " ", t) for t in
        re.findall(r"^\.It (.*)", open(sys.argv[1]).read(), re.M)]
keys = re.findall(r'^\t\{ "([^"]+)", "', open("src/keymap.c").read(), re.M)
words = set(" ".join(told).split())
if "arrows" in words:
    words |= {"Left", "Right", "Up", "Down"}
bad = [k for k in keys if set(k.split()) - words]
print("not in the manual:", bad)
sys.exit(bool(bad) or len(keys) < 15)
END
ok $? "the manual has every key of the view"

# The second column of the table, between quotes.
python3 - >"$tmp/why" 2>&1 <<'END'
import re, sys
text = open("README.md").read()
text = text[text.index("## What is wrong"):text.index("## What others say")]
cells = [line.split("|")[2] for line in text.splitlines()
         if line.startswith("|")]
words = [w for c in cells for w in re.findall(r'"([^"]+)"', c)]
said = open("src/diagnose_rules.inc").read()
said = re.sub(r'"\s*"', "", said)
said = " ".join(re.findall(r'^    "(.*)"\)', said, re.M))
bad = [w for w in words if w not in said]
print("no sentence of the diagnosis has", bad)
sys.exit(bool(bad) or len(words) < 5)
END
ok $? "what README quotes of the diagnosis is what it prints"
echo "1..$n"
