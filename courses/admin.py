"""Where admins write: courses, modules, lessons, quizzes and their rules. Each can be seen as a learner sees it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.widgets import AdminSplitDateTime
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from courses import markdown, moments, sign_in_limits
from courses.models import Course, Enrolment, Item, Lesson, Module, Option, Question, Quiz, SignInTally
from courses.usernames import FoldedUsername
from courses.views.account import BrakedSignIn

NO_RIGHT_OPTION = "Mark at least one option as correct: as it stands, nobody could answer this question."
TOO_FEW_OPTIONS = "Give the question at least two options."


class AdminSignIn(BrakedSignIn, AdminAuthenticationForm):
    """The admin has a sign-in page of its own; guessing is slowed down there too."""


admin.site.login_form = AdminSignIn
admin.site.site_header = admin.site.site_title = "Gradus"


class NewPersonForm(FoldedUsername, AdminUserCreationForm):  # type: ignore[type-arg] # not generic at run time
    pass


class PersonForm(FoldedUsername, UserChangeForm):  # type: ignore[type-arg] # not generic at run time
    pass


admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg] # not generic at run time
    """Django's own, with usernames that differ by more than case."""

    form = PersonForm
    add_form = NewPersonForm


class LabelledDateTime(AdminSplitDateTime):
    """Django's two fields for a moment, each with a name for screen readers."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        for widget, label in zip(self.widgets, ("Date", "Time"), strict=True):
            widget.attrs["aria-label"] = label


class MomentField(forms.SplitDateTimeField):
    """A moment as clocks in the current time zone show it; what they show twice or never is refused."""

    def compress(self, data_list: Any) -> datetime | None:
        with timezone.override(UTC):
            typed = super().compress(data_list)
        try:
            zone = timezone.get_current_timezone()
            return typed and moments.from_local(typed.replace(tzinfo=None), zone)
        except moments.NoSuchMoment as refusal:
            raise ValidationError(str(refusal), code="no_such_moment") from None


class AuthoringAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    formfield_overrides: ClassVar = {
        models.TextField: {"widget": forms.Textarea(attrs={"rows": 4, "cols": 80})},
        models.DateTimeField: {"form_class": MomentField, "widget": LabelledDateTime},
    }

    class Media:
        css: ClassVar[dict[str, tuple[str, ...]]] = {"all": ("css/colours.css", "css/reading.css")}

    def learner_url(self, row: Any) -> str | None:
        return str(row.get_absolute_url())

    @admin.display(description="As a learner sees it")
    def as_learner(self, row: Any) -> SafeString | str:
        url = self.learner_url(row) if row and row.pk else None
        return format_html('<a href="{}?view=learner">View as learner</a>', url) if url else "Save first."


class MarkdownForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """Refuses Markdown with a formula or figure that cannot be shown."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("body", "text", "explanation"):
            problems = markdown.render(cleaned.get(name) or "").problems
            if problems:
                self.add_error(name, ValidationError(list(problems)))
        return cleaned


class CourseForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        site = moments.zone_of(None)
        self.fields["time_zone"].widget = forms.Select(
            choices=[("", f"The site’s ({site})"), *((name, name) for name in moments.zones())]
        )


@admin.register(Course)
class CourseAdmin(AuthoringAdmin):
    form = CourseForm
    list_display = ("title", "slug", "as_learner")
    prepopulated_fields: ClassVar = {"slug": ("title",)}
    readonly_fields = ("as_learner",)


@admin.register(Module)
class ModuleAdmin(AuthoringAdmin):
    list_display = ("title", "number", "course", "as_learner")
    list_filter = ("course",)
    list_select_related = ("course",)
    readonly_fields = ("as_learner",)


class LessonForm(MarkdownForm):
    class Meta:
        widgets: ClassVar = {
            "summary": forms.Textarea(attrs={"rows": 3, "cols": 100}),
            "body": forms.Textarea(attrs={"rows": 24, "cols": 100}),
        }


@admin.register(Lesson)
class LessonAdmin(AuthoringAdmin):
    form = LessonForm
    list_display = ("title", "number", "module", "minutes", "as_learner")
    list_filter = ("module__course", "module")
    list_select_related = ("module__course",)
    prepopulated_fields: ClassVar = {"slug": ("title",)}
    readonly_fields = ("as_learner", "preview")

    @admin.display(description="Preview of what is saved")
    def preview(self, lesson: Lesson) -> SafeString | str:
        html = markdown.render(lesson.body).html
        return (
            format_html('<div class="preview"><div class="prose">{}</div></div>', html) if lesson.pk else "Save first."
        )


class OptionFormSet(BaseInlineFormSet):  # type: ignore[type-arg] # not generic at run time
    """A question must be answerable."""

    def clean(self) -> None:
        super().clean()
        kept = [form.cleaned_data for form in self.forms if form.is_valid() and not self._is_dropped(form)]
        if len(kept) < 2:
            raise ValidationError(TOO_FEW_OPTIONS)
        if not any(option["correct"] for option in kept):
            raise ValidationError(NO_RIGHT_OPTION)

    def _is_dropped(self, form: Any) -> bool:
        return not form.cleaned_data or bool(form.cleaned_data.get("DELETE"))


class OptionInline(admin.StackedInline):  # type: ignore[type-arg] # not generic at run time
    """Stacked, because only then each field has a label of its own."""

    model = Option
    formset = OptionFormSet
    form = MarkdownForm
    formfield_overrides: ClassVar = {models.TextField: {"widget": forms.Textarea(attrs={"rows": 3, "cols": 80})}}

    def get_extra(self, request: HttpRequest, obj: Question | None = None, **kwargs: Any) -> int:
        return 0 if obj else 4


@admin.register(Question)
class QuestionAdmin(AuthoringAdmin):
    form = MarkdownForm
    list_display = ("text", "quiz", "order", "as_learner")
    list_filter = ("quiz",)
    list_select_related = ("quiz__lesson",)
    inlines = (OptionInline,)
    readonly_fields = ("as_learner",)

    def learner_url(self, row: Question) -> str | None:
        return _quiz_url(row.quiz)


@admin.register(Quiz)
class QuizAdmin(AuthoringAdmin):
    list_display = ("title", "lesson", "as_learner")
    list_select_related = ("lesson__module",)
    readonly_fields = ("as_learner",)

    def learner_url(self, row: Quiz) -> str | None:
        return _quiz_url(row)


@admin.register(Item)
class ItemAdmin(AuthoringAdmin):
    list_display = ("title", "course", "lesson", "kind", "weight", "opens", "due", "held", "as_learner")
    list_filter = ("course", "kind", "held")
    list_select_related = ("course", "lesson__module")
    readonly_fields = ("as_learner",)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form shows and reads moments as the clocks of the item's course do."""
        course = self._course(request, *args, **kwargs)
        with timezone.override(moments.zone_of(course)):
            response = super().changeform_view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse):
                response.render()
        return response

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, MomentField):
            field.help_text = f"{field.help_text} In the course’s time zone (here {timezone.get_current_timezone()})."
        return field

    @admin.display(description="opens", ordering="opens_at")
    def opens(self, item: Item) -> str | None:
        return moments.text(item.opens_at, item.course) if item.opens_at else None

    @admin.display(description="due", ordering="due_at")
    def due(self, item: Item) -> str | None:
        return moments.text(item.due_at, item.course) if item.due_at else None

    def _course(self, request: HttpRequest, object_id: str | None = None, *_: Any, **__: Any) -> Course | None:
        """That which the form names; of a form that was not sent yet, the item's."""
        sent = request.POST.get("course", "")
        if sent:
            return Course.objects.filter(pk=sent).first() if sent.isdigit() else None
        found = Item.objects.filter(pk=object_id).select_related("course").first() if object_id else None
        return found.course if found else None


@admin.register(Enrolment)
class EnrolmentAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("user", "course", "role", "created_at")
    list_filter = ("course", "role")
    list_select_related = ("user", "course")
    search_fields = ("user__username", "user__last_name")
    autocomplete_fields = ("user",)


@admin.register(SignInTally)
class SignInTallyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """How often passwords were wrong, in the last quarter of an hour and in all, by name and by address.

    To delete a row lets whoever it counts begin anew.
    """

    list_display = ("of_what", "whose", "total", "recently", "last_at")
    list_display_links = None
    list_filter = ("kind",)
    search_fields = ("key",)
    ordering = ("-last_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SignInTally]:
        return SignInTally.objects.exclude(total=0)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SignInTally | None = None) -> bool:
        return False

    @admin.display(description="wrong passwords of", ordering="kind")
    def of_what(self, row: SignInTally) -> str:
        return row.get_kind_display()

    @admin.display(description="name or address", ordering="key")
    def whose(self, row: SignInTally) -> str:
        name, _, place = row.key.partition("\n")
        called = "(no such username)" if name.startswith("?") else name or "(any name)"
        return f"{called} from {place}" if row.kind == SignInTally.Kind.PAIR else called

    def recently(self, row: SignInTally) -> int:
        return row.failures if row.since > timezone.now() - sign_in_limits.WINDOW else 0


def _quiz_url(quiz: Quiz) -> str | None:
    """A quiz is met as an item of a course; without one, learners do not see it."""
    item = quiz.items.first()
    return item.get_absolute_url() if item else None
