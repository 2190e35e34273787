"""Who is in a course: enrolling, inviting, and helping people back in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from courses import access, people, sign_in_limits
from courses.forms import AccountForm, CodeForm, EnrolForm, InvitationForm
from courses.models import Course, Invitation, Role
from courses.place import in_course
from courses.signed_in import Request, signed_in


@signed_in
def roster(request: Request, course: str) -> HttpResponse:
    """Also the form that enrols somebody by username, or changes their role."""
    found = get_object_or_404(access.managed(request.user), slug=course)
    form = EnrolForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            enrolment = people.enrol_by_name(course=found, **form.cleaned_data)
        except people.CannotEnrol as error:
            form.add_error("username", str(error))
        else:
            messages.success(request, f"{enrolment.user.username} is now {enrolment.get_role_display().lower()} here.")
            return redirect("courses:roster", found.slug)
    return render(request, "courses/roster.html", _roster(request, found, enrol_form=form))


@signed_in
@require_POST
def leave(request: Request, enrolment: int) -> HttpResponse:
    found = get_object_or_404(access.managed_enrolments(request.user).select_related("course", "user"), pk=enrolment)
    if found.user_id == request.user.pk:
        messages.error(request, "You cannot remove yourself. Another instructor of the course can.")
    else:
        found.delete()
        messages.success(request, f"{found.user.username} left the course. Their work and marks are kept.")
    return redirect("courses:roster", found.course.slug)


@signed_in
@require_POST
def reset_link(request: Request, enrolment: int) -> HttpResponse:
    """Show, once, a link with which a learner chooses a new password: for places without e-mail."""
    found = get_object_or_404(access.managed_enrolments(request.user).select_related("course", "user"), pk=enrolment)
    person = get_object_or_404(access.resettable(request.user), pk=found.user_id)
    link = request.build_absolute_uri(people.reset_path(person))
    context = _roster(request, found.course) | {"person": person, "link": link}
    return render(request, "courses/roster.html", context)


@signed_in
@require_POST
def invite(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(access.managed(request.user), slug=course)
    form = InvitationForm(request.POST)
    if form.is_valid():
        invitation = people.invite(course=found, by=request.user, **form.cleaned_data)
        messages.success(request, "The invitation is made. Send its link to the person; it works once, for 14 days.")
        return redirect(f"{reverse('courses:roster', args=[found.slug])}#invitation-{invitation.pk}")
    return render(request, "courses/roster.html", _roster(request, found, invitation_form=form), status=422)


@signed_in
@require_POST
def withdraw(request: Request, invitation: int) -> HttpResponse:
    found = get_object_or_404(access.invitations(request.user).select_related("course"), pk=invitation)
    found.delete()
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("courses:roster", found.course.slug)


@signed_in
@require_POST
def join(request: Request) -> HttpResponse:
    form = CodeForm(request.POST)
    guesser = f"course code, person {request.user.pk}"
    if sign_in_limits.too_many(username=guesser, address=guesser):
        form.add_error("code", "Too many wrong codes. Wait a quarter of an hour, or ask your instructor to enrol you.")
    elif form.is_valid():
        try:
            enrolment = people.join_by_code(user=request.user, code=form.cleaned_data["code"])
        except people.CannotEnrol as error:
            sign_in_limits.failed(username=guesser, address=guesser)
            form.add_error("code", str(error))
        else:
            messages.success(request, f"Welcome to {enrolment.course.title}.")
            return redirect(enrolment.course)
    context = {"courses": access.courses(request.user), "form": form}
    return render(request, "courses/home.html", context, status=422)


def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: sign up, or join with the account one has."""
    invitation = Invitation.objects.open(timezone.now()).filter(token=token).select_related("course").first()
    if invitation is None:
        return render(request, "courses/invitation.html", {"invitation": None}, status=404)
    form = AccountForm(request.POST if request.method == "POST" and request.user.is_anonymous else None)
    if request.method == "POST" and (request.user.is_authenticated or form.is_valid()):
        user = request.user if request.user.is_authenticated else form.save()
        people.accept(token=token, user=user)
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect(invitation.course)
    return render(request, "courses/invitation.html", {"invitation": invitation, "form": form})


def _roster(
    request: Request,
    course: Course,
    *,
    enrol_form: EnrolForm | None = None,
    invitation_form: InvitationForm | None = None,
) -> dict[str, Any]:
    return in_course(request, course) | {
        "enrolments": access.managed_enrolments(request.user).filter(course=course).with_people(),
        "resettable": set(access.resettable(request.user).values_list("pk", flat=True)),
        "invitations": access.invitations(request.user).filter(course=course).open(timezone.now()),
        "enrol_form": enrol_form or EnrolForm(),
        "invitation_form": invitation_form or InvitationForm(initial={"role": Role.LEARNER}),
        "site": request.build_absolute_uri("/")[:-1],
    }
