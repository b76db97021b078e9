import { kindCode } from '../../../shared/model/kinds.ts';

/**
 * Every id of a campaign or an ad group this workspace was ever told: where it came from, since when it is known, and
 * when a read of the service last answered for it. Times are milliseconds since 1970 by our clock; `at` is null for ids
 * that were known before they were noted. Entries stay when their row goes.
 */
const TABLE_DDL = `
  CREATE TABLE known_id(kind INTEGER NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('made','typed','pasted','sheet','report','list')),
    at INTEGER, confirmed_at INTEGER, PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID;`;

/** Enters ids of rows that have none yet: those that were sent from here, and else those that a list has shown. */
export const FILL_KNOWN = (['campaign', 'adGroup'] as const)
  .map((kind) => {
    const table = kind === 'campaign' ? 'campaign' : 'ad_group';
    return `INSERT OR IGNORE INTO known_id(kind, id, source) SELECT ${kindCode(kind)}, k.remote_id,
      iif(EXISTS (SELECT 1 FROM outbox_op o WHERE o.kind = ${kindCode(kind)} AND o.row_id = k.id AND o.verb = 'create'
        AND o.state = 'DONE'), 'made', 'list') FROM ${table} k WHERE k.remote_id IS NOT NULL;`;
  })
  .join('\n');

export const KNOWN_DDL = TABLE_DDL + FILL_KNOWN;

/** When all of a campaign was last read from the service, in milliseconds since 1970. Parts that a sync reads do not count. */
export const CAMPAIGN_READ_DDL =
  'CREATE TABLE campaign_read(campaign_id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;';

/**
 * What is remembered of the status of each campaign (`StatusMemory`), in milliseconds since 1970 and days of the business.
 * In a file from before it was remembered, any status but the first two came from a read, of which nobody knows when.
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
