# WebAssembly, by Debian's emscripten: `make wasm`.

# ---- Targets for WebAssembly ---------------------------------------------------------------------

EMCC       ?= emcc
WASM_BUILD := $(BUILD)/wasm
WASM       := $(call in,wasm,engine_wasm inbox)
LEFT_OUT   += $(WASM)

# Emscripten's own tools look for their modules where Debian keeps them.
WASM_ENV := NODE_PATH=/usr/share/nodejs

WASM_ENGINE := $(BASE) $(CHESS) $(BOOK) $(TB) $(EVAL) $(SEARCH) $(OPPONENT) $(LAB) $(CLASSICS) $(LEVELS) $(ENGINE) \
               $(PLAY) $(PROTO) $(WASM)

WASM_FLAGS   := -O3 -DNDEBUG -msimd128
WASM_threads := -pthread
WASM_LINK    := --no-entry -s MODULARIZE=1 -s EXPORT_NAME=CastellanModule -s ALLOW_MEMORY_GROWTH=1 \
                -s INITIAL_MEMORY=64MB -s ENVIRONMENT=web,worker,node -s STACK_OVERFLOW_CHECK=0 \
                --js-library web/wasm/host.js -Wno-pthreads-mem-growth
WASM_ENGINE_EXPORTS := _module_open,_module_send,_module_end,_malloc,_free

.PHONY: wasm wasm-engine wasm-test wasm-speed
wasm: ## WebAssembly: the engine for node and other pages, build/wasm/engine
	@scripts/setup wasm
	@+$(SUBMAKE) wasm-engine

wasm-test: wasm ## test the engine of make wasm in node
	@tests/wasm/engine.sh $(WASM_BUILD)/engine

# Kernels for newer processors are left out of the program that it is compared with.
wasm-speed: wasm ## the speed of WebAssembly in node against the native SSE4.1 program
	@+$(SUBMAKE) BUILD=$(BUILD)/sse41 EXE=$(BUILD)/sse41/castellan ARCH=x86-64-v2 SIMD_avx2= SIMD_avx512= SIMD_vnni=
	@tests/wasm/speed.sh $(WASM_BUILD)/engine $(BUILD)/sse41/castellan

wasm-engine: $(WASM_BUILD)/engine/castellan-threads.js $(WASM_BUILD)/engine/castellan.js

# wasm_variant NAME: the objects of one variant.
define wasm_variant
$(WASM_BUILD)/$1/%.o: %.c mk/wasm.mk
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(call banned,$$<) -Isrc -D_GNU_SOURCE -std=c11 $$(WASM_FLAGS) $$(WASM_$1) $$(WARNINGS) \
	    $$(OWN_FLAGS) -MMD -MP -c -o $$@ $$<)
$(WASM_BUILD)/$1/src/eval/nnue/embedded.o: private OWN_FLAGS := $(NET_FLAGS)
$(WASM_BUILD)/$1/src/eval/nnue/embedded.o: $(EVALFILE)

$(WASM_BUILD)/engine/castellan-$1.js: $(WASM_ENGINE:%.c=$(WASM_BUILD)/$1/%.o) web/wasm/host.js
	@mkdir -p $$(@D)
	$$(call say,EMCC,$$(WASM_ENV) $$(EMCC) $$(WASM_FLAGS) $$(WASM_$1) $$(WASM_LINK) \
	    -s EXPORTED_FUNCTIONS=$$(WASM_ENGINE_EXPORTS) -o $$@ $$(filter %.o,$$^))
endef
$(eval $(call wasm_variant,threads))

$(WASM_BUILD)/engine/castellan.js: web/wasm/castellan.js
	@mkdir -p $(@D)
	@cp $< $@

-include $(shell find $(WASM_BUILD) -name '*.d' 2>/dev/null)
