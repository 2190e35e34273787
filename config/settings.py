"""Settings, for one machine and for many. Every variable read here is listed in docs/settings.md.

Without SECRET_KEY this is the local default: it answers on loopback names only and keeps all it writes in `var/`.
With SECRET_KEY it is a deployment: secure cookies, HTTPS and the names in ALLOWED_HOSTS.
"""

import os
from pathlib import Path

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key

from config import env

# Lets classes that the type checker knows as generic (ModelAdmin, ModelForm …) be subscripted at run time too.
django_stubs_ext.monkeypatch()

ENV = env.Environment(os.environ)
BASE_DIR = Path(__file__).resolve().parent.parent
VAR = ENV.folder("GRADUS_VAR", BASE_DIR / "var")


def local_key() -> str:
    """The key that `run.py` keeps in var/; a process without one gets its own, and its sessions end with it."""
    file = VAR / "secret-key"
    return file.read_text("utf-8").strip() if file.exists() else get_random_secret_key()


_secret_key = ENV.secret("SECRET_KEY")
LOCAL = _secret_key is None
SECRET_KEY = _secret_key or local_key()
DEBUG = ENV.flag("DEBUG", default=False)
if DEBUG and not LOCAL:
    raise env.BadSetting("DEBUG shows settings to visitors, so it cannot be on where SECRET_KEY is set.")
if not LOCAL and len(SECRET_KEY) < 50:
    raise env.BadSetting("SECRET_KEY must have at least 50 characters.")

LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = ENV.words("ALLOWED_HOSTS") or (LOOPBACK if LOCAL else [])
if not ALLOWED_HOSTS:
    raise env.BadSetting("ALLOWED_HOSTS must list the names that this site answers to.")
if "*" in ALLOWED_HOSTS:
    raise env.BadSetting("ALLOWED_HOSTS must list names; '*' would accept a forged one.")
DEMO = ENV.flag("GRADUS_DEMO", default=False)
if DEMO and not LOCAL:
    raise env.BadSetting(
        "GRADUS_DEMO makes people with published passwords, so it cannot be on where SECRET_KEY is set."
    )

HTTPS = ENV.flag("HTTPS", default=not LOCAL)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
if ENV.flag("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
TRUSTED_PROXIES = ENV.number("TRUSTED_PROXIES", 0, least=0, most=10)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [
    f"https://{host.replace('.', '*.', 1) if host.startswith('.') else host}" for host in ALLOWED_HOSTS
]
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "exercises",
    "courses",
    "grader",
    "config",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.body_limits.refuse_large",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.not_allowed.explain",
]
# Bytes that a request may bring, by the name of its address or of its app. A submission is 256 KB at most, and comes
# twice when a file is chosen beside what stands in the editor; whoever was signed out takes it with them through the
# sign-in form. The admin takes whole lessons.
BODY_LIMITS = {
    "default": 64 * 1024,
    "grader:submit": 1024 * 1024,
    "courses:sign_in_again": 1024 * 1024,
    "admin": 2 * 1024 * 1024,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMITS.values())  # nothing goes through a disk
CSRF_FAILURE_VIEW = "config.forgery.explain"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

_database_url = ENV.secret("DATABASE_URL")
DATABASES = {"default": env.database(_database_url) if _database_url else env.sqlite(VAR / "gradus.sqlite3")}
if not _database_url:
    VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not SQLite's memory: tests then meet the same locks as people do. One per process: test runs may overlap.
    DATABASES["default"]["TEST"] = {"NAME": f"{DATABASES['default']['NAME']}.test-{os.getpid()}"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "courses:sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "courses:sign_in"

LANGUAGE_CODE = "en"
USE_I18N = True
# Moments are stored in UTC. This is the zone in which they are shown and typed where a course has none of its own.
TIME_ZONE = ENV.time_zone("GRADUS_TIME_ZONE", "UTC")
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A deployment collects its files once; the local default serves them from where they lie.
STATIC_ROOT = None if LOCAL else VAR / "static"
WHITENOISE_USE_FINDERS = LOCAL
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.[^/]*$"  # by the name alone; else the storage is asked about guesses
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL
        else "config.static_files.ForgivingStorage"
    },
}
MEDIA_ROOT = VAR / "media"

_redis_url = ENV.secret("REDIS_URL")
REDIS = env.redis(_redis_url) if _redis_url else env.socket(env.socket_path(VAR))
REDIS_URL = REDIS.client

CELERY_BROKER_URL = REDIS.celery
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "gradus"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A last resort: the sandbox ends every job itself, at the latest after five times the CPU seconds its exercise allows.
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Above CELERY_TASK_TIME_LIMIT, or a task that is still running would be started a second time.
    "visibility_timeout": 7200,
    # kombu looks for tasks of killed workers every 100 s unless told otherwise.
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
}
CELERY_TIMEZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {
        "handlers": ["console"],
        "level": ENV.choice("LOG_LEVEL", "INFO", among=("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    "loggers": {"django.server": {"propagate": True, "handlers": []}},
}

# Days; 0 keeps everything.
GRADUS_KEEP_SAMPLE_RUNS = ENV.number("GRADUS_KEEP_SAMPLE_RUNS", 30, least=0, most=36500)
GRADUS_KEEP_REPORTS = ENV.number("GRADUS_KEEP_REPORTS", 0, least=0, most=36500)
# With it, monitoring reads the details of /healthz; without it, only admins do.
GRADUS_HEALTH_TOKEN = ENV.secret("GRADUS_HEALTH_TOKEN")
if GRADUS_HEALTH_TOKEN is not None and len(GRADUS_HEALTH_TOKEN) < 20:
    raise env.BadSetting("GRADUS_HEALTH_TOKEN must have at least 20 characters.")
GRADUS_LEAST_SANDBOX_LEVEL = ENV.choice("GRADUS_LEAST_SANDBOX_LEVEL", "D", among=("A", "B", "C", "D"))
