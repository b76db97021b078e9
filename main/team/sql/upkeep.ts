/**
 * Maintenance of a team's database: pruning, recovery after a restore from a backup, closing or moving an account, and
 * the formats that may still read and write. All of it is for administrators.
 */
export const UPKEEP_SQL = `
/* The version of this schema; adslate team migrate adds a row for each step. */
CREATE TABLE schema_version (
  version int PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  login name NOT NULL DEFAULT session_user
);
GRANT SELECT ON schema_version TO adslate_member;

/*
 * The only function that deletes log entries: those before a usable snapshot that are older than the days to keep, at
 * least 90. The last hash is kept, so that the chain continues from it. Records of people, answers and verdicts are not
 * deleted.
 */
CREATE FUNCTION prune_v1(of uuid, keep_days int, OUT entries bigint, OUT parts bigint, OUT snapshots bigint, OUT pruned_to bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  held bigint;
  before timestamptz := now() - make_interval(days => greatest(keep_days, 90));
BEGIN
  PERFORM adslate.admin_here(of);
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  SELECT max(s.seq) INTO held FROM adslate.snapshot s WHERE s.workspace = of AND s.state = 'usable';
  -- Times may jump: everything up to the first entry that is to be kept, and not every old one.
  UPDATE adslate.workspace w SET pruned_to = last.seq, pruned_hash = last.hash FROM (
    SELECT c.seq, c.hash FROM adslate.change_set c WHERE c.workspace = of AND c.seq <= held AND c.seq < coalesce((
      SELECT min(k.seq) FROM adslate.change_set k WHERE k.workspace = of AND k.at >= before), 9223372036854775807)
    ORDER BY c.seq DESC LIMIT 1) last
    WHERE w.id = of;
  SELECT w.pruned_to INTO pruned_to FROM adslate.workspace w WHERE w.id = of;
  WITH gone AS (DELETE FROM adslate.change_set c WHERE c.workspace = of AND c.seq <= prune_v1.pruned_to RETURNING 1)
    SELECT count(*) INTO entries FROM gone;
  WITH gone AS (DELETE FROM adslate.part p WHERE p.workspace = of AND p.at < now() - interval '14 days'
      AND NOT EXISTS (SELECT FROM adslate.change_set c WHERE c.workspace = of AND c.desk = p.desk AND c.push = p.push) RETURNING 1)
    SELECT count(*) INTO parts FROM gone;
  WITH gone AS (DELETE FROM adslate.snapshot s WHERE s.workspace = of AND s.seq < held RETURNING 1)
    SELECT count(*) INTO snapshots FROM gone;
  PERFORM adslate.noted(of, 'pruned', jsonb_build_object('to', pruned_to, 'entries', entries, 'parts', parts));
END $$;

/*
 * The account was restored from a backup: the next sender waits until computers have reported the requests that it
 * lost.
 */
CREATE FUNCTION restored_v1(of uuid) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  raised int;
BEGIN
  PERFORM adslate.admin_here(of);
  UPDATE adslate.workspace w SET incarnation = w.incarnation + 1 WHERE w.id = of RETURNING w.incarnation INTO raised;
  PERFORM adslate.noted(of, 'restored', jsonb_build_object('incarnation', raised));
  RETURN raised;
END $$;

/* Ends the lease of a sending computer; its requests are unconfirmed for the next sender. Notifies all computers. */
CREATE FUNCTION end_turn(of uuid) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  UPDATE adslate.lease l SET token = NULL WHERE l.workspace = of;
  SELECT pg_notify('adslate', of::text)
$$;

/* Closes an account or opens it again. While it is closed, nothing is shared or sent; it can still be read. */
CREATE FUNCTION close_v1(of uuid, is_closed boolean) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  UPDATE adslate.workspace w SET state = CASE WHEN is_closed THEN 'closed' ELSE 'open' END, moved_to = NULL WHERE w.id = of;
  IF is_closed THEN
    PERFORM adslate.end_turn(of);
  END IF;
  PERFORM adslate.noted(of, CASE WHEN is_closed THEN 'closed' ELSE 'opened' END, '{}');
END $$;

/* The account moved to a copy of this database at another place, so nothing may be shared here. */
CREATE FUNCTION move_v1(of uuid, place jsonb) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  UPDATE adslate.workspace w SET state = 'moved', moved_to = place WHERE w.id = of;
  PERFORM adslate.end_turn(of);
  PERFORM adslate.noted(of, 'moved', place);
END $$;

/* Computers below a format may no longer write, or read. Formats can't be lowered, or raised above the caller's. */
CREATE FUNCTION require_format_v1(of uuid, reader int, writer int, own_format int) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  IF reader > writer OR writer > own_format THEN
    RAISE EXCEPTION 'the format to read is at most the one to write, and that at most %', own_format USING ERRCODE = '22003';
  END IF;
  UPDATE adslate.workspace w SET min_reader = greatest(w.min_reader, reader), min_writer = greatest(w.min_writer, writer)
    WHERE w.id = of;
  PERFORM adslate.noted(of, 'formats', jsonb_build_object('reader', reader, 'writer', writer));
END $$;

/* For monitoring of the server. It shows every account, so members may not read it. */
CREATE VIEW health AS SELECT w.id AS workspace, w.name, w.state, w.incarnation, w.head,
  pg_database_size(current_database()) AS database_bytes,
  pg_total_relation_size('adslate.change_set') AS log_bytes,
  (SELECT floor(extract(epoch FROM clock_timestamp() - c.at) / 60) FROM change_set c
    WHERE c.workspace = w.id AND c.seq = w.head) AS minutes_since_append,
  CASE WHEN l.token IS NOT NULL THEN l.desk END AS sender_desk,
  CASE WHEN l.token IS NOT NULL THEN l.expires_at END AS sender_until,
  coalesce(cardinality(l.unreported), 0) AS desks_not_reported,
  (SELECT count(*) FROM intent_op o WHERE o.workspace = w.id AND o.state IN ('IN_DOUBT', 'NEEDS_USER')) AS unconfirmed_ops,
  (SELECT count(*) FROM part p WHERE p.workspace = w.id AND NOT EXISTS (SELECT FROM change_set c
    WHERE c.workspace = w.id AND c.desk = p.desk AND c.push = p.push)) AS parts_without_push,
  (SELECT count(*) FROM desk d WHERE d.workspace = w.id AND NOT d.revoked) AS desks,
  (SELECT count(*) FROM desk d WHERE d.workspace = w.id AND NOT d.revoked AND d.seen < w.head
    AND d.at < now() - interval '14 days') AS desks_behind,
  (SELECT count(*) FROM audit a WHERE a.workspace = w.id AND a.what = 'digest-alarm'
    AND a.at > now() - interval '30 days') AS digest_alarms
  FROM workspace w LEFT JOIN lease l ON l.workspace = w.id;

GRANT EXECUTE ON FUNCTION prune_v1, restored_v1, close_v1, move_v1, require_format_v1
  TO adslate_member;
`;
