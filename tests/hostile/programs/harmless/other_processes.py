# catalogue: own 61
# says: ATTEMPTED other_processes: EPERM$
from support import say, syscalls

say("other_processes", syscalls(process_vm_writev=311, process_madvise=440, process_mrelease=448, pidfd_open=434, pidfd_send_signal=424, kcmp=312, getpgid=121, getsid=124, ptrace=101))


def twice(x):
    return 2.0 * x
