import { appendOnly, shownToMembers, underRowSecurity } from './tables.ts';

/**
 * The lease that lets one computer send at a time, and the requests that were sent.
 *
 * - The lease names the computer that may send. Every write of its holder names the epoch and a random token that no member
 *   can read: after a failover an epoch may repeat, a token never. A write extends the lease by a minute.
 * - An intent is a request, stored before its first byte is sent; its ops are the rows of one verb, with the states of the
 *   local outbox. The partial unique index makes two open sends of one row impossible here as well.
 * - When the lease is taken over, its SENT ops become unconfirmed: they may still arrive until 65 s after the old lease ended.
 * - Every change of an op gets the next number of the account (`change`), so that computers can read what is new.
 */
export const SENDER_SQL = `
CREATE TABLE lease (
  workspace uuid PRIMARY KEY REFERENCES workspace,
  epoch int NOT NULL DEFAULT 0,
  token uuid,
  desk int,
  member int,
  taken_at timestamptz,
  expires_at timestamptz,
  next_poll_at timestamptz,
  next_intent bigint NOT NULL DEFAULT 1,
  changes bigint NOT NULL DEFAULT 0,
  server text NOT NULL,
  unreported int[] NOT NULL DEFAULT '{}'
);

CREATE TABLE intent (
  workspace uuid NOT NULL REFERENCES workspace,
  id bigint NOT NULL,
  correlation text NOT NULL,
  epoch int NOT NULL,
  desk int NOT NULL,
  member int NOT NULL,
  kind text NOT NULL,
  verb text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  campaign int,
  ad_group int,
  attempt int NOT NULL,
  body text NOT NULL,
  body_sha256 bytea NOT NULL,
  pre_image jsonb,
  sent_at timestamptz NOT NULL,
  last_moment_at timestamptz NOT NULL,
  PRIMARY KEY (workspace, id),
  UNIQUE (workspace, correlation)
);

CREATE TABLE intent_op (
  workspace uuid NOT NULL,
  intent bigint NOT NULL,
  idx int NOT NULL,
  kind text NOT NULL,
  row_id int NOT NULL,
  verb text NOT NULL,
  state text NOT NULL CHECK (state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER', 'DONE', 'REJECTED', 'RETURNED')),
  sent text NOT NULL,
  base text,
  remote_id text,
  reason text,
  change bigint NOT NULL,
  PRIMARY KEY (workspace, intent, idx),
  FOREIGN KEY (workspace, intent) REFERENCES intent
);
CREATE UNIQUE INDEX intent_op_live ON intent_op (workspace, kind, row_id, verb)
  WHERE state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER');
CREATE INDEX intent_op_change ON intent_op (workspace, change);

CREATE TABLE question (
  workspace uuid NOT NULL,
  intent bigint NOT NULL,
  idx int NOT NULL,
  asked_at timestamptz NOT NULL,
  asked_by int NOT NULL,
  answer text,
  answered_at timestamptz,
  answered_by int,
  PRIMARY KEY (workspace, intent, idx),
  FOREIGN KEY (workspace, intent, idx) REFERENCES intent_op
);

CREATE TABLE receipt (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace uuid NOT NULL,
  intent bigint NOT NULL,
  at timestamptz NOT NULL,
  desk int NOT NULL,
  member int NOT NULL,
  class text NOT NULL,
  detail text NOT NULL,
  FOREIGN KEY (workspace, intent) REFERENCES intent
);
${appendOnly('receipt')}

/* The hourly change limit of all computers, in thousandths of a change. */
CREATE TABLE rate (workspace uuid PRIMARY KEY REFERENCES workspace, level bigint NOT NULL, at timestamptz NOT NULL);

/* All leases use the clock of the database. */
CREATE FUNCTION moment() RETURNS timestamptz
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$ SELECT clock_timestamp() $$;

/* Changes when a standby takes over, or when the account was restored from a backup. */
CREATE FUNCTION server_now(of uuid) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  line text := '';
BEGIN
  BEGIN
    line := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
  EXCEPTION WHEN OTHERS THEN
    -- A managed service may not say. Then only the administrator can (incarnation).
    line := '';
  END;
  RETURN line || '.' || (SELECT incarnation FROM adslate.workspace WHERE id = of);
END $$;

/* A new account records its server at once: a standby may take over before the first send. */
CREATE FUNCTION lease_made() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO adslate.lease (workspace, server) VALUES (NEW.id, adslate.server_now(NEW.id));
  RETURN NULL;
END $$;
CREATE TRIGGER workspace_has_lease AFTER INSERT ON workspace FOR EACH ROW EXECUTE FUNCTION lease_made();

/* The row of the lease, locked: other writers wait. */
CREATE FUNCTION lease_here(of uuid) RETURNS adslate.lease
  LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$ SELECT * FROM adslate.lease WHERE workspace = of FOR UPDATE $$;

/*
 * Whether the caller holds the lease; if so, extends it by a minute. A lease of another server is invalid: it may be an
 * old one that a colleague has taken over since.
 */
CREATE FUNCTION lease_kept(of uuid, desk_no int, epoch_no int, key uuid) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'sync');
  l adslate.lease := adslate.lease_here(of);
BEGIN
  IF l.epoch <> epoch_no OR l.token IS DISTINCT FROM key OR l.desk <> own.no OR l.server <> adslate.server_now(of) THEN
    RETURN false;
  END IF;
  UPDATE adslate.lease SET expires_at = adslate.moment() + interval '60 s' WHERE workspace = of;
  RETURN true;
END $$;

/* The next change number of an op. */
CREATE FUNCTION next_change(of uuid) RETURNS bigint
  LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  UPDATE adslate.lease SET changes = changes + 1 WHERE workspace = of RETURNING changes
$$;

/*
 * Takes the lease when it is free. Answers taken, held, or waits (for computers that have yet to report). A computer
 * gets its own lease back at once, with another epoch, because only one of its programs has the account open.
 */
CREATE FUNCTION lease_take_v1(of uuid, desk_no int,
    OUT answer text, OUT epoch int, OUT token uuid, OUT in_doubt int, OUT poll_in_ms bigint,
    OUT member text, OUT desk text, OUT since timestamptz, OUT left_ms bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'sync');
  l adslate.lease := adslate.lease_here(of);
  at_now timestamptz := adslate.moment();
  here text := adslate.server_now(of);
  team_state text := (SELECT w.state FROM adslate.workspace w WHERE w.id = of);
BEGIN
  -- Two places of one account would both send.
  IF team_state <> 'open' THEN
    RAISE EXCEPTION 'the team of this account is %', team_state USING ERRCODE = 'AD001';
  END IF;
  IF here <> l.server THEN
    -- The last of what was sent may be forgotten: who was there by then has to say what it knows, or to be revoked.
    UPDATE adslate.lease x SET server = here, token = NULL, expires_at = at_now, unreported = ARRAY(SELECT d.no FROM adslate.desk d
        JOIN adslate.member m ON m.workspace = of AND m.no = d.member AND 'sync' = ANY (m.roles)
        WHERE d.workspace = of AND (d.no IN (l.desk, desk_no)
          OR d.at > (SELECT max(y.at) FROM adslate.desk y WHERE y.workspace = of) - interval '10 min'))
      WHERE x.workspace = of RETURNING * INTO l;
  END IF;
  SELECT string_agg(m.display || ' (' || d.name || ')', ', ' ORDER BY d.no) INTO member
    FROM adslate.desk d JOIN adslate.member m ON m.workspace = of AND m.no = d.member AND m.state = 'active'
    WHERE d.workspace = of AND d.no = ANY (l.unreported) AND NOT d.revoked;
  IF member IS NOT NULL THEN
    answer := 'waits';
    RETURN;
  END IF;
  IF l.token IS NOT NULL AND l.expires_at > at_now AND l.desk <> desk_no THEN
    answer := 'held';
    since := l.taken_at;
    left_ms := extract(epoch FROM l.expires_at - at_now) * 1000;
    SELECT m.display INTO member FROM adslate.member m WHERE m.workspace = of AND m.no = l.member;
    SELECT d.name INTO desk FROM adslate.desk d WHERE d.workspace = of AND d.no = l.desk;
    RETURN;
  END IF;
  answer := 'taken';
  UPDATE adslate.intent i SET last_moment_at = coalesce(l.expires_at, at_now) + interval '65 s' WHERE i.workspace = of AND i.id IN
    (SELECT o.intent FROM adslate.intent_op o WHERE o.workspace = of AND o.state = 'SENT');
  UPDATE adslate.intent_op o SET state = 'IN_DOUBT', reason = 'the lease was taken over before the answer was written down',
    change = adslate.next_change(of) WHERE o.workspace = of AND o.state = 'SENT';
  GET DIAGNOSTICS in_doubt = ROW_COUNT;
  epoch := l.epoch + 1;
  token := gen_random_uuid();
  poll_in_ms := greatest(0, coalesce(extract(epoch FROM l.next_poll_at - at_now) * 1000, 0));
  UPDATE adslate.lease x SET epoch = lease_take_v1.epoch, token = lease_take_v1.token, desk = own.no, member = own.member,
    taken_at = at_now, expires_at = at_now + interval '60 s' WHERE x.workspace = of;
END $$;

CREATE FUNCTION lease_renew_v1(of uuid, desk_no int, epoch_no int, key uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  RETURN adslate.lease_kept(of, desk_no, epoch_no, key);
END $$;

/* Releases the lease; a holder that has polled the service sets when the next one may. */
CREATE FUNCTION lease_release_v1(of uuid, desk_no int, epoch_no int, key uuid, poll_after_ms bigint) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  IF NOT adslate.lease_kept(of, desk_no, epoch_no, key) THEN
    RETURN false;
  END IF;
  UPDATE adslate.lease l SET token = NULL, expires_at = adslate.moment(),
    next_poll_at = coalesce(adslate.moment() + poll_after_ms * interval '1 ms', l.next_poll_at) WHERE l.workspace = of;
  RETURN true;
END $$;

/* Takes changes out of the hourly limit. Answers 0, or how long to wait in milliseconds. */
CREATE FUNCTION spent(of uuid, changes int, per_hour int) RETURNS bigint
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  whole bigint := per_hour * 1000::bigint;
  wanted bigint := least(changes, per_hour) * 1000::bigint;
  at_now timestamptz := adslate.moment();
  left_over bigint;
BEGIN
  SELECT least(whole, floor(r.level + greatest(0, extract(epoch FROM at_now - r.at)) / 3600 * whole)::bigint) INTO left_over
    FROM adslate.rate r WHERE r.workspace = of;
  left_over := coalesce(left_over, whole);
  IF left_over < wanted THEN
    RETURN ceil((wanted - left_over) * 3600000.0 / whole);
  END IF;
  INSERT INTO adslate.rate VALUES (of, left_over - wanted, at_now)
    ON CONFLICT (workspace) DO UPDATE SET level = excluded.level, at = excluded.at;
  RETURN 0;
END $$;

/*
 * Records a request before its first byte is sent. Answers ok, fenced, live, needs-sign-off, over-budget; only ok
 * changes anything. A call whose answer was lost can be repeated.
 */
CREATE FUNCTION intend_v1(of uuid, desk_no int, epoch_no int, key uuid, batch jsonb, request_body text, per_hour int,
    OUT answer text, OUT row_refs text[], OUT wait_ms bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  is_held boolean := adslate.lease_kept(of, desk_no, epoch_no, key);
BEGIN
  IF NOT is_held THEN
    answer := 'fenced';
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM adslate.intent i WHERE i.workspace = of AND i.correlation = batch->>'correlation') THEN
    answer := 'ok';
    RETURN;
  END IF;
  SELECT array_agg(o.kind || ':' || o.row_id ORDER BY o.row_id) INTO row_refs
    FROM jsonb_array_elements(batch->'ops') AS e
    JOIN adslate.intent_op o ON o.workspace = of AND o.kind = e->>'kind' AND o.row_id = (e->>'row')::int
      AND o.verb = batch->>'verb' AND o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER');
  IF row_refs IS NOT NULL THEN
    answer := 'live';
    RETURN;
  END IF;
  row_refs := adslate.not_signed_off(of, batch);
  IF cardinality(row_refs) > 0 THEN
    answer := 'needs-sign-off';
    RETURN;
  END IF;
  wait_ms := adslate.spent(of, jsonb_array_length(batch->'ops'), per_hour);
  IF wait_ms > 0 THEN
    answer := 'over-budget';
    RETURN;
  END IF;
  answer := 'ok';
  PERFORM adslate.write_intent(of, desk_no, epoch_no, batch, request_body, 65000);
END $$;

/*
 * Stores an intent with its ops. A row is never sent again before its last send is settled. So if a database that lost
 * requests learns of two open ops of one row, the older one was settled.
 */
CREATE FUNCTION write_intent(of uuid, desk_no int, epoch_no int, batch jsonb, request_body text, last_ms bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new_id bigint;
  changed bigint := adslate.next_change(of);
  at_now timestamptz := adslate.moment();
  sent_then timestamptz := at_now + coalesce((batch->>'sentInMs')::bigint, 0) * interval '1 ms';
BEGIN
  UPDATE adslate.lease SET next_intent = next_intent + 1 WHERE workspace = of RETURNING next_intent - 1 INTO new_id;
  INSERT INTO adslate.intent
    SELECT of, new_id, batch->>'correlation', epoch_no, desk_no, d.member, batch->>'kind', batch->>'verb', batch->>'method',
      batch->>'path', (batch->>'campaign')::int, (batch->>'adGroup')::int, (batch->>'attempt')::int, request_body,
      sha256(convert_to(request_body, 'UTF8')), nullif(batch->'preImage', 'null'), sent_then, at_now + last_ms * interval '1 ms'
    FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no;
  UPDATE adslate.intent_op o SET state = 'RETURNED', reason = 'settled before the row was sent again', change = changed
    FROM jsonb_array_elements(batch->'ops') AS e, adslate.intent i
    WHERE o.workspace = of AND i.workspace = of AND i.id = o.intent AND i.id <> new_id AND i.sent_at <= sent_then AND o.kind = e->>'kind'
      AND o.row_id = (e->>'row')::int AND o.verb = batch->>'verb' AND o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER')
      AND e->>'state' IN ('IN_DOUBT', 'NEEDS_USER');
  INSERT INTO adslate.intent_op
    SELECT of, new_id, e.at - 1, e.op->>'kind', (e.op->>'row')::int, batch->>'verb',
      CASE WHEN coalesce(e.op->>'state', 'SENT') IN ('DONE', 'REJECTED', 'RETURNED') THEN e.op->>'state'
        WHEN EXISTS (SELECT FROM adslate.intent_op o WHERE o.workspace = of AND o.kind = e.op->>'kind'
          AND o.row_id = (e.op->>'row')::int AND o.verb = batch->>'verb' AND o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER'))
        THEN 'RETURNED'
        ELSE coalesce(e.op->>'state', 'SENT') END,
      e.op->>'sent', e.op->>'base', e.op->>'remoteId', e.op->>'reason', changed
    FROM jsonb_array_elements(batch->'ops') WITH ORDINALITY AS e (op, at);
END $$;

/* Restarts the time limit of a request that waited for its turn. Returns whether it may still be sent. */
CREATE FUNCTION date_anew_v1(of uuid, desk_no int, epoch_no int, key uuid, correlation_id text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  IF NOT adslate.lease_kept(of, desk_no, epoch_no, key) THEN
    RETURN false;
  END IF;
  UPDATE adslate.intent i SET sent_at = adslate.moment(), last_moment_at = adslate.moment() + interval '65 s'
    WHERE i.workspace = of AND i.correlation = correlation_id AND EXISTS (SELECT FROM adslate.intent_op o
      WHERE o.workspace = of AND o.intent = i.id AND o.state = 'SENT');
  RETURN FOUND;
END $$;

/*
 * Records the outcomes of ops that were not settled yet. Opens and answers questions.
 * @param outcomes idx, state, remoteId and reason of each
 * @returns whether each op now has the given outcome
 */
CREATE FUNCTION settled(of uuid, desk_no int, correlation_id text, of_class text, said text, outcomes jsonb) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who int := (SELECT d.member FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no);
  at_now timestamptz := adslate.moment();
  changed bigint := adslate.next_change(of);
  i adslate.intent;
BEGIN
  SELECT * INTO i FROM adslate.intent x WHERE x.workspace = of AND x.correlation = correlation_id;
  IF i.id IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO adslate.receipt (workspace, intent, at, desk, member, class, detail)
    VALUES (of, i.id, at_now, desk_no, who, of_class, left(said, 500));
  -- A request that has ended is not on the wire any more.
  IF EXISTS (SELECT FROM adslate.intent_op o WHERE o.workspace = of AND o.intent = i.id AND o.state = 'SENT') THEN
    UPDATE adslate.intent x SET last_moment_at = least(x.last_moment_at, at_now) WHERE x.workspace = of AND x.id = i.id;
  END IF;
  UPDATE adslate.question q SET answer = e->>'state', answered_at = at_now, answered_by = who
    FROM jsonb_array_elements(outcomes) AS e
    WHERE q.workspace = of AND q.intent = i.id AND q.idx = (e->>'idx')::int AND q.answered_at IS NULL
      AND e->>'state' IN ('DONE', 'REJECTED', 'RETURNED');
  PERFORM adslate.row_was_sent(of, o.kind, o.row_id, i.verb, who, i.id)
    FROM jsonb_array_elements(outcomes) AS e JOIN adslate.intent_op o ON o.workspace = of AND o.intent = i.id
      AND o.idx = (e->>'idx')::int AND o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER')
    WHERE e->>'state' = 'DONE';
  UPDATE adslate.intent_op o SET state = e->>'state', remote_id = e->>'remoteId', reason = left(e->>'reason', 500), change = changed
    FROM jsonb_array_elements(outcomes) AS e
    WHERE o.workspace = of AND o.intent = i.id AND o.idx = (e->>'idx')::int AND o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER')
      AND e->>'state' <> 'SENT';
  INSERT INTO adslate.question (workspace, intent, idx, asked_at, asked_by)
    SELECT of, i.id, o.idx, at_now, who FROM adslate.intent_op o
    WHERE o.workspace = of AND o.intent = i.id AND o.state = 'NEEDS_USER' ON CONFLICT DO NOTHING;
  RETURN NOT EXISTS (SELECT FROM jsonb_array_elements(outcomes) AS e
    JOIN adslate.intent_op o ON o.workspace = of AND o.intent = i.id AND o.idx = (e->>'idx')::int
    WHERE o.state <> e->>'state' OR o.remote_id IS DISTINCT FROM e->>'remoteId');
END $$;

/* The holder reports the outcome of a request: ok, fenced, or otherwise when the database has another outcome. */
CREATE FUNCTION settle_v1(of uuid, desk_no int, epoch_no int, key uuid, correlation_id text, of_class text, said text, outcomes jsonb)
  RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  IF NOT adslate.lease_kept(of, desk_no, epoch_no, key) THEN
    RETURN 'fenced';
  END IF;
  RETURN CASE WHEN adslate.settled(of, desk_no, correlation_id, of_class, said, outcomes) THEN 'ok' ELSE 'otherwise' END;
END $$;

/*
 * Stores the late answer to a request of a computer that no longer holds the lease. If it is proof, it settles the ops
 * that are still open. @returns whether such a request is known
 */
CREATE FUNCTION receipt_v1(of uuid, desk_no int, correlation_id text, of_class text, said text, outcomes jsonb) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'sync');
  PERFORM adslate.lease_here(of);
  IF NOT EXISTS (SELECT FROM adslate.intent i WHERE i.workspace = of AND i.correlation = correlation_id AND i.desk = desk_no) THEN
    RETURN false;
  END IF;
  PERFORM adslate.settled(of, desk_no, correlation_id, 'LATE ' || of_class, said,
    coalesce((SELECT jsonb_agg(e) FROM jsonb_array_elements(outcomes) AS e WHERE e->>'state' IN ('DONE', 'REJECTED', 'RETURNED')), '[]'));
  RETURN true;
END $$;

/*
 * Stores requests that this database does not have: lost by a failover or a restore, or sent before the account became
 * a team's. @returns how many were new
 */
CREATE FUNCTION import_intents_v1(of uuid, desk_no int, intents jsonb) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  one jsonb;
  taken int := 0;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'sync');
  PERFORM adslate.lease_here(of);
  FOR one IN SELECT * FROM jsonb_array_elements(intents) LOOP
    CONTINUE WHEN EXISTS (SELECT FROM adslate.intent i WHERE i.workspace = of AND i.correlation = one->>'correlation');
    PERFORM adslate.write_intent(of, desk_no, 0, one, one->>'body', (one->>'lastInMs')::bigint);
    taken := taken + 1;
  END LOOP;
  UPDATE adslate.lease SET unreported = array_remove(unreported, desk_no) WHERE workspace = of;
  RETURN taken;
END $$;

/*
 * Requests with an open op, or one that changed after a number; bodies only of open ones. A computer without a number
 * of this server gets the changes of a week.
 * @param known correlation ids of the calling computer; the unknown ones are returned
 */
CREATE FUNCTION what_is_open_v1(of uuid, desk_no int, at_server text, after bigint, known text[],
    OUT server text, OUT changes bigint, OUT is_awaited boolean, OUT unknown text[], OUT intents jsonb)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at_now timestamptz := adslate.moment();
  since bigint;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'sync');
  server := adslate.server_now(of);
  since := CASE WHEN server = at_server THEN after END;
  SELECT l.changes, desk_no = ANY (l.unreported) INTO changes, is_awaited FROM adslate.lease l WHERE l.workspace = of;
  unknown := ARRAY(SELECT k FROM unnest(known) AS k WHERE NOT EXISTS
    (SELECT FROM adslate.intent i WHERE i.workspace = of AND i.correlation = k));
  SELECT coalesce(jsonb_agg(jsonb_build_object(
      'correlation', i.correlation, 'desk', i.desk, 'kind', i.kind, 'verb', i.verb, 'campaign', i.campaign, 'adGroup', i.ad_group,
      'preImage', i.pre_image, 'body', CASE WHEN s.is_open THEN i.body ELSE '' END,
      'sentInMs', round(extract(epoch FROM i.sent_at - at_now) * 1000),
      'lastInMs', round(extract(epoch FROM i.last_moment_at - at_now) * 1000), 'ops', s.ops) ORDER BY i.id), '[]') INTO intents
    FROM (SELECT o.intent, bool_or(o.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER')) AS is_open, max(o.change) AS changed,
        jsonb_agg(jsonb_build_object('idx', o.idx, 'kind', o.kind, 'row', o.row_id, 'sent', o.sent, 'base', o.base, 'state', o.state,
          'remoteId', o.remote_id, 'reason', o.reason) ORDER BY o.idx) AS ops
      FROM adslate.intent_op o WHERE o.workspace = of AND o.intent IN (SELECT x.intent FROM adslate.intent_op x
        WHERE x.workspace = of AND (x.state IN ('SENT', 'IN_DOUBT', 'NEEDS_USER') OR x.change > coalesce(since, 0)))
      GROUP BY o.intent) AS s
    JOIN adslate.intent i ON i.workspace = of AND i.id = s.intent
    WHERE s.is_open OR since IS NOT NULL OR i.sent_at > at_now - interval '7 days';
END $$;

${underRowSecurity('lease')}
${shownToMembers('intent', 'intent_op', 'question', 'receipt', 'rate')}
GRANT SELECT (workspace, epoch, desk, member, taken_at, expires_at, next_poll_at, unreported) ON lease TO adslate_member;
GRANT EXECUTE ON FUNCTION lease_take_v1, lease_renew_v1, lease_release_v1, intend_v1, date_anew_v1, settle_v1, receipt_v1,
  import_intents_v1, what_is_open_v1 TO adslate_member;
`;
