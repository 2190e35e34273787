import torch.nn as nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        hidden = F.relu(F.linear(x, self.linear1.weight, self.linear1.bias), inplace=True)
        hidden = F.dropout(hidden, p=self.p, training=self.training)
        return F.linear(hidden, self.linear2.weight, self.linear2.bias)
