import type { DatabaseSync } from 'node:sqlite';

/**
 * Laws about two states, one before and one after an action: what has ended stays ended, ids are not given twice, and
 * switching an SBA profile on switches the other off.
 */
const ends: readonly (readonly [what: string, sql: string])[] = [
  ['an archived keyword', "SELECT keyword_id AS id FROM keyword WHERE state = 'archived'"],
  ['a deleted item', "SELECT ad_item_id AS id FROM ad_item WHERE status = 'deleted'"],
  [
    'a decided or cancelled review',
    "SELECT review_id || ' ' || status AS id FROM review WHERE status NOT IN ('pending', 'in-progress')",
  ],
  ['a processed film', "SELECT media_id AS id FROM media WHERE status IN ('available', 'failed')"],
  ['a used upload', 'SELECT upload_id AS id FROM media_upload WHERE completed = 1'],
  ['an account with the new item ids', 'SELECT advertiser_id AS id FROM advertiser WHERE migrated = 1'],
  ['a campaign that was live', 'SELECT campaign_id AS id FROM campaign WHERE was_live = 1'],
  ['a move of the history', "SELECT move_id || ' ' || from_status || ' ' || to_status AS id FROM campaign_move"],
];

/** Tables whose ids must only ever grow. */
const tables = ['campaign', 'ad_group', 'ad_item', 'keyword', 'media', 'sba_profile', 'review', 'multiplier'] as const;

const twiceEnabled = `SELECT ad_group_id AS id FROM sba_profile WHERE status = 'enabled' GROUP BY 1 HAVING count(*) > 1`;

export interface Passages {
  /** @param action its name; only creating a profile may leave two enabled ones, as the document has it */
  readonly check: (action: string) => readonly string[];
  /** After a reset everything begins anew. */
  readonly forget: () => void;
}

export function createPassages(database: DatabaseSync): Passages {
  const queries = ends.map(([what, sql]) => ({ what, query: database.prepare(sql) }));
  const idQueries = tables.map((table) => ({
    table,
    query: database.prepare(`SELECT ${table}_id AS id FROM ${table} ORDER BY 1`),
  }));
  const twice = database.prepare(twiceEnabled);
  const idsOf = (query: typeof twice) => query.all().map((row) => String(row['id']));
  let ended = new Map<string, readonly string[]>();
  let known = new Map<string, readonly string[]>();
  let enabledTwice = new Set<string>();

  return {
    check: (action) => {
      const broken: string[] = [];
      for (const { what, query } of queries) {
        const now = idsOf(query);
        const present = new Set(now);
        const gone = (ended.get(what) ?? []).find((id) => !present.has(id));
        if (gone !== undefined) broken.push(`${what} stays so: ${gone}`);
        ended.set(what, now);
      }
      for (const { table, query } of idQueries) {
        const now = idsOf(query);
        const before = known.get(table) ?? [];
        // Nothing is ever removed, so the ids of before are the first of now.
        if (before.some((id, at) => now[at] !== id)) broken.push(`ids of ${table} are given once and in order`);
        known.set(table, now);
      }
      const now = new Set(idsOf(twice));
      const added = [...now].find((id) => !enabledTwice.has(id));
      if (added !== undefined && !action.startsWith('create profile')) broken.push(`one enabled SBA profile: ${added}`);
      enabledTwice = now;
      return broken;
    },
    forget: () => {
      ended = new Map();
      known = new Map();
      enabledTwice = new Set();
    },
  };
}
