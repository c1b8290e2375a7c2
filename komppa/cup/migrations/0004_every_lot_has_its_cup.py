import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cup", "0003_fill_what_is_derived")]
    operations = [
        migrations.AlterField(
            model_name="lot",
            name="cup",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="lots",
                to="cup.cup",
            ),
        ),
    ]
