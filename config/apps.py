from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Make our Celery application the current one in every Django process, so that tasks find the broker."""
        import config.celery  # noqa: F401
