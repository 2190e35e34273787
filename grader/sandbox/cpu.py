"""The zygote's exact environment: one thread, and the same kernels on every machine, so that reports repeat.

Numeric libraries choose code by processor. Pinning them to AVX2 (or to plain x86-64 without it) makes equal code give
equal bits on every host of the same class; which class it was is stored with the report.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

# The limit holds against `torch.set_num_threads`, too: no thread can be made here, and libgomp exits when it fails.
_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_CLASSES = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2,STRICT",
        "OPENBLAS_CORETYPE": "Haswell",
    },
    "x86-64": {
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
}
# numpy's own kernels above AVX2, by the names under which numpy lets them be switched off.
_NUMPY_ABOVE_AVX2 = ("X86_V4", "AVX512_ICL", "AVX512_SPR")


@cache
def cpu_class() -> str:
    """`avx2` or `x86-64`: the widest class that this machine and our pins have in common."""
    flags = next((line for line in _cpuinfo().splitlines() if line.startswith("flags")), "").split()
    return "avx2" if {"avx2", "fma"} <= set(flags) else "x86-64"


def fixed_environment() -> dict[str, str]:
    """A zygote's whole environment. An unset variable would stay readable on a fork's stack: nothing else goes in."""
    # numpy warns when it is told to leave out what the machine does not have.
    pins = {"NPY_DISABLE_CPU_FEATURES": " ".join(_NUMPY_ABOVE_AVX2)} if "avx512f" in _cpuinfo() else {}
    return {**_THREADS, "PYTHONHASHSEED": "0", **_CLASSES[cpu_class()], **pins}


@cache
def _cpuinfo() -> str:
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""
