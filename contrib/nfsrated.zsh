#compdef nfsrated
# SPDX-License-Identifier: ISC
# nfsrated.zsh: completion for zsh.  Install as _nfsrated in a directory of
# fpath, as /usr/local/share/zsh/site-functions.

local -a source form rest

# One source, and one form of output.
source=(
	'(-r --read -L --play -N --netstat --demo)'{-i,--interface}'[live]:interface:_net_interfaces'
	'(-i --interface -L --play -N --netstat --demo)'{-r,--read}'[a capture]:capture:_files'
	'(-i --interface -r --read -N --netstat --demo)'{-L,--play}'[what --log wrote]:log:_files'
	'(-i --interface -r --read -L --play --demo)'{-N,--netstat}'[rows of netstat -w 1]:file:_files'
	'(-i --interface -r --read -L --play -N --netstat)--demo[a built-in recording]'
)
form=(
	'(-t --text -j --json)'{-t,--text}'[rows, as netstat has them]'
	'(-t --text -j --json)'{-j,--json}'[an object a line]'
)
rest=(
	'(-f --filter)'{-f,--filter}'[packets that count]:pcap-filter expression:'
	'*'{-S,--server}'[address of a server]:address:_hosts'
	'*'{-p,--port}'[a port of NFS]:port:'
	'(-s --snaplen)'{-s,--snaplen}'[kept of a packet]:bytes:'
	'(-B --buffer)'{-B,--buffer}'[capture buffer]:MiB:'
	'--promisc[see packets of others]'
	'(-T --total)'{-T,--total}'[counters of the interface]'
	'--human[units, as 1.2M]'
	'(-n --numeric)'{-n,--numeric}'[no look-ups of names]'
	'--report[a summary at the end]'
	'--speed[of a recording]:times, or max:(1 2 10 60 max)'
	'(-l --log)'{-l,--log}'[append every interval]:log:_files'
	'*'{-e,--expect}'[what there should be]:expectation:(pps= wps= MBps= auto learn)'
	'--link[bits a second, for auto]:bit rate:(10M 100M 1G 10G 25G 40G 100G)'
	'--tolerance[how far below is well]:percent:'
	'--for[bad, of the last]:M/N:'
	'--always[judge when idle, too]'
	'(-a --alert)'{-a,--alert}'[run at start and end of an episode]:command:_cmdstring'
	'--alert-timeout[until a command is ended]:seconds:'
	'--alert-repeat[tell again after]:seconds:'
	'--alert-limit[episodes told of in an hour]:number:'
	'(-d --daemon)'{-d,--daemon}'[in the background]'
	'(-P --pidfile)'{-P,--pidfile}'[file of the process id]:file:_files'
	'(-u --user)'{-u,--user}'[run as]:user:_users'
	'--chroot[run in]:directory:_directories'
	'(-c --config)'{-c,--config}'[a file of options]:file:_files'
	'--configtest[only read the options]'
	'(-M --metrics)'{-M,--metrics}'[serve OpenMetrics]:address\:port:(127.0.0.1\:9712)'
	'--textfile[metrics for node_exporter]:file:_files'
	'--recorder[keep heads of packets]:directory:_directories'
	'--recorder-files[that are kept]:number:'
	'--recorder-mib[that are kept]:MiB:'
	'--sandbox[what happens when it is left]:mode:(kill log off)'
	'--check[a line and a status, for monitoring]'
	'--warning[range of the mean rate]:range:'
	'--critical[range of the mean rate]:range:'
	'(- *)'{-h,--help}'[the options]'
	'(-V --version)'{-V,--version}'[the version]'
	'--verbose[with --version\: libraries, too]'
)

_arguments -s -S $source $form $rest \
	'1:interval in seconds:' '2:count of intervals:'
