"""Which layers of the sandbox this machine has, and whether they are enough to grade."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from grader.sandbox import doctor


class Command(BaseCommand):
    help = "Print the sandbox's level and each of its layers. Exit status 1 when this machine must not grade."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        layers = doctor.examine()
        for layer in layers:
            mark = "yes" if layer.present else "NO " if layer.required else "no "
            self.stdout.write(f"{mark}  {layer.name}: {layer.why}")
        self.stdout.write(str(doctor.level))
