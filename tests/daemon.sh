#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/daemon.sh: the program as a service: start and end, privileges, the
# rate log whatever happens to it, alerts, options that change, interfaces
# that come later, a service manager.  Needs root.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
ns=nfsrated-daemon-$$

[ "$(id -u)" -eq 0 ] || skip_all "needs root"
for tool in ip python3 setpriv; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
ip netns add $ns 2>/dev/null || skip_all "no network namespaces here"
# A /dev of our own: what others tell syslog is not heard here.
if [ -z "${DAEMON_INSIDE:-}" ] &&
    unshare --mount --propagation private true 2>/dev/null; then
	ip netns del $ns
	export DAEMON_INSIDE=1
	exec unshare --mount --propagation private "tests/${0##*/}"
fi
tmp=$(mktemp -d) || exit 1
chmod 755 "$tmp"
why_not()
{
	cat "$tmp/out" "$tmp/err" "$tmp/syslog" 2>/dev/null
}

private_dev()
{
	mkdir "$tmp/dev" && mount -t tmpfs -o mode=755 tmpfs "$tmp/dev" ||
	    return
	for node in null zero full random urandom tty; do
		: >"$tmp/dev/$node"
		mount --bind /dev/$node "$tmp/dev/$node"
	done
	ln -s /proc/self/fd "$tmp/dev/fd"
	mount --move "$tmp/dev" /dev
}
[ -z "${DAEMON_INSIDE:-}" ] || private_dev 2>/dev/null
syslogd=
cleanup()
{
	[ ! -s "$tmp/pid" ] || kill -9 "$(cat "$tmp/pid")" 2>/dev/null
	[ -z "$syslogd" ] || { kill "$syslogd"; rm -f /dev/log; }
	umount "$tmp/small" 2>/dev/null
	ip netns del $ns
	rm -rf "$tmp"
}
trap cleanup EXIT
make_pair()
{
	ip -n $ns link add cli type veth peer name srv &&
	    ip -n $ns link set cli up && ip -n $ns link set srv up
}
make_pair 2>/dev/null || skip_all "no veth here"
ip -n $ns link set lo up
: >"$tmp/syslog"

# A syslogd of our own, where there is none.
cat >"$tmp/syslogd.py" <<'END'
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("/dev/log")
os.chmod("/dev/log", 0o666)
while True:
    with open(sys.argv[1], "ab") as f:
        f.write(s.recv(8192).rstrip(b"\0\n") + b"\n")
END
if [ ! -e /dev/log ]; then
	python3 "$tmp/syslogd.py" "$tmp/syslog" &
	syslogd=$!
fi
while [ -n "$syslogd" ] && [ ! -e /dev/log ]; do
	sleep 0.05
done

in_syslog()	# in_syslog PATTERN: true without a syslog to look at
{
	[ -z "$syslogd" ] || until_true grep -q -- "$1" "$tmp/syslog"
}

start()		# start ARGUMENT ...: a daemon; status
{
	ip netns exec $ns "$p" -d -P "$tmp/pid" "$@" >"$tmp/out" 2>"$tmp/err" \
	    </dev/null
	status=$?
	pid=$(cat "$tmp/pid" 2>/dev/null)
}

gone()		# gone PID
{
	! kill -0 "$1" 2>/dev/null
}

stop()		# stop SIGNAL: true when it went, and the pid file too
{
	kill -"$1" "$pid" && until_true gone "$pid" &&
	    until_true [ ! -e "$tmp/pid" ]
}

lines()		# lines FILE: intervals in it
{
	grep -c '^{"type":"second".*}$' "$1"
}

has_lines()	# has_lines FILE NUMBER
{
	[ "$(lines "$1")" -ge "$2" ]
}

send()		# 6 NULL calls and 3 fragments of them, from cli to srv
{
	ip netns exec $ns python3 -c '
import socket, struct
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("cli", 0))
for xid in range(6):
    call = struct.pack(">10I", xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0)
    udp = struct.pack(">4H", 700, 2049, 8 + len(call), 0) + call
    s.send(bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 0]) +
        struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 7, 0, 64, 17, 0) +
        bytes([10, 9, 0, 1, 10, 9, 0, 9]) + udp)'
}

calls()		# calls LOG: NULL calls in it
{
	"$p" -L "$1" -j 2>/dev/null | python3 -c 'import json, sys
n = 0
for line in sys.stdin:
    o = json.loads(line)
    if o["type"] == "second":
        n += ((o["ops"] or {}).get("nfs3") or {}).get("NULL", 0)
print(n)'
}

has_calls()
{
	[ "$(calls "$1")" -ge "$2" ]
}

status_of()	# status_of PID NAME: of /proc/PID/status
{
	awk -v name="$2:" '$1 == name { $1 = ""; print substr($0, 2) }' \
	    "/proc/$1/status"
}

# start and end
start -i srv -l "$tmp/log"
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && kill -0 "$pid" 2>/dev/null
ok $? "the start gives its status when the daemon runs"
[ "/proc/$pid/fd/0" -ef /dev/null ] && [ "/proc/$pid/fd/2" -ef /dev/null ] &&
    [ "/proc/$pid/cwd" -ef / ] &&
    [ "$(ps -o sid= -p "$pid" | tr -d ' ')" != \
    "$(ps -o sid= -p $$ | tr -d ' ')" ]
ok $? "it has left its terminal and its directory"
in_syslog 'started, watching srv'
ok $? "it says so to syslog"
ip netns exec $ns "$p" -d -P "$tmp/pid" -i srv >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && grep -q "process $pid runs already" "$tmp/err"
ok $? "a second one with the same pid file is refused"
until_true has_lines "$tmp/log" 2
ok $? "it logs a line a second"
stop TERM
ok $? "SIGTERM ends it, and the pid file goes"

refused()	# refused STATUS PATTERN TEXT ARGUMENT ...
{
	want=$1 pattern=$2 text=$3
	shift 3
	start "$@"
	[ $status -eq "$want" ] && grep -q "$pattern" "$tmp/err" &&
	    [ ! -e "$tmp/pid" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ]
	ok $? "$text"
}
refused 2 'filter "port port"' "a bad filter: its status and text" \
    -i srv -f 'port port'
refused 1 "$tmp/no/log: its directory" "a log that cannot be opened" \
    -i srv -l "$tmp/no/log"
refused 1 'there is no user "no-such-user"' "a user who is not there" \
    -i srv -u no-such-user
mkdir "$tmp/rooted"
refused 1 'user nobody could not make it anew' \
    "a log that only root could make anew" \
    -i srv -u nobody -l "$tmp/rooted/log"

# kill -9: nobody is left, nothing is half
start -i srv -l "$tmp/log"
until_true has_lines "$tmp/log" 1
kill -9 "$pid"
until_true [ ! -e "$tmp/pid" ]
ok $? "after kill -9 the pid file goes too"

# privileges
mkdir "$tmp/logs"
chown nobody "$tmp/logs"
start -i srv -u nobody -l "$tmp/logs/log"
until_true has_lines "$tmp/logs/log" 1
uid=$(id -u nobody) gid=$(id -g nobody)
zero=0000000000000000
drops=0
for q in "$pid" $(pgrep -P "$pid"); do
	[ "$(status_of "$q" Uid)" = "$uid $uid $uid $uid" ] || continue
	[ "$(status_of "$q" Gid)" = "$gid $gid $gid $gid" ] &&
	    [ "$(status_of "$q" Groups)" = "$gid" ] &&
	    [ "$(status_of "$q" CapPrm)$(status_of "$q" CapEff)" = \
	    $zero$zero ] && [ "$(status_of "$q" CapBnd)" = $zero ] &&
	    drops=$((drops + 1))
done
[ $drops -eq 2 ]
ok $? "it and its helper have the user's ids, no groups, no capabilities"
helper=$(pgrep -P "$pid")
! grep -q socket: "/proc/$helper/maps" &&
    ! find "/proc/$helper/fd" -lname 'socket:*' | grep -q '/fd/[4-9]'
ok $? "the helper has nothing of the capture"
if [ "$(status_of "$pid" Seccomp)" = 2 ]; then
	[ "$(status_of "$pid" NoNewPrivs)" = 1 ]
	ok $? "it is in the sandbox"
else
	skip "it is in the sandbox" "not in this build"
fi
[ "$(stat -c %U "$tmp/logs/log")" = nobody ]
ok $? "the log is the user's"
mv "$tmp/logs/log" "$tmp/logs/log.1"
kill -HUP "$pid"
until_true has_lines "$tmp/logs/log" 1
ok $? "a renamed log is made anew after SIGHUP"
before=$(lines "$tmp/logs/log.1")
: >"$tmp/logs/log"
until_true has_lines "$tmp/logs/log" 1 && [ "$(head -c 8 "$tmp/logs/log")" = \
    '{"type":' ] && [ "$(lines "$tmp/logs/log.1")" -eq "$before" ]
ok $? "a log that is cut to nothing goes on at its start"

ip -n $ns link del cli
until_true grep -q '"no_data":true' "$tmp/logs/log"
ok $? "an interface that is gone gives no data"
ticks()		# of processor time: user and system
{
	awk '{ print $14 + $15 }' "/proc/$pid/stat"
}
before=$(ticks)
sleep 2
[ $(($(ticks) - before)) -lt 20 ]
ok $? "and keeps no processor busy"
make_pair
sleep 1.5
send
until_true has_calls "$tmp/logs/log" 6
ok $? "and is captured again when it is back, without privileges"
in_syslog 'the capture goes on'
ok $? "which is told"
stop INT
ok $? "SIGINT ends it"

# an interface that comes later
start -i later -l "$tmp/log.later"
[ $status -eq 0 ]
ok $? "a daemon waits for an interface that is not there"
until_true grep -q '"no_data":true' "$tmp/log.later"
ip -n $ns link del cli
ip -n $ns link add cli type veth peer name later
ip -n $ns link set cli up
ip -n $ns link set later up
sleep 1.5
send
until_true has_calls "$tmp/log.later" 6
ok $? "and captures it when it comes"
stop TERM
ip -n $ns link del cli
make_pair

# two interfaces, one of them later
start -i srv -i later2 -l "$tmp/log.two"
sleep 1
send
until_true has_calls "$tmp/log.two" 6
ok $? "one of two interfaces may be missing"
stop TERM

# a start of a file system that fills
mkdir "$tmp/small"
if mount -t tmpfs -o size=64k tmpfs "$tmp/small" 2>/dev/null; then
	start -i srv -l "$tmp/small/log" 0.1
	until_true has_lines "$tmp/small/log" 3
	dd if=/dev/zero of="$tmp/small/fill" bs=1k count=64 2>/dev/null
	in_syslog 'No space left on device; intervals are lost'
	ok $? "a full disk is told"
	sleep 1
	kill -0 "$pid"
	ok $? "and monitoring goes on"
	rm "$tmp/small/fill"
	until_true grep -q '"type":"lost"' "$tmp/small/log"
	ok $? "the log goes on by itself, and says what it lacks"
	[ "$(grep -vc '^{.*}$' "$tmp/small/log")" -eq 0 ]
	ok $? "and has no half lines"
	[ -z "$syslogd" ] || [ "$(grep -c 'No space left' "$tmp/syslog")" \
	    -eq 1 ]
	ok $? "it is told once"
	stop TERM
	umount "$tmp/small"
else
	skip "a full disk" "no tmpfs here"
fi

# alerts
cat >"$tmp/alert" <<END
#!/bin/sh
env | grep ^NFSRATED_ | sort | tr '\n' ' ' >>"$tmp/logs/alerts"
echo "\$# \$1" >>"$tmp/logs/alerts"
echo "the alert says hello"
END
chmod 755 "$tmp/alert"
start -i srv -u nobody -e pps=100 --always --for 1/1 \
    -a "$tmp/alert 'two words'"
until_true grep -q 'EVENT=start' "$tmp/logs/alerts"
ok $? "an alert command runs at the start of an episode"
grep -q 'NFSRATED_EXPECTED=100 .*NFSRATED_KIND=underrun .* 1 two words$' \
    "$tmp/logs/alerts"
ok $? "with facts in its environment, and its arguments"
in_syslog 'episode start kind=underrun start=.* expected=100'
ok $? "the same is a line of syslog"
in_syslog 'the alert says hello'
ok $? "what it prints goes to syslog"
stop TERM
until_true grep -q 'EVENT=end' "$tmp/logs/alerts"
ok $? "it runs at the end, too, when the daemon ends"
: >"$tmp/syslog"
start -i srv -e pps=100 --always --for 1/1 -l "$tmp/log.hang" \
    --alert-timeout 1 -a 'sleep 1000'
in_syslog 'sleep.* took longer than 1 s and was ended'
ok $? "a command that hangs is ended"
until_true has_lines "$tmp/log.hang" 2
ok $? "and holds up nothing"
stop TERM
ok $? "not even the end"

# options that change
cat >"$tmp/conf" <<END
interface srv
expect pps=100
always
for 1/1
log $tmp/log.conf
END
: >"$tmp/syslog"
start -c "$tmp/conf"
until_true grep -q '"value":100,' "$tmp/log.conf"
ok $? "a configuration file says what to do"
sed -i 's/pps=100/pps=200/; s/srv/cli/' "$tmp/conf"
kill -HUP "$pid"
until_true grep -q '"value":200,' "$tmp/log.conf"
ok $? "SIGHUP reads it again"
in_syslog 'option expect has changed' &&
    in_syslog 'option interface has changed, but cannot while it runs'
ok $? "and says what has changed, and what cannot"
echo 'no-such-option' >>"$tmp/conf"
kill -HUP "$pid"
in_syslog "$tmp/conf:6: there is no option \"no-such-option\"; nothing has"
ok $? "a bad line is told with its place"
sleep 1
kill -0 "$pid"
ok $? "and changes nothing"
stop TERM

# stopped and continued (faults 41)
start -i srv -l "$tmp/log.stop"
until_true has_lines "$tmp/log.stop" 1
kill -STOP "$pid"
sleep 3
kill -CONT "$pid"
sleep 2
stop TERM
python3 - "$tmp/log.stop" <<'END'
import datetime, json, sys
starts = []
for line in open(sys.argv[1]):
    o = json.loads(line)
    t = datetime.datetime.fromisoformat(o["time"].replace("Z", "+00:00"))
    starts.append((t.timestamp(), o["interval"]))
sys.exit(not all(abs(a + n - b) < 0.01
    for (a, n), (b, m) in zip(starts, starts[1:])))
END
ok $? "no second is missing after it was stopped for three"

# more packets than the buffer takes (faults 32)
cat >"$tmp/flood.py" <<'END'
import socket, struct
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("cli", 0))
call = struct.pack(">10I", 1, 0, 2, 100003, 3, 0, 0, 0, 0, 0) + bytes(1300)
udp = struct.pack(">4H", 700, 2049, 8 + len(call), 0) + call
frame = bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 0]) + \
    struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 7, 0, 64, 17, 0) + \
    bytes([10, 9, 0, 1, 10, 9, 0, 9]) + udp
for i in range(5000):
    s.send(frame)
END
: >"$tmp/syslog"
start -i srv -B 1 -e pps=1000000 --for 1/1 -l "$tmp/log.flood"
until_true has_lines "$tmp/log.flood" 1
kill -STOP "$pid"
ip netns exec $ns python3 "$tmp/flood.py"
kill -CONT "$pid"
until_true grep -q '"kernel_drops":[1-9]' "$tmp/log.flood"
ok $? "what the kernel drops stands in the second it belongs to"
grep '"kernel_drops":[1-9]' "$tmp/log.flood" | grep -vq '"trust":1,' &&
    grep '"kernel_drops":[1-9]' "$tmp/log.flood" |
    grep -q '"verdict":"unknown"'
ok $? "which is not trusted"
[ -z "$syslogd" ] || ! grep -q 'episode start' "$tmp/syslog"
ok $? "and raises no alarm"
stop TERM

# the flight recorder
mkdir "$tmp/logs/recordings"
chown nobody "$tmp/logs/recordings"
start -i srv -u nobody -e pps=1000 --always --for 2/2 \
    --recorder "$tmp/logs/recordings"
sleep 0.5
send
recorded()
{
	ls "$tmp/logs/recordings"/nfsrated-*-underrun.pcap
}
until_true recorded
ok $? "an episode leaves a recording that is named after it"
"$p" -r "$tmp"/logs/recordings/nfsrated-*.pcap -j >"$tmp/out" 2>"$tmp/err" &&
    [ "$(grep -c '"type":"second"' "$tmp/out")" -ge 1 ] &&
    grep -q '"NULL":{"calls":6,' "$tmp/out"
ok $? "with the packets of before"
stop TERM

# as a plug-in
"$p" --check -L "$tmp/log.stop" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && grep -q '^NFSRATED OK - idle | pps=0;' "$tmp/out"
ok $? "a check of a log"
ip netns exec $ns "$p" --check -i srv 0.2 4 >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 1 ]
ok $? "a check of an interface"
"$p" --check -L "$tmp/no-log" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 3 ] && grep -q '^NFSRATED UNKNOWN - ' "$tmp/out"
ok $? "what cannot be checked is unknown"

# a service manager
cat >"$tmp/manager.py" <<'END'
import os, socket, subprocess, sys, time
path = sys.argv[1]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(path)
s.settimeout(5)
env = dict(os.environ, NOTIFY_SOCKET=path, WATCHDOG_USEC="1000000")
p = subprocess.Popen(sys.argv[2:], env=env, stdout=subprocess.DEVNULL)
def told(what):
    while what not in s.recv(1024).decode().split("\n"):
        pass
told("READY=1")
begin = time.time()
for i in range(4):
    told("WATCHDOG=1")
alive = time.time() - begin
p.terminate()
told("STOPPING=1")
sys.exit(p.wait() or not 1 < alive < 3)
END
ip netns exec $ns python3 "$tmp/manager.py" "$tmp/notify" "$p" -i srv -j \
    >"$tmp/out" 2>"$tmp/err"
ok $? "a service manager hears of start, life and end"

# without root
if command -v setcap >/dev/null && cp "$p" "$tmp/nfsrated" &&
    chmod 755 "$tmp/nfsrated" && setcap cap_net_raw=ep "$tmp/nfsrated"; then
	(cd "$tmp/logs" && exec ip netns exec $ns setpriv --reuid=nobody \
	    --regid="$gid" --clear-groups "$tmp/nfsrated" -i srv -j 0.1 5) \
	    >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 0 ] && [ "$(lines "$tmp/out")" -eq 5 ]
	ok $? "with cap_net_raw on the file nobody needs to be root"
else
	skip "cap_net_raw on the file" "no setcap here"
fi

# chroot
mkdir "$tmp/empty"
start -i srv -u nobody --chroot "$tmp/empty" -l "$tmp/logs/log.chroot"
until_true has_lines "$tmp/logs/log.chroot" 1 &&
    [ "/proc/$pid/root/." -ef "$tmp/empty" ]
ok $? "it runs in a directory of its own, and logs outside of it"
kill -HUP "$pid"
before=$(lines "$tmp/logs/log.chroot")
until_true has_lines "$tmp/logs/log.chroot" $((before + 1))
ok $? "also after SIGHUP"
stop TERM

# killed while it writes, at 200 moments
if command -v timeout >/dev/null; then
	cat >"$tmp/killed.py" <<'END'
import json, os, random, subprocess, sys, time
program, capture, log = sys.argv[1:]
random.seed(1)
torn = 0

def size(path):
    return os.path.getsize(path) if os.path.exists(path) else 0

for i in range(200):
    if os.path.exists(log) and i % 20 == 0:
        os.unlink(log)
    before = size(log)
    p = subprocess.Popen([program, "-r", capture, "-l", log, "-j", "0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # mostly once it has begun to write, however long a start takes
    while i % 4 != 0 and p.poll() is None and size(log) <= before:
        time.sleep(0.0005)
    time.sleep(random.random() * 0.03)
    p.kill()
    p.wait()
    if not os.path.exists(log):
        continue
    data = open(log, "rb").read()
    torn += data != b"" and not data.endswith(b"\n")
    runs, last = 0, None
    for line in data.split(b"\n")[:-1]:
        o = json.loads(line)        # every whole line is an interval
        if o["type"] != "second":
            continue
        if o["seq"] == 0:
            runs += 1
        elif o["seq"] != last + 1:
            sys.exit("hole after %d" % last)
        last = o["seq"]
print("torn %d times" % torn)
END
	"$p" -L "$tmp/log" -t >/dev/null 2>&1	# warm
	python3 "$tmp/killed.py" "$p" tests/captures/v3-tcp-stall.pcap.gz \
	    "$tmp/killed.log" >"$tmp/out" 2>"$tmp/err"
	ok $? "killed at 200 moments, the log reads back without a hole"
	"$p" -L "$tmp/killed.log" -j >/dev/null 2>"$tmp/err" &&
	    ! grep -q 'passed over$' "$tmp/err"
	ok $? "and plays"
fi
echo "1..$n"
