# catalogue: own 58
# says: ATTEMPTED own_cpu_limit: EPERM|ATTEMPTED own_cpu_limit: ValueError
# With a CPU limit of its choice the kernel would kill it, and that would look like a kill from outside.
import resource

from support import outcome, say, syscall

say("own_cpu_limit", outcome(lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1))))
say("own_cpu_limit by a pointer whose low half is 0:", syscall(302, 0, 0, 1 << 32, 0))


def twice(x):
    return 2.0 * x
