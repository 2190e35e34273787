# catalogue: own
# says: ATTEMPTED escaped_nul
# Six characters that look like a NUL of JSON, in a traceback: whoever unescapes text by hand breaks here.
import support


def twice(x):
    support.say("escaped_nul")
    raise ValueError("\\u0000 \\\\u0000 \\ud800")
