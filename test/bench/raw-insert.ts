import type { OpenDb } from '../../main/store/db/open-db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { campaignsFor, ITEMS_A_CAMPAIGN, KEYWORDS_A_CAMPAIGN, keywordValues } from './big-workspace.ts';

/** The rows of the account in the same tables, written with one prepared statement a kind. */
export interface RawInsert {
  readonly db: OpenDb;
  /** Writes campaigns `from` to `to` in one transaction. */
  campaigns(from: number, to: number): void;
}

export function createRawInsert(file: string): RawInsert {
  const db = openDb(file);
  migrate(db);
  let id = 0;
  return {
    db,
    campaigns: (from, to) =>
      db.tx(() => {
        for (let c = from; c < to; c++) id = insertCampaign(db, c, id);
      }),
  };
}

/** All of them in one transaction. Answers how long it took, in milliseconds. */
export function rawInsert(file: string, keywords: number): number {
  const { db, campaigns } = createRawInsert(file);
  const start = performance.now();
  campaigns(0, campaignsFor(keywords));
  const took = performance.now() - start;
  db.close();
  return took;
}

function insertCampaign(db: OpenDb, c: number, last: number): number {
  let id = last;
  const campaign = ++id;
  db.run(
    `INSERT INTO campaign(id, campaign_id, name, sort_key, campaignType, targetingType, totalBudget, dailyBudget, startDate,
       endDate, status, dirty) VALUES (?1, ?1, ?2, ?3, 0, 1, 500000, 5000, '2030-06-01', '2030-07-01', 0, 1048576)`,
    campaign,
    `Campaign ${c}`,
    `campaign ${c}`,
  );
  const group = ++id;
  db.run(
    'INSERT INTO ad_group(id, campaign_id, name, sort_key, status, dirty) VALUES (?, ?, ?, ?, 0, 1048576)',
    group,
    campaign,
    `Group ${c}`,
    `group ${c}`,
  );
  for (let i = 0; i < ITEMS_A_CAMPAIGN; i++) {
    db.run(
      `INSERT INTO ad_item(id, campaign_id, ad_group_id, itemId, bid, status, dirty) VALUES (?, ?, ?, ?, 160, 0, 1048576)`,
      ++id,
      campaign,
      group,
      String(1_000_000_000 + c * 100 + i),
    );
  }
  for (let i = 0; i < KEYWORDS_A_CAMPAIGN; i++) {
    const { text, bid } = keywordValues(c, i);
    db.run(
      `INSERT INTO keyword(id, campaign_id, ad_group_id, text, sort_key, matchType, bid, state, dirty)
       VALUES (?, ?, ?, ?4, ?4, ?, ?, 0, 1048576)`,
      ++id,
      campaign,
      group,
      text ?? null,
      i % 3,
      bid ?? null,
    );
  }
  return id;
}
