# catalogue: own
# says: ATTEMPTED nameless_exception
# An exception whose class raises when it is asked for its name: nobody can describe it.
class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt


class Nameless(Exception, metaclass=Meta):
    pass


def twice(x):
    print("ATTEMPTED nameless_exception", flush=True)
    raise Nameless
