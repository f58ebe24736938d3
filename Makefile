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
PROFDATA ?= $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata$(suffix $(BUILT))

# The platform that `make pgo` builds for. This machine must run its binaries.
TARGET = $(HOST)

# The processor to build for, and cargo features. A tune on OpenBench needs the feature
# spsa: OpenBench passes no variable but EXE, so the branch that it tunes has
# `FEATURES ?= spsa` here.
TARGET_CPU ?= native
FEATURES ?=
# No paths of this machine in the binary, so that a build of the same commit in another
# folder gives the same bytes.
CARGO_FOLDER := $(or $(CARGO_HOME),$(HOME)/.cargo)
# The flags are separated by the character of CARGO_ENCODED_RUSTFLAGS: the paths may have
# spaces. Those of the variable RUSTFLAGS come last, and so prevail.
NEXT := $(shell printf '\037')
SPACE := $() $()
PATH_FLAGS := --remap-path-prefix=$(CURDIR)=.$(NEXT)--remap-path-prefix=$(CARGO_FOLDER)=cargo
FLAGS = -C$(NEXT)target-cpu=$(TARGET_CPU)$(NEXT)$(PATH_FLAGS)
MORE_FLAGS := $(subst $(SPACE),,$(addprefix $(NEXT),$(RUSTFLAGS)))
BUILD = $(CARGO) build --locked --release --bin lovec --features "$(FEATURES)"

PGO_DIR := $(TARGET_DIR)/pgo
PROFILE = $(CURDIR)/$(PGO_DIR)/merged.profdata
# The crate and its libraries as one unit, so that the profile decides everywhere what is
# inlined.
AS_ONE_UNIT = CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
INSTRUMENTED = $(PGO_DIR)/instrumented/$(TARGET)/release/$(notdir $(BUILT))
OPTIMISED = $(PGO_DIR)/optimised/$(TARGET)/release/$(notdir $(BUILT))

.PHONY: all pgo files deb clean

# The old file is removed first: a running binary cannot be overwritten.
all:
	CARGO_ENCODED_RUSTFLAGS="$(FLAGS)$(MORE_FLAGS)" $(BUILD) --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
	cp "$(BUILT)" "$(OUTPUT)"

# A build that is optimised for the paths that the search takes: an instrumented build
# runs the bench, and its profile guides a second build. `--target` keeps the build
# scripts out of it. PGO_PROFILE names the profile of an earlier build, to repeat that build.
pgo:
	@"$(PROFDATA)" --version >/dev/null 2>&1 || { \
		echo "make pgo needs llvm-profdata: run 'rustup component add llvm-tools'," \
			"or set PROFDATA=PATH to the one of rustc's LLVM version" >&2; exit 1; }
ifdef PGO_PROFILE
	mkdir -p "$(PGO_DIR)"
	cp "$(PGO_PROFILE)" "$(PGO_DIR)/merged.profdata"
else
	rm -rf "$(PGO_DIR)/profiles"
	CARGO_ENCODED_RUSTFLAGS="$(FLAGS)$(NEXT)-C$(NEXT)profile-generate$(MORE_FLAGS)" \
		$(BUILD) --target $(TARGET) --target-dir "$(PGO_DIR)/instrumented"
	LLVM_PROFILE_FILE="$(PGO_DIR)/profiles/%p.profraw" "$(INSTRUMENTED)" bench >/dev/null
	"$(PROFDATA)" merge -o "$(PGO_DIR)/merged.profdata" "$(PGO_DIR)/profiles"
endif
	$(AS_ONE_UNIT) CARGO_ENCODED_RUSTFLAGS="$(FLAGS)$(NEXT)-C$(NEXT)profile-use=$(PROFILE)$(MORE_FLAGS)" \
		$(BUILD) --target $(TARGET) --target-dir "$(PGO_DIR)/optimised"
	rm -f "$(OUTPUT)"
	cp "$(OPTIMISED)" "$(OUTPUT)"

# What a package has beside the binary: the manual, the completions of the shells, and the
# licences of the libraries in it. EXE is a binary that runs here; without a slash make's
# shell would look for it on the PATH.
FILES := $(TARGET_DIR)/files
LOVEC = $(if $(findstring /,$(EXE)),$(EXE),./$(EXE))
files:
	rm -rf "$(FILES)"
	mkdir -p "$(FILES)/completions"
	"$(LOVEC)" man --output-dir "$(FILES)/man"
	"$(LOVEC)" completions bash >"$(FILES)/completions/lovec.bash"
	"$(LOVEC)" completions zsh >"$(FILES)/completions/_lovec"
	"$(LOVEC)" completions fish >"$(FILES)/completions/lovec.fish"
	"$(LOVEC)" completions powershell >"$(FILES)/completions/_lovec.ps1"
	.ci/licences "$(TARGET)" >"$(FILES)/LIBRARY-LICENCES.txt"

# A Debian package in target/debian, by cargo-deb, for most processors of this kind.
CARGO_DEB ?= cargo deb
deb: TARGET_CPU = $(if $(filter x86_64-%,$(HOST)),x86-64-v2,generic)
deb: all
	$(MAKE) files
	$(CARGO_DEB) --no-build

clean:
	$(CARGO) clean --target-dir $(TARGET_DIR)
	rm -f "$(OUTPUT)"
