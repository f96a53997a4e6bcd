"""Candidates tell their second parent and the items they show; iterations tell what they decided."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("candidates") as candidates:
        candidates.add_column(sa.Column("partner", sa.Integer(), nullable=True))
        candidates.add_column(sa.Column("shown", sa.JSON(), nullable=True))
    op.create_table(
        "iterations",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
