# catalogue: own 73
# says: ATTEMPTED compiled_extension: (EPERM|FileNotFoundError|RuntimeError|ENOENT|EACCES|OSError|ModuleNotFoundError|CalledProcessError|PermissionError)
# A C compiler would be a program to execute.
import torch
from support import outcome, say
from torch import nn

say("compiled_extension", outcome(lambda: __import__("subprocess").check_output(["c++", "--version"])))


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.weight
