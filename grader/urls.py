from django.urls import path

from grader import inbox_views, views

app_name = "grader"

urlpatterns = [
    path("exercises/<int:item>/", views.exercise, name="exercise"),
    path("exercises/<int:item>/submit/", views.submit, name="submit"),
    path("exercises/<int:item>/people/<int:person>/", views.history, name="history"),
    path("submissions/<int:submission>/", views.submission, name="submission"),
    path("submissions/<int:submission>/live/", views.live, name="live"),
    path("submissions/<int:submission>/mistakes/", views.mistakes, name="mistakes"),
    path("submissions/<int:submission>/regrade/", views.regrade, name="regrade"),
    path("submissions/<int:submission>/report/", inbox_views.report, name="report"),
    path("exercises/<int:item>/hold/", inbox_views.hold, name="hold"),
    path("problems/<int:problem>/settle/", inbox_views.settle, name="settle"),
    path("courses/<slug:course>/inbox/", inbox_views.inbox, name="inbox"),
]
