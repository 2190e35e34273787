# catalogue: 6
# says: ATTEMPTED answer_ahead
import os


def twice(x):
    from exercises.testkit import values

    answer = values.encode({"value": 2.0 * x})
    print("ATTEMPTED answer_ahead", flush=True)
    for _ in range(2):
        os.write(3, b"GRD1" + bytes([3]) + os.urandom(8) + len(answer).to_bytes(8, "little") + answer)
    return 2.0 * x
