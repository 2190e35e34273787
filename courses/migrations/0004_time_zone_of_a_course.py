from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("courses", "0003_usernames_requests_and_tallies")]

    operations = [
        migrations.AddField(
            model_name="course",
            name="time_zone",
            field=models.CharField(
                blank=True,
                default="",
                help_text=(
                    "In which this course’s dates are shown and typed. Empty: the site’s. To change it moves no date: "
                    "what is due at 23:59 in Berlin is then shown as due at 17:59 in New York."
                ),
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="item",
            name="due_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Work after this minute is late; the penalty below says what that costs.",
                null=True,
            ),
        ),
    ]
