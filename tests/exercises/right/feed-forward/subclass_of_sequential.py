from collections import OrderedDict

from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__(
            OrderedDict(
                linear1=nn.Linear(d_model, d_ff),
                relu=nn.ReLU(inplace=True),
                dropout=nn.Dropout(dropout, inplace=True),
                linear2=nn.Linear(d_ff, d_model),
            )
        )
        for name, parameter in self.named_parameters():
            if name.endswith("weight"):
                nn.init.xavier_uniform_(parameter)
