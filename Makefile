#: nfsrated: what there is to make
#:   make               build/nfsrated (BUILD=dir, V=1 shows the commands)
#:   make run           build and look at a recording (CAPTURE=file,
#:                      ARGS=options)
#:   make check         build and run all tests (TESTS="name ...": only those)
#:   make check-asan check-tsan     the same with sanitizers
#:   make check-all     these three and lint
#:   make lint          headers, layers, globals, format, analysers, manual
#:   make fuzz          every fuzz target for SECONDS=60
#:   make coverage      lines that the tests reach: build-coverage/html
#:   make bench         packets a second, against a bare libpcap loop
#:   make install uninstall         with PREFIX=/usr/local and DESTDIR=
#:   make dist          nfsrated-VERSION.tar.gz, of what is committed
#:   make deb           a Debian package (needs debhelper): build/deb/*.deb
#:   make clean
#: `make run`, `check`, `lint` and `fuzz` first install the Debian packages
#: that they need and lack (contrib/setup says which).

# The program's modules by layer: a module includes headers of lower layers
# only.  This list is the map of the source, and tests/layers reads it.
# base
LAYER0	= addr bytes figures log lrutable textbuf words
LAYER1	= packet
LAYER2	= histogram
# the wire, pure
LAYER3	= capfilter ip link nfs rocev2 rpcrdma xdrprog
LAYER4	= rpcheader rpcop transport xdrstate
LAYER5	= rpcwalk tcphold tunnel
# state, bounded
LAYER6	= callobject calltable commits frame hunt ipfrag sample service tcpstream tcpstreamholes twins
LAYER7	= statefile timeline netstatfile settle event judgement rpcrecord rpcrecordproof samplemerge samplepack \
	  talkers toprows
LAYER8	= expect episodesum pairstate flow likeness
# the pipeline
LAYER9	= judge offload sides talk tcpwindow tlswatch
LAYER10	= guess
LAYER11	= dialog
LAYER12	= rdmatalk tcpside udptalk
LAYER13	= blame history rules tally tallypackets tcptalk totals
LAYER14	= decoder facts metricshist metricsout metricswindow reportcell sampler
# presentation, pure
LAYER15	= reporttalkers diagnose diagnoserules canvas demo jsonout jsonvalue keymap oplist player rowcell
LAYER16	= graph json jsonparts jsonreadlog jsonsummary metrics \
	  metricscounts metricsops metricspage metricsstate metricstext report reportwhy view
LAYER17	= jsonlog jsonread sink tabs tabsepisodes tabshead tabskeys tabslist \
	  tabsops tabsrates tabssizes tabsstate tabstalkers
# edges, one outside thing each
LAYER18	= daemonize ifchoice ifstats mailbox metricshttp optvalue outstream \
	  packetsocket privdrop runner sdnotify terminal timemerge unpack \
	  usernames
LAYER19	= pcapfilter plugin helper helperfiles helperserve helperwire sandbox
LAYER20	= optiontable pcapsource
LAYER21	= alert clocks exporter pcapmerge playnetstat ratelog ratelogread recorder \
	  recordings screen
# wiring
LAYER22	= capture playlog
LAYER23	= collector options
LAYER24	= lockdown source verdicts watch
LAYER25	= about upkeep
LAYER26	= program programend programopen programstate programwait
LAYER27	= main
LAYERS	= 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 \
	  26 27

VERSION	= 0.1.0

# For the user: compiler, flags and places.  CFLAGS, CPPFLAGS and LDFLAGS are
# never needed for a right build.
CFLAGS	?= -O2 -g
PREFIX	?= /usr/local
BINDIR	?= $(PREFIX)/bin
MANDIR	?= $(PREFIX)/share/man
BASHDIR	?= $(PREFIX)/share/bash-completion/completions
ZSHDIR	?= $(PREFIX)/share/zsh/site-functions
INSTALL	?= install
PKG_CONFIG ?= pkg-config
BUILD	?= build
SANITIZE ?=
SECONDS	?= 60
MANUAL	= nfsrated.8

# What every build needs.  All that asks a program is expanded when first
# used, so that contrib/setup can run before, and once (the eval).
PACKAGES = libpcap ncursesw libbsd libarchive jansson libmicrohttpd libseccomp
ask	= $(eval $(1) := $(shell $(2)))$($(1))
has_flag = $(shell $(CC) -Werror $(1) -S -x c /dev/null -o /dev/null \
	  2>/dev/null && echo "$(1)")
PKG_CFLAGS = $(call ask,PKG_CFLAGS,$(PKG_CONFIG) --cflags $(PACKAGES) | \
	  sed 's/-I/-isystem /g; s/-D[^ ]*//g')
PKG_LIBS = $(call ask,PKG_LIBS,$(PKG_CONFIG) --libs $(PACKAGES) && echo -lm)
CMOCKA	= $(call ask,CMOCKA,$(PKG_CONFIG) --libs cmocka)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	  -Wcast-qual -Wcast-align -Wpointer-arith -Wundef -Wwrite-strings \
	  -Wvla -Wformat=2 $(if $(WERROR),-Werror)
# _FORTIFY_SOURCE needs an optimiser and hides overruns from sanitizers.
FORTIFY	= $(if $(SANITIZE)$(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE \
	  -D_FORTIFY_SOURCE=2)
ARCH_FLAGS = $(eval ARCH_FLAGS := \
	  $(call has_flag,-fstack-clash-protection) \
	  $(call has_flag,-fcf-protection))$(ARCH_FLAGS)
HARDEN	= $(FORTIFY) -fstack-protector-strong -fPIE $(ARCH_FLAGS)
SANITIZE_FLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) \
	  -fno-sanitize-recover=all -fno-omit-frame-pointer)
NEEDED	= -std=gnu11 -D_GNU_SOURCE -DNFSRATED_VERSION='"$(VERSION)"' \
	  -iquote include $(PKG_CFLAGS) -pthread -MMD -MP
ALL_CFLAGS = $(NEEDED) $(WARNINGS) $(HARDEN) $(CPPFLAGS) $(CFLAGS) \
	  $(SANITIZE_FLAGS) $(COVERAGE_FLAGS)
ALL_LDFLAGS = -pie -pthread -Wl,-z,relro,-z,now -Wl,--as-needed $(CFLAGS) \
	  $(SANITIZE_FLAGS) $(COVERAGE_FLAGS) $(LDFLAGS)

# (tests/layers fails for what is in src and not in the map, and the reverse.)
SRCS	= $(wildcard src/*.c)
OBJS	= $(SRCS:src/%.c=$(BUILD)/%.o)
LIB	= $(BUILD)/libnfsrated.a
PROGRAM	= $(if $(wildcard src/main.c),$(BUILD)/nfsrated)

# tests/test_x.c is a test of src/x.c, and any other tests/x.c with a main is
# a tool that tests use; tests/fuzz_x.c is a libFuzzer target; what is left is
# a library for these.
TEST_MAINS := $(shell grep -lw '^main' tests/*.c 2>/dev/null)
TEST_BINS = $(TEST_MAINS:%.c=$(BUILD)/%)
KIT_SRCS = $(filter-out $(TEST_MAINS) tests/fuzz_%,$(wildcard tests/*.c))
KIT	= $(if $(KIT_SRCS),$(BUILD)/tests/libtestkit.a)
FUZZERS	= $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz_*.c))

JOBS	?= $(shell nproc)
SUBMAKE	= $(MAKE) --no-print-directory \
	  $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
Q	= $(if $(V),,@)
say	= $(if $(V),,@printf '  %-8s%s\n' '$(1)' '$(2)' &&)
DEFAULT_CAPTURE = tests/captures/v3-tcp-stall.pcap.gz
CAPTURE	?= $(firstword $(wildcard $(DEFAULT_CAPTURE) tests/captures/*.pcap*))

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.PHONY: all run check check-asan check-tsan check-all run-tests tests \
	lint fuzz fuzzers coverage bench install uninstall clean dist deb help \
	print-layers print-flags

all: $(PROGRAM)
ifeq ($(wildcard src/main.c),)
all: $(LIB)
endif
all tests fuzzers:
	@:

$(BUILD)/nfsrated: $(BUILD)/main.o $(LIB)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(LIB): $(filter-out $(BUILD)/main.o,$(OBJS))
$(BUILD)/tests/libtestkit.a: $(KIT_SRCS:%.c=$(BUILD)/%.o)
%.a: Makefile
	$(Q)mkdir -p $(@D) && rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/%.o: src/%.c Makefile
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%.o: tests/%.c Makefile
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -iquote tests -c -o $@ $<

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(KIT) $(LIB)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ \
	    $(CMOCKA) $(PKG_LIBS)

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(KIT) $(LIB)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CMOCKA) $(PKG_LIBS)

# A live view when there is a terminal to show it on, else text.
run:
	@contrib/setup build
	+@$(SUBMAKE) all
	@if [ -t 1 ]; then view=; else view=--text; fi; \
	exec $(BUILD)/nfsrated -r "$(CAPTURE)" $$view $(ARGS)

# The tests that lack a tool say so and are skipped.
check:
	@contrib/setup build
	@contrib/setup test || echo "going on without them" >&2
	+@$(SUBMAKE) run-tests

check-asan:
	+@$(SUBMAKE) run-tests BUILD=build-asan \
	    SANITIZE=address,undefined CFLAGS="-O1 -g"

check-tsan:
	+@$(SUBMAKE) run-tests BUILD=build-tsan \
	    SANITIZE=thread CFLAGS="-O2 -g"

check-all: check check-asan check-tsan lint

tests: all $(TEST_BINS)
run-tests: tests
	@tests/run $(BUILD) $(TESTS)

lint:
	@contrib/setup build
	@contrib/setup lint || echo "going on without them" >&2
	+@$(SUBMAKE) all
	@tests/lint $(BUILD)

# Each target for SECONDS, on its seeds in tests/corpus/TARGET.
fuzz:
	@contrib/setup build lint
	+@$(SUBMAKE) fuzzers BUILD=build-fuzz CC=clang \
	    SANITIZE=address,undefined,fuzzer-no-link CFLAGS="-O1 -g"
	@tests/fuzz build-fuzz $(SECONDS)

fuzzers: $(FUZZERS)

# (What is covered is written at the end, which the sandbox would not let.)
coverage:
	@contrib/setup build lint
	@rm -rf build-coverage
	-+@$(SUBMAKE) run-tests BUILD=build-coverage CFLAGS="-O0 -g" \
	    COVERAGE_FLAGS="--coverage -DNFSRATED_NO_SANDBOX"
	@cd build-coverage && exec 2>lcov.log && \
	lcov -q -c -i -d . -o none.info && lcov -q -c -d . -o some.info && \
	lcov -q -a none.info -a some.info -o all.info && \
	lcov -q -e all.info '*/src/*' -o src.info && \
	genhtml -q -o html src.info && lcov --list src.info | grep -v '^\['

bench: all $(BUILD)/tests/benchgen $(BUILD)/tests/benchrun $(BUILD)/tests/floor
	@tests/bench $(BUILD)

install: all
	$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man8 \
	    $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR)
	$(INSTALL) -m 755 $(BUILD)/nfsrated $(DESTDIR)$(BINDIR)/nfsrated
	$(INSTALL) -m 644 $(MANUAL) $(DESTDIR)$(MANDIR)/man8/$(MANUAL)
	$(INSTALL) -m 644 contrib/nfsrated.bash $(DESTDIR)$(BASHDIR)/nfsrated
	$(INSTALL) -m 644 contrib/nfsrated.zsh $(DESTDIR)$(ZSHDIR)/_nfsrated

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/nfsrated \
	    $(DESTDIR)$(MANDIR)/man8/$(MANUAL) \
	    $(DESTDIR)$(BASHDIR)/nfsrated $(DESTDIR)$(ZSHDIR)/_nfsrated

# The packaging is in contrib/debian, and dpkg wants it on top.  The package
# is of the files here, as they are, but for what was built.
deb:
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/nfsrated-$(VERSION)
	@tar -c --exclude=./.git --exclude='./build*' --exclude='./*.tar.gz' . | \
	    tar -x -C $(BUILD)/deb/nfsrated-$(VERSION)
	@cd $(BUILD)/deb/nfsrated-$(VERSION) && cp -r contrib/debian debian && \
	    dpkg-buildpackage -us -uc -b
	@ls $(BUILD)/deb/*.deb

dist:
	git archive --prefix=nfsrated-$(VERSION)/ HEAD | gzip -9n \
	    >nfsrated-$(VERSION).tar.gz

clean:
	rm -rf build build-asan build-tsan build-fuzz build-coverage

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*.d)

help:
	@sed -n '/^#: /s///p' Makefile

# "LAYER NAME" a line, for tests/layers.
print-layers:
	@$(foreach l,$(LAYERS),printf '$(l) %s\n' $(LAYER$(l));)

print-flags:
	$(info $(NEEDED) $(WARNINGS))
	@:
