from django.apps import AppConfig
from django.db.models.signals import pre_save


class CoursesConfig(AppConfig):
    name = "courses"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth import get_user_model

        from courses import usernames

        # The user is Django's own model: a signal is the one place that every way of making one passes.
        pre_save.connect(usernames.fold, sender=get_user_model(), dispatch_uid="courses.usernames.fold")
