import { shownToMembers } from './tables.ts';

/**
 * Snapshots: the whole account at a log position, made by one computer and loaded by new ones. A snapshot counts only
 * after a second computer has calculated the same digest, so that no computer can forge one alone.
 *
 *   making --all parts are here--> made --second computer: same digest, or an administrator--> usable
 *                                       --second computer: another digest--> refused, with an alarm
 *
 * Digests of the account are compared at other times too: two values for one log position are an alarm.
 */
export const SNAPSHOTS_SQL = `
CREATE TABLE snapshot (
  workspace uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  desk int NOT NULL,
  format int NOT NULL,
  row_count bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  digest bytea NOT NULL DEFAULT '',
  hash bytea NOT NULL,
  state text NOT NULL DEFAULT 'making' CHECK (state IN ('making', 'made', 'usable', 'refused')),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace, seq),
  FOREIGN KEY (workspace, desk) REFERENCES desk
);

CREATE TABLE snapshot_part (
  workspace uuid NOT NULL,
  seq bigint NOT NULL,
  no int NOT NULL CHECK (no BETWEEN 0 AND 4095),
  payload bytea NOT NULL CHECK (octet_length(payload) <= 4194304),
  PRIMARY KEY (workspace, seq, no),
  FOREIGN KEY (workspace, seq) REFERENCES snapshot ON DELETE CASCADE
);
ALTER TABLE snapshot_part ALTER payload SET STORAGE EXTERNAL;

CREATE TABLE digest (
  workspace uuid NOT NULL REFERENCES workspace,
  desk int NOT NULL,
  seq bigint NOT NULL,
  value bytea NOT NULL CHECK (octet_length(value) <= 64),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace, desk, seq)
);
CREATE INDEX digest_by_place ON digest (workspace, seq);

${shownToMembers('snapshot', 'snapshot_part', 'digest')}

/*
 * Starts a snapshot. False when another computer makes one here, or has made it. Earlier unconfirmed ones are deleted.
 * One that was not finished in a day is made again.
 */
CREATE FUNCTION begin_snapshot_v1(of uuid, desk_no int, at_seq bigint, at_hash bytea, set_format int) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  IF NOT EXISTS (SELECT FROM adslate.change_set c WHERE c.workspace = of AND c.seq = at_seq AND c.hash = at_hash
      UNION ALL SELECT FROM adslate.workspace w WHERE w.id = of AND w.pruned_to = at_seq AND w.pruned_hash = at_hash) THEN
    RAISE EXCEPTION 'this place is not in the log' USING ERRCODE = '22023';
  END IF;
  DELETE FROM adslate.snapshot s WHERE s.workspace = of AND s.seq < at_seq AND s.state = 'made';
  DELETE FROM adslate.snapshot s WHERE s.workspace = of AND s.seq = at_seq
    AND (s.state = 'refused' OR s.state = 'making' AND (s.desk = desk_no OR s.at < now() - interval '1 day'));
  INSERT INTO adslate.snapshot (workspace, seq, desk, format, hash) VALUES (of, at_seq, desk_no, set_format, at_hash)
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

CREATE FUNCTION put_snapshot_part_v1(of uuid, desk_no int, at_seq bigint, part_no int, body bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  PERFORM FROM adslate.snapshot s WHERE s.workspace = of AND s.seq = at_seq AND s.desk = desk_no AND s.state = 'making' FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this computer makes no snapshot here' USING ERRCODE = '42501';
  END IF;
  INSERT INTO adslate.snapshot_part VALUES (of, at_seq, part_no, body)
    ON CONFLICT (workspace, seq, no) DO UPDATE SET payload = excluded.payload;
END $$;

CREATE FUNCTION end_snapshot_v1(of uuid, desk_no int, at_seq bigint, parts int, rows_in bigint, digest_in bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  held int;
  size bigint;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  SELECT count(*), coalesce(sum(octet_length(p.payload)), 0) INTO held, size
    FROM adslate.snapshot_part p WHERE p.workspace = of AND p.seq = at_seq AND p.no < parts;
  IF held <> parts THEN
    RAISE EXCEPTION '% of % parts are here', held, parts USING ERRCODE = '22023';
  END IF;
  UPDATE adslate.snapshot s SET state = 'made', row_count = rows_in, bytes = size, digest = digest_in, at = clock_timestamp()
    WHERE s.workspace = of AND s.seq = at_seq AND s.desk = desk_no AND s.state = 'making';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this computer makes no snapshot here' USING ERRCODE = '42501';
  END IF;
  PERFORM pg_notify('adslate', of::text);
END $$;

/* Compares the digest that a second computer calculated for the same position. Answers the state of the snapshot. */
CREATE FUNCTION confirm_snapshot_v1(of uuid, desk_no int, at_seq bigint, digest_in bytea) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  s adslate.snapshot;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  SELECT x.* INTO s FROM adslate.snapshot x WHERE x.workspace = of AND x.seq = at_seq FOR UPDATE;
  IF s.state = 'made' AND s.desk <> desk_no THEN
    s.state := CASE WHEN s.digest = digest_in THEN 'usable' ELSE 'refused' END;
    UPDATE adslate.snapshot x SET state = s.state WHERE x.workspace = of AND x.seq = at_seq;
    IF s.state = 'refused' THEN
      PERFORM adslate.noted(of, 'digest-alarm', jsonb_build_object('seq', at_seq, 'desks', jsonb_build_array(s.desk, desk_no)));
    END IF;
  END IF;
  RETURN s.state;
END $$;

/* An administrator approves a snapshot, as for the first one of an account. */
CREATE FUNCTION approve_snapshot_v1(of uuid, at_seq bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  UPDATE adslate.snapshot s SET state = 'usable' WHERE s.workspace = of AND s.seq = at_seq AND s.state IN ('made', 'usable');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such snapshot' USING ERRCODE = '02000';
  END IF;
  PERFORM adslate.noted(of, 'snapshot', jsonb_build_object('seq', at_seq));
END $$;

/*
 * True when another computer has reported another value for this position. The first one to report notifies the others.
 */
CREATE FUNCTION report_digest_v1(of uuid, desk_no int, at_seq bigint, value_in bytea) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  other int;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'view');
  PERFORM FROM adslate.workspace w WHERE w.id = of AND at_seq BETWEEN 0 AND w.head FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this place is not in the log' USING ERRCODE = '22023';
  END IF;
  DELETE FROM adslate.digest d WHERE d.workspace = of AND d.desk = desk_no AND d.at < now() - interval '90 days';
  INSERT INTO adslate.digest VALUES (of, desk_no, at_seq, value_in)
    ON CONFLICT (workspace, desk, seq) DO UPDATE SET value = excluded.value, at = now();
  SELECT min(d.desk) INTO other FROM adslate.digest d
    WHERE d.workspace = of AND d.seq = at_seq AND d.desk <> desk_no AND d.value <> value_in;
  IF other IS NOT NULL THEN
    PERFORM adslate.noted(of, 'digest-alarm', jsonb_build_object('seq', at_seq, 'desks', jsonb_build_array(other, desk_no)));
  END IF;
  IF NOT EXISTS (SELECT FROM adslate.digest d WHERE d.workspace = of AND d.seq = at_seq AND d.desk <> desk_no) THEN
    PERFORM pg_notify('adslate', of::text);
  END IF;
  RETURN other IS NOT NULL;
END $$;

GRANT EXECUTE ON FUNCTION begin_snapshot_v1, put_snapshot_part_v1, end_snapshot_v1, confirm_snapshot_v1, approve_snapshot_v1,
  report_digest_v1 TO adslate_member;
`;
