# ---- Targets for packages -----------------------------------------------------------------------
# Everything goes to build/package. The same sources give the same bytes (scripts/package).

.PHONY: deb dist release

PACKAGES := $(BUILD)/package
VERSION   = $(shell scripts/package version)

# Packaged programs run on every processor of their kind; the kernels are chosen at run time.
# The objects of the package are those of the x86-64 archive.
DEB_BUILD := ARCH=x86-64 BUILD=$(PACKAGES)/x86-64 EXE=$(PACKAGES)/deb/castellan LDFLAGS=-s
# With all libraries inside, for any Linux.
static_build = ARCH=$1 BUILD=$(PACKAGES)/$1 EXE=$(PACKAGES)/$1/castellan PKG_FLAGS=--static \
               LDFLAGS="-s -static" LDLIBS="-lssl -lcrypto"

deb: ## Debian package build/package/castellan_VERSION_ARCHITECTURE.deb
	@scripts/setup package
	@+$(SUBMAKE) web-page
	@+$(SUBMAKE) $(DEB_BUILD) all
	@scripts/package deb $(PACKAGES)/deb/castellan $(PACKAGES)/castellan_$(VERSION)_$(shell dpkg --print-architecture).deb
	@lintian --fail-on error $(PACKAGES)/castellan_$(VERSION)_*.deb
	@ls -l $(PACKAGES)/castellan_$(VERSION)_*.deb

dist: ## source archive build/package/castellan-VERSION.tar.gz, with the built page
	@scripts/setup play
	@+$(SUBMAKE) web-page
	@mkdir -p $(PACKAGES)
	@scripts/package dist $(PACKAGES)/castellan-$(VERSION).tar.gz

# One after the other: each of them installs and builds the page.
release: ## archives for x86-64, x86-64-v3, ARM64, Windows and the static site, with checksums
	@+$(SUBMAKE) deb
	@+$(SUBMAKE) dist
	@+$(SUBMAKE) wasm
	@+$(SUBMAKE) $(call static_build,x86-64) all
	@+$(SUBMAKE) $(call static_build,x86-64-v3) all
	@+$(SUBMAKE) arm64 windows
	@scripts/package archive $(PACKAGES)/x86-64/castellan $(PACKAGES)/castellan-$(VERSION)-linux-x86-64.tar.gz
	@scripts/package archive $(PACKAGES)/x86-64-v3/castellan $(PACKAGES)/castellan-$(VERSION)-linux-x86-64-v3.tar.gz
	@scripts/package archive $(BUILD)/arm64/castellan $(PACKAGES)/castellan-$(VERSION)-linux-arm64.tar.gz
	@scripts/package archive $(BUILD)/windows/castellan.exe $(PACKAGES)/castellan-$(VERSION)-windows-x86-64.zip
	@scripts/package tree web/site $(PACKAGES)/castellan-$(VERSION)-site.tar.gz
	@cd $(PACKAGES) && sha256sum castellan?$(VERSION)*.tar.gz castellan?$(VERSION)*.zip castellan?$(VERSION)*.deb > SHA256SUMS
	@cat $(PACKAGES)/SHA256SUMS
