"""Candidates say when they were logged; those from before take the time their run ended, or began."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("candidates") as candidates:
        candidates.add_column(sa.Column("created", sa.String(length=32), nullable=True))
    op.execute(
        "UPDATE candidates SET created ="
        " (SELECT COALESCE(runs.finished, runs.created) FROM runs WHERE runs.id = candidates.run_id)"
    )
    with op.batch_alter_table("candidates") as candidates:
        candidates.alter_column("created", existing_type=sa.String(length=32), nullable=False)
