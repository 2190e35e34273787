# catalogue: own 65
# says: ATTEMPTED administration: EPERM$
from support import say, syscalls

say("administration", syscalls(syslog=103, acct=163, swapon=167, reboot=169, sethostname=170, init_module=175, finit_module=313, delete_module=176, settimeofday=164, clock_settime=227, adjtimex=159, quotactl=179, vhangup=153, iopl=172, ioperm=173))


def twice(x):
    return 2.0 * x
