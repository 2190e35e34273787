# catalogue: own 57
# says: ATTEMPTED session: EPERM$
# Out of the process group and the session, or into another identity.
from support import say, syscalls

say("session", syscalls(setsid=112, setpgid=109, setuid=105, setgid=106, setresuid=117, setgroups=116, setfsuid=122, capset=126))


def twice(x):
    return 2.0 * x
