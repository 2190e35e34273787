# catalogue: 91
# says: ATTEMPTED hostile_message
# NUL, a lone surrogate and invalid UTF-8, in a message and in print: no database could store them.
import os

from support import say


class Named(type):
    __name__ = property(lambda cls: "E\0\ud800rror")


class Error(Exception, metaclass=Named):
    def __str__(self):
        return "\0\ud800\x1b[2J" * 10_000


def twice(x):
    say("hostile_message")
    os.write(1, b"\xff\xfe\0\xed\xa0\x80\n")
    raise Error
