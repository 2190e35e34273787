"""Static files of a deployment, under names that change with their content."""

from __future__ import annotations

import logging

from whitenoise.storage import CompressedManifestStaticFilesStorage

log = logging.getLogger(__name__)


class ForgivingStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """A page whose files were not collected, or cannot be read, comes without its styles, rather than not at all.

    That holds for the error pages above all, which have to tell people that something is broken.
    """

    def read_manifest(self) -> str | None:
        try:
            manifest: str | None = super().read_manifest()
        except OSError as error:
            log.error("the list of static files cannot be read: %s", error)
            return None
        return manifest

    def stored_name(self, name: str) -> str:
        try:
            stored: str = super().stored_name(name)
        except (ValueError, OSError):
            log.error("%s is no collected static file; `manage.py collectstatic` collects them", name)
            return name
        return stored
