import { memo } from '../../../shared/memo.ts';
import { DELETED, FIELD_BITS, HELD, NEW } from '../../../shared/model/row.ts';
import { HELD_FIELD } from '../../../shared/team/change-set.ts';
import type { Db } from '../db/db.ts';
import { CHANGE_LIMIT_KEY } from '../rows/revision.ts';
import { MUTED_RULES_KEY, TEMPLATES_KEY, USER_RULES_KEY } from '../rows/rule-settings.ts';
import { allTables, type Column, columnNamed, DELETED_CODE, HELD_CODE, sqlList, type Table } from '../schema/tables.ts';

/**
 * Bits of `ahead` besides those of fields: the log lacks the row; the row was removed here but is in the log; the mark
 * HELD differs.
 */
export const UNSHARED = NEW;
export const REMOVED = DELETED;

/** A column that the team shares: user fields, and for files and items also fields written by an upload or a search. */
export interface TeamColumn {
  readonly column: Column;
  /** Its bit in `ahead`. */
  readonly bit: number;
}

const FIRST_OTHER_BIT = 24;
const NOTED: Readonly<Record<string, readonly string[]>> = { ad_item: ['itemName', 'itemIdSource'] };

const isShared = ({ name }: Table, { field, mask }: Column): boolean =>
  mask !== 0 || name === 'media' || NOTED[name]?.includes(field) === true;

export const teamColumns = memo((table: Table): readonly TeamColumn[] => {
  const own = table.columns.filter(({ mask }) => mask === 0);
  return table.columns
    .filter((column) => isShared(table, column))
    .map((column) => ({ column, bit: column.mask !== 0 ? column.mask : 2 ** (FIRST_OTHER_BIT + own.indexOf(column)) }));
});

/** Fields that each computer derives from service values. */
const DERIVED: ReadonlySet<string> = new Set(['campaignState', 'stateSource', 'stateAsOf']);

/** Service fields that the team shares as facts, not as edits. */
export const factColumns = memo((table: Table): readonly Column[] =>
  table.columns.filter((column) => !isShared(table, column) && !DERIVED.has(column.field)),
);

/** The code of a shared field in conflicts and the history; for null, that of the row itself. */
export function teamCode(table: Table, field: string | null): number {
  if (field === null) return DELETED_CODE;
  if (field === HELD_FIELD) return HELD_CODE;
  return columnNamed(table, field).code;
}

/** Table name, for example `kw_team`: the log's values of a row that differs here or was removed here. */
export const shadowOf = ({ name }: Table): string => `${name}_team`;

/**
 * The team data of an account (`docs/decisions/0033-teams-share-a-log.md`). Empty without a team.
 *
 *   ahead         bits of the fields whose values here differ from the log
 *   <kind>_team   the log's values of rows with such bits; the row itself may be gone from its table
 *   conflict      `against` 1 for a colleague, `by_member`; 0 for the service
 */
export const teamSchema = (): string => [TEAM_DDL, ...allTables().map(shadowDdl)].join('\n');

const TEAM_DDL = `
  CREATE TABLE team_meta(one INTEGER PRIMARY KEY CHECK (one = 1), workspace TEXT NOT NULL, desk INTEGER NOT NULL,
    member INTEGER NOT NULL, incarnation INTEGER NOT NULL, inode INTEGER NOT NULL, seen_seq INTEGER NOT NULL,
    seen_hash TEXT NOT NULL, last_push INTEGER NOT NULL, offered TEXT, must_pull INTEGER NOT NULL) STRICT;
  CREATE TABLE team_member(no INTEGER PRIMARY KEY, display TEXT NOT NULL) STRICT;
  -- Entries as they were folded, with what takes them back out; as base64 of their encoding.
  CREATE TABLE team_log(seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, desk INTEGER NOT NULL, push INTEGER NOT NULL,
    member INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL, changes TEXT NOT NULL, inverse TEXT NOT NULL) STRICT;
  -- Rows of which the service has said something that is not shared yet.
  CREATE TABLE team_fact(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL) STRICT;
  -- Notes that were written or taken away here; \`id\` is that of the note on this computer, or of the row with labels.
  CREATE TABLE team_note(what TEXT NOT NULL, id INTEGER NOT NULL, uid INTEGER, PRIMARY KEY(what, id)) STRICT, WITHOUT ROWID;
  -- Numbers of new rows and notes that this computer may give out.
  CREATE TABLE id_block(next INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  ALTER TABLE saved_view ADD COLUMN uid INTEGER;
  ALTER TABLE label ADD COLUMN uid INTEGER;
  ALTER TABLE comment ADD COLUMN uid INTEGER;
  ALTER TABLE comment ADD COLUMN member INTEGER;
  ALTER TABLE step ADD COLUMN seq INTEGER;
  ALTER TABLE step ADD COLUMN desk INTEGER;
  ALTER TABLE step ADD COLUMN member INTEGER;
  -- What an undo has left as a colleague made it.
  CREATE TABLE step_kept(step INTEGER NOT NULL, kind INTEGER NOT NULL, field INTEGER NOT NULL, id INTEGER NOT NULL,
    PRIMARY KEY(step, kind, field, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE conflict_both(kind INTEGER NOT NULL, id INTEGER NOT NULL, field INTEGER NOT NULL, base ANY, theirs ANY,
    at INTEGER NOT NULL, against INTEGER NOT NULL DEFAULT 0, by_member INTEGER, PRIMARY KEY(kind, id, field, against))
    STRICT, WITHOUT ROWID;
  INSERT INTO conflict_both(kind, id, field, base, theirs, at) SELECT kind, id, field, base, theirs, at FROM conflict;
  DROP TABLE conflict;
  ALTER TABLE conflict_both RENAME TO conflict;`;

/** Notes as in the log, as records; filled from the notes of an older file. */
export const sharedNotesSchema = (): string => `
  CREATE TABLE team_shared_note(what TEXT NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(what, id))
    STRICT, WITHOUT ROWID;
  INSERT INTO team_shared_note SELECT * FROM (
    SELECT 'view', uid, json_array(kind, name, view, layout) FROM saved_view WHERE uid IS NOT NULL
    UNION ALL SELECT 'label', uid, json_array(name, color) FROM label WHERE uid IS NOT NULL
    UNION ALL SELECT 'comment', uid, json_array(kind, row, field, author, text, at, resolved_at, member) FROM comment
      WHERE uid IS NOT NULL
    UNION ALL SELECT 'rowLabels', r.id, json_array(r.kind, json_group_array(l.uid ORDER BY l.uid)) FROM row_label r
      JOIN label l ON l.id = r.label WHERE l.uid IS NOT NULL GROUP BY r.kind, r.id
    ${Object.entries(SETTING_KEYS)
      .map(([what, key]) => `UNION ALL SELECT '${what}', 0, value FROM meta WHERE key = 'team-${key}'`)
      .join('\n    ')}
  ) WHERE EXISTS (SELECT 1 FROM team_meta);
  DELETE FROM meta WHERE key IN (${Object.values(SETTING_KEYS)
    .map((key) => `'team-${key}'`)
    .join(', ')});`;

/** Without a foreign key: the shadow is kept when its row is removed here. */
function shadowDdl(table: Table): string {
  const columns = teamColumns(table).map(({ column }) => `${column.sql} ${column.sqlType}`);
  return `ALTER TABLE ${table.name} ADD COLUMN ahead INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX ${table.name}_ahead ON ${table.name}(ahead) WHERE ahead <> 0;
    CREATE TABLE ${shadowOf(table)}(id INTEGER PRIMARY KEY, campaign_id INTEGER, ad_group_id INTEGER, held INTEGER,
      ${columns.join(', ')}) STRICT;
    ${table.parent === 'account' ? '' : `CREATE INDEX ${shadowOf(table)}_campaign ON ${shadowOf(table)}(campaign_id);`}
    ${table.parent === 'adGroup' ? `CREATE INDEX ${shadowOf(table)}_group ON ${shadowOf(table)}(ad_group_id);` : ''}`;
}

/** SQL for the bits in which row `k` and its shadow `t` differ. */
const aheadSql = (table: Table): string =>
  [
    ...teamColumns(table).map(({ column, bit }) => `(k.${column.sql} IS NOT t.${column.sql}) * ${bit}`),
    `((k.dirty & ${HELD}) <> (coalesce(t.held, 0) * ${HELD})) * ${HELD}`,
    `((k.dirty & ${DELETED}) <> 0) * ${REMOVED}`,
  ].join(' | ');

/**
 * Creates triggers that maintain shadow and `ahead` and queue facts and notes, whatever code writes them. They exist
 * only on connections of a team's file, and are disabled while the log is folded (`temp.team_quiet`).
 */
export function watchEdits(db: Db): void {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS team_quiet(on_ INTEGER NOT NULL) STRICT;
    DELETE FROM temp.team_quiet; INSERT INTO temp.team_quiet VALUES (0);`);
  for (const sql of watchers()) db.exec(sql);
}

export function unwatchEdits(db: Db): void {
  for (const [name] of db.all(`SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name LIKE 'team_%'`)) {
    db.exec(`DROP TRIGGER temp.${name}`);
  }
}

/** Invariants of shadow and `ahead`, as counts of the rows that violate them. */
export function teamPromises(table: Table): readonly (readonly [string, string])[] {
  const { name } = table;
  const shadow = shadowOf(table);
  const both = `${name} k JOIN ${shadow} t ON t.id = k.id`;
  return [
    [
      'a row that is ahead of the team has a shadow, unless the team never had it',
      `SELECT count(*) FROM ${name} k WHERE ahead <> 0 AND (ahead & ${UNSHARED} <> 0)
         = EXISTS (SELECT 1 FROM ${shadow} t WHERE t.id = k.id)`,
    ],
    ['a row that is as the team has it has no shadow', `SELECT count(*) FROM ${both} WHERE k.ahead = 0`],
    [
      'a row is ahead of the team in exactly what differs',
      `SELECT count(*) FROM ${both} WHERE k.ahead <> (${aheadSql(table)})`,
    ],
    [
      'without a team nothing is ahead of it',
      `SELECT count(*) FROM ${name} WHERE ahead <> 0 AND NOT EXISTS (SELECT 1 FROM team_meta)`,
    ],
  ];
}

/** Runs `work` without counting its changes as made here. */
export function quietly<T>(db: Db, work: () => T): T {
  db.run('UPDATE temp.team_quiet SET on_ = 1');
  const value = work();
  // After an error the transaction is rolled back, including this table.
  db.run('UPDATE temp.team_quiet SET on_ = 0');
  return value;
}

const AWAKE = '(SELECT on_ FROM temp.team_quiet) = 0';

const watchers = (): readonly string[] => [...allTables().flatMap(rowWatchers), ...noteWatchers()];

function rowWatchers(table: Table): readonly string[] {
  const { name, base, code, userColumns } = table;
  const shadow = shadowOf(table);
  const shared = teamColumns(table).map(({ column }) => column);
  const marks = DELETED | HELD;
  const copy = (row: 'OLD' | 'NEW') =>
    `INSERT OR IGNORE INTO ${shadow}(id, campaign_id, ad_group_id, held, ${sqlList(shared)}) VALUES (${row}.id,
      ${row}.campaign_id, ${row}.ad_group_id, iif(${row}.dirty & ${HELD}, 1, NULL), ${sqlList(shared, `${row}.`)});`;
  const compare = `UPDATE ${name} SET ahead = (SELECT ${aheadSql(table)} FROM ${shadow} t, ${name} k
      WHERE t.id = NEW.id AND k.id = NEW.id) WHERE id = NEW.id;
    DELETE FROM ${shadow} WHERE id = NEW.id AND (SELECT ahead FROM ${name} WHERE id = NEW.id) = 0;`;
  const settled = `DELETE FROM conflict WHERE against = 1 AND kind = ${code} AND id = NEW.id AND (
      (field < 20 AND NOT (1 << field) & (SELECT ahead FROM ${name} WHERE id = NEW.id))
      OR NEW.dirty & ${DELETED} <> 0);`;
  const differs = (columns: readonly Column[]) =>
    columns.length === 0 ? '0' : columns.map(({ sql }) => `OLD.${sql} IS NOT NEW.${sql}`).join(' OR ');
  const facts = factColumns(table);
  /** Bits that were cleared although their cells did not change: the service value changed. */
  const gone = userColumns.map(({ sql, mask }) => `(OLD.${sql} IS NEW.${sql}) * ${mask}`).join(' | ');
  const clean = NEW | FIELD_BITS;
  const said = `OLD.remote_id IS NOT NEW.remote_id OR (OLD.dirty & ${NEW}) <> (NEW.dirty & ${NEW})
    OR ${differs(facts)}
    OR (OLD.dirty & ${clean}) = 0 AND (NEW.dirty & ${clean}) = 0 AND (${differs(userColumns)})
    OR OLD.dirty & ~NEW.dirty & ${FIELD_BITS} & (${gone})
    OR OLD.dirty & ~NEW.dirty & ${DELETED} AND (${differs(userColumns)})`;
  const fact = `INSERT OR IGNORE INTO team_fact VALUES (NEW.id, ${code});`;
  return [
    `CREATE TEMP TRIGGER team_${name}_edit AFTER UPDATE OF ${sqlList(shared)}, dirty ON main.${name}
     WHEN ${AWAKE} AND NOT OLD.ahead & ${UNSHARED}
       AND ((OLD.dirty & ${marks}) <> (NEW.dirty & ${marks}) OR ${differs(shared)})
     BEGIN ${copy('OLD')} ${compare} ${settled} END`,
    `CREATE TEMP TRIGGER team_${name}_make AFTER INSERT ON main.${name} WHEN ${AWAKE}
     BEGIN
       UPDATE ${name} SET ahead = ${UNSHARED} WHERE id = NEW.id AND NOT EXISTS (SELECT 1 FROM ${shadow} WHERE id = NEW.id);
       UPDATE ${name} SET ahead = (SELECT ${aheadSql(table)} FROM ${shadow} t, ${name} k
         WHERE t.id = NEW.id AND k.id = NEW.id) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM ${shadow} WHERE id = NEW.id);
       DELETE FROM ${shadow} WHERE id = NEW.id AND (SELECT ahead FROM ${name} WHERE id = NEW.id) = 0;
     END`,
    `CREATE TEMP TRIGGER team_${name}_remove AFTER DELETE ON main.${name} WHEN ${AWAKE} AND NOT OLD.ahead & ${UNSHARED}
     BEGIN ${copy('OLD')} END`,
    `CREATE TEMP TRIGGER team_${name}_forget AFTER DELETE ON main.${name} WHEN ${AWAKE}
     BEGIN
       DELETE FROM conflict WHERE against = 1 AND kind = ${code} AND id = OLD.id;
       DELETE FROM team_fact WHERE id = OLD.id;
     END`,
    `CREATE TEMP TRIGGER team_${name}_said AFTER UPDATE OF remote_id, dirty, ${sqlList(table.columns)} ON main.${name}
     WHEN ${AWAKE} AND (${said}) BEGIN ${fact} END`,
    `CREATE TEMP TRIGGER team_${name}_read AFTER INSERT ON main.${name} WHEN ${AWAKE} AND NOT NEW.dirty & ${NEW}
     BEGIN ${fact} END`,
    `CREATE TEMP TRIGGER team_${name}_base AFTER UPDATE ON main.${base} WHEN ${AWAKE} AND (${differs(userColumns)})
     BEGIN ${fact} END`,
  ];
}

/** A resolved conflict with the service that kept the team's value is queued as a note, by row and field code. */
export const KEPT_MINE_FIELDS = 256;
export const keptMineId = (row: number, field: number): number => row * KEPT_MINE_FIELDS + field;

/** The tables of notes that have own numbers. */
export const NOTE_TABLES = { view: 'saved_view', label: 'label', comment: 'comment' } as const;

/** Lists that the account stores as one text each, under these keys of its small settings. */
export const SETTING_KEYS = {
  userRules: USER_RULES_KEY,
  mutedRules: MUTED_RULES_KEY,
  templates: TEMPLATES_KEY,
  changeLimit: CHANGE_LIMIT_KEY,
} as const;

function noteWatchers(): readonly string[] {
  const noted = (what: string, rowNo: string, uid: string) =>
    `INSERT INTO team_note VALUES (${what}, ${rowNo}, ${uid}) ON CONFLICT DO UPDATE SET uid = coalesce(excluded.uid, uid);`;
  const written = Object.entries(NOTE_TABLES).flatMap(([what, table]) => [
    `CREATE TEMP TRIGGER team_${table}_new AFTER INSERT ON main.${table} WHEN ${AWAKE}
     BEGIN ${noted(`'${what}'`, 'NEW.id', 'NEW.uid')} END`,
    `CREATE TEMP TRIGGER team_${table}_set AFTER UPDATE ON main.${table} WHEN ${AWAKE} AND OLD.uid IS NEW.uid
     BEGIN ${noted(`'${what}'`, 'NEW.id', 'NEW.uid')} END`,
    // Its own number may be reused by another note, so the negated shared one is queued.
    `CREATE TEMP TRIGGER team_${table}_gone AFTER DELETE ON main.${table} WHEN ${AWAKE}
     BEGIN
       DELETE FROM team_note WHERE what = '${what}' AND id = OLD.id;
       INSERT OR IGNORE INTO team_note SELECT '${what}', -OLD.uid, OLD.uid WHERE OLD.uid IS NOT NULL;
     END`,
  ]);
  const labels = (['INSERT', 'DELETE'] as const).map(
    (event) => `CREATE TEMP TRIGGER team_row_label_${event} AFTER ${event} ON main.row_label WHEN ${AWAKE}
     BEGIN ${noted(`'rowLabels'`, `${event === 'INSERT' ? 'NEW' : 'OLD'}.id`, 'NULL')} END`,
  );
  const settings = Object.entries(SETTING_KEYS).map(
    ([
      what,
      key,
    ]) => `CREATE TEMP TRIGGER team_meta_${what} AFTER INSERT ON main.meta WHEN ${AWAKE} AND NEW.key = '${key}'
     BEGIN ${noted(`'${what}'`, '0', 'NULL')} END`,
  );
  return [...written, ...labels, ...settings];
}
