import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Role } from './access.ts';
import { SCHEMA_VERSION, schema } from './schema.ts';
import { type CampaignStatus, stateTriggers } from './states.ts';

/**
 * The state of the simulated service: one SQLite database, in memory or in a file. A call runs in one transaction, so
 * "nothing of the batch was written" is the database's promise and not ours; and so is that states change along the tables
 * of `states.ts` only.
 */
export type Row = Record<string, SQLOutputValue>;

export interface Store {
  /** The first row, or undefined. The caller names the shape, since only it knows the columns it asked for. */
  readonly one: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => T | undefined;
  readonly all: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => readonly T[];
  /** Runs a statement and gives the id of the row it inserted, if it did. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number;
  readonly inTransaction: <T>(work: () => T) => T;
  readonly readSetting: (key: string) => string | null;
  readonly writeSetting: (key: string, value: string) => void;
  readonly close: () => void;
}

/** @param path a file, or `:memory:` */
export function openStore(path: string): Store {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  requireVersion(database, path);
  database.exec(schema);
  database.exec(stateTriggers());
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const one = <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) =>
    prepare(sql).get(...values) as T | undefined;
  const run = (sql: string, ...values: readonly SQLInputValue[]) => Number(prepare(sql).run(...values).lastInsertRowid);
  let depth = 0;

  return {
    one,
    all: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => prepare(sql).all(...values) as T[],
    run,
    inTransaction: (work) => {
      if (depth > 0) return work();
      prepare('BEGIN IMMEDIATE').run();
      depth += 1;
      try {
        const result = work();
        prepare('COMMIT').run();
        return result;
      } catch (problem) {
        prepare('ROLLBACK').run();
        throw problem;
      } finally {
        depth -= 1;
      }
    },
    readSetting: (key) => one<{ value: string }>('SELECT value FROM setting WHERE key = ?', key)?.value ?? null,
    writeSetting: (key, value) => {
      run(
        'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      );
    },
    close: () => database.close(),
  };
}

/** A new file has version 0. What an older sandbox stored is not converted: it is practice data, and easily made again. */
function requireVersion(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version === 0 || version === SCHEMA_VERSION) return;
  database.close();
  throw new Error(
    `${path} is from another version of the sandbox (${version}; this one reads ${SCHEMA_VERSION}). ` +
      'Delete its folder to start over, or choose another folder.',
  );
}

/** The rows of the store as the resources read them. Type aliases, not interfaces: only they fit a `Row`. */
export type CampaignType = 'sponsoredProducts' | 'sba' | 'video';

export type AdvertiserRow = { advertiser_id: number; name: string; migrated: number };

export type PrincipalRow = {
  consumer_id: string;
  advertiser_id: number;
  role: Role;
  token: string;
  key_version: string;
  public_key: string;
  private_key: string;
};

export type CampaignRow = {
  campaign_id: number;
  advertiser_id: number;
  name: string;
  campaign_type: CampaignType;
  targeting_type: 'auto' | 'manual';
  budget: number | null;
  daily_budget: number | null;
  start_date: string;
  end_date: string;
  status: CampaignStatus;
  was_live: number;
};

export type AdGroupRow = { ad_group_id: number; campaign_id: number; name: string; status: string };

export type ItemRow = {
  item_key: number;
  legacy_id: string;
  us_id: string;
  advertiser_id: number;
  base_item_key: number | null;
  name: string;
  suggested_bid: number;
  published: number;
  readable: number;
};

export type AdItemRow = {
  ad_item_id: number;
  campaign_id: number;
  ad_group_id: number;
  item_key: number;
  bid: number;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type KeywordRow = {
  keyword_id: number;
  campaign_id: number;
  ad_group_id: number;
  keyword_text: string;
  same_text: string;
  match_type: string;
  bid: number;
  state: string;
  status: string;
  review_reason: string | null;
};

export type MediaUploadRow = {
  upload_id: number;
  advertiser_id: number;
  media_type: string;
  expires_ms: number;
  secret: string;
  has_video: number;
  has_caption: number;
  /** What is wrong with the uploaded file; empty when it is in order. */
  video_verdict: string;
  caption_verdict: string;
  length_ms: number | null;
  completed: number;
};

export type MediaRow = {
  media_id: number;
  advertiser_id: number;
  upload_id: number;
  name: string;
  status: string;
  details: string;
  /** What processing will find, judged from the uploaded files; empty when they are in order. */
  verdict: string;
  length_ms: number | null;
  has_caption: number;
};

export type AdGroupMediaRow = {
  ad_group_media_id: number;
  campaign_id: number;
  ad_group_id: number;
  media_id: number;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type SbaProfileRow = {
  sba_profile_id: number;
  campaign_id: number;
  ad_group_id: number;
  search_amp_name: string;
  headline_text: string;
  click_url: string;
  logo_url: string;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type MultiplierRow = {
  multiplier_id: number;
  kind: string;
  campaign_id: number;
  type: string;
  multiplier: number;
};

type ReviewStatus = 'pending' | 'in-progress' | 'cancelled' | 'approved' | 'rejected';
export type ReviewRow = {
  review_id: number;
  campaign_id: number;
  ad_group_id: number;
  status: ReviewStatus;
  created_ms: number;
};

export type ReviewComponentRow = {
  review_id: number;
  type: string;
  component_id: number;
  status: string;
  reason: string | null;
};
