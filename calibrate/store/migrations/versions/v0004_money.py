"""Replies carry a confidence and say how often they ran out of room; uncertain charges and batches are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("responses") as responses:
        responses.add_column(sa.Column("confidence", sa.Double(), nullable=True))
        responses.add_column(sa.Column("enlarged", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "uncertain_charges",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("runs.id"), nullable=False, index=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at_most", sa.Double(), nullable=True),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "batches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("token", sa.String(32), nullable=False, unique=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "batch_requests",
        sa.Column("batch_id", sa.Integer(), sa.ForeignKey("batches.id"), primary_key=True),
        sa.Column("key", sa.String(32), primary_key=True, index=True),
    )
