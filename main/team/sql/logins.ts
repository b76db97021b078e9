import { appendOnly, shownToMembers } from './tables.ts';

/**
 * Logins of members, created and disabled by functions. `adslate_inviter` is the only role here that may create logins.
 * It can't log in, has no members, and owns only these functions, so an admin's login needs no right to create roles.
 *
 * A password can be set only for a login that these functions created for the same account, while its member is invited
 * and has not joined. Where the setup may not create such a role, the functions refuse, and logins are created by hand.
 */
export const LOGINS_SQL = `
/* Logins created here, and for which account. */
CREATE TABLE made_login (
  login name PRIMARY KEY,
  workspace uuid NOT NULL REFERENCES workspace,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
${appendOnly('made_login')}
${shownToMembers('made_login')}

/*
 * Creates a login for an invited member, or sets another password for the login created for that member. The verifier
 * of a password is no secret.
 */
CREATE FUNCTION make_login_v1(of uuid, new_login name, verifier text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.admin_here(of);
  IF new_login !~ '^adslate_[a-z0-9_]{1,50}$' OR verifier !~ '^SCRAM-SHA-256\\$[0-9]+:[A-Za-z0-9+/=]+\\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$'
      OR NOT EXISTS (SELECT FROM adslate.member m WHERE m.workspace = of AND m.login = new_login AND m.state = 'invited')
      OR EXISTS (SELECT FROM adslate.member m WHERE m.login = new_login AND m.state = 'active')
      OR EXISTS (SELECT FROM adslate.made_login l WHERE l.login = new_login AND l.workspace <> of) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501';
  END IF;
  IF EXISTS (SELECT FROM adslate.made_login l WHERE l.login = new_login) THEN
    EXECUTE format('ALTER ROLE %I PASSWORD %L', new_login, verifier);
    RETURN;
  END IF;
  EXECUTE format('CREATE ROLE %I LOGIN CONNECTION LIMIT 4 PASSWORD %L IN ROLE adslate_member', new_login, verifier);
  EXECUTE format('ALTER ROLE %I SET statement_timeout = ''30s''', new_login);
  IF current_setting('server_version_num')::int >= 160000 THEN
    -- Ends connections of the login, and cannot act as it.
    EXECUTE format('GRANT %I TO CURRENT_USER WITH INHERIT TRUE, SET FALSE', new_login);
  END IF;
  INSERT INTO adslate.made_login (login, workspace) VALUES (new_login, of);
END $$;

/* Disables the login of a removed member. Ending its connections needs PostgreSQL 16. */
CREATE FUNCTION end_login_v1(of uuid, member_no int, OUT is_off boolean, OUT is_ended boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone name;
BEGIN
  PERFORM adslate.admin_here(of);
  SELECT m.login INTO gone FROM adslate.member m JOIN adslate.made_login l ON l.login = m.login
    WHERE m.workspace = of AND m.no = member_no AND m.state = 'removed'
      AND NOT EXISTS (SELECT FROM adslate.member o WHERE o.login = m.login AND o.state <> 'removed');
  is_off := gone IS NOT NULL;
  is_ended := false;
  IF is_off THEN
    EXECUTE format('ALTER ROLE %I NOLOGIN', gone);
    BEGIN
      PERFORM pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE a.usename = gone;
      is_ended := true;
    EXCEPTION WHEN insufficient_privilege THEN
      is_ended := false;
    END;
  END IF;
END $$;

REVOKE ALL ON FUNCTION make_login_v1, end_login_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_login_v1, end_login_v1 TO adslate_member;
RESET ROLE;
DO $$
DECLARE
  maker name;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'adslate_inviter') THEN
    CREATE ROLE adslate_inviter NOLOGIN CREATEROLE;
  END IF;
  GRANT adslate_member TO adslate_inviter WITH ADMIN OPTION;
  GRANT adslate_inviter TO CURRENT_USER;
  GRANT USAGE, CREATE ON SCHEMA adslate TO adslate_inviter;
  GRANT EXECUTE ON FUNCTION adslate.admin_here TO adslate_inviter;
  GRANT SELECT ON adslate.member TO adslate_inviter;
  GRANT SELECT, INSERT ON adslate.made_login TO adslate_inviter;
  CREATE POLICY inviter ON adslate.member FOR SELECT TO adslate_inviter USING (true);
  CREATE POLICY inviter ON adslate.made_login TO adslate_inviter USING (true);
  ALTER FUNCTION adslate.make_login_v1 OWNER TO adslate_inviter;
  ALTER FUNCTION adslate.end_login_v1 OWNER TO adslate_inviter;
  REVOKE CREATE ON SCHEMA adslate FROM adslate_inviter;
  REVOKE adslate_inviter FROM CURRENT_USER;
  -- The first members of older teams could make roles themselves.
  FOR maker IN SELECT r.rolname FROM pg_roles r JOIN adslate.member m ON m.login = r.rolname
      WHERE r.rolcreaterole AND r.rolname LIKE 'adslate\\_%' LOOP
    EXECUTE format('ALTER ROLE %I NOCREATEROLE', maker);
    EXECUTE format('REVOKE ADMIN OPTION FOR adslate_member FROM %I', maker);
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'members are invited with a login that was made by hand: %', SQLERRM;
END $$;
SET LOCAL ROLE adslate_owner;
`;
