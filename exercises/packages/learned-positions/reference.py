from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """One trained vector per position, added to the embeddings: Devlin et al. 2019, section 3."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """(B, T, d) → (B, T, d); raise `ValueError` when a token stands beyond the table."""
        max_len, end = self.embedding.num_embeddings, offset + x.shape[1]
        if end > max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {max_len}")
        return x + self.embedding.weight[offset:end]
