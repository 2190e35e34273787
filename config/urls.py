"""The root of all addresses; each app keeps its own."""

from django.contrib import admin
from django.urls import include, path

from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("courses.urls")),
    path("", include("grader.urls")),
]
