"""Replies say which batch they came in, and batches what they can cost at most."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("responses") as responses:
        responses.add_column(sa.Column("batch_id", sa.Integer(), nullable=True))
    with op.batch_alter_table("batches") as batches:
        batches.add_column(sa.Column("at_most", sa.Double(), nullable=True))
    # Of a process that was killed while it collected, the replies that are recorded came in its batch.
    op.execute(
        "UPDATE responses SET batch_id = (SELECT MIN(batches.id) FROM batches"
        " JOIN batch_requests ON batch_requests.batch_id = batches.id"
        " WHERE batches.status = 'open' AND batch_requests.key = responses.key"
        " AND batches.created <= responses.created) WHERE latency = 0.0"
    )
