from tests.grader.conftest import item, person, queue_up, revision
from tests.services import embedded_broker

__all__ = ["embedded_broker", "item", "person", "queue_up", "revision"]
