"""What is taught, to whom, under which rules, and what came of it. How code is graded is not known here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Self
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Prefetch, Q
from django.urls import reverse
from django.utils import timezone

from courses import moments


class Course(models.Model):
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=120)
    summary = models.TextField(blank=True)
    enrolment_code = models.CharField(
        max_length=40,
        blank=True,
        help_text="Whoever knows this code may enrol as a learner. Empty: nobody can enrol by code.",
    )
    time_zone = models.CharField(
        max_length=64,
        blank=True,
        help_text=(
            "In which this course’s dates are shown and typed. Empty: the site’s. To change it moves no date: "
            "what is due at 23:59 in Berlin is then shown as due at 17:59 in New York."
        ),
    )

    class Meta:
        ordering = ("title",)
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment_code"], condition=~Q(enrolment_code=""), name="courses_course_code_unique"
            )
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("courses:course", args=[self.slug])

    def clean(self) -> None:
        if self.time_zone and self.time_zone not in moments.zones():
            raise ValidationError({"time_zone": "Choose a time zone by its name, such as Europe/Berlin."})


class Module(models.Model):
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="modules")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=120)
    summary = models.TextField(blank=True)

    class Meta:
        ordering = ("course", "number")
        constraints = [models.UniqueConstraint(fields=["course", "number"], name="courses_module_number_unique")]

    def __str__(self) -> str:
        return f"Module {self.number}: {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("courses:module", args=[self.course.slug, self.number])


class Level(models.TextChoices):
    INTRODUCTORY = "introductory"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"


class Lesson(models.Model):
    """One reading. Django owns the word "session"; people see "Session 20"."""

    module = models.ForeignKey(Module, on_delete=models.CASCADE, related_name="lessons")
    number = models.PositiveSmallIntegerField(help_text="People see “Session 20”.")
    slug = models.SlugField()
    title = models.CharField(max_length=160)
    summary = models.TextField(blank=True)
    minutes = models.PositiveSmallIntegerField(default=10, help_text="Reading time.")
    level = models.CharField(max_length=20, choices=Level, default=Level.INTRODUCTORY)
    body = models.TextField(blank=True, help_text="Markdown; see the preview below after saving.")

    class Meta:
        ordering = ("module__number", "number")
        constraints = [
            models.UniqueConstraint(fields=["module", "number"], name="courses_lesson_number_unique"),
            models.UniqueConstraint(fields=["module", "slug"], name="courses_lesson_slug_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.label}: {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("courses:lesson", args=[self.module.course.slug, self.module.number, self.slug])

    @property
    def label(self) -> str:
        return f"Session {self.number}"

    def neighbours(self) -> dict[str, Lesson | None]:
        """The lessons read before and after this one in its course, as `previous` and `next`. One query."""
        order = Lesson.objects.filter(module__course=self.module.course_id).select_related("module__course")
        lessons = list(order.defer("body").order_by("module__number", "number"))
        place = lessons.index(self)
        return {
            "previous": lessons[place - 1] if place else None,
            "next": lessons[place + 1] if place + 1 < len(lessons) else None,
        }


class Quiz(models.Model):
    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="quizzes")
    title = models.CharField(max_length=120, default="Quiz")

    class Meta:
        verbose_name_plural = "quizzes"

    def __str__(self) -> str:
        return f"{self.title} ({self.lesson.label})"


class QuestionQuerySet(models.QuerySet["Question"]):
    def with_options(self) -> Self:
        return self.prefetch_related(Prefetch("options", Option.objects.order_by("order", "pk"))).order_by(
            "order", "pk"
        )


class Question(models.Model):
    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="questions")
    order = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(help_text="Markdown.")
    explanation = models.TextField(blank=True, help_text="Markdown, shown once the quiz is marked.")

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ("quiz", "order")

    def __str__(self) -> str:
        return self.text[:80]


class Option(models.Model):
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="options")
    order = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(help_text="Markdown.")
    correct = models.BooleanField(default=False)
    explanation = models.TextField(help_text="Why this option is right or wrong; shown once the quiz is marked.")

    class Meta:
        ordering = ("question", "order")

    def __str__(self) -> str:
        return self.text[:80]


class Role(models.TextChoices):
    LEARNER = "learner"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"


TEACHING = (Role.ASSISTANT, Role.INSTRUCTOR)


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def learners(self) -> Self:
        return self.filter(role=Role.LEARNER)

    def with_people(self) -> Self:
        return self.select_related("user").order_by("user__last_name", "user__first_name", "user__username")


class Enrolment(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="enrolments")
    role = models.CharField(max_length=12, choices=Role, default=Role.LEARNER)
    has_taught = models.BooleanField(
        default=False, editable=False, help_text="Holds a teaching role here, or once did."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "course"], name="courses_enrolment_unique")]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.course}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, at: datetime) -> Self:
        return self.filter(accepted_by=None, expires_at__gt=at)


class Invitation(models.Model):
    """A link that lets one person make an account and join a course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Role, default=Role.LEARNER)
    note = models.CharField(max_length=120, blank=True, help_text="For whom; only you see it.")
    token = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = InvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.role} of {self.course}"


class EnrolmentRequestQuerySet(models.QuerySet["EnrolmentRequest"]):
    def open(self, at: datetime) -> Self:
        return self.filter(withdrawn=False, expires_at__gt=at)

    def waiting(self) -> Self:
        return self.filter(answer=EnrolmentRequest.Answer.NONE)


class EnrolmentRequest(models.Model):
    """A teacher has typed somebody's name: whoever it is may say yes or no.

    Teachers are shown what they typed. Whether `user` is anybody, or has said no, must not be seen from what they see.
    """

    class Answer(models.TextChoices):
        NONE = "none"
        YES = "yes"
        NO = "no"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="enrolment_requests")
    name = models.CharField(max_length=150, editable=False)
    typed = models.CharField(max_length=150)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=12, choices=Role, default=Role.LEARNER)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    answer = models.CharField(max_length=4, choices=Answer, default=Answer.NONE)
    answered_at = models.DateTimeField(null=True)
    withdrawn = models.BooleanField(default=False)

    objects = EnrolmentRequestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "name"], name="courses_enrolment_request_unique")]

    def __str__(self) -> str:
        return f"{self.typed}, {self.role} of {self.course}"


class ItemQuerySet(models.QuerySet["Item"]):
    def in_order(self) -> Self:
        return self.order_by("lesson__module__number", "lesson__number", "order", "pk")

    def with_places(self) -> Self:
        """One query for an item with everything a link to it needs; the files of an exercise are not among it."""
        places = self.select_related("course", "lesson__module__course", "exercise__published", "quiz")
        return places.defer("exercise__published__files", "lesson__body")


class Item(models.Model):
    """Something that earns marks in a course: a quiz or an exercise, with its rules."""

    class Kind(models.TextChoices):
        EXERCISE = "exercise"
        QUIZ = "quiz"

    class Counts(models.TextChoices):
        BEST = "best"
        LAST = "last"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="items")
    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind)
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.PROTECT, null=True, blank=True, related_name="items"
    )
    quiz = models.ForeignKey(Quiz, on_delete=models.PROTECT, null=True, blank=True, related_name="items")
    title = models.CharField(max_length=160)
    order = models.PositiveSmallIntegerField(default=1)
    part = models.CharField(max_length=80, blank=True, help_text="Heading under which the lesson lists this item.")
    builds_on = models.ManyToManyField(
        "self", symmetrical=False, blank=True, related_name="+", help_text="Shown to learners as what to do first."
    )
    weight = models.DecimalField(
        max_digits=6, decimal_places=2, default=1, validators=[MinValueValidator(0)], help_text="Share in the total."
    )
    opens_at = models.DateTimeField(null=True, blank=True, help_text="Empty: open from the start.")
    due_at = models.DateTimeField(
        null=True, blank=True, help_text="Work after this minute is late; the penalty below says what that costs."
    )
    attempts = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Empty: as many as they like."
    )
    counts = models.CharField(max_length=4, choices=Counts, default=Counts.BEST)
    late_penalty_percent_per_day = models.PositiveSmallIntegerField(
        # A mark is computed when it is read, so a penalty can still be set later; work that was refused is gone.
        default=0,
        validators=[MaxValueValidator(100)],
        help_text=(
            "Taken off for each day begun after due. 0: late work counts in full and is marked “late”. "
            "100: the item closes when it is due. You can change this later; marks follow at once."
        ),
    )
    held = models.BooleanField(default=False, help_text="Submissions are kept but not graded until released.")

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="courses_item_is_one_thing",
                condition=Q(kind="exercise", exercise__isnull=False, quiz__isnull=True)
                | Q(kind="quiz", exercise__isnull=True, quiz__isnull=False),
                violation_error_message="An item is either an exercise or a quiz: choose the one its kind names.",
            ),
            models.CheckConstraint(
                name="courses_item_opens_before_due",
                condition=Q(opens_at__isnull=True) | Q(due_at__isnull=True) | Q(opens_at__lt=F("due_at")),
                violation_error_message="An item must open before it is due.",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        name = "courses:quiz" if self.kind == self.Kind.QUIZ else "grader:exercise"
        return reverse(name, args=[self.pk])

    @property
    def is_optional(self) -> bool:
        """It has no share in the total."""
        return not self.weight

    @property
    def late_from(self) -> datetime | None:
        """The first moment at which work is late. The minute in which it is due counts whole: 23:59 ends at 24:00."""
        return self.due_at and self.due_at.astimezone(UTC).replace(second=0, microsecond=0) + timedelta(minutes=1)

    def clean(self) -> None:
        if self.lesson_id and self.course_id and self.lesson.module.course_id != self.course_id:
            raise ValidationError({"lesson": "Choose a lesson of this item's course."})
        if self.quiz and self.lesson_id and self.quiz.lesson_id != self.lesson_id:
            raise ValidationError({"quiz": "Choose a quiz of this item's lesson."})


class Result(models.Model):
    """What one submission or quiz attempt earned, before lateness. `origin` names it, as "submission:12"."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="results")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="results")
    origin = models.CharField(max_length=80, unique=True)
    raw = models.FloatField()
    maximum = models.FloatField()
    submitted_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["item", "user"], name="courses_result_item_user")]

    def __str__(self) -> str:
        return f"{self.raw:g}/{self.maximum:g} ({self.origin})"


class QuizAttempt(models.Model):
    """`answers` maps a question's id (a JSON key, so a string) to the chosen option's id."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="quiz_attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="quiz_attempts")
    key = models.UUIDField(default=uuid4, editable=False, help_text="Sent by the form, so that a double click is one.")
    answers: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    raw = models.FloatField()
    maximum = models.FloatField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="courses_attempt_key_unique")]

    def __str__(self) -> str:
        return f"{self.user}: {self.raw:g}/{self.maximum:g}"


class SignInTally(models.Model):
    """Wrong passwords of a name, of an address, of a name from one address or browser; or one person's wrong codes.

    `failures` count in the window that began at `since`, `total` for as long as the row is kept. `pairs`, of an
    address: how many names it tried in its window. `not_before`: the moment given to whoever has to wait.
    """

    class Kind(models.TextChoices):
        NAME = "name", "name"
        ADDRESS = "address", "address"
        PAIR = "pair", "name from an address"
        BROWSER = "browser", "name in its own browser"
        CODE = "code", "course codes of a person"

    kind = models.CharField(max_length=7, choices=Kind)
    key = models.CharField(max_length=250)
    failures = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    pairs = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now, db_index=True)
    not_before = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = "sign-in tally", "sign-in tallies"
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="courses_sign_in_tally_unique")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.key}"
