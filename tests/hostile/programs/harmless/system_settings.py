# catalogue: own 25
# says: ATTEMPTED system_settings: (E(ACCES|NOENT|PERM|ROFS) ?){6}$
import os

from support import outcome, say

names = ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/mm/ksm/run", "/proc/self/mem", "/proc/self/oom_score_adj")
say("system_settings", *(outcome(lambda: os.open(name, os.O_RDWR)) for name in names))


def twice(x):
    return 2.0 * x
