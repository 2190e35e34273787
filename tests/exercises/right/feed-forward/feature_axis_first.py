from torch import nn


class FeedForward(nn.Module):
    """A convolution of width 1, as the paper describes it, over (batch, features, tokens)."""

    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = nn.functional.conv1d(x.mT, self.linear1.weight.unsqueeze(-1), self.linear1.bias)
        hidden = self.dropout(hidden.relu())
        return nn.functional.conv1d(hidden, self.linear2.weight[:, :, None], self.linear2.bias).transpose(1, 2)
