"""A warm, layered sandbox for hostile code. A library: no Django, no Celery."""

from grader.sandbox.orders import Order
from grader.sandbox.sandbox import Cancelled, JobResult, OnReport, PlatformFault, Sandbox, SandboxUnavailable

__all__ = ["Cancelled", "JobResult", "OnReport", "Order", "PlatformFault", "Sandbox", "SandboxUnavailable"]
