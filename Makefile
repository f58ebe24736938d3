# For OpenBench, which builds every engine with `make -j EXE=name` and expects the
# binary under exactly that name in this folder. Otherwise use cargo.

EXE ?= lovec
CARGO ?= cargo

# A fixed target directory, even if the environment names another, so that the path of
# the built binary is known.
TARGET_DIR := target
BUILT := $(TARGET_DIR)/release/lovec

ifeq ($(OS),Windows_NT)
	BUILT := $(BUILT).exe
	ifneq ($(suffix $(EXE)),.exe)
		OUTPUT := $(EXE).exe
	endif
endif
OUTPUT ?= $(EXE)

# What profile-guided optimisation needs: the tool that comes with the compiler.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
PROFDATA ?= $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
PGO_DIR := $(CURDIR)/$(TARGET_DIR)/pgo

.PHONY: all pgo clean

# The old file is removed first: a running binary cannot be overwritten.
all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --locked --release --bin lovec --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
	cp "$(BUILT)" "$(OUTPUT)"

# A build that is optimised for the paths that the search takes: an instrumented build
# runs the bench, and its profile guides a second build. `--target` keeps the build
# scripts out of it.
pgo:
	@"$(PROFDATA)" --version >/dev/null 2>&1 || { \
		echo "make pgo needs llvm-profdata: run 'rustup component add llvm-tools'," \
			"or set PROFDATA=PATH to the one of rustc's LLVM version" >&2; exit 1; }
	rm -rf "$(PGO_DIR)/profiles"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PGO_DIR)/profiles" \
		$(CARGO) build --locked --release --bin lovec --target $(HOST) --target-dir "$(PGO_DIR)/instrumented"
	"$(PGO_DIR)/instrumented/$(HOST)/release/$(notdir $(BUILT))" bench >/dev/null
	"$(PROFDATA)" merge -o "$(PGO_DIR)/merged.profdata" "$(PGO_DIR)/profiles"
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PGO_DIR)/merged.profdata" \
		$(CARGO) build --locked --release --bin lovec --target $(HOST) --target-dir "$(PGO_DIR)/optimised"
	rm -f "$(OUTPUT)"
	cp "$(PGO_DIR)/optimised/$(HOST)/release/$(notdir $(BUILT))" "$(OUTPUT)"

clean:
	$(CARGO) clean --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
