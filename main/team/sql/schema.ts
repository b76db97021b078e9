import { LOG_SQL } from './log.ts';
import { LOGINS_SQL } from './logins.ts';
import { MEDIA_SQL } from './media.ts';
import { PEOPLE_SQL } from './people.ts';
import { SENDER_SQL } from './sender.ts';
import { SIGN_OFF_SQL } from './sign-off.ts';
import { SIGNATURES_SQL } from './signatures.ts';
import { SNAPSHOTS_SQL } from './snapshots.ts';
import { UPKEEP_SQL } from './upkeep.ts';

/** Incremented by each step of `MIGRATIONS`. */
export const TEAM_SCHEMA_VERSION = 2;
/** Entries and verdicts are signed from this version on. */
export const SIGNED_FROM_VERSION = 2;

/** A migration from one version of the schema to the next, run as the owner. */
export interface TeamMigration {
  readonly version: number;
  /** The format of the oldest computers that can use the new schema. */
  readonly needsFormat: number;
  readonly sql: string;
}

/** A new database gets the first version and then each step, so that new and migrated databases are equal. */
export const MIGRATIONS: readonly TeamMigration[] = [{ version: 2, needsFormat: 1, sql: SIGNATURES_SQL + LOGINS_SQL }];

const stepSql = ({ version, sql }: TeamMigration): string =>
  `${sql};\nINSERT INTO schema_version (version) VALUES (${version});`;
/** Functions of `adslate_inviter` are not the owner's, and revoke this themselves. */
const NOT_FOR_ALL = `DO $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'adslate'::regnamespace AND p.proowner = 'adslate_owner'::regrole LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', made);
  END LOOP;
END $$;`;

/** SQL that runs steps on a prepared database, in one transaction. */
export const migrationSql = (steps: readonly TeamMigration[]): string =>
  `BEGIN;\nSET LOCAL ROLE adslate_owner;\nSET LOCAL search_path = adslate, pg_catalog;\n${steps.map(stepSql).join('\n')}\n${NOT_FOR_ALL}\nCOMMIT`;

/** In an order in which each finds the tables that it refers to. */
const FRAGMENTS = [LOG_SQL, PEOPLE_SQL, SIGN_OFF_SQL, SENDER_SQL, SNAPSHOTS_SQL, UPKEEP_SQL, MEDIA_SQL];

/**
 * The shared database of a team, as SQL for PostgreSQL 15 or newer: `adslate team init` runs it in one transaction, or
 * prints it for an administrator. The tables belong to a role that can't log in. Members read under row security, and
 * change rows only through functions. The login role of the connection (`session_user`), which no setting can change,
 * identifies the caller.
 */
export const TEAM_SCHEMA = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'adslate_owner') THEN
    CREATE ROLE adslate_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'adslate_member') THEN
    CREATE ROLE adslate_member NOLOGIN;
  END IF;
END $$;
GRANT adslate_owner TO CURRENT_USER;
/* Temporary tables are not needed here. Only the database's owner can revoke them: for others this is a warning. */
DO $$ BEGIN
  EXECUTE format('REVOKE TEMP ON DATABASE %I FROM PUBLIC', current_database());
END $$;
CREATE SCHEMA adslate AUTHORIZATION adslate_owner;
SET LOCAL ROLE adslate_owner;
SET LOCAL search_path = adslate, pg_catalog;
${FRAGMENTS.join('\n')}
INSERT INTO schema_version (version) VALUES (1);
GRANT USAGE ON SCHEMA adslate TO adslate_member;
${MIGRATIONS.map(stepSql).join('\n')}
${NOT_FOR_ALL}
`;
