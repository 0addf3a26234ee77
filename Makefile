# Castellan: `make` builds ./castellan, `make help` lists everything else.
#
#   CC=clang         another compiler (CI builds with gcc and clang)
#   ARCH=x86-64      a portable binary; any -march value works, native is the default
#   EXE=path         where the binary goes
#   EVALFILE=path    the net to build into the binary
#   BUILD=dir        where objects go
#   TUNE=1           the search's parameters become UCI options, for tuning
#   CUDA=1           `castellan train --gpu` and `selfplay --gpu` for NVIDIA cards; needs nvcc
#   V=1              show the commands in full
#   ZSTD=no ...      leave an optional library out, see "Optional libraries"
#
# The same sources are compiled in several modes (MODE=release, test, asan ...), each with a directory of
# its own, so that switching never rebuilds; a change of compiler or flags rebuilds one mode.

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

ifeq ($(origin CC),default)
CC := gcc
endif
ARCH     ?= native
BUILD    ?= build
MODE     ?= release
EVALFILE ?= $(wildcard data/castellan.net)
PREFIX   ?= /usr/local
TUNE     ?=
DESTDIR  ?=

MACHINE  := $(shell $(CC) -dumpmachine 2>/dev/null)

OBJDIR := $(BUILD)/$(MODE)
ifneq ($(filter release pgo,$(MODE)),)
EXE ?= castellan
else
override EXE := $(OBJDIR)/castellan
endif

# ---- Targets for users --------------------------------------------------------------------------
# A comment after two # signs is the target's line in `make help`.

.PHONY: all play test install uninstall pgo clean help
all: $(EXE) ## build ./castellan (CC=, ARCH=native, EXE=, EVALFILE=, BUILD=)

play: ## install missing packages, build, and start the board in the browser
	@scripts/setup play
	@+$(SUBMAKE) web-page
	@+$(SUBMAKE) all
	@$(abspath $(EXE)) web

test: ## run all tests; ends with "N passed, M failed"
	@scripts/setup test
	-@+$(SUBMAKE) web-page
	@+$(SUBMAKE) MODE=release all
	@+$(SUBMAKE) MODE=test units
	@$(call RUN_TEST,$(BUILD)/test,$(abspath $(EXE)))

install: all ## install the program and its manual page (PREFIX=/usr/local, DESTDIR=)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man6
	install -m 755 $(EXE) $(DESTDIR)$(PREFIX)/bin/castellan
	scripts/manual $(abspath $(EXE)) > $(BUILD)/castellan.6
	install -m 644 $(BUILD)/castellan.6 $(DESTDIR)$(PREFIX)/share/man/man6/castellan.6

uninstall: ## remove what make install installed
	rm -f $(DESTDIR)$(PREFIX)/bin/castellan $(DESTDIR)$(PREFIX)/share/man/man6/castellan.6

pgo: ## profile-guided build; make install MODE=pgo installs it
	@find $(BUILD)/pgo -name '*.gcda' -delete 2>/dev/null || true
	@+$(SUBMAKE) MODE=pgo PGO=generate EXE=$(BUILD)/pgo/castellan all
	@scripts/pgo-train $(BUILD)/pgo/castellan $(BUILD)/pgo $(if $(IS_CLANG),clang,gcc)
	@+$(SUBMAKE) MODE=pgo PGO=use EXE=$(EXE) all

clean: ## remove everything that was built
	rm -rf $(BUILD) $(EXE) web/dist web/site

help: ## list the targets
	@scripts/make-help Makefile mk/package.mk mk/platforms.mk mk/wasm.mk mk/measure.mk

# ---- Targets for contributors -------------------------------------------------------------------

JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
TEST_TIMEOUT ?= 300
FUZZ_SECONDS ?= 600
FUZZ_CC      ?= clang

# Under make -jN the inner makes share its jobs; otherwise they may use JOBS of their own.
SUBMAKE   = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
# A separate make, because the packages installed a moment ago decide which tests there are.
RUN_TEST  = +$(MAKE) --no-print-directory run-tests RUN_DIR=$1 RUN_BINARY=$2 TEST_TIMEOUT=$(TEST_TIMEOUT)

# Long runs have targets of their own in mk/measure.mk and are not part of `make test`.
SCRIPT_DIRS  := $(wildcard tests/perft tests/proto tests/search tests/app tests/web)
TEST_SCRIPTS := $(if $(SCRIPT_DIRS),$(sort $(shell find $(SCRIPT_DIRS) -name '*.sh' -perm -u+x \
                  ! -name 'full*.sh' ! -name 'bench-*.sh')))

.PHONY: check check-selftest sanitize tsan fuzz fuzz-smoke tidy format web-page screenshots strings run-tests
check: ## check the rules of the source tree: format, layers, headers, globals, lint ...
	@scripts/setup check
	@BUILD=$(BUILD) JOBS=$(JOBS) scripts/check

check-selftest: ## prove that each rule of make check can fail
	@scripts/setup check
	@tests/check/selftest.sh

sanitize: ## run the tests under ASan and UBSan
	@scripts/setup test
	-@+$(SUBMAKE) web-page
	@+$(SUBMAKE) MODE=asan all units
	@$(call RUN_TEST,$(BUILD)/asan,$(BUILD)/asan/castellan)

tsan: ## run the tests under TSan
	@scripts/setup test
	-@+$(SUBMAKE) web-page
	@+$(SUBMAKE) MODE=tsan all units
	@$(call RUN_TEST,$(BUILD)/tsan,$(BUILD)/tsan/castellan)

sanitize tsan: TEST_TIMEOUT := 600
# Instrumented perft is slow, and the counts are checked by the other builds.
sanitize tsan: export ORACLE_POSITIONS := 200

fuzz: ## run every fuzzer for FUZZ_SECONDS=600 each
	@scripts/setup fuzz
	@+$(SUBMAKE) MODE=fuzz CC=$(FUZZ_CC) fuzzers
	@scripts/fuzz --jobs $(JOBS) --seconds $(FUZZ_SECONDS) --work $(BUILD)/fuzz/work \
	    $(FUZZERS:%.c=$(BUILD)/fuzz/%)

fuzz-smoke: ## run every fuzzer for 60 seconds each
	@+$(SUBMAKE) fuzz FUZZ_SECONDS=$(if $(filter command line environment,$(origin FUZZ_SECONDS)),$(FUZZ_SECONDS),60)

tidy: ## run clang-tidy: slower than make check, more warnings
	@scripts/setup tidy
	printf '%s\0' $(SOURCES) | xargs -0 -P $(JOBS) -I{} \
	    clang-tidy --quiet {} -- -std=c11 $(call banned,$(if $(HAVE_WEB),src/server/,src/)) $(CPPFLAGS_ALL)

format: ## format every source file with clang-format
	clang-format -i $$(git ls-files 'src/*.[ch]' 'tests/*.[ch]')

# What `castellan web` serves, bundled from web/ by nodejs.
PAGE         := web/dist/index.html
PAGE_SOURCES := $(wildcard web/*.json web/*.mjs $(addprefix web/,static/* static/*/* src/* src/*/*))

web-page: $(PAGE) ## build the page of castellan web
$(PAGE): $(PAGE_SOURCES) scripts/web-page
	@scripts/web-page

screenshots: all ## make the pictures of the page in docs/
	@scripts/setup test
	@scripts/web-page tools
	@CASTELLAN=$(abspath $(EXE)) node tests/web/screenshots.mjs docs/pictures

strings: ## list all user-visible strings in build/strings.txt
	@mkdir -p $(BUILD)
	@scripts/strings > $(BUILD)/strings.txt
	@echo "$(BUILD)/strings.txt: $$(grep -c . $(BUILD)/strings.txt) lines"

run-tests:
	@TOOLS=$(abspath $(RUN_DIR)/tests/tools) tests/run --jobs $(JOBS) --timeout $(TEST_TIMEOUT) \
	    --logs $(RUN_DIR)/logs --binary $(RUN_BINARY) $(UNIT_TESTS:%.c=$(RUN_DIR)/%) $(TEST_SCRIPTS)

include mk/measure.mk

# ---- Sources, one list per folder ---------------------------------------------------------------
# Written out, so that stray files are not built; `make check` finds a file that is in no list.

# in FOLDER,NAMES: src/FOLDER/NAME.c for each name.
in = $(patsubst %,src/$1/%.c,$2)

# One file for each system, NAME_posix.c and NAME_windows.c.
OS_FILES := child interrupt os stream
OS       := $(if $(findstring mingw,$(MACHINE)),windows,posix)
BASE     := $(call in,base,chart chart_bars checksum clock cpu file job memory random state_file status svg text thread)
BASE     += $(call in,base,$(OS_FILES:%=%_$(OS)) $(if $(filter windows,$(OS)),compat_windows))
CHESS    := $(call in,chess,attacks draw fen legal movegen perft position random_opening result san see setup \
    uci_move zobrist)
NOTATION := $(call in,notation,annotation encoding epd game game_read opening \
    pgn_lexer pgn_reader pgn_write window)
BOOK     := $(call in,book,book book_build)
TB       := $(call in,tb,tb tb_decode tb_file tb_index tb_probe tb_root)
EVAL     := $(call in,eval,endgame eval)
EVAL     += $(call in,eval/classical,classical classical_endgame classical_king classical_passed \
    classical_pawns classical_pieces classical_threats classical_weights)
EVAL     += $(call in,eval/nnue,embedded kernels kernels_avx2 kernels_avx512 kernels_neon \
    kernels_scalar kernels_sse41 kernels_vnni kernels_wasm net net_file net_pack nnue)
SEARCH   := $(call in,search,aspiration best_thread correction_history extend_pv extensions history \
    iterative_deepening limits lmr move_picker move_pruning node node_common params pruning qsearch \
    root_moves root_report search tb_cutoff thread_pool time_management tt wdl)
OPPONENT := $(call in,opponent,effort opponent)
LAB      := $(call in,lab,lab lab_listing lab_order lab_table lab_technique)
CLASSICS := $(call in,classics,classic_eval classic_weights console plain_search)
CLASSICS += $(call in,classics/adaptive,adaptive adaptive_console adaptive_eval)
CLASSICS += $(call in,classics/chessbin,chessbin chessbin_console chessbin_eval chessbin_memory chessbin_search)
CLASSICS += $(call in,classics/javachess,javachess javachess_book javachess_console javachess_eval javachess_position \
    javachess_search)
CLASSICS += $(call in,classics/kanji,kanji kanji_book kanji_console kanji_eval)
CLASSICS += $(call in,classics/mantis,mantis mantis_eval)
LEVELS   := $(call in,levels,human_book human_cache human_data human_features human_fit human_frame \
    human_games human_model human_model_weights human_moves human_test human_values level level_clock level_human level_like level_overlook \
    level_quiesce level_search level_traits)
LEVELS   += $(call in,levels/rating,adapt glicko players)
PLAY     := $(call in,play,play)
MATCH    := $(call in,match,match match_book match_game match_pgn match_report match_state player player_own \
    player_process player_spec player_uci player_xboard rating stats)
TRAIN    := $(call in,train,history loop loop_phases loop_state net_error positions rescore sample train \
    train_adam train_card train_distil train_export train_gpu_none train_layers train_model train_pass train_round \
    train_round_layers train_save train_sort train_start wdl_fit)
TRAIN    += $(call in,train/data,data_block data_coder data_files data_games data_health \
    data_read data_tools data_write provenance)
TRAIN    += $(call in,train/gpu,gpu_host)
TRAIN    += $(call in,train/selfplay,selfplay selfplay_card selfplay_file selfplay_game)
TUNING   := $(call in,tune,evolve evolve_game evolve_state evolve_svg tune tune_games)
ENGINE   := $(call in,engine,bench engine genfens opponent_thread opponents options policy report show)
STUDY    := $(call in,study,annotate puzzle reason reason_end reason_material reason_motif reason_pawns reason_plan reason_proof \
    reason_trade report report_board review review_judge review_look review_words reviewer weigh)
TERMINAL := $(call in,term,advisor canvas device_$(OS) entry line line_commands line_show rating screen screen_board \
    screen_commands screen_keys screen_layout screen_menu screen_panel screen_theme term_game \
    term_game_open term_game_save term_player game_text vt)
# With jansson, which only the board in the browser requires.
JSON     := $(call in,notation,json_value)
STORE    := $(call in,store,schema store store_game store_manage store_player store_puzzle store_review store_row)
SERVICE  := $(call in,service,board board_play client files game_json game_requests \
    list_requests manage_requests message new_game opponent_choice people pgn_export pgn_import \
    player_rating player_requests pool position_json service sync turn) \
    $(call in,service/study,analysis lab_job openings puzzle_job puzzles review_jobs review_json training)
SERVER   := $(call in,server,admission answer assets http listener server sessions websocket)
WEB      := $(JSON) $(STORE) $(SERVICE) $(SERVER) $(call in,app,web_run)
PROTO    := $(call in,proto,cecp cecp_play cecp_report cecp_settings input output protocol uci uci_go \
    uci_report uci_task)
APP      := $(call in,app,analyse_out args args_help command front game_pool games_input main \
    progress)
APP      += $(call in,app/commands,cmd_analyse cmd_bench cmd_book cmd_book_build cmd_book_weigh cmd_data cmd_data_positions cmd_epd cmd_eval \
    cmd_evolve cmd_javachess cmd_lab cmd_learn cmd_levels cmd_match cmd_net cmd_net_error cmd_opponents cmd_perft cmd_pgn cmd_play cmd_protocols cmd_puzzles \
    cmd_rate cmd_rescore cmd_selfplay cmd_speedtest cmd_train cmd_tune cmd_web)

SOURCES := $(BASE) $(CHESS) $(NOTATION) $(BOOK) $(TB) $(EVAL) $(SEARCH) $(OPPONENT) $(LAB) $(CLASSICS) \
           $(LEVELS) $(ENGINE) $(PLAY) $(MATCH) $(TRAIN) $(TUNING) $(STUDY) $(PROTO) $(TERMINAL) $(WEB) $(APP)
MAIN    := src/app/main.c

UNIT_TESTS   := $(sort $(wildcard tests/unit/*/test_*.c))
TEST_SUPPORT := $(sort $(filter-out $(UNIT_TESTS),$(wildcard tests/unit/*.c tests/unit/*/*.c)))
TOOLS        := $(sort $(wildcard tests/tools/*.c))
FUZZERS      := $(sort $(wildcard tests/fuzz/fuzz_*.c))

# ---- Flags --------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
            -Wvla -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef -Wformat=2 \
            -Wimplicit-fallthrough -Wnull-dereference -Werror=implicit-function-declaration

IS_CLANG := $(findstring clang,$(shell $(CC) --version 2>/dev/null))

# Only lld reliably reads the LTO objects of clang; without lld the build does not use LTO.
ifneq ($(IS_CLANG),)
HAVE_LLD := $(shell command -v ld.lld 2>/dev/null)
LTO      := $(if $(HAVE_LLD),-flto)
LTO_LINK := $(if $(HAVE_LLD),-fuse-ld=lld)
PGO_GEN  := -fprofile-instr-generate
PGO_USE  := -fprofile-instr-use=$(BUILD)/pgo/merged.profdata
else
LTO      := -flto=auto
# After inlining across files gcc 12 reports false overflows. Each file is compiled with that warning, and
# the sanitizers check the rest.
LTO_LINK := -Wno-stringop-overflow
PGO_GEN  := -fprofile-generate -fprofile-update=prefer-atomic
PGO_USE  := -fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch
endif

# Away from x86, "this machine" is spelt -mcpu.
ARCH_FLAG := $(if $(filter x86_64-% i686-%,$(MACHINE)),-march=$(ARCH),$(ARCH:%=-mcpu=%))

SANITIZE_ADDRESS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

FLAGS_release := -O3 $(LTO) -DNDEBUG
FLAGS_test    := -O2 -g
FLAGS_asan    := -O1 -g $(SANITIZE_ADDRESS)
FLAGS_tsan    := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
FLAGS_fuzz    := -O1 -g $(SANITIZE_ADDRESS) -fsanitize=fuzzer-no-link
FLAGS_strict  := -O1 -Werror
FLAGS_pgo      = -O3 $(LTO) -DNDEBUG $(if $(filter generate,$(PGO)),$(PGO_GEN),$(PGO_USE))

# CI checks with two compilers; each has its directory (MODE=strict-gcc, MODE=strict-clang).
FLAGS_MODE := $(FLAGS_$(firstword $(subst -, ,$(MODE))))
ifeq ($(strip $(FLAGS_MODE)),)
$(error MODE=$(MODE) is not one of release, test, asan, tsan, fuzz, strict, pgo)
endif

CPPFLAGS_ALL = -Isrc -D_GNU_SOURCE $(if $(TUNE),-DCASTELLAN_TUNE) $(OPTIONAL_DEFS) $(CPPFLAGS)
CFLAGS_ALL   = -std=c11 $(FLAGS_MODE) $(ARCH_FLAG) $(WARNINGS) $(CFLAGS)
LDFLAGS_ALL  = $(FLAGS_MODE) $(LTO_LINK) $(ARCH_FLAG) -pthread $(LDFLAGS)
LDLIBS_ALL   = $(OPTIONAL_LIBS) -lm $(LDLIBS)

# Our own sources see banned.h first, but for the header of libwebsockets, whose parameters have banned names, and
# for files that see windows.h.
# Tests do not: cmocka's header needs setjmp, which it bans.
banned = $(COMPAT) $(if $(filter src/server/%,$1),-include libwebsockets.h) $(if $(filter-out %_windows.c,$(filter src/%,$1)),-include src/base/banned.h)

# A file for one instruction set is compiled for it whatever ARCH says; it is chosen at run time.
# On other machines the same file compiles to nothing (its content is under #if). BMI2 is not among
# the flags: chess/attacks.h takes it as leave to use PEXT, which the rest of the build may not have.
ifneq ($(filter x86_64-% i686-%,$(MACHINE)),)
SIMD_sse41  := -msse4.1 -mssse3 -mpopcnt
SIMD_avx2   := -mavx2 -mfma -mpopcnt
SIMD_avx512 := $(SIMD_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl
SIMD_vnni   := $(SIMD_avx512) -mavx512vnni
endif
simd_flags = $(SIMD_$(lastword $(subst _, ,$(basename $(notdir $1)))))

# ---- Optional libraries -------------------------------------------------------------------------
# One row each: NAME=no leaves it out. Found: HAVE_NAME is defined and the library linked. Nothing
# the engine needs is here.

probe = $(if $(filter no,$($1)),,$(shell pkg-config --exists $2 2>/dev/null && echo yes))
define optional
ifeq ($(call probe,$1,$2),yes)
OPTIONAL_DEFS += -DHAVE_$1 $(shell pkg-config --cflags $2 2>/dev/null)
OPTIONAL_LIBS += $(shell pkg-config $(PKG_FLAGS) --libs $2 2>/dev/null)
endif
endef

OPTIONAL_DEFS :=
OPTIONAL_LIBS :=
$(eval $(call optional,ZSTD,libzstd))

# The board in the browser needs four, or is left out as a whole.
web_library = $(if $(filter no,$($1)),,$(shell pkg-config --exists $2 2>/dev/null && echo $2))
WEB_LIBRARIES := $(call web_library,WEBSOCKETS,libwebsockets) $(call web_library,JANSSON,jansson) \
                 $(call web_library,SQLITE,sqlite3) $(call web_library,ZLIB,zlib)
HAVE_WEB   := $(filter 4,$(words $(WEB_LIBRARIES)))
ifneq ($(HAVE_WEB),)
OPTIONAL_DEFS += -DHAVE_WEB $(shell pkg-config --cflags $(WEB_LIBRARIES) 2>/dev/null)
OPTIONAL_LIBS += $(shell pkg-config $(PKG_FLAGS) --libs $(WEB_LIBRARIES) 2>/dev/null)
else
LEFT_OUT   += $(WEB)
SOURCES    := $(filter-out $(LEFT_OUT),$(SOURCES))
UNIT_TESTS := $(filter-out tests/unit/store/% tests/unit/service/% tests/unit/server/%,$(UNIT_TESTS))
TOOLS      := $(filter-out tests/tools/web%,$(TOOLS))
FUZZERS    := $(filter-out tests/fuzz/fuzz_message.c,$(FUZZERS))
TEST_SUPPORT := $(filter-out tests/unit/service/%,$(TEST_SUPPORT))
endif

# The GPU trainer is CUDA C++ and needs nvcc.
NVCC       ?= nvcc
CUDA_ARCH  ?= native
CUDA_FILES := src/train/selfplay/selfplay_cuda.cu src/train/train_cuda.cu
CUDA_NONE  := src/train/train_gpu_none.c
ifneq ($(CUDA),)
LEFT_OUT      += $(CUDA_NONE)
SOURCES       := $(filter-out $(CUDA_NONE),$(SOURCES))
CUDA_OBJECTS  := $(CUDA_FILES:%.cu=$(OBJDIR)/%.o)
OPTIONAL_LIBS += -L$(dir $(realpath $(shell command -v $(NVCC))))../lib64 -lcudart_static -ldl -lrt -lstdc++
endif

# ---- Building -----------------------------------------------------------------------------------

OBJECTS      := $(SOURCES:%.c=$(OBJDIR)/%.o) $(CUDA_OBJECTS)
LIB_OBJECTS  := $(filter-out $(OBJDIR)/$(MAIN:.c=.o),$(OBJECTS)) $(TEST_SUPPORT:%.c=$(OBJDIR)/%.o)
LIBRARY      := $(OBJDIR)/libcastellan.a
TEST_BINS    := $(UNIT_TESTS:%.c=$(OBJDIR)/%)
TOOL_BINS    := $(TOOLS:%.c=$(OBJDIR)/%)
FUZZ_BINS    := $(FUZZERS:%.c=$(OBJDIR)/%)

include mk/platforms.mk mk/package.mk

# say WORD,command: a short line instead of the whole command unless V=1.
ifeq ($(V),1)
say = $2
else
say = @printf '  %-5s %s\n' '$1' '$@'; $2
endif

.PHONY: units tools fuzzers objects library-objects sources FORCE
sources:
	@printf '%s\n' $(SOURCES) $(LEFT_OUT)
units: $(TEST_BINS) $(TOOL_BINS)
tools: $(TOOL_BINS)
fuzzers: $(FUZZ_BINS)
library-objects: $(OBJECTS)
objects: $(OBJECTS) $(patsubst %.c,$(OBJDIR)/%.o,$(TEST_SUPPORT) $(UNIT_TESTS) $(FUZZERS) \
         $(TOOLS))

$(EXE): $(OBJECTS) $(OBJDIR)/object-list
	@mkdir -p $(@D)
	$(call say,LINK,$(CC) $(LDFLAGS_ALL) -o $@ $(OBJECTS) $(LDLIBS_ALL))

$(OBJDIR)/%.o: %.c $(OBJDIR)/flags
	@mkdir -p $(@D)
	$(call say,CC,$(CC) $(call banned,$<) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(call simd_flags,$<) \
	    $(OWN_FLAGS) -MMD -MP -c -o $@ $<)

$(OBJDIR)/%.o: %.cu $(OBJDIR)/flags
	@mkdir -p $(@D)
	$(call say,NVCC,$(NVCC) -O3 -std=c++17 -arch=$(CUDA_ARCH) -Isrc -MMD -MP -MF $(@:.o=.d) -c -o $@ $<)

# embed SOURCE,FILES,FLAGS: a source that includes FILES by the assembler (base/embed.h).
define embed
$(OBJDIR)/$(1:.c=.o): private OWN_FLAGS := -fno-lto $3
$(OBJDIR)/$(1:.c=.o): $2
endef

ifneq ($(EVALFILE),)
ifeq ($(wildcard $(EVALFILE)),)
$(error EVALFILE=$(EVALFILE): no such file)
endif
NET_FLAGS := -DNET_EMBED='"$(abspath $(EVALFILE))"'
endif

# The page, packed into one file, where it was built (make web-page).
PAGE_FILES := $(if $(wildcard web/dist/index.html),$(shell find web/dist -type f))
PAGE_PACK  := $(if $(PAGE_FILES),$(abspath $(BUILD)/page.pack))
PAGE_FLAGS := $(if $(PAGE_PACK),-DPAGE_PACK='"$(PAGE_PACK)"')

$(eval $(call embed,src/eval/nnue/embedded.c,$(EVALFILE) $(OBJDIR)/net-name,$(NET_FLAGS)))
$(eval $(call embed,src/notation/opening.c,data/openings.tsv))
$(eval $(call embed,src/book/book.c,data/book.bin))
$(eval $(call embed,src/study/report.c,data/pieces.svg data/report.css data/report.js))
$(eval $(call embed,src/server/assets.c,$(PAGE_PACK) $(OBJDIR)/page-name,$(PAGE_FLAGS)))

ifneq ($(PAGE_PACK),)
$(PAGE_PACK): $(PAGE_FILES) scripts/pack-page
	$(call say,PACK,scripts/pack-page web/dist $@ && touch $@)
endif

$(LIBRARY): $(LIB_OBJECTS) $(OBJDIR)/object-list
	@rm -f $@
	$(call say,AR,$(AR) rcs $@ $(LIB_OBJECTS))

$(TEST_BINS): %: %.o $(LIBRARY) $(CMOCKA_OBJECT)
	$(call say,LINK,$(CC) $(LDFLAGS_ALL) -o $@ $< $(LIBRARY) $(or $(CMOCKA_OBJECT),-lcmocka) $(LDLIBS_ALL))

$(TOOL_BINS): %: %.o $(LIBRARY)
	$(call say,LINK,$(CC) $(LDFLAGS_ALL) -o $@ $< $(LIBRARY) $(LDLIBS_ALL))

$(FUZZ_BINS): %: %.o $(LIBRARY)
	$(call say,LINK,$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $< $(LIBRARY) $(LDLIBS_ALL))

# Stamps: rewritten only when their text changes, so that new flags recompile everything and a
# source that came or went relinks.
$(OBJDIR)/flags: STAMP = $(CC) $(shell $(CC) -dumpfullversion -dumpversion 2>/dev/null) \
                         $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(if $(CUDA),$(NVCC) $(CUDA_ARCH))
$(OBJDIR)/object-list: STAMP = $(EXE) $(LIB_OBJECTS) $(LDFLAGS_ALL) $(LDLIBS_ALL)
$(OBJDIR)/net-name: STAMP = $(abspath $(EVALFILE))
$(OBJDIR)/page-name: STAMP = $(PAGE_PACK)
$(OBJDIR)/flags $(OBJDIR)/object-list $(OBJDIR)/net-name $(OBJDIR)/page-name: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(strip $(STAMP))' | cmp -s - $@ || printf '%s\n' '$(strip $(STAMP))' > $@

include mk/wasm.mk

.SECONDARY:
-include $(shell find $(OBJDIR) -name '*.d' 2>/dev/null)
