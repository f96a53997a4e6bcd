"""Items keep the side of a holdout that they were once put on."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sides",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("held_out", sa.Boolean(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
