# WebAssembly, by Debian's emscripten: `make wasm`.

# ---- Targets for WebAssembly ---------------------------------------------------------------------

EMCC       ?= emcc
WASM_BUILD := $(BUILD)/wasm
WASM       := $(call in,wasm,engine_wasm fibers inbox service_wasm)
LEFT_OUT   += $(WASM)

# Emscripten's own tools look for their modules where Debian keeps them.
WASM_ENV := NODE_PATH=/usr/share/nodejs

WASM_ENGINE := $(BASE) $(CHESS) $(BOOK) $(TB) $(EVAL) $(SEARCH) $(OPPONENT) $(LAB) $(CLASSICS) $(LEVELS) $(ENGINE) \
               $(PLAY) $(PROTO) $(filter-out %/service_wasm.c,$(WASM))
WASM_SITE   := $(BASE) $(CHESS) $(NOTATION) $(BOOK) $(TB) $(EVAL) $(SEARCH) $(OPPONENT) $(LAB) $(CLASSICS) $(LEVELS) \
               $(ENGINE) $(PLAY) $(STUDY) $(JSON) $(STORE) $(SERVICE) $(filter-out %/engine_wasm.c,$(WASM))

# Libraries of the service: scripts/wasm-libraries fetches their sources. All connections to the data file are in this
# process, so that SQLite may keep the index of its log in memory ("unix-excl"): there is nothing to map.
WASM_LIBRARIES := $(WASM_BUILD)/libraries
WASM_INCLUDES  := -DJSON_HAVE_ATOMIC_BUILTINS=1 -DJSON_HAVE_SYNC_BUILTINS=1 -isystem $(WASM_LIBRARIES)/jansson/src \
                  -isystem $(WASM_LIBRARIES)/jansson/android -isystem $(WASM_LIBRARIES)/sqlite
WASM_FOREIGN   := sqlite/sqlite3 $(addprefix jansson/src/,dump error hashtable hashtable_seed load memory pack_unpack \
                  strbuffer strconv utf value version)
WASM_SQLITE    := -DSQLITE_DEFAULT_UNIX_VFS='"unix-excl"' -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=2 \
                  -DSQLITE_DQS=0 -DSQLITE_OMIT_DEPRECATED -DSQLITE_TEMP_STORE=3

# The site has a net of its own, so that it loads quickly.
SITE_NET ?= data/castellan-small.net

WASM_FLAGS   := -O3 -DNDEBUG -msimd128
WASM_threads := -pthread
WASM_single  :=
WASM_OTHER_threads := src/wasm/fibers.c
WASM_OTHER_single  := src/base/thread.c
# Without threads the program switches stacks itself (src/wasm/fibers.c). The evaluation, the hottest code behind pointers,
# never does, so that it stays as it is.
WASM_STRAIGHT    := eval_*,nnue_*,evaluate*,classical_*,endgame_*
WASM_LINK_single := -s ASYNCIFY=1 -s ASYNCIFY_REMOVE=$(WASM_STRAIGHT)
WASM_LINK    := --no-entry -s MODULARIZE=1 -s EXPORT_NAME=CastellanModule -s ALLOW_MEMORY_GROWTH=1 \
                -s INITIAL_MEMORY=64MB -s ENVIRONMENT=web,worker,node -s STACK_OVERFLOW_CHECK=0 \
                --js-library web/wasm/host.js -Wno-pthreads-mem-growth
WASM_ENGINE_EXPORTS := _module_open,_module_send,_module_end,_malloc,_free
WASM_EXPORTS_single := ,_threads_run,_threads_wait_ms
WASM_SITE_EXPORTS   := _service_module_open,_service_module_send,_malloc,_free

.PHONY: wasm wasm-engine wasm-site wasm-test wasm-speed
wasm: ## WebAssembly: the engine (build/wasm/engine) and the page without a server (web/site)
	@scripts/setup wasm
	@+$(SUBMAKE) wasm-engine wasm-site

wasm-test: wasm all ## test the engine of make wasm in node, and the site in chromium
	@scripts/setup test
	@tests/wasm/engine.sh $(WASM_BUILD)/engine
	@CASTELLAN=$(abspath $(EXE)) tests/wasm/site.sh web/site

# Kernels for newer processors are left out of the program that it is compared with.
wasm-speed: wasm ## the speed of WebAssembly in node against the native SSE4.1 program
	@+$(SUBMAKE) BUILD=$(BUILD)/sse41 EXE=$(BUILD)/sse41/castellan ARCH=x86-64-v2 SIMD_avx2= SIMD_avx512= SIMD_vnni=
	@tests/wasm/speed.sh $(WASM_BUILD)/engine $(BUILD)/sse41/castellan

wasm-engine: $(WASM_BUILD)/engine/castellan-threads.js $(WASM_BUILD)/engine/castellan-single.js $(WASM_BUILD)/engine/castellan.js

wasm-site: web/site/index.html
web/site/index.html: $(WASM_BUILD)/site/service-threads.js $(WASM_BUILD)/site/service-single.js $(PAGE_SOURCES) scripts/web-page
	@scripts/web-page site $(WASM_BUILD)/site

# wasm_variant NAME: the objects of one variant.
define wasm_variant
$(WASM_BUILD)/$1/flags: STAMP = $(EMCC) $(WASM_FLAGS) $(WASM_$1)
$(WASM_BUILD)/$1/%.o: %.c $(WASM_BUILD)/$1/flags
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(call banned,$$<) -Isrc $$(WASM_INCLUDES) -D_GNU_SOURCE -std=c11 $$(WASM_FLAGS) $$(WASM_$1) $$(WARNINGS) \
	    $$(OWN_FLAGS) -MMD -MP -c -o $$@ $$<)
$(WASM_BUILD)/$1/src/eval/nnue/embedded.o: private OWN_FLAGS := $(NET_FLAGS)
$(WASM_BUILD)/$1/src/eval/nnue/embedded.o: $(EVALFILE)
$(WASM_BUILD)/$1/site-net.o: src/eval/nnue/embedded.c $(SITE_NET) $(WASM_BUILD)/$1/flags
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) -Isrc -D_GNU_SOURCE -std=c11 $$(WASM_FLAGS) $$(WASM_$1) \
	    -DNET_EMBED='"$(abspath $(SITE_NET))"' -c -o $$@ $$<)
$(WASM_BUILD)/$1/libraries/%.o: $(WASM_LIBRARIES)/done
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(WASM_INCLUDES) -DHAVE_CONFIG_H $$(WASM_SQLITE) -O2 -DNDEBUG $$(WASM_$1) -w \
	    -c -o $$@ $(WASM_LIBRARIES)/$$*.c)
$(patsubst %.c,$(WASM_BUILD)/$1/%.o,$(JSON) $(STORE) $(SERVICE)): | $(WASM_LIBRARIES)/done

$(WASM_BUILD)/site/service-$1.js: $(patsubst %.c,$(WASM_BUILD)/$1/%.o,$(filter-out $(WASM_OTHER_$1) src/eval/nnue/embedded.c,$(WASM_SITE))) \
    $(WASM_BUILD)/$1/site-net.o $(WASM_FOREIGN:%=$(WASM_BUILD)/$1/libraries/%.o) \
    web/wasm/host.js
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(WASM_FLAGS) $$(WASM_$1) $$(WASM_LINK) $$(WASM_LINK_$1) -s MAXIMUM_MEMORY=512MB \
	    -s FORCE_FILESYSTEM=1 -s EXPORTED_RUNTIME_METHODS=FS -s EXPORTED_FUNCTIONS=$$(WASM_SITE_EXPORTS)$$(WASM_EXPORTS_$1) -o $$@ $$(filter %.o,$$^))

$(WASM_BUILD)/engine/castellan-$1.js: $(patsubst %.c,$(WASM_BUILD)/$1/%.o,$(filter-out $(WASM_OTHER_$1),$(WASM_ENGINE))) web/wasm/host.js
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(WASM_FLAGS) $$(WASM_$1) $$(WASM_LINK) $$(WASM_LINK_$1) \
	    -s EXPORTED_FUNCTIONS=$$(WASM_ENGINE_EXPORTS)$$(WASM_EXPORTS_$1) -o $$@ $$(filter %.o,$$^))
endef
$(eval $(call wasm_variant,threads))
$(eval $(call wasm_variant,single))

$(WASM_BUILD)/threads/flags $(WASM_BUILD)/single/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(strip $(STAMP))' | cmp -s - $@ || printf '%s\n' '$(strip $(STAMP))' > $@

$(WASM_BUILD)/engine/castellan.js: web/wasm/castellan.js
	@mkdir -p $(@D)
	@cp $< $@

$(WASM_LIBRARIES)/done: scripts/wasm-libraries
	@scripts/wasm-libraries $(@D)
	@touch $@

-include $(shell find $(WASM_BUILD) -name '*.d' 2>/dev/null)
