# ---- Targets for other platforms ----------------------------------------------------------------
# Cross builds with Debian's compilers. Each is a make of its own with another compiler and BUILD directory,
# without the optional libraries; `castellan --version` lists what a program is built with.

.PHONY: arm64 test-arm64 windows test-windows bench-platforms platform-tests

BARE := ZSTD=no WEBSOCKETS=no JANSSON=no SQLITE=no ZLIB=no

# gcc for ARM reports overflows of arrays whose bounds it cannot see (tb_index.c); the sanitizers check them.
ARM64_CC    ?= aarch64-linux-gnu-gcc
ARM64_BUILD := CC="$(ARM64_CC)" ARCH=generic BUILD=$(BUILD)/arm64 EXE=$(BUILD)/arm64/castellan $(BARE) \
               CFLAGS="-Wno-stringop-overflow" LDFLAGS="-s -static"

arm64: ## build build/arm64/castellan for ARM64 Linux, static
	@scripts/setup arm64
	@+$(SUBMAKE) $(ARM64_BUILD) all

test-arm64: arm64 ## run a part of the tests with the ARM64 program in qemu
	@scripts/setup test-arm64
	@+$(SUBMAKE) $(ARM64_BUILD) MODE=test EMULATOR=qemu-aarch64 KERNELS=neon PROGRAM=$(BUILD)/arm64/castellan platform-tests

# Vectors are moved unaligned: the stack of Windows has 16-byte alignment, and gcc believes in 32 (its bug 54412).
WINDOWS_CC    ?= x86_64-w64-mingw32-gcc
WINDOWS_BUILD := CC="$(WINDOWS_CC)" ARCH=$(if $(filter native,$(ARCH)),x86-64-v2,$(ARCH)) BUILD=$(BUILD)/windows \
                 EXE=$(BUILD)/windows/castellan.exe $(BARE)

windows: ## build build/windows/castellan.exe for 64-bit Windows 10 and newer
	@scripts/setup windows
	@+$(SUBMAKE) $(WINDOWS_BUILD) all

test-windows: windows ## run a part of the tests with the Windows program in wine
	@scripts/setup test-windows
	@+$(SUBMAKE) $(WINDOWS_BUILD) MODE=test EMULATOR=wine PROGRAM=$(BUILD)/windows/castellan.exe platform-tests

CLANG_EXE := $(BUILD)/clang/castellan

bench-platforms: all windows arm64 ## the bench signature with gcc, clang, in wine, qemu and node
	@scripts/setup check
	@scripts/setup test-windows
	@scripts/setup test-arm64
	@scripts/setup wasm
	@+$(SUBMAKE) wasm-engine
	@+$(SUBMAKE) CC=clang BUILD=$(BUILD)/clang EXE=$(CLANG_EXE) all
	@tests/platforms/bench.sh $(BUILD) $(abspath $(EXE)) $(CLANG_EXE)

ifeq ($(OS),windows)
COMPAT    := -include src/base/compat_windows.h
CPPFLAGS  += -D__USE_MINGW_ANSI_STDIO=1 -D_POSIX_C_SOURCE=200809L -D_WIN32_WINNT=0x0A00 -DNOMINMAX
CFLAGS    += -Wno-format -Wa,-muse-unaligned-vector-move
LDFLAGS   += -s -static -Wl,--no-insert-timestamp -Wa,-muse-unaligned-vector-move
LDLIBS    += -lwinmm
RESOURCES := $(OBJDIR)/castellan.res.o
OBJECTS   += $(RESOURCES)
$(RESOURCES): $(wildcard data/windows/*)
	@mkdir -p $(@D)
	$(call say,RC,x86_64-w64-mingw32-windres -I data/windows -o $@ data/windows/castellan.rc)
LEFT_OUT += $(call in,base,$(OS_FILES:%=%_posix)) src/term/device_posix.c
else
LEFT_OUT += $(call in,base,$(OS_FILES:%=%_windows) compat_windows) src/term/device_windows.c
endif

# ---- Tests on another platform: unit tests, bench signature, perft, protocols -------------------

# Without cmocka for that platform the tests use tests/platforms/cmocka.h.
ifneq ($(EMULATOR),)
CPPFLAGS      += -Itests/platforms -DEMULATED
CMOCKA_OBJECT := $(OBJDIR)/tests/platforms/cmocka.o
endif

# Left out: what takes minutes in an emulator and depends on the platform in nothing.
SLOW_TESTS = %/test_level %/test_human %/test_endings %/test_lab %/test_listing %/test_evolve %/test_tune %/test_loop \
             %/test_train %/test_tb_values %/test_tb_play %/test_documents %/test_match %/test_reason %/test_tb %/test_data_files %/test_engine %/test_gpu_selfplay
PLATFORM_SCRIPTS := tests/search/bench.sh tests/perft/fast.sh tests/platforms/commands.sh tests/platforms/terminal.sh

# Unit tests use POSIX directly, so that Windows is tested by the scripts alone.
platform-tests: $(if $(filter posix,$(OS)),$(filter-out $(SLOW_TESTS),$(TEST_BINS)))
	@mkdir -p $(OBJDIR)
	@printf '#!/bin/sh\nexec %s "$$@"\n' '$(EMULATOR) $(abspath $(PROGRAM))' > $(OBJDIR)/run-castellan
	@chmod +x $(OBJDIR)/run-castellan
	@KERNELS=$(KERNELS) OTHER=$(abspath $(if $(filter wine,$(EMULATOR)),$(PROGRAM),$(OBJDIR)/run-castellan)) \
	    WINEDEBUG=-all PERFT_LIMIT=$(or $(PERFT_LIMIT),200000) tests/run --jobs $(JOBS) --timeout 600 --logs $(OBJDIR)/logs \
	    --binary $(OBJDIR)/run-castellan --emulator $(EMULATOR) $^ $(PLATFORM_SCRIPTS)
