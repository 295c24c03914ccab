#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""usage: truth.py NFSRATED DIR

Holds the program against DIR/truth.json, a TAP line for each capture: frames
and bytes as captured, calls by procedure as the server's kernel counted them
(NFSv4: results by operation), calls, replies and retransmissions as the load
generators counted them; and that intervals add up to the summary.
"""
import json
import os
import subprocess
import sys

COUNTED = ("NULL", "COMPOUND")


def run(nfsrated, path):
    p = subprocess.run([nfsrated, "-r", path, "--json", "-n"],
                       stdin=subprocess.DEVNULL, capture_output=True)
    records = [json.loads(line) for line in p.stdout.splitlines()]
    seconds = [r for r in records if r["type"] == "second"]
    summary = [r for r in records if r["type"] == "summary"]
    assert p.returncode == 0, p.stderr
    assert len(summary) == 1 and not p.stderr, p.stderr
    return seconds, summary[0]


def facts(truth, seconds, summary):
    """Pairs of what there is and what there should be, with names."""
    ops = summary["ops"]
    for key in ("packets", "bytes"):
        yield key, summary[key], truth[key]
        yield key + " of all intervals", truth[key], sum(
            s[d][key] for s in seconds for d in ("in", "out", "other"))
    yield "WRITEs of all intervals", sum(
        s["write"]["calls"] for s in seconds), sum(
        ops.get(v, {}).get("WRITE", {}).get("calls", 0)
        for v in ("nfs2", "nfs3", "nfs4"))
    if "nfs3" in truth:
        yield "nfs3", {p: o["calls"] for p, o in ops["nfs3"].items()}, \
            truth["nfs3"]
    if "nfs4_ops" in truth:
        yield "nfs4", {p: o["replies"] for p, o in ops["nfs4"].items()
                       if p not in COUNTED}, truth["nfs4_ops"]
        yield "COMPOUNDs", ops["nfs4"]["COMPOUND"]["calls"], \
            truth["nfs4_compounds"]
    if "load_generator" in truth:
        g = truth["load_generator"]
        w = ops["nfs3"][g["op"]]
        yield "the generator's", [w[k] for k in (
            "calls", "replies", "retransmits", "bytes")], [
            g["sent"], g["replies"], g["retrans"], g["sent"] * g["size"]]
    if "unstable" in truth:     # read off with tshark, see the README
        c = summary["clients"][0]
        yield "data not committed", [c["uncommitted_bytes"], c["commits"],
            c["time_to_commit_us"]["max"]], [0, 1, truth["unstable"]]
    for name, (low, high) in truth.get("expect", {}).items():
        value = summary
        for part in name.split("."):
            value = value[part]
        yield name, low <= value <= high and value, value


def main():
    nfsrated, where = sys.argv[1:]
    with open(os.path.join(where, "truth.json")) as f:
        truth = json.load(f)
    for name, fact in sorted(truth.items()):
        path = os.path.join(where, name + ".pcap.gz")
        wrong = [f"{what}: {got}, not {want}" for what, got, want
                 in facts(fact, *run(nfsrated, path)) if got != want]
        print("not ok" if wrong else "ok",
              f"{name} counts what the server counted")
        for line in wrong:
            print("#", line)


main()
