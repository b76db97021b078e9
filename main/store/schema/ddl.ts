import { allTables, columnOf, type Table } from './tables.ts';

/** Columns that people sort by in tables that can be long; the text columns have `sort_key`. */
const SORTED: Readonly<Record<string, readonly string[]>> = { keyword: ['bid'], ad_item: ['bid', 'itemId'] };

/**
 * The tables of the first schema. A row's table holds what the user wants now; `<kind>_base` holds what the
 * service last said, only for rows in which a field differs, so every reader is a plain SELECT of one table.
 *
 * `dirty`: a bit per field, + NEW 1<<20, + DELETED 1<<21, + HELD 1<<22. `issues`: a bit per rule of the kind.
 * Row ids come from `counter`, are shared by all kinds and never used again.
 */
export function firstSchema(): string {
  return [STATE_DDL, HISTORY_DDL, ...allTables().map(tableDdl)].join('\n');
}

function tableDdl(table: Table): string {
  const { name, base } = table;
  const isRoot = table.parent === 'account';
  const parents = {
    account: `campaign_id INTEGER${table.kind === 'campaign' ? ' NOT NULL' : ''}, ad_group_id INTEGER,`,
    campaign: 'campaign_id INTEGER NOT NULL REFERENCES campaign(id) ON DELETE CASCADE, ad_group_id INTEGER,',
    adGroup: `campaign_id INTEGER NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
      ad_group_id INTEGER NOT NULL REFERENCES ad_group(id) ON DELETE CASCADE,`,
  }[table.parent];
  const columns = table.columns.map((column) => `${column.sql} ${column.sqlType}`).join(', ');
  const baseColumns = table.userColumns.map((column) => `${column.sql} ${column.sqlType}`).join(', ');
  const sorted = (SORTED[name] ?? []).filter((field) => columnOf(table, field) !== undefined);
  return `
    CREATE TABLE ${name}(
      id INTEGER PRIMARY KEY, ${parents}
      remote_id TEXT, dirty INTEGER NOT NULL DEFAULT 0, issues INTEGER NOT NULL DEFAULT 0,
      ${columns}${table.keyColumn === null ? '' : ', sort_key TEXT'}) STRICT;
    CREATE TABLE ${base}(id INTEGER PRIMARY KEY REFERENCES ${name}(id) ON DELETE CASCADE, ${baseColumns}) STRICT;
    ${isRoot ? '' : `CREATE INDEX ${name}_campaign ON ${name}(campaign_id);`}
    ${table.parent === 'adGroup' ? `CREATE INDEX ${name}_group ON ${name}(ad_group_id);` : ''}
    ${table.keyColumn === null ? '' : `CREATE INDEX ${name}_key ON ${name}(sort_key);`}
    ${sorted.map((field) => `CREATE INDEX ${name}_${field} ON ${name}("${field}");`).join('\n')}
    CREATE INDEX ${name}_dirty ON ${name}(dirty) WHERE dirty <> 0;
    CREATE INDEX ${name}_issues ON ${name}(campaign_id, issues) WHERE issues <> 0;
    CREATE UNIQUE INDEX ${name}_remote ON ${name}(remote_id) WHERE remote_id IS NOT NULL;`;
}

const STATE_DDL = `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO counter VALUES ('row', 0), ('revision', 0);
  -- Revisions at which a kind last changed, last got rows with a higher id, last lost or got back rows.
  CREATE TABLE kind_state(kind INTEGER PRIMARY KEY, changed INTEGER NOT NULL, grown INTEGER NOT NULL,
    shuffled INTEGER NOT NULL) STRICT;
  CREATE TABLE conflict(kind INTEGER NOT NULL, id INTEGER NOT NULL, field INTEGER NOT NULL, base ANY, theirs ANY,
    at INTEGER NOT NULL, PRIMARY KEY(kind, id, field)) STRICT, WITHOUT ROWID;
  CREATE TABLE refusal(kind INTEGER NOT NULL, id INTEGER NOT NULL, message TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID;
  -- Findings per campaign; 0 stands for the account (media, and what concerns several campaigns).
  CREATE TABLE finding_count(campaign_id INTEGER PRIMARY KEY, error INTEGER NOT NULL, warning INTEGER NOT NULL,
    advice INTEGER NOT NULL) STRICT;
  -- Campaigns still to be checked after an edit too large to check within its transaction.
  CREATE TABLE check_pending(campaign_id INTEGER PRIMARY KEY) STRICT;`;

const HISTORY_DDL = `
  -- state: 0 done, 1 undone.
  CREATE TABLE step(id INTEGER PRIMARY KEY, label TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL,
    rows INTEGER NOT NULL, state INTEGER NOT NULL) STRICT;
  CREATE TABLE step_cell(step INTEGER NOT NULL, kind INTEGER NOT NULL, field INTEGER NOT NULL, id INTEGER NOT NULL,
    old ANY, new ANY, PRIMARY KEY(step, kind, field, id)) STRICT, WITHOUT ROWID;
  -- Rows that the step created (made 1) or removed (made 0). \`content\` is the JSON of the columns while the row is
  -- out of its table: after the undo of a creation, before the undo of a removal.
  CREATE TABLE step_row(step INTEGER NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL, made INTEGER NOT NULL,
    content TEXT, PRIMARY KEY(step, kind, id)) STRICT, WITHOUT ROWID;`;

/** Who did a step; empty for those of a sync, and for steps made before it was noted. */
export const STEP_WHO_DDL = `ALTER TABLE step ADD COLUMN who TEXT NOT NULL DEFAULT '';`;

/**
 * How many findings each rule makes in a campaign (`rows/rule-tally.ts`). Nobody has counted them in an older file, so
 * everything is checked again.
 */
export const FINDING_RULES_DDL = `
  ALTER TABLE finding_count ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';
  DELETE FROM meta WHERE key = 'checked-as';`;

/** How large each step is, so that the history can be pruned by size and paged without counting. */
export const STEP_SIZE_DDL = `
  ALTER TABLE step ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE step ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE step SET entries = (SELECT count(*) FROM step_cell WHERE step = step.id) +
      (SELECT count(*) FROM step_row WHERE step = step.id),
    bytes = (SELECT 20 * count(*) + total(length(old)) + total(length(new)) FROM step_cell WHERE step = step.id) +
      (SELECT 16 * count(*) + total(length(content)) FROM step_row WHERE step = step.id);
  INSERT INTO counter SELECT 'history-bytes', cast(total(bytes) AS INTEGER) FROM step;
  CREATE INDEX step_undone ON step(id) WHERE state = 1;`;

/** What item searches have said of an id: the position of the verdict in `ITEM_VERDICTS`, and when. */
export const ITEM_FACT_DDL = `
  CREATE TABLE item_fact(item_id TEXT PRIMARY KEY, verdict INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;
