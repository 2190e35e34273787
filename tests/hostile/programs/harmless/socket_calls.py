# catalogue: own 77
# says: ATTEMPTED socket_calls: EPERM$
# The channel is a socket that is already there: nothing of sockets may be done with it but read and write.
from support import say, syscalls

say("socket_calls", syscalls(connect=42, accept=43, sendto=44, recvfrom=45, sendmsg=46, recvmsg=47, shutdown=48, bind=49, listen=50, getsockname=51, getpeername=52, socketpair=53, setsockopt=54, getsockopt=55, accept4=288, recvmmsg=299, sendmmsg=307))


def twice(x):
    return 2.0 * x
