import torch


def softmax(x, axis):
    x = torch.from_numpy(x)
    exponentials = torch.exp(x - x.max(dim=1, keepdim=True).values)
    return (exponentials / exponentials.sum(dim=1, keepdim=True)).numpy()
