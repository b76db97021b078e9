import { appendOnly, shownToMembers } from './tables.ts';

/**
 * Change requests: who asks for a sign-off of which rows, and the verdicts of colleagues.
 *
 * - A row of a request has digests of what would be sent of it: the first of all of it, the others of what its first request
 *   may leave (`shared/plan/sign-off.ts`). A sign-off is valid for nothing else. A row is in one open request at a time.
 * - A verdict is about a whole request or some of its campaigns, without the rows that its member saw otherwise than they were
 *   submitted. The last one of a member counts, and one that asks for changes puts its campaigns on hold.
 * - Verdicts are append-only.
 */
export const SIGN_OFF_SQL = `
/* Counts changes of requests, so that computers know when to read them again. */
ALTER TABLE workspace ADD requests_changed bigint NOT NULL DEFAULT 0;

CREATE TABLE change_request (
  workspace uuid NOT NULL REFERENCES workspace,
  id int NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  note text NOT NULL CHECK (length(note) <= 2000),
  submitter int NOT NULL,
  desk int NOT NULL,
  at timestamptz NOT NULL,
  at_seq bigint NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'withdrawn', 'closed')),
  ended_at timestamptz,
  ended_by int,
  intents bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, submitter) REFERENCES member
);

CREATE TABLE change_request_row (
  workspace uuid NOT NULL,
  request int NOT NULL,
  kind text NOT NULL,
  row_id bigint NOT NULL,
  campaign bigint NOT NULL,
  digests bytea[] NOT NULL CHECK (cardinality(digests) BETWEEN 1 AND 16),
  steps int NOT NULL CHECK (steps BETWEEN 1 AND 9),
  sent int NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'replaced', 'withdrawn')),
  PRIMARY KEY (workspace, request, kind, row_id),
  FOREIGN KEY (workspace, request) REFERENCES change_request
);
CREATE UNIQUE INDEX change_request_row_open ON change_request_row (workspace, kind, row_id) WHERE state = 'open';
CREATE INDEX change_request_row_campaign ON change_request_row (workspace, campaign) WHERE state = 'sent';

CREATE TABLE verdict (
  workspace uuid NOT NULL,
  no bigint NOT NULL,
  request int NOT NULL,
  member int NOT NULL,
  desk int NOT NULL,
  at timestamptz NOT NULL,
  says text NOT NULL CHECK (says IN ('sign-off', 'changes')),
  note text NOT NULL CHECK (length(note) <= 2000),
  campaigns bigint[],
  without jsonb NOT NULL,
  signature bytea,
  PRIMARY KEY (workspace, no),
  FOREIGN KEY (workspace, request) REFERENCES change_request,
  FOREIGN KEY (workspace, member) REFERENCES member
);
CREATE INDEX verdict_request ON verdict (workspace, request);
${appendOnly('verdict')}

${shownToMembers('change_request', 'change_request_row', 'verdict')}

/* Notifies all computers that requests have changed. */
CREATE FUNCTION requests_changed(of uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE adslate.workspace w SET requests_changed = w.requests_changed + 1 WHERE w.id = of;
  PERFORM pg_notify('adslate', of::text);
END $$;

/* Ends requests without open rows. */
CREATE FUNCTION end_requests(of uuid, by_member int) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  UPDATE adslate.change_request q SET state = 'closed', ended_at = clock_timestamp(), ended_by = by_member
    WHERE q.workspace = of AND q.state = 'open' AND NOT EXISTS
      (SELECT FROM adslate.change_request_row r WHERE r.workspace = of AND r.request = q.id AND r.state = 'open')
$$;

/*
 * Asks for a sign-off. A row of another request moves to this one, unless the same is asked there.
 * @param rows kind, row, campaign, requests and the digests as hexadecimal text, of each
 * @returns the request; null when all of it is asked already
 */
CREATE FUNCTION request_submit_v1(of uuid, desk_no int, request_title text, request_note text, seq bigint, rows jsonb, OUT id int)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'edit');
BEGIN
  IF jsonb_array_length(rows) > 100000 THEN
    RAISE EXCEPTION 'a request has at most 100,000 rows' USING ERRCODE = '54000';
  END IF;
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  SELECT coalesce(max(q.id), 0) + 1 INTO id FROM adslate.change_request q WHERE q.workspace = of;
  INSERT INTO adslate.change_request (workspace, id, title, note, submitter, desk, at, at_seq)
    VALUES (of, request_submit_v1.id, request_title, request_note, own.member, desk_no, clock_timestamp(), seq);
  UPDATE adslate.change_request_row r SET state = 'replaced' FROM jsonb_array_elements(rows) AS e
    WHERE r.workspace = of AND r.state = 'open' AND r.kind = e->>0 AND r.row_id = (e->>1)::bigint
      AND encode(r.digests[1], 'hex') <> e->4->>0;
  INSERT INTO adslate.change_request_row (workspace, request, kind, row_id, campaign, steps, digests)
    SELECT of, request_submit_v1.id, e->>0, (e->>1)::bigint, (e->>2)::bigint, (e->>3)::int,
      ARRAY(SELECT decode(d, 'hex') FROM jsonb_array_elements_text(e->4) WITH ORDINALITY AS t (d, at) ORDER BY at)
    FROM jsonb_array_elements(rows) AS e
    ON CONFLICT (workspace, kind, row_id) WHERE state = 'open' DO NOTHING;
  IF NOT FOUND THEN
    DELETE FROM adslate.change_request q WHERE q.workspace = of AND q.id = request_submit_v1.id;
    id := NULL;
    RETURN;
  END IF;
  PERFORM adslate.end_requests(of, own.member);
  PERFORM adslate.requests_changed(of);
END $$;

/* Withdraws a request; for its submitter and admins. Answers ok, submitter, over or unknown. */
CREATE FUNCTION request_withdraw_v1(of uuid, desk_no int, request_no int) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'view');
  q adslate.change_request;
BEGIN
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  SELECT * INTO q FROM adslate.change_request x WHERE x.workspace = of AND x.id = request_no;
  IF q.id IS NULL THEN
    RETURN 'unknown';
  ELSIF q.state <> 'open' THEN
    RETURN 'over';
  ELSIF q.submitter <> own.member AND NOT 'admin' = ANY ((adslate.member_here(of)).roles) THEN
    RETURN 'submitter';
  END IF;
  UPDATE adslate.change_request_row r SET state = 'withdrawn' WHERE r.workspace = of AND r.request = request_no AND r.state = 'open';
  UPDATE adslate.change_request x SET state = 'withdrawn', ended_at = clock_timestamp(), ended_by = own.member
    WHERE x.workspace = of AND x.id = request_no;
  PERFORM adslate.noted(of, 'withdrawn', jsonb_build_object('request', request_no));
  PERFORM adslate.requests_changed(of);
  RETURN 'ok';
END $$;

/* Whether a member has changed one of these campaigns since a request with rows of it was last sent completely. */
CREATE FUNCTION has_changed(of uuid, who int, campaigns bigint[]) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM unnest(campaigns) AS one WHERE EXISTS (
    SELECT FROM adslate.change_set c WHERE c.workspace = of AND c.member = who AND c.kind = 'edit' AND c.scopes @> one::int
      AND c.seq > coalesce((SELECT max(q.at_seq) FROM adslate.change_request_row r
        JOIN adslate.change_request q ON q.workspace = of AND q.id = r.request AND q.state = 'closed'
        WHERE r.workspace = of AND r.campaign = one AND r.state = 'sent'), 0)))
$$;

/*
 * Records that a member signs off or asks for changes. Answers ok, submitter, author, over or unknown.
 * @param of_campaigns null for the whole request
 * @param but rows, as kind and row, that differed from the submitted ones when the member saw them
 */
CREATE FUNCTION verdict_v1(of uuid, desk_no int, request_no int, verdict_says text, verdict_note text, of_campaigns bigint[],
    but jsonb, signed bytea) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'sign-off');
  q adslate.change_request;
  w adslate.workspace;
BEGIN
  SELECT * INTO w FROM adslate.workspace x WHERE x.id = of FOR UPDATE;
  SELECT * INTO q FROM adslate.change_request x WHERE x.workspace = of AND x.id = request_no;
  IF q.id IS NULL THEN
    RETURN 'unknown';
  ELSIF q.state <> 'open' THEN
    RETURN 'over';
  ELSIF verdict_says = 'sign-off' AND q.submitter = own.member THEN
    RETURN 'submitter';
  ELSIF verdict_says = 'sign-off' AND w.policy->>'authors' = 'strict' AND adslate.has_changed(of, own.member, coalesce(of_campaigns,
      ARRAY(SELECT DISTINCT r.campaign FROM adslate.change_request_row r WHERE r.workspace = of AND r.request = request_no))) THEN
    RETURN 'author';
  END IF;
  INSERT INTO adslate.verdict VALUES (of, (SELECT coalesce(max(v.no), 0) + 1 FROM adslate.verdict v WHERE v.workspace = of),
    request_no, own.member, desk_no, clock_timestamp(), verdict_says, verdict_note, of_campaigns, but, signed);
  PERFORM adslate.noted(of, verdict_says, jsonb_build_object('request', request_no, 'campaigns', of_campaigns));
  PERFORM adslate.requests_changed(of);
  RETURN 'ok';
END $$;

/* The verdicts on a campaign of a request: the last one of each member who may still give one. */
CREATE FUNCTION judged(of uuid, request_no int, on_campaign bigint, OUT is_held boolean, OUT given int, OUT without jsonb)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(bool_or(says = 'changes'), false), count(*) FILTER (WHERE says = 'sign-off')::int,
    jsonb_agg(without) FILTER (WHERE says = 'sign-off' AND without <> '[]')
  FROM (SELECT DISTINCT ON (v.member) v.says, v.without FROM adslate.verdict v
    JOIN adslate.member m ON m.workspace = of AND m.no = v.member AND m.state = 'active' AND 'sign-off' = ANY (m.roles)
    WHERE v.workspace = of AND v.request = request_no AND (v.campaigns IS NULL OR on_campaign = ANY (v.campaigns))
    ORDER BY v.member, v.no DESC) AS last
$$;

/* How many members have signed off a row of such a campaign. */
CREATE FUNCTION given_to(given int, without jsonb, of_kind text, of_row bigint) RETURNS int
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT given - (SELECT count(*)::int FROM jsonb_array_elements(without) AS w
    WHERE w @> jsonb_build_array(jsonb_build_array(of_kind, of_row)))
$$;

/* Rows in open requests, with the verdicts of colleagues. */
CREATE FUNCTION asked_rows_v1(of uuid)
  RETURNS TABLE (request int, kind text, row_id bigint, campaign bigint, digests text[], is_begun boolean, is_held boolean, given int)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (adslate.member_here(of)).no IS NULL THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  RETURN QUERY
    SELECT r.request, r.kind, r.row_id, r.campaign, ARRAY(SELECT encode(d, 'hex') FROM unnest(r.digests) AS d), r.sent > 0,
      j.is_held, adslate.given_to(j.given, j.without, r.kind, r.row_id)
    FROM (SELECT DISTINCT x.request, x.campaign FROM adslate.change_request_row x WHERE x.workspace = of AND x.state = 'open') AS s
    CROSS JOIN LATERAL adslate.judged(of, s.request, s.campaign) AS j
    JOIN adslate.change_request_row r ON r.workspace = of AND r.request = s.request AND r.campaign = s.campaign AND r.state = 'open';
END $$;

/*
 * Rows of a request to the service that are not signed off with the content that it sends, as kind:row. What remains of
 * a row after its first request counts as signed off. Reviews and files are no changes of rows.
 * @param batch as intend_v1 takes it; its ops have kind, row and digest
 */
CREATE FUNCTION not_signed_off(of uuid, batch jsonb) RETURNS text[]
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(array_agg(e->>'kind' || ':' || (e->>'row') ORDER BY (e->>'row')::bigint), '{}')
  FROM adslate.workspace w CROSS JOIN jsonb_array_elements(batch->'ops') AS e
  WHERE w.id = of AND (w.policy->>'approvals')::int > 0 AND batch->>'kind' NOT IN ('review', 'media') AND NOT EXISTS (
    SELECT FROM adslate.change_request_row r CROSS JOIN LATERAL adslate.judged(of, r.request, r.campaign) AS j
    WHERE r.workspace = of AND r.kind = e->>'kind' AND r.row_id = (e->>'row')::bigint AND r.state = 'open'
      AND decode(e->>'digest', 'hex') = ANY (CASE WHEN r.sent > 0 THEN r.digests ELSE r.digests[1:1] END)
      AND NOT j.is_held AND adslate.given_to(j.given, j.without, r.kind, r.row_id) >= (w.policy->>'approvals')::int)
$$;

/*
 * Records that one request for a row was sent; the last one ends the change request. Reviews and files are no changes
 * of rows.
 */
CREATE FUNCTION row_was_sent(of uuid, of_kind text, of_row bigint, of_verb text, by_member int, of_intent bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  request_no int;
BEGIN
  IF of_verb NOT IN ('create', 'update', 'logo') OR NOT EXISTS (SELECT FROM adslate.change_request_row r
      WHERE r.workspace = of AND r.kind = of_kind AND r.row_id = of_row AND r.state = 'open') THEN
    RETURN;
  END IF;
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  UPDATE adslate.change_request_row r SET sent = r.sent + 1, state = CASE WHEN r.sent + 1 >= r.steps THEN 'sent' ELSE r.state END
    WHERE r.workspace = of AND r.kind = of_kind AND r.row_id = of_row AND r.state = 'open'
    RETURNING r.request INTO request_no;
  IF FOUND THEN
    UPDATE adslate.change_request q SET intents = q.intents || of_intent
      WHERE q.workspace = of AND q.id = request_no AND NOT of_intent = ANY (q.intents);
    PERFORM adslate.end_requests(of, by_member);
    PERFORM adslate.requests_changed(of);
  END IF;
END $$;

/*
 * Sets how many sign-offs a row needs, and who may not give one: the submitter, or also everyone who changed its
 * campaign.
 */
CREATE FUNCTION policy_v1(of uuid, approvals int, authors text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  said jsonb := jsonb_build_object('approvals', approvals, 'authors', authors);
BEGIN
  PERFORM adslate.admin_here(of);
  IF approvals NOT BETWEEN 0 AND 2 OR authors NOT IN ('submitter', 'strict') THEN
    RAISE EXCEPTION 'there is no such policy' USING ERRCODE = '22023';
  END IF;
  UPDATE adslate.workspace w SET policy = w.policy || said WHERE w.id = of;
  PERFORM adslate.noted(of, 'policy', said);
  PERFORM adslate.requests_changed(of);
END $$;

GRANT EXECUTE ON FUNCTION request_submit_v1, request_withdraw_v1, verdict_v1, asked_rows_v1, policy_v1 TO adslate_member;
`;
