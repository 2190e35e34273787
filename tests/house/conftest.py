from tests.services import any_broker

__all__ = ["any_broker"]
