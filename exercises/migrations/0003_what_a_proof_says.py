from django.db import migrations, models


class Migration(migrations.Migration):
    """Proofs of before say neither how much they tried nor with which engine: they are fast ones of an earlier one."""

    dependencies = [
        ("exercises", "0002_level_and_minutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="proof",
            name="extent",
            field=models.CharField(choices=[("fast", "Fast"), ("full", "Full")], default="fast", max_length=4),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="proof",
            name="engine",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="proof",
            name="digest",
            field=models.CharField(max_length=64),
        ),
        migrations.AddConstraint(
            model_name="proof",
            constraint=models.UniqueConstraint(
                fields=("digest", "extent", "engine"), name="exercises_proof_key_unique"
            ),
        ),
    ]
