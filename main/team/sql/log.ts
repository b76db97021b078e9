import { shownToMembers } from './tables.ts';

/**
 * The log of a team, and who may read and write it. It is append-only, and its entries are numbered without gaps. A
 * sequence would assign numbers before the transaction ends, so numbers are assigned under a lock on the account's row.
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
  free_rows int8multirange NOT NULL DEFAULT '{}',
  policy jsonb NOT NULL DEFAULT '{"approvals": 0, "authors": "submitter"}',
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'moved')),
  moved_to jsonb,
  pruned_to bigint NOT NULL DEFAULT 0,
  pruned_hash bytea NOT NULL DEFAULT '',
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
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('invited', 'active', 'removed')),
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
  sign_key bytea,
  seal_key bytea,
  hour timestamptz NOT NULL DEFAULT now(),
  pushes_this_hour int NOT NULL DEFAULT 0,
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
  parts int NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, seq),
  UNIQUE (workspace, desk, push)
);
ALTER TABLE change_set ALTER payload SET STORAGE EXTERNAL;

/* Parts of a large push before it is in the log: its entry has the SHA-256 of each part as payload. */
CREATE TABLE part (
  workspace uuid NOT NULL REFERENCES workspace,
  desk int NOT NULL,
  push int NOT NULL,
  no int NOT NULL CHECK (no BETWEEN 0 AND 1023),
  payload bytea NOT NULL CHECK (octet_length(payload) <= 1048576),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace, desk, push, no)
);
ALTER TABLE part ALTER payload SET STORAGE EXTERNAL;

CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = '42501';
END $$;
/* Only entries before the start of the log that prune_v1 has set may be deleted. */
CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF OLD.seq <= (SELECT w.pruned_to FROM adslate.workspace w WHERE w.id = OLD.workspace) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the log is never changed' USING ERRCODE = '42501';
END $$;
CREATE TRIGGER change_set_is_kept BEFORE UPDATE ON change_set FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER change_set_is_not_deleted BEFORE DELETE ON change_set FOR EACH ROW EXECUTE FUNCTION kept();
CREATE TRIGGER change_set_stays BEFORE TRUNCATE ON change_set FOR EACH STATEMENT EXECUTE FUNCTION never();

/* The only function that identifies the caller: an active member of the account, or null. */
CREATE FUNCTION member_here(of uuid) RETURNS member
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m FROM adslate.member m WHERE m.workspace = of AND m.login = session_user AND m.state = 'active'
$$;

ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
${shownToMembers('member', 'desk', 'change_set', 'part')}
CREATE POLICY members ON workspace FOR SELECT TO adslate_member USING ((adslate.member_here(id)).no IS NOT NULL);

/* A computer of the calling member; fails with the error of a missing right. */
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

/* The hash chain: hashes an entry with the hash of the one before it. Computers calculate the same. */
CREATE FUNCTION chained(before bytea, seq bigint, desk int, push int, kind text, label text, based bigint,
    scopes int4multirange, format int, payload bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(before
    || convert_to(concat_ws(E'\\n', seq, desk, push, kind, replace(label, E'\\n', ' '), based, scopes, format), 'UTF8')
    || E'\\\\x00'::bytea || payload)
$$;

/* Stores a part of a large push; it can be repeated. Parts of an earlier push number are deleted. */
CREATE FUNCTION put_part_v1(of uuid, desk_no int, push_no int, part_no int, body bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'edit');
BEGIN
  IF push_no <> own.last_push + 1 THEN
    RAISE EXCEPTION 'the next push of this computer is %', own.last_push + 1 USING ERRCODE = '22003';
  END IF;
  DELETE FROM adslate.part p WHERE p.workspace = of AND p.desk = desk_no AND p.push <> push_no
    AND NOT EXISTS (SELECT FROM adslate.change_set c WHERE c.workspace = of AND c.desk = desk_no AND c.push = p.push);
  INSERT INTO adslate.part VALUES (of, desk_no, push_no, part_no, body)
    ON CONFLICT (workspace, desk, push, no) DO UPDATE SET payload = excluded.payload, at = now();
END $$;

/*
 * Appends an entry to the log. Answers ok, duplicate, behind, gap, wait, other-history, old-format; only ok changes
 * anything. A computer that was behind four times gets the turn for three seconds; one that shares ten times a second
 * for an hour has to wait. A push in parts has no body here.
 */
CREATE FUNCTION append_v1(of uuid, desk_no int, push_no int, based_on bigint, based_hash bytea, set_kind text,
    set_label text, set_scopes int4multirange, cell_count int, set_format int, body bytea, part_count int DEFAULT 0,
    OUT answer text, OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'edit');
  w adslate.workspace;
  known bytea;
  held int;
BEGIN
  SELECT * INTO w FROM adslate.workspace WHERE id = of FOR UPDATE;
  -- Read again behind the lock: another connection of the same computer may have been here.
  SELECT d.* INTO own FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no;
  IF push_no <= own.last_push THEN
    answer := 'duplicate';
    RETURN;
  END IF;
  IF w.state <> 'open' THEN
    RAISE EXCEPTION 'the team of this account is %', w.state USING ERRCODE = 'AD001';
  END IF;
  IF based_on = w.pruned_to THEN
    known := w.pruned_hash;
  ELSE
    SELECT c.hash INTO known FROM adslate.change_set c WHERE c.workspace = of AND c.seq = based_on;
  END IF;
  answer := CASE
    WHEN known IS DISTINCT FROM based_hash THEN 'other-history'
    WHEN push_no > own.last_push + 1 THEN 'gap'
    WHEN set_format < w.min_writer THEN 'old-format'
    WHEN w.turn_desk <> desk_no AND w.turn_until > clock_timestamp() THEN 'wait'
    WHEN own.pushes_this_hour >= 36000 AND own.hour > clock_timestamp() - interval '1 h' THEN 'wait'
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
  IF part_count > 0 THEN
    SELECT count(*), string_agg(sha256(p.payload), ''::bytea ORDER BY p.no) INTO held, body FROM adslate.part p
      WHERE p.workspace = of AND p.desk = desk_no AND p.push = push_no AND p.no < part_count;
    IF held <> part_count THEN
      RAISE EXCEPTION '% of % parts are here', held, part_count USING ERRCODE = '22023';
    END IF;
  END IF;
  seq := w.head + 1;
  hash := adslate.chained(w.head_hash, seq, desk_no, push_no, set_kind, set_label, based_on, set_scopes, set_format, body);
  INSERT INTO adslate.change_set VALUES (of, seq, desk_no, push_no, own.member, set_kind, set_label, clock_timestamp(),
    based_on, set_scopes, cell_count, set_format, body, hash, part_count);
  UPDATE adslate.desk d SET last_push = push_no, refused = 0, at = clock_timestamp(),
    pushes_this_hour = CASE WHEN d.hour > clock_timestamp() - interval '1 h' THEN d.pushes_this_hour + 1 ELSE 1 END,
    hour = CASE WHEN d.hour > clock_timestamp() - interval '1 h' THEN d.hour ELSE clock_timestamp() END
    WHERE d.workspace = of AND d.no = desk_no;
  UPDATE adslate.workspace x SET head = append_v1.seq, head_hash = append_v1.hash,
    turn_desk = nullif(x.turn_desk, desk_no) WHERE x.id = of;
  PERFORM pg_notify('adslate', of::text);
END $$;

GRANT SELECT ON workspace TO adslate_member;
GRANT EXECUTE ON FUNCTION member_here, append_v1, put_part_v1 TO adslate_member;
`;
