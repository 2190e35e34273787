"""The root of all addresses; each app keeps its own."""

from django.contrib import admin
from django.urls import include, path

from config.health import healthz
from courses.views.account import sign_in_to_admin

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/login/", sign_in_to_admin, name="admin_sign_in"),
    path("admin/", admin.site.urls),
    path("", include("courses.urls")),
    path("", include("grader.urls")),
]
