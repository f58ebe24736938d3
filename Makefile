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

.PHONY: all clean

# The old file is removed first: a running binary cannot be overwritten.
all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --locked --release --bin lovec --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
	cp "$(BUILT)" "$(OUTPUT)"

clean:
	$(CARGO) clean --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
