# catalogue: own
# says: ATTEMPTED facts_of_others: EPERM$
# Calls that take the pid of another process and only tell something of it.
import ctypes
import os
import struct

from support import say, syscall

room = ctypes.create_string_buffer(256)
answers = set()
for pid in (1, 2, os.getppid(), os.getpid() + 1):
    answers.add(syscall(274, pid, room, room))  # get_robust_list
    answers.add(syscall(204, pid, 128, room))  # sched_getaffinity
    answers.add(syscall(125, struct.pack("<Ii", 0x20080522, pid), room))  # capget
    answers.add(syscall(302, pid, 7, 0, room))  # prlimit64
    answers.add(syscall(434, pid, 0))  # pidfd_open
    answers.add(syscall(312, pid, os.getpid(), 0, 0, 0))  # kcmp
    answers.add(syscall(310, pid, room, 1, room, 1, 0))  # process_vm_readv
    answers |= {syscall(number, pid, room, room, room) for number in (140, 142, 143, 144, 145, 148, 121, 124, 251, 252, 315)}
say("facts_of_others", *sorted(answers))


def twice(x):
    return 2.0 * x
