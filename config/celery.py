"""The Celery application: wake-ups travel through it, the database says what there is to do."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("gradus")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
