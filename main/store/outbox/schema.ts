/**
 * Tables of the outbox: requests, their outcomes, and questions to the user.
 *
 * - An op is one row of the workspace in one verb. Its states, which add up to all ops ever sent:
 *
 *     intent        response
 *   ---------> SENT -------> DONE | REJECTED
 *               |  \--------> RETURNED   proof that nothing was executed; the row is still changed
 *               v                ^
 *           IN_DOUBT ------------+  two reads without it, the second after the settle window
 *               | \------------> DONE    found on the service and adopted
 *               v
 *           NEEDS_USER --------> DONE | RETURNED, as the user decides
 *
 * - `outbox_op_live` makes two live ops of one row and verb impossible in the database itself.
 * - `kind` is the position in KINDS; times are milliseconds since 1970; bodies are the exact bytes that were sent.
 * - Receipts are append-only, enforced by triggers.
 */
export const OUTBOX_DDL = `
CREATE TABLE outbox_batch(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  verb TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  campaign_id INTEGER,
  ad_group_id INTEGER,
  attempt INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  correlation_id TEXT NOT NULL,
  body TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  pre_image TEXT,
  sent_at INTEGER NOT NULL,
  last_moment_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX outbox_batch_correlation ON outbox_batch(correlation_id);

CREATE TABLE outbox_op(
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES outbox_batch(id),
  idx INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  row_id INTEGER NOT NULL,
  verb TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('SENT','IN_DOUBT','NEEDS_USER','DONE','REJECTED','RETURNED')),
  sent TEXT NOT NULL,
  base TEXT,
  absent_at INTEGER,
  remote_id TEXT,
  reason TEXT,
  UNIQUE (batch_id, idx)
) STRICT;
CREATE UNIQUE INDEX outbox_op_live ON outbox_op(kind, row_id, verb) WHERE state IN ('SENT','IN_DOUBT','NEEDS_USER');
CREATE INDEX outbox_op_row ON outbox_op(kind, row_id);

CREATE TABLE outbox_question(
  id INTEGER PRIMARY KEY,
  op_id INTEGER NOT NULL REFERENCES outbox_op(id),
  what TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  absent_from INTEGER NOT NULL,
  answer TEXT,
  answered_at INTEGER
) STRICT;
CREATE UNIQUE INDEX outbox_question_open ON outbox_question(op_id) WHERE answered_at IS NULL;

CREATE TABLE outbox_receipt(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  batch_id INTEGER NOT NULL REFERENCES outbox_batch(id),
  at INTEGER NOT NULL,
  class TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE TRIGGER outbox_receipt_kept BEFORE DELETE ON outbox_receipt BEGIN SELECT raise(ABORT, 'receipts are kept'); END;
CREATE TRIGGER outbox_receipt_fixed BEFORE UPDATE ON outbox_receipt BEGIN SELECT raise(ABORT, 'receipts are fixed'); END;

CREATE TABLE outbox_meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO outbox_meta VALUES ('epoch', 0);
`;

/** SQL condition on `outbox_op.state` for open ops. */
export const LIVE = `state IN ('SENT','IN_DOUBT','NEEDS_USER')`;
