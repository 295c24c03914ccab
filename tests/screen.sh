#!/bin/sh
# SPDX-License-Identifier: ISC
# tests/screen.sh: the real program on a real terminal (tmux): what it paints,
# what keys do, and how the terminal is left.  Screens are compared with
# tests/screens/screen-*.txt; with SCREENS=write these are written.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/kit
p=$(realpath "${NFSRATED:-build/nfsrated}")
top=$PWD

for tool in tmux stty python3; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
utf8=$(locale -a 2>/dev/null | grep -i '^c\.utf-\?8$' | head -n 1)
[ -n "$utf8" ] || skip_all "there is no locale C.UTF-8"
tmp=$(mktemp -d) || exit 1
servers=0
server=

T()		# T COMMAND ...: tmux with a server of our own
{
	LC_ALL=$utf8 tmux -S "$tmp/socket$servers" -f /dev/null "$@" \
	    2>>"$tmp/tmux.err"
}

why_not()
{
	T capture-pane -p | sed '/./!d'
	cat "$tmp/diff" 2>/dev/null
	rm -f "$tmp/diff"
}

end_server()
{
	[ -z "$server" ] || kill -CONT "$server" 2>/dev/null
	server=
	T kill-server
	servers=$((servers + 1))
}

close_all()
{
	end_server
	rm -rf "$tmp"
}
trap close_all EXIT

screen()
{
	T capture-pane -p
}

# Keys and samples take their time: a condition is tried for 10 s.
has()		# has PATTERN: the screen does
{
	screen | grep -q -- "$1"
}

hasnt()
{
	! has "$1"
}

# begin COLSxROWS COMMAND ...: in a pane; what is before COMMAND goes to env.
# Its shell notes the modes of the terminal before and after, and the status.
begin()
{
	size=$1
	shift
	cat >"$tmp/pane" <<-END
		#!/bin/sh
		stty -g >"$tmp/before"
		echo pane is ready
		env TZ=UTC LC_ALL=$utf8 $@
		echo \$? >"$tmp/status.new"
		stty -g >"$tmp/after"
		mv "$tmp/status.new" "$tmp/status"
		exec sleep 1000
	END
	chmod +x "$tmp/pane"
	rm -f "$tmp/status" "$tmp/after"
	end_server
	T new-session -d -x "${size%x*}" -y "${size#*x}" "cd '$tmp' && ./pane"
	T set -g status off
	T set -s escape-time 0
	T resize-window -x "${size%x*}" -y "${size#*x}"
	server=$(T display -p '#{pid}')
	pane=$(T display -p '#{pane_pid}')
}

pid_of()	# of the program in the pane
{
	ps -e -o pid= -o ppid= -o comm= |
	    awk -v pane="$pane" '$2 == pane && $3 == "nfsrated" { print $1 }'
}

is_gone()	# is_gone PID: or waits for somebody to ask for its status
{
	case $(ps -o stat= -p "$1") in
	''|Z*)	return 0 ;;
	*)	return 1 ;;
	esac
}

on_first_screen()
{
	[ "$(T display -p '#{alternate_on}')" = 0 ]
}

keys()		# keys KEY ...
{
	for k; do
		T send-keys -- "$k"
		sleep 0.05
	done
}

ended()
{
	[ -f "$tmp/status" ]
}

# The program has ended with this status, and the terminal is what it was: its
# modes, its first screen, and a cursor that can be seen.
left_well()	# left_well STATUS [PATTERN]
{
	until_true ended && [ "$(cat "$tmp/status")" -eq "$1" ] &&
	    cmp -s "$tmp/before" "$tmp/after" &&
	    until_true has "${2:-pane is ready}" &&
	    [ "$(T display -p '#{alternate_on}#{cursor_flag}')" = 01 ]
}

golden()	# golden NAME: the screen is as it was looked at
{
	file=tests/screens/screen-$1.txt
	[ "${SCREENS:-}" != write ] || { sleep 0.5; screen >"$file"; }
	until_true same "$file" ||
		{ screen | diff "$file" - >"$tmp/diff"; return 1; }
}

same()
{
	screen | cmp -s "$1" -
}

demo="$p --demo --speed max"
ends="end of recording"

# What it looks like.

for size in 80x24 40x10 132x50; do
	begin $size "$demo"
	until_true has "20:29:52"
	keys E
	until_true has STALL
	keys E
	golden rates-$size
	ok $? "the demo at $size, where the bursts begin"
done

begin 80x24 "$demo"
until_true has "$ends"
for tab in 2 3 4 5 6; do
	keys $tab
	golden tab$tab-80x24
	ok $? "tab $tab of the demo at its end"
done
keys h
until_true has "what the keys do"
ok $? "h is the help"
keys x
until_true hasnt "what the keys do"
ok $? "and any key leaves it"
keys q
left_well 0
ok $? "q ends the program, and the terminal is as it was"

begin 80x24 "$p --demo -n"
until_true has "BURSTY UNDERRUN: .* of 8637 packets/s"
ok $? "--demo says at once what is wrong"

begin 80x24 "$p -r $top/tests/captures/udp-burst-bge5701.pcap.gz \
    -e pps=8637 --speed max -n"
until_true has "$ends"
keys Left
golden capture-80x24
ok $? "a capture played to its end"

# Keys, in every tab.

begin 80x24 "$p --demo"
until_true has "20:28:1"
bad=
for tab in 1 2 3 4 5 6; do
	keys $tab Left PageUp Home Up Down Right PageDown End s "<" ">" / w r
	keys Enter / Escape t t r + - p p x y z Z 7 0 @ Tab BTab $tab
	until_true has "\[$tab " || bad="$bad $tab"
done
[ -z "$bad" ] && [ -n "$(pid_of)" ]
ok $? "keys of all kinds in all tabs${bad:+: lost in$bad}"
keys q
left_well 0
ok $? "and then q"

begin 80x24 "$demo"
until_true has "$ends"
keys Home
until_true has "20:27:01  every 1 s"
ok $? "Home is the oldest interval"
keys End
until_true has "20:29:52  every 1 s"
ok $? "End the newest"
keys E
until_true has "20:28:42  every 1 s"
ok $? "E the previous episode"
keys E
until_true has "20:28:01  every 1 s"
ok $? "and the one before it"
keys 2 / r e a d Enter
until_true hasnt "nfs3 WRITE"
ok $? "a filter is typed and used"
keys / Enter 1 w
until_true has "nfsrated-20261130-202952.log: 172 intervals"
ok $? "w writes a log"
keys q
left_well 0
[ -s "$tmp/nfsrated-20261130-202952.log" ]
ok $? "which is there"

begin 80x24 "$p -L nfsrated-20261130-202952.log"
until_true has "20:29:52  every 1 s"
ok $? "and is opened at its end"
keys E
until_true has "STALL: 8 calls unanswered"
ok $? "E goes to its last episode"
keys Home
until_true has "20:27:01  every 1 s"
ok $? "Home to its first interval"
keys Right Right
until_true has "20:27:03  every 1 s"
ok $? "Right goes on from there"
keys Space
until_true has "20:27:05  every 1 s"
ok $? "and the space bar lets it play"
keys q
left_well 0
ok $? "q leaves the terminal as it was"

# Ways to end.

for signal in TERM INT HUP; do
	begin 80x24 "$p --demo"
	until_true has "20:28:1"
	kill -$signal "$(pid_of)"
	left_well 0 "^also seen"
	ok $? "SIG$signal leaves the terminal as it was, and a report"
done

# (A sanitizer has its own status.)
sanitized=$(nm "$p" | grep -m 1 '__[at]san_init')
for signal in 4 6 7 8 11; do	# ILL ABRT BUS FPE SEGV
	begin 80x24 "$p --demo"
	until_true has "20:28:1"
	kill -$signal "$(pid_of)"
	left_well $((128 + signal)) || { [ -n "$sanitized" ] &&
	    ! left_well 0 && cmp -s "$tmp/before" "$tmp/after"; }
	ok $? "so does signal $signal, and the status tells it"
done

begin 80x24 "$p --demo"
until_true has "20:28:1"
pid=$(pid_of)
end_server
sleep 0.9
is_gone "$pid"
ok $? "when the terminal is closed it ends within a second"

python3 - "$p" <<'END'
import fcntl, os, struct, subprocess, sys, termios, time
master, slave = os.openpty()		# which is nobody's controlling one
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
env = dict(os.environ, TERM="xterm")
p = subprocess.Popen([sys.argv[1], "--demo"], stdin=slave, stdout=slave,
                     stderr=subprocess.DEVNULL, env=env)
os.close(slave)
os.read(master, 1)
os.close(master)
try:
    sys.exit(p.wait(1))
except subprocess.TimeoutExpired:
    p.kill()
    sys.exit(1)
END
ok $? "also when no SIGHUP tells it"

# Stopping.

end_server
T new-session -d -x 80 -y 24 "cd '$tmp' && PS1='prompt: ' ENV= sh -i"
T set -g status off
server=$(T display -p '#{pid}')
until_true has "prompt: "
T send-keys "TZ=UTC stty -g >before; $p --demo" Enter
until_true has "BURSTY"
keys C-z
until_true has "topped"
ok $? "Ctrl-Z stops it"
T send-keys "stty -g >after" Enter
until_true test -s "$tmp/after"
cmp -s "$tmp/before" "$tmp/after"
ok $? "the shell has its terminal"
T send-keys "fg" Enter
until_true has "\[1 Rates\]"
ok $? "fg brings it back"
keys 2
until_true has "\[2 Ops\]"
ok $? "with its keys"
keys C-z
until_true on_first_screen
T send-keys "clear; bg" Enter
sleep 0.7
on_first_screen && hasnt "BURSTY"
ok $? "in the background it paints nothing"
T send-keys "fg" Enter
until_true has "\[2 Ops\]"
ok $? "and comes back from there"
kill -STOP "$(T list-panes -F '#{pane_pid}' | xargs pgrep nfsrated -P)"
until_true has "topped"
T send-keys "fg" C-j		# nobody has put the terminal back
sleep 0.3
keys 3
until_true has "\[3 Clients\]"
ok $? "nor does SIGSTOP hurt it"
keys q
until_true on_first_screen
T send-keys "stty -g >after2" Enter
until_true test -s "$tmp/after2"
cmp -s "$tmp/before" "$tmp/after2"
ok $? "q then leaves the terminal as it was"

# Sizes.

begin 80x24 "$demo"
until_true has "$ends"
i=0
while [ $i -lt 200 ]; do
	i=$((i + 1))
	printf 'resize-window -x %d -y %d\n' $((i * 37 % 190 + 10)) \
	    $((i * 53 % 60 + 2))
done >"$tmp/storm"
printf 'resize-window -x %d -y %d\n' 1 1 3000 5 1 50 3000 100 80 24 \
    >>"$tmp/storm"
T source-file "$tmp/storm"
keys 2 1 E
until_true has STALL
keys E
golden rates-80x24
ok $? "200 resizes, 1 by 1 and 3000 columns, and it is as before"
for size in 1x1 3000x2 9x40 39x24 3000x24 400x100; do
	T resize-window -x ${size%x*} -y ${size#*x}
	sleep 0.2
	[ -n "$(pid_of)" ]
	ok $? "alive at $size"
done
T resize-window -x 30 -y 5
until_true has "too small"
ok $? "too small a screen says so"
T resize-window -x 80 -y 24
golden rates-80x24
ok $? "and all is well again"

T capture-pane -p >"$tmp/clean"
tty=$(T display -p '#{pane_tty}')
printf '\033[5;5Hrubbish' >"$tty"
until_true has rubbish
keys C-l
until_true hasnt rubbish
ok $? "Ctrl-L draws the screen again"

# Terminals that can do less.

begin 80x24 "LC_ALL=C $demo"
until_true has "$ends"
keys E
until_true has STALL
keys E
golden ascii-80x24
ok $? "in the C locale the graph is of ASCII"
! screen | LC_ALL=C grep -q '[^ -~]'
ok $? "and so is all else"

begin 80x24 "TERM=vt100 $demo"
until_true has "$ends"
keys E
until_true has STALL
keys E
golden rates-80x24
ok $? "a vt100 shows the same"

begin 80x24 "$p --demo"
until_true has "BURSTY UNDERRUN"
T capture-pane -p -e | grep -q "$(printf '\033')\\[[0-9;]*3[0-7]m"
ok $? "there are colours"
begin 80x24 "NO_COLOR=1 $p --demo"
until_true has "BURSTY UNDERRUN"
! T capture-pane -p -e | grep -q "$(printf '\033')\\[[0-9;]*3[0-7]m"
ok $? "and with NO_COLOR there are none"

for env in "TERM=dumb" "-u TERM" "TERM="; do
	begin 110x24 "env $env $p --demo"
	left_well 0 "20:29:52     8637"
	ok $? "with $env it is text"
done
begin 110x24 "TERM=nonsense-$$ $p --demo"
left_well 0 "20:29:52     8637"
ok $? "also on a terminal that nobody knows"
begin 110x24 "$p --demo | cat"
until_true has "20:29:52     8637"
ok $? "and into a pipe"
begin 110x24 "$p --demo -t"
until_true has "20:29:52     8637"
ok $? "and with --text"

# A terminal that stands still.

begin 80x24 "$p --demo --speed 30 -l log"
until_true has "BURSTY\|OK:\|STALL"
kill -STOP "$server"
until_true grep -q '"time":"2026-11-30T20:29:52' "$tmp/log"
logged=$?
kill -CONT "$server"
ok $logged "a terminal that is stopped does not hold up the log"
until_true has "20:29:52  every 1 s"
ok $? "and the screen catches up"
keys q
left_well 0
ok $? "and is left well"

begin 80x24 "$p --demo --speed 60"
until_true has "BURSTY\|OK:\|STALL"
pid=$(pid_of)
kill -STOP "$server"
sleep 1
kill -TERM "$pid"
until_true is_gone "$pid"
gone=$?
kill -CONT "$server"	# which is asked for the screen
ok $gone "it can be ended while the terminal is stopped"

# Messages.

begin 80x24 "$p --demo"
until_true has "20:28:1"
kill -USR1 "$(pid_of)"
until_true has "demo: .* intervals, .* packets"
ok $? "messages are shown at the bottom"
keys q
left_well 0
until_true has "^nfsrated: demo: .* intervals"
ok $? "and printed when the screen is left"

# A live interface on which nothing happens.

if [ "$(id -u)" -eq 0 ]; then
	begin 80x24 "$p -i lo"
	until_true has "every 1 s"
	keys q
	started=$(date +%s%N)
	left_well 0
	ok $? "q leaves a silent interface"
	[ $((($(date +%s%N) - started) / 1000000)) -lt 1000 ]
	ok $? "within a second"
else
	echo "ok $((n += 1)) live # SKIP needs root"
fi

begin 80x24 "$p -i no-such-interface"
until_true ended
! [ "$(cat "$tmp/status")" -eq 0 ] && has "no-such-interface" &&
    [ "$(T display -p '#{alternate_on}')" = 0 ]
ok $? "what fails at the start never touches the terminal"
echo "1..$n"
