# SPDX-License-Identifier: ISC
# nfsrated.bash: completion for bash.  Install as
# /usr/share/bash-completion/completions/nfsrated.

_nfsrated()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local words= IFS=$' \t\n'

	[[ $COMP_CWORD -eq 1 ]] && prev=
	COMPREPLY=()
	case $prev in
	-i|--interface)
		words="any $(ls /sys/class/net 2>/dev/null)" ;;
	-r|--read|-L|--play|-N|--netstat|-l|--log|-c|--config|-P|--pidfile|\
	--textfile)
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--recorder|--chroot)
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -d -- "$cur"))
		return ;;
	-a|--alert)
		COMPREPLY=($(compgen -c -- "$cur"))
		return ;;
	-u|--user)
		COMPREPLY=($(compgen -u -- "$cur"))
		return ;;
	-e|--expect)
		compopt -o nospace 2>/dev/null
		words="pps= wps= MBps= auto learn" ;;
	--link)
		words="10M 100M 1G 10G 25G 40G 100G" ;;
	--speed)
		words="1 2 10 60 max" ;;
	--sandbox)
		words="kill log off" ;;
	-M|--metrics)
		words="127.0.0.1:9712" ;;
	-f|--filter|-S|--server|-p|--port|-s|--snaplen|-B|--buffer|\
	--tolerance|--for|--alert-timeout|--alert-repeat|--alert-limit|\
	--recorder-files|--recorder-mib|--warning|--critical)
		return ;;
	*)
		[[ $cur == -* ]] || return
		words="--interface --read --play --netstat --demo
		    --filter --server --port --snaplen --buffer --promisc
		    --text --json --total --human --numeric --report --speed
		    --log --expect --link --tolerance --for --always --alert
		    --alert-timeout --alert-repeat --alert-limit --daemon
		    --pidfile --user --chroot --config --configtest --metrics
		    --textfile --recorder --recorder-files --recorder-mib
		    --sandbox --check --warning --critical --help --version
		    --verbose" ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

complete -F _nfsrated nfsrated
