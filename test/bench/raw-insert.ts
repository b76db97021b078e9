import { openDb } from '../../main/workspace/db/open-db.ts';
import { migrate } from '../../main/workspace/schema/migrate.ts';
import { campaignsFor, keywordValues } from './big-workspace.ts';

/** The same rows in the same tables, written with one prepared statement a kind in one transaction. */
export function rawInsert(file: string, keywords: number): number {
  const db = openDb(file);
  migrate(db);
  const start = performance.now();
  db.tx(() => {
    let id = 0;
    for (let c = 0; c < campaignsFor(keywords); c++) {
      const campaign = ++id;
      db.run(
        'INSERT INTO campaign(id, campaign_id, name, sort_key, dirty) VALUES (?1, ?1, ?2, ?2, 1048576)',
        campaign,
        `campaign ${c}`,
      );
      const group = ++id;
      db.run(
        'INSERT INTO ad_group(id, campaign_id, name, sort_key, dirty) VALUES (?, ?, ?3, ?3, 1048576)',
        group,
        campaign,
        `group ${c}`,
      );
      for (let i = 0; i < 10; i++) {
        db.run(
          'INSERT INTO ad_item(id, campaign_id, ad_group_id, itemId, bid, dirty) VALUES (?, ?, ?, ?, 60, 1048576)',
          ++id,
          campaign,
          group,
          String(100_000_000 + c * 100 + i),
        );
      }
      for (let i = 0; i < 600; i++) {
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
    }
  });
  const took = performance.now() - start;
  db.close();
  return took;
}
