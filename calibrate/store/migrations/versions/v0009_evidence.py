"""Verdicts keep what they rest on: the claims of an answer with their quotes, or the questions written back."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("verdicts") as verdicts:
        verdicts.add_column(sa.Column("evidence", sa.JSON(), nullable=True))
