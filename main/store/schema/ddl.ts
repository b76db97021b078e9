import { kindCode } from '../../../shared/model/kinds.ts';
import { allTables, columnOf, type Table, tableOf } from './tables.ts';

/** Columns with an index for sorting in tables that may be long; text columns have `sort_key`. */
const SORTED: Readonly<Record<string, readonly string[]>> = { keyword: ['bid'], ad_item: ['bid', 'itemId'] };

/**
 * The tables of the first schema. A row's table has the user's values; `<kind>_base` has the service values of rows in
 * which a field differs, so every reader is a plain SELECT of one table.
 *
 * `dirty`: a bit per field, + NEW 1<<20, + DELETED 1<<21, + HELD 1<<22. `issues`: a bit per rule of the kind. Row IDs
 * come from `counter`, are shared by all kinds and never reused.
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
  -- Issues per campaign; 0 stands for the account (media, and what concerns several campaigns).
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

/** The author of a step; empty for those of a sync, and for steps from before this column. */
export const STEP_WHO_DDL = `ALTER TABLE step ADD COLUMN who TEXT NOT NULL DEFAULT '';`;

/** Why a step changed a row, if a reason was given: a sentence, and its numbers as JSON. */
export const STEP_REASON_DDL = `CREATE TABLE step_reason(step INTEGER NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL,
  reason TEXT NOT NULL, numbers TEXT NOT NULL, PRIMARY KEY(step, kind, id)) STRICT, WITHOUT ROWID;`;

/**
 * The number of issues of each rule in a campaign (`rows/issue-counts.ts`). An older file has none, so everything is
 * checked again.
 */
export const ISSUE_RULES_DDL = `
  ALTER TABLE finding_count ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';
  DELETE FROM meta WHERE key = 'checked-as';`;

/** The size of each step, so that the history can be pruned by size and paged without counting. */
export const STEP_SIZE_DDL = `
  ALTER TABLE step ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE step ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE step SET entries = (SELECT count(*) FROM step_cell WHERE step = step.id) +
      (SELECT count(*) FROM step_row WHERE step = step.id),
    bytes = (SELECT 20 * count(*) + total(length(old)) + total(length(new)) FROM step_cell WHERE step = step.id) +
      (SELECT 16 * count(*) + total(length(content)) FROM step_row WHERE step = step.id);
  INSERT INTO counter SELECT 'history-bytes', cast(total(bytes) AS INTEGER) FROM step;
  CREATE INDEX step_undone ON step(id) WHERE state = 1;`;

/** Results of item searches by item ID: the verdict's position in `ITEM_CHECK_STATUSES`, and the time. */
export const ITEM_FACT_DDL = `
  CREATE TABLE item_fact(item_id TEXT PRIMARY KEY, verdict INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

/**
 * Saved views, labels and comments. They are never sent and are not part of the history. Notes of a removed row are
 * kept, because undo restores the row with its ID.
 */
export function notesSchema(): string {
  return NOTES_DDL + reviewIndexes();
}

const NOTES_DDL = `
  CREATE TABLE saved_view(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    view TEXT NOT NULL, layout TEXT NOT NULL, UNIQUE(kind, name_key)) STRICT;
  CREATE TABLE label(id INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, color TEXT NOT NULL)
    STRICT;
  CREATE TABLE row_label(kind INTEGER NOT NULL, id INTEGER NOT NULL,
    label INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE, PRIMARY KEY(kind, id, label)) STRICT, WITHOUT ROWID;
  CREATE INDEX row_label_label ON row_label(label, kind, id);
  -- resolved_at is null while a comment is open; text_key is the folded text.
  CREATE TABLE comment(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, field TEXT,
    author TEXT NOT NULL, text TEXT NOT NULL, text_key TEXT NOT NULL, at INTEGER NOT NULL, resolved_at INTEGER) STRICT;
  CREATE INDEX comment_row ON comment(kind, row) WHERE resolved_at IS NULL;`;

/** Notes of a team are found by their shared number; there may be tens of thousands of comments. */
export const COMMENT_UID_DDL = 'CREATE INDEX comment_uid ON comment(uid) WHERE uid IS NOT NULL;';

/**
 * Indexes of the few rows that a review has rejected or not yet decided, so that counting them does not read all rows.
 */
function reviewIndexes(): string {
  return (['adItem', 'keyword', 'sbaProfile', 'videoProfile', 'adGroup'] as const)
    .flatMap((kind) => {
      const { name, columns } = tableOf(kind);
      const column = columnOf({ ...tableOf(kind), columns }, 'reviewStatus');
      if (column?.spec.type.is !== 'choice') return [];
      const approved = column.spec.type.choices.indexOf('approved');
      return [`CREATE INDEX ${name}_review ON ${name}(${column.sql}) WHERE ${column.sql} <> ${approved};`];
    })
    .join('\n');
}

/**
 * Review results by creative: every change of a profile's verdict, with the service values at that time. `creative` is
 * the text of `creativeKey`; `at` uses the service's calendar. Rows are kept when their profile is removed, for later
 * drafts with the same texts.
 */
export const VERDICT_DDL = `
  CREATE TABLE creative_verdict(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL, campaign TEXT NOT NULL, creative TEXT NOT NULL, search_key TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approved','rejected')), reason TEXT, at INTEGER NOT NULL) STRICT;
  CREATE INDEX creative_verdict_creative ON creative_verdict(creative, id);
  CREATE INDEX creative_verdict_row ON creative_verdict(kind, row, id);`;

/**
 * When each SBA profile showed which banner, according to the service: the text of `creativeKey`, or empty while it was
 * disabled. `at` uses the service's calendar. Entries are kept when their profile is removed.
 */
export const BANNER_DDL = `
  CREATE TABLE banner_shown(id INTEGER PRIMARY KEY, row INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
    creative TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX banner_shown_row ON banner_shown(row, id);
  CREATE INDEX banner_shown_campaign ON banner_shown(campaign_id, id);`;

/**
 * All IDs of campaigns and ad groups that this workspace has seen: their source, since when they are known, and when a
 * read of the service last confirmed them. Times are milliseconds since 1970 by our clock; `at` is null for IDs from
 * before this table. Entries are kept when their row is removed.
 */
const TABLE_DDL = `
  CREATE TABLE known_id(kind INTEGER NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('made','typed','pasted','sheet','report','list')),
    at INTEGER, confirmed_at INTEGER, PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID;`;

/** Adds IDs of rows without an entry: `made` for those sent from here, else `list`. */
export const FILL_KNOWN = (['campaign', 'adGroup'] as const)
  .map((kind) => {
    const table = kind === 'campaign' ? 'campaign' : 'ad_group';
    return `INSERT OR IGNORE INTO known_id(kind, id, source) SELECT ${kindCode(kind)}, k.remote_id,
      iif(EXISTS (SELECT 1 FROM outbox_op o WHERE o.kind = ${kindCode(kind)} AND o.row_id = k.id AND o.verb = 'create'
        AND o.state = 'DONE'), 'made', 'list') FROM ${table} k WHERE k.remote_id IS NOT NULL;`;
  })
  .join('\n');

export const KNOWN_DDL = TABLE_DDL + FILL_KNOWN;

/**
 * When a campaign was last read completely from the service, in milliseconds since 1970. Partial reads by a sync don't
 * count.
 */
export const CAMPAIGN_READ_DDL =
  'CREATE TABLE campaign_read(campaign_id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;';

/**
 * Facts about each campaign's status (`StatusMemory`), in milliseconds since 1970 and business days. In a file from
 * before this table, any status but the first two came from a read at an unknown time.
 */
export const CAMPAIGN_STATUS_DDL = `
  CREATE TABLE campaign_status(campaign_id INTEGER PRIMARY KEY, read_at INTEGER, read_on TEXT,
    is_current INTEGER NOT NULL, heard_at INTEGER,
    believed TEXT CHECK (believed IN ('scheduled','live','paused','completed')),
    was_live INTEGER NOT NULL, reviews TEXT) STRICT;
  INSERT INTO campaign_status SELECT c.id, NULL, NULL, 0, r.at,
      CASE c."serviceStatus" WHEN 3 THEN 'live' WHEN 4 THEN 'paused' WHEN 5 THEN 'completed' ELSE 'scheduled' END,
      c."serviceStatus" > 2, NULL
    FROM campaign c LEFT JOIN campaign_read r ON r.campaign_id = c.id WHERE c."serviceStatus" BETWEEN 2 AND 6;
  DELETE FROM meta WHERE key = 'checked-as';`;
