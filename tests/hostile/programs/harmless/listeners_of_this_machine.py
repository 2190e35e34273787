# catalogue: 75 76 77 78
# says: ATTEMPTED listeners_of_this_machine: EPERM EPERM EPERM EPERM
# Four that really listen, while the test runs: nothing of this may arrive there.
import socket

from support import outcome, say


def knock(family, kind, address):
    with socket.socket(family, kind) as caller:
        caller.connect(address)
        caller.send(b"knock")


say(
    "listeners_of_this_machine",
    outcome(lambda: knock(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int("{{TCP}}")))),
    outcome(lambda: knock(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int("{{UDP}}")))),
    outcome(lambda: knock(socket.AF_UNIX, socket.SOCK_DGRAM, "{{PATH}}")),
    outcome(lambda: knock(socket.AF_UNIX, socket.SOCK_DGRAM, "\0{{ABSTRACT}}")),
)


def twice(x):
    return 2.0 * x
