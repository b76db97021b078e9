import { appendOnly, shownToMembers } from './tables.ts';

/**
 * Members and their computers. The caller is the login role of the connection. An administrator is a member with the
 * role `admin`, or the owner of the database. Login roles are created, disabled and disconnected by a connection with
 * that right in PostgreSQL: no function here has it.
 *
 *   invited --joins within 7 days--> active --removed--> removed
 */
export const PEOPLE_SQL = `
CREATE TABLE audit (
  workspace uuid NOT NULL REFERENCES workspace,
  no bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  login name NOT NULL DEFAULT session_user,
  what text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace, no)
);
${appendOnly('audit')}

/* The row IDs that each computer may assign. */
CREATE TABLE row_block (
  workspace uuid NOT NULL,
  first_row bigint NOT NULL,
  row_count bigint NOT NULL,
  desk int NOT NULL,
  PRIMARY KEY (workspace, first_row),
  FOREIGN KEY (workspace, desk) REFERENCES desk
);

/* Who is looking at what; deleted after 30 seconds, and by a crash of the server. */
CREATE UNLOGGED TABLE presence (
  workspace uuid NOT NULL,
  desk int NOT NULL,
  at timestamptz NOT NULL,
  place text NOT NULL CHECK (length(place) <= 200),
  PRIMARY KEY (workspace, desk)
);

${shownToMembers('audit', 'row_block')}
ALTER TABLE presence ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON presence FOR SELECT TO adslate_member
  USING (at > clock_timestamp() - interval '30 s' AND (adslate.member_here(workspace)).no IS NOT NULL);

CREATE FUNCTION noted(of uuid, what text, detail jsonb) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO adslate.audit (workspace, what, detail) VALUES (of, what, detail)
$$;

CREATE FUNCTION set_up_this() RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT pg_has_role(session_user, 'adslate_owner', 'MEMBER')
$$;

/* The number of the calling administrator, null for the database's own; fails with the error of a missing right. */
CREATE FUNCTION admin_here(of uuid) RETURNS int
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who adslate.member := adslate.member_here(of);
BEGIN
  IF who.no IS NULL OR NOT ('admin' = ANY (who.roles)) THEN
    IF NOT adslate.set_up_this() OR NOT EXISTS (SELECT FROM adslate.workspace w WHERE w.id = of) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
    END IF;
  END IF;
  RETURN who.no;
END $$;

/* Creates a team's account with its first member. */
CREATE FUNCTION create_workspace_v1(account text, in_deployment text, advertiser text, first_login name, first_display text)
  RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  made uuid := gen_random_uuid();
BEGIN
  IF NOT adslate.set_up_this() THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  IF EXISTS (SELECT FROM adslate.workspace w WHERE w.deployment = in_deployment AND w.advertiser_id = advertiser) THEN
    RAISE EXCEPTION 'this advertiser has a team in this database already' USING ERRCODE = 'AD004';
  END IF;
  INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES (made, account, in_deployment, advertiser);
  INSERT INTO adslate.member (workspace, no, login, display, roles, state)
    VALUES (made, 1, first_login, first_display, '{view,edit,sign-off,sync,admin}', 'invited');
  PERFORM adslate.noted(made, 'created', jsonb_build_object('member', 1, 'as', first_display));
  RETURN made;
END $$;

/* Adds a member, or renews the invitation of one that has not joined. */
CREATE FUNCTION invite_v1(of uuid, new_login name, new_display text, new_roles text[]) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  inviter int := adslate.admin_here(of);
  made int;
BEGIN
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  IF EXISTS (SELECT FROM pg_roles r WHERE r.rolname = new_login AND (r.rolsuper OR r.rolbypassrls)) THEN
    RAISE EXCEPTION 'row security does not apply to this login' USING ERRCODE = '42501';
  END IF;
  UPDATE adslate.member m SET invited_at = clock_timestamp(), invited_by = inviter, roles = new_roles, display = new_display
    WHERE m.workspace = of AND m.login = new_login AND m.state = 'invited' RETURNING m.no INTO made;
  IF made IS NULL THEN
    SELECT coalesce(max(m.no), 0) + 1 INTO made FROM adslate.member m WHERE m.workspace = of;
    INSERT INTO adslate.member (workspace, no, login, display, roles, state, invited_by)
      VALUES (of, made, new_login, new_display, new_roles, 'invited', inviter);
  END IF;
  PERFORM adslate.noted(of, 'invited', jsonb_build_object('member', made, 'as', new_display, 'roles', new_roles));
  RETURN made;
END $$;

/* Without an administrator, an account could no longer be managed. */
CREATE FUNCTION not_the_last_admin(of uuid, member_no int) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM adslate.member m
      WHERE m.workspace = of AND m.no <> member_no AND m.state = 'active' AND 'admin' = ANY (m.roles)) THEN
    RAISE EXCEPTION 'this is the last admin' USING ERRCODE = 'AD005';
  END IF;
END $$;

CREATE FUNCTION change_roles_v1(of uuid, member_no int, new_roles text[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  IF NOT ('admin' = ANY (new_roles)) THEN
    PERFORM adslate.not_the_last_admin(of, member_no);
  END IF;
  UPDATE adslate.member m SET roles = new_roles WHERE m.workspace = of AND m.no = member_no AND m.state <> 'removed';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such member' USING ERRCODE = '02000';
  END IF;
  PERFORM adslate.noted(of, 'roles', jsonb_build_object('member', member_no, 'roles', new_roles));
END $$;

/* After this call, every function refuses the member and every policy shows nothing, also on open connections. */
CREATE FUNCTION remove_member_v1(of uuid, member_no int, OUT member_login name, OUT is_elsewhere boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  PERFORM adslate.not_the_last_admin(of, member_no);
  UPDATE adslate.member m SET state = 'removed' WHERE m.workspace = of AND m.no = member_no RETURNING m.login INTO member_login;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such member' USING ERRCODE = '02000';
  END IF;
  UPDATE adslate.desk d SET revoked = true WHERE d.workspace = of AND d.member = member_no;
  DELETE FROM adslate.presence p USING adslate.desk d
    WHERE p.workspace = of AND d.workspace = of AND d.no = p.desk AND d.member = member_no;
  is_elsewhere := EXISTS (SELECT FROM adslate.member m
    WHERE m.login = member_login AND m.workspace <> of AND m.state <> 'removed');
  PERFORM adslate.noted(of, 'removed', jsonb_build_object('member', member_no));
END $$;

CREATE FUNCTION take_rows(of uuid, desk_no int, wanted int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  first bigint;
BEGIN
  IF wanted NOT BETWEEN 0 AND 1048576 THEN
    RAISE EXCEPTION 'a reserve has at most 1,048,576 numbers' USING ERRCODE = '22003';
  END IF;
  SELECT min(lower(r)) INTO first FROM adslate.workspace w, unnest(w.free_rows) r
    WHERE w.id = of AND upper(r) - lower(r) >= wanted AND wanted > 0;
  IF first IS NOT NULL THEN
    UPDATE adslate.workspace w SET free_rows = w.free_rows - int8multirange(int8range(first, first + wanted)) WHERE w.id = of;
  ELSE
    UPDATE adslate.workspace w SET next_row_id = w.next_row_id + wanted WHERE w.id = of RETURNING w.next_row_id - wanted INTO first;
    IF first + wanted > 2147483648 THEN
      RAISE EXCEPTION 'no numbers of rows are left' USING ERRCODE = '22003';
    END IF;
  END IF;
  IF wanted > 0 THEN
    INSERT INTO adslate.row_block VALUES (of, first, wanted, desk_no);
  END IF;
  RETURN first;
END $$;

/*
 * Adds a computer of the calling member, with row IDs that it may assign. A copied or restored file gets its own number
 * here.
 */
CREATE FUNCTION join_desk_v1(of uuid, desk_name text, desk_format int, row_count int, OUT no int, OUT first_row bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  who adslate.member;
  w adslate.workspace;
BEGIN
  SELECT x.* INTO w FROM adslate.workspace x WHERE x.id = of FOR UPDATE;
  SELECT m.* INTO who FROM adslate.member m WHERE m.workspace = of AND m.login = session_user AND m.state <> 'removed';
  IF who.no IS NULL THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  IF who.state = 'invited' AND who.invited_at < clock_timestamp() - interval '7 days' THEN
    RAISE EXCEPTION 'the invitation is older than 7 days' USING ERRCODE = 'AD002';
  END IF;
  IF w.state <> 'open' THEN
    RAISE EXCEPTION 'the team of this account is %', w.state USING ERRCODE = 'AD001';
  END IF;
  IF desk_format < w.min_reader THEN
    RAISE EXCEPTION 'the team needs a newer version' USING ERRCODE = 'AD003';
  END IF;
  IF (SELECT count(*) FROM adslate.desk d WHERE d.workspace = of AND NOT d.revoked) >= 50 THEN
    RAISE EXCEPTION 'a team has at most 50 computers' USING ERRCODE = 'AD006';
  END IF;
  no := w.next_desk;
  UPDATE adslate.workspace x SET next_desk = x.next_desk + 1 WHERE x.id = of;
  UPDATE adslate.member m SET state = 'active' WHERE m.workspace = of AND m.no = who.no;
  INSERT INTO adslate.desk (workspace, no, member, name, format) VALUES (of, no, who.no, desk_name, desk_format);
  first_row := adslate.take_rows(of, no, row_count);
  PERFORM adslate.noted(of, 'joined', jsonb_build_object('member', who.no, 'desk', no, 'name', desk_name));
END $$;

/* Assigns more row IDs to a computer. */
CREATE FUNCTION row_block_v1(of uuid, desk_no int, row_count int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  RETURN adslate.take_rows(of, desk_no, row_count);
END $$;

/* Removes a computer, which returns its unused row IDs. */
CREATE FUNCTION leave_desk_v1(of uuid, desk_no int, unused int8multirange) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  own adslate.desk := adslate.own_desk(of, desk_no, 'view');
BEGIN
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  IF NOT unused <@ coalesce((SELECT range_agg(int8range(b.first_row, b.first_row + b.row_count))
      FROM adslate.row_block b WHERE b.workspace = of AND b.desk = desk_no), '{}') THEN
    RAISE EXCEPTION 'these numbers are not of this computer' USING ERRCODE = '22003';
  END IF;
  UPDATE adslate.workspace w SET free_rows = w.free_rows + unused WHERE w.id = of;
  DELETE FROM adslate.row_block b WHERE b.workspace = of AND b.desk = desk_no;
  DELETE FROM adslate.presence p WHERE p.workspace = of AND p.desk = desk_no;
  UPDATE adslate.desk d SET revoked = true WHERE d.workspace = of AND d.no = desk_no;
  PERFORM adslate.noted(of, 'left', jsonb_build_object('member', own.member, 'desk', desk_no));
END $$;

/* Revokes a lost computer, so that nothing waits for it: by an administrator, or by its member from another one. */
CREATE FUNCTION revoke_desk_v1(of uuid, desk_no int) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  who adslate.member := adslate.member_here(of);
BEGIN
  IF NOT EXISTS (SELECT FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no AND d.member = who.no) THEN
    PERFORM adslate.admin_here(of);
  END IF;
  UPDATE adslate.desk d SET revoked = true WHERE d.workspace = of AND d.no = desk_no;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such computer' USING ERRCODE = '02000';
  END IF;
  DELETE FROM adslate.presence p WHERE p.workspace = of AND p.desk = desk_no;
  PERFORM adslate.noted(of, 'revoked', jsonb_build_object('desk', desk_no));
END $$;

/*
 * The heartbeat of a computer and its answer. Without a place the computer is not shown to others. The answer includes
 * the current sender.
 */
CREATE FUNCTION heartbeat_v1(of uuid, desk_no int, seen_seq bigint, at_place text DEFAULT NULL, desk_format int DEFAULT NULL,
    OUT head bigint, OUT head_hash bytea, OUT incarnation int, OUT state text, OUT moved_to jsonb, OUT min_reader int,
    OUT min_writer int, OUT sender_desk int, OUT sender_until timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'view');
  UPDATE adslate.desk d SET seen = seen_seq, at = clock_timestamp(), format = coalesce(desk_format, d.format)
    WHERE d.workspace = of AND d.no = desk_no;
  IF at_place IS NULL THEN
    DELETE FROM adslate.presence p WHERE p.workspace = of AND p.desk = desk_no;
  ELSE
    INSERT INTO adslate.presence VALUES (of, desk_no, clock_timestamp(), at_place)
      ON CONFLICT (workspace, desk) DO UPDATE SET at = excluded.at, place = excluded.place;
  END IF;
  SELECT w.head, w.head_hash, w.incarnation, w.state, w.moved_to, w.min_reader, w.min_writer
    INTO head, head_hash, incarnation, state, moved_to, min_reader, min_writer FROM adslate.workspace w WHERE w.id = of;
  SELECT l.desk, l.expires_at INTO sender_desk, sender_until FROM adslate.lease l
    WHERE l.workspace = of AND l.token IS NOT NULL AND l.expires_at > adslate.moment();
END $$;

GRANT SELECT ON presence TO adslate_member;
GRANT EXECUTE ON FUNCTION invite_v1, change_roles_v1, remove_member_v1, join_desk_v1, row_block_v1, leave_desk_v1,
  revoke_desk_v1, heartbeat_v1 TO adslate_member;
`;
