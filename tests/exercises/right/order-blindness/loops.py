import math

import numpy as np


def row_times_matrix(row, matrix):
    return [sum(row[i] * matrix[i][j] for i in range(len(row))) for j in range(len(matrix[0]))]


def attend_bag(x, w_q, w_k, w_v):
    """Token by token, in plain Python."""
    queries = [row_times_matrix(row, w_q) for row in x]
    keys = [row_times_matrix(row, w_k) for row in x]
    values = [row_times_matrix(row, w_v) for row in x]
    results = []
    for query in queries:
        scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
        largest = max(scores)
        weights = [math.exp(score - largest) for score in scores]
        total = sum(weights)
        results.append([sum(w * value[c] for w, value in zip(weights, values)) / total for c in range(len(w_v[0]))])
    return np.array(results)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    places = []
    for p, token in enumerate(order):
        places.append([x[token][c] + (0.0 if positions is None else positions[p][c]) for c in range(len(x[0]))])
    results = attend_bag(places, w_q, w_k, w_v)
    own = [None] * len(x)
    for p, token in enumerate(order):
        own[token] = results[p]
    return np.array(own)


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    stay = list(range(len(x)))
    before = attend_shuffled(x, stay, w_q, w_k, w_v, positions)
    after = attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return float(max(abs(a - b) for row, other in zip(before, after) for a, b in zip(row, other)))
