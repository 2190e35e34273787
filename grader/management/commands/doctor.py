"""Which layers of the sandbox this machine has, and whether they are enough to grade."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from grader.fitness import examine
from grader.sandbox.levels import MEANINGS


class Command(BaseCommand):
    help = "Print the sandbox's level and each of its layers. Exit status 1 when this machine must not grade."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        found = examine(settings.GRADUS_LEAST_SANDBOX_LEVEL)
        for layer in found.layers:
            mark = "yes" if layer.present else "NO " if layer.required else "no "
            self.stdout.write(f"{mark}  {layer.name:19} {layer.why}")
        if found.refusal:
            self.stderr.write(found.refusal)
            sys.exit(1)
        self.stdout.write(f"\nLevel {found.level}: {MEANINGS[found.level]}\nMemory: {found.memory}")
