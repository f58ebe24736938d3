# OpenBench builds every engine with `make -j EXE=name` and expects the binary
# under exactly that name in this folder; people use cargo.

EXE ?= lovec
CARGO ?= cargo

# A cargo target directory of our own, wherever the environment points, so that
# the built binary is where the copy looks for it.
TARGET_DIR := target
BUILT := $(TARGET_DIR)/release/lovec

ifeq ($(OS),Windows_NT)
	BUILT := $(BUILT).exe
	ifneq ($(suffix $(EXE)),.exe)
		OUTPUT := $(EXE).exe
	endif
endif
OUTPUT ?= $(EXE)

.PHONY: all clean

# Removing the old file first lets a new binary replace a running one.
all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --locked --release --bin lovec --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
	cp "$(BUILT)" "$(OUTPUT)"

clean:
	$(CARGO) clean --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
