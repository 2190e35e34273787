"""The root of all addresses; each app keeps its own."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    *(path("", include(f"{app}.urls")) for app in ("courses", "grader") if find_spec(f"{app}.urls")),
]
