from django.urls import path

from courses.views import account, marks, people, quiz, reading

app_name = "courses"

urlpatterns = [
    path("", reading.home, name="home"),
    path("sign-in/", account.SignIn.as_view(), name="sign_in"),
    path("sign-in/again/", account.SignIn.as_view(), name="sign_in_again"),
    path("sign-out/", account.SignOut.as_view(), name="sign_out"),
    path("password/", account.ChangePassword.as_view(), name="password"),
    path("password/changed/", account.PasswordChanged.as_view(), name="password_done"),
    path("password/reset/<uidb64>/<token>/", account.ResetPassword.as_view(), name="password_reset_confirm"),
    path("invitations/<slug:token>/", people.accept, name="accept"),
    path("join/", people.join, name="join"),
    path("quizzes/<int:item>/", quiz.quiz, name="quiz"),
    path("quizzes/attempts/<int:attempt>/", quiz.attempt, name="quiz_attempt"),
    path("people/<int:enrolment>/remove/", people.leave, name="leave"),
    path("people/<int:enrolment>/reset-link/", people.reset_link, name="reset_link"),
    path("people/invitations/<int:invitation>/withdraw/", people.withdraw, name="withdraw"),
    path("people/requests/<int:enrolment_request>/withdraw/", people.withdraw_request, name="withdraw_request"),
    path("people/requests/<int:enrolment_request>/answer/", people.answer_request, name="answer_request"),
    path("courses/<slug:course>/", reading.course, name="course"),
    path("courses/<slug:course>/progress/", marks.progress, name="progress"),
    path("courses/<slug:course>/gradebook/", marks.marks, name="gradebook"),
    path("courses/<slug:course>/gradebook.csv", marks.marks_csv, name="gradebook_csv"),
    path("courses/<slug:course>/people/", people.roster, name="roster"),
    path("courses/<slug:course>/people/invite/", people.invite, name="invite"),
    path("courses/<slug:course>/module-<int:number>/", reading.module, name="module"),
    path("courses/<slug:course>/module-<int:number>/<slug:slug>/", reading.lesson, name="lesson"),
]
