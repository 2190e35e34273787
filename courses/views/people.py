"""Who is in a course: enrolling, inviting, and helping people back in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from courses import access, known_browsers, people, sign_in_limits
from courses.forms import AccountForm, CodeForm, EnrolForm, InvitationForm
from courses.models import Course, Enrolment, EnrolmentRequest, Invitation, Role
from courses.place import in_course
from courses.signed_in import Request, signed_in
from courses.views.reading import home_context

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ASKED = "If somebody here is called “{}”, they are asked on their home page, and enrolled once they say yes."
TOO_MANY_CODES = "Too many wrong codes. You can try again {when}, or ask your instructor to enrol you."


@signed_in
def roster(request: Request, course: str) -> HttpResponse:
    """Also the form that asks somebody by username, or changes the role of somebody who is enrolled."""
    found = get_object_or_404(access.managed(request.user), slug=course)
    form = EnrolForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            enrolment = people.enrol_by_name(course=found, by=request.user, **form.cleaned_data)
        except people.CannotEnrol as error:
            form.add_error("username", str(error))
        else:
            messages.success(
                request, _enrolled(enrolment) if enrolment else ASKED.format(form.cleaned_data["username"])
            )
            return redirect("courses:roster", found.slug)
    return render(request, "courses/roster.html", _roster(request, found, enrol_form=form))


def _enrolled(enrolment: Enrolment) -> str:
    return f"{enrolment.user.username} is now {enrolment.get_role_display().lower()} here."


@signed_in
@require_POST
def withdraw_request(request: Request, enrolment_request: int) -> HttpResponse:
    requests = access.enrolment_requests(request.user).open(timezone.now()).select_related("course")
    found = get_object_or_404(requests, pk=enrolment_request)
    found.withdrawn = True
    found.save(update_fields=["withdrawn"])
    messages.success(request, f"Nobody called “{found.typed}” is asked any more.")
    return redirect("courses:roster", found.course.slug)


@signed_in
@require_POST
def answer_request(request: Request, enrolment_request: int) -> HttpResponse:
    """Somebody's yes or no to a teacher who wants to enrol them."""
    found = get_object_or_404(access.requests_to(request.user), pk=enrolment_request)
    try:
        enrolment = people.answer(request=found.pk, user=request.user, yes=request.POST.get("answer") == "yes")
    except people.CannotEnrol as error:
        messages.error(request, str(error))
        return redirect("courses:home")
    if enrolment is None:
        messages.success(request, "You said no, and are not enrolled.")
        return redirect("courses:home")
    messages.success(request, f"Welcome to {enrolment.course.title}.")
    return redirect(enrolment.course)


@signed_in
@require_POST
def leave(request: Request, enrolment: int) -> HttpResponse:
    found = get_object_or_404(access.managed_enrolments(request.user).select_related("course", "user"), pk=enrolment)
    if found.user_id == request.user.pk:
        messages.error(request, "You cannot remove yourself. Another instructor of the course can.")
    else:
        people.remove(found)
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
    too_soon = None
    if form.is_valid():
        try:
            attempt = sign_in_limits.begin_code(person=request.user.pk)
            enrolment = people.join_by_code(user=request.user, code=form.cleaned_data["code"])
        except people.CannotEnrol as error:
            form.add_error("code", str(error))
        except sign_in_limits.TooSoon as refusal:
            too_soon = refusal
            form.add_error("code", TOO_MANY_CODES.format(when=refusal.when))
        else:
            sign_in_limits.succeeded(attempt)
            messages.success(request, f"Welcome to {enrolment.course.title}.")
            return redirect(enrolment.course)
    response = render(request, "courses/home.html", home_context(request, form), status=429 if too_soon else 422)
    if too_soon:
        response["Retry-After"] = str(too_soon.seconds)
    return response


def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: sign up, or join with the account one has."""
    invitation = Invitation.objects.open(timezone.now()).filter(token=token).select_related("course").first()
    if invitation is None:
        return _used_up(request)
    form = AccountForm(request.POST if request.method == "POST" and request.user.is_anonymous else None)
    if request.method == "POST" and (request.user.is_authenticated or form.is_valid()):
        try:
            user = _accepted(request, token, form)
        except people.CannotEnrol:  # somebody else was quicker
            return _used_up(request)
        except people.UsernameTaken as taken:
            form.add_error("username", str(taken))
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            response = redirect(invitation.course)
            known_browsers.remember(response, request, user)
            return response
    return render(request, "courses/invitation.html", {"invitation": invitation, "form": form})


def _accepted(request: HttpRequest, token: str, form: AccountForm) -> User:
    if request.user.is_anonymous:
        return people.sign_up(token=token, create=form.save)
    people.accept(token=token, user=request.user)
    return request.user


def _used_up(request: HttpRequest) -> HttpResponse:
    return render(request, "courses/invitation.html", {"invitation": None}, status=404)


def _roster(
    request: Request,
    course: Course,
    *,
    enrol_form: EnrolForm | None = None,
    invitation_form: InvitationForm | None = None,
) -> dict[str, Any]:
    return in_course(request, course) | {
        "enrolments": access.managed_enrolments(request.user).filter(course=course).with_people(),
        "requests": access.enrolment_requests(request.user)
        .filter(course=course)
        .open(timezone.now())
        .exclude(answer=EnrolmentRequest.Answer.YES)
        .order_by("typed"),
        "resettable": set(access.resettable(request.user).values_list("pk", flat=True)),
        "invitations": access.invitations(request.user).filter(course=course).open(timezone.now()),
        "enrol_form": enrol_form or EnrolForm(),
        "invitation_form": invitation_form or InvitationForm(initial={"role": Role.LEARNER}),
        "site": request.build_absolute_uri("/")[:-1],
    }
