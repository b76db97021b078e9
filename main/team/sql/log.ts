/**
 * The log of a team, and who may read and write it. It is append-only, and its entries are numbered without gaps: not by a
 * sequence, whose numbers are taken before their transaction ends, but under a lock on the row of the account.
 */
export const LOG_SQL = `
CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  deployment text NOT NULL,
  advertiser_id text NOT NULL,
  incarnation int NOT NULL DEFAULT 1,
  head bigint NOT NULL DEFAULT 0,
  head_hash bytea NOT NULL DEFAULT '',
  next_row_id bigint NOT NULL DEFAULT 1,
  next_desk int NOT NULL DEFAULT 1,
  min_reader int NOT NULL DEFAULT 1,
  min_writer int NOT NULL DEFAULT 1,
  turn_desk int,
  turn_until timestamptz,
  UNIQUE (deployment, advertiser_id)
);

CREATE TABLE member (
  workspace uuid NOT NULL REFERENCES workspace,
  no int NOT NULL,
  login name NOT NULL,
  display text NOT NULL,
  roles text[] NOT NULL CHECK (roles <@ ARRAY['view', 'edit', 'sign-off', 'sync', 'admin']),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'removed')),
  invited_by int,
  invited_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace, no),
  UNIQUE (workspace, login)
);

CREATE TABLE desk (
  workspace uuid NOT NULL REFERENCES workspace,
  no int NOT NULL,
  member int NOT NULL,
  name text NOT NULL,
  format int NOT NULL,
  last_push int NOT NULL DEFAULT 0,
  refused int NOT NULL DEFAULT 0,
  seen bigint NOT NULL DEFAULT 0,
  at timestamptz NOT NULL DEFAULT now(),
  revoked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace, no),
  FOREIGN KEY (workspace, member) REFERENCES member
);

CREATE TABLE change_set (
  workspace uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  desk int NOT NULL,
  push int NOT NULL,
  member int NOT NULL,
  kind text NOT NULL CHECK (kind IN ('edit', 'note', 'service')),
  label text NOT NULL CHECK (length(label) <= 200),
  at timestamptz NOT NULL,
  based bigint NOT NULL,
  scopes int4multirange NOT NULL,
  cells int NOT NULL CHECK (cells >= 0),
  format int NOT NULL,
  payload bytea NOT NULL CHECK (octet_length(payload) <= 8388608),
  hash bytea NOT NULL,
  PRIMARY KEY (workspace, seq),
  UNIQUE (workspace, desk, push)
);
ALTER TABLE change_set ALTER payload SET STORAGE EXTERNAL;

CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the log is never changed' USING ERRCODE = '42501';
END $$;
CREATE TRIGGER change_set_is_kept BEFORE UPDATE OR DELETE ON change_set FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER change_set_stays BEFORE TRUNCATE ON change_set FOR EACH STATEMENT EXECUTE FUNCTION never();

/* The one place that says who asks: a member of the account that is not removed, or nobody. */
CREATE FUNCTION member_here(of uuid) RETURNS member
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m FROM adslate.member m WHERE m.workspace = of AND m.login = session_user AND m.state = 'active'
$$;

ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
ALTER TABLE member ENABLE ROW LEVEL SECURITY;
ALTER TABLE desk ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_set ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON workspace FOR SELECT TO adslate_member USING ((adslate.member_here(id)).no IS NOT NULL);
CREATE POLICY members ON member FOR SELECT TO adslate_member USING ((adslate.member_here(workspace)).no IS NOT NULL);
CREATE POLICY members ON desk FOR SELECT TO adslate_member USING ((adslate.member_here(workspace)).no IS NOT NULL);
CREATE POLICY members ON change_set FOR SELECT TO adslate_member USING ((adslate.member_here(workspace)).no IS NOT NULL);

/* A computer of the member that asks; the error is that of a missing right. */
CREATE FUNCTION own_desk(of uuid, desk_no int, needs text) RETURNS desk
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who adslate.member := adslate.member_here(of);
  own adslate.desk;
BEGIN
  SELECT d.* INTO own FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no AND d.member = who.no AND NOT d.revoked;
  IF own.no IS NULL OR NOT (needs = ANY (who.roles)) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  RETURN own;
END $$;

/* The chain: what an entry is, behind the hash of the one before it. Computers work out the same. */
CREATE FUNCTION chained(before bytea, seq bigint, desk int, push int, kind text, label text, based bigint,
    scopes int4multirange, format int, payload bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(before
    || convert_to(concat_ws(E'\\n', seq, desk, push, kind, replace(label, E'\\n', ' '), based, scopes, format), 'UTF8')
    || E'\\\\x00'::bytea || payload)
$$;

/*
 * Puts an entry into the log. Answers ok, duplicate, behind, gap, wait, other-history, old-format; only ok changes anything.
 * A computer that was behind four times has the turn for three seconds.
 */
CREATE FUNCTION append_v1(of uuid, desk_no int, push_no int, based_on bigint, based_hash bytea, set_kind text,
    set_label text, set_scopes int4multirange, cell_count int, set_format int, body bytea,
    OUT answer text, OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'edit');
  w adslate.workspace;
  known bytea;
BEGIN
  SELECT * INTO w FROM adslate.workspace WHERE id = of FOR UPDATE;
  -- Read again behind the lock: another connection of the same computer may have been here.
  SELECT d.* INTO own FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no;
  IF push_no <= own.last_push THEN
    answer := 'duplicate';
    RETURN;
  END IF;
  IF based_on = 0 THEN
    known := '';
  ELSE
    SELECT c.hash INTO known FROM adslate.change_set c WHERE c.workspace = of AND c.seq = based_on;
  END IF;
  answer := CASE
    WHEN known IS DISTINCT FROM based_hash THEN 'other-history'
    WHEN push_no > own.last_push + 1 THEN 'gap'
    WHEN set_format < w.min_writer THEN 'old-format'
    WHEN w.turn_desk <> desk_no AND w.turn_until > clock_timestamp() THEN 'wait'
    WHEN EXISTS (SELECT FROM adslate.change_set c
      WHERE c.workspace = of AND c.seq > based_on AND c.desk <> desk_no AND c.scopes && set_scopes) THEN 'behind'
    ELSE 'ok' END;
  IF answer = 'behind' THEN
    UPDATE adslate.desk d SET refused = d.refused + 1 WHERE d.workspace = of AND d.no = desk_no;
    IF own.refused + 1 >= 4 AND (w.turn_until IS NULL OR w.turn_until <= clock_timestamp()) THEN
      UPDATE adslate.workspace SET turn_desk = desk_no, turn_until = clock_timestamp() + interval '3 s' WHERE id = of;
    END IF;
  END IF;
  IF answer <> 'ok' THEN
    RETURN;
  END IF;
  seq := w.head + 1;
  hash := adslate.chained(w.head_hash, seq, desk_no, push_no, set_kind, set_label, based_on, set_scopes, set_format, body);
  INSERT INTO adslate.change_set VALUES (of, seq, desk_no, push_no, own.member, set_kind, set_label, clock_timestamp(),
    based_on, set_scopes, cell_count, set_format, body, hash);
  UPDATE adslate.desk d SET last_push = push_no, refused = 0, at = clock_timestamp() WHERE d.workspace = of AND d.no = desk_no;
  UPDATE adslate.workspace x SET head = append_v1.seq, head_hash = append_v1.hash,
    turn_desk = nullif(x.turn_desk, desk_no) WHERE x.id = of;
  PERFORM pg_notify('adslate', of::text);
END $$;

/* What a computer says of itself now and then, and what it hears: how far the log is, and who has the turn. */
CREATE FUNCTION heartbeat_v1(of uuid, desk_no int, seen_seq bigint, OUT head bigint, OUT head_hash bytea, OUT incarnation int)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'view');
  UPDATE adslate.desk d SET seen = seen_seq, at = clock_timestamp() WHERE d.workspace = of AND d.no = desk_no;
  SELECT w.head, w.head_hash, w.incarnation INTO head, head_hash, incarnation FROM adslate.workspace w WHERE w.id = of;
END $$;

/* A new computer of the member that asks; the numbers of new rows it may give out come with it. */
CREATE FUNCTION join_desk_v1(of uuid, desk_name text, desk_format int, row_count int, OUT no int, OUT first_row bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who adslate.member := adslate.member_here(of);
BEGIN
  IF who.no IS NULL THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  IF row_count NOT BETWEEN 0 AND 1048576 THEN
    RAISE EXCEPTION 'a reserve has at most 1,048,576 numbers' USING ERRCODE = '22003';
  END IF;
  UPDATE adslate.workspace w SET next_desk = w.next_desk + 1, next_row_id = w.next_row_id + row_count
    WHERE w.id = of RETURNING w.next_desk - 1, w.next_row_id - row_count INTO no, first_row;
  INSERT INTO adslate.desk (workspace, no, member, name, format) VALUES (of, no, who.no, desk_name, desk_format);
END $$;

GRANT SELECT ON workspace, member, desk, change_set TO adslate_member;
GRANT EXECUTE ON FUNCTION member_here, append_v1, heartbeat_v1, join_desk_v1 TO adslate_member;
`;
