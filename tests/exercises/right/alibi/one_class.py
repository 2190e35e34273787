import torch


class Alibi:
    cache = {}

    @staticmethod
    def slopes(n_heads):
        power = 1
        while power < n_heads:
            power <<= 1
        if power != n_heads:
            power >>= 1
        base = torch.tensor(2 ** (-8 / power), dtype=torch.float64).pow(torch.arange(1, 1 + power))
        fine = torch.tensor(2 ** (-4 / power), dtype=torch.float64).pow(torch.arange(1, 1 + 2 * power, 2))
        return torch.cat([base, fine])[:n_heads].float()

    @classmethod
    def bias(cls, n_heads, n_queries, n_keys):
        key = (n_heads, n_keys)
        if key not in cls.cache:
            steps = torch.ones(n_keys, n_keys).tril(-1).flip(-1).cumsum(-1).flip(-1)
            blocked = torch.ones(n_keys, n_keys, dtype=torch.bool).tril().logical_not()
            full = cls.slopes(n_heads).reshape(n_heads, 1, 1).mul(-steps)
            cls.cache[key] = full.masked_fill(blocked, -torch.inf)
        return cls.cache[key].narrow(1, n_keys - n_queries, n_queries)


alibi_slopes = Alibi.slopes
alibi_bias = Alibi.bias
