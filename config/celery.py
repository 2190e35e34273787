"""The Celery application: wake-ups travel through it, the database says what there is to do."""

import os

from celery import Celery
from celery.signals import worker_process_init

from config.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("gradus")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def leave_no_orphan(**_: object) -> None:
    """A killed worker's pool would otherwise live on, and take tasks from the broker that nobody answers for."""
    die_with_parent()


worker_process_init.connect(leave_no_orphan, weak=False)
