import { limits } from '../../sandbox/limits.ts';
import { openStore } from '../../sandbox/store.ts';

/**
 * Holds so many keywords as the sandbox holds them, in a process of its own, and says how much memory that takes in
 * MB: `node test/bench/sandbox-child.ts KEYWORDS`.
 */
const keywords = Number(process.argv[2] ?? 1_000_000);
const store = openStore(':memory:');
const perGroup = limits.keywordsMaxDistinctEnabled * limits.keywordMatchTypes.length;
store.inTransaction(() => {
  for (let at = 0; at < keywords; at += 1) {
    const adGroupId = 7_700_001 + Math.floor(at / perGroup);
    const within = at % perGroup;
    const text = `kitchen paper towel number ${within % limits.keywordsMaxDistinctEnabled}`;
    store.run(
      `INSERT INTO keyword (campaign_id, ad_group_id, keyword_text, same_text, match_type, bid, state, status)
       VALUES (?, ?, ?, ?, ?, 165, 'enabled', 'approved')`,
      904_100_200_301 + Math.floor(at / perGroup),
      adGroupId,
      text,
      text,
      limits.keywordMatchTypes[Math.floor(within / limits.keywordsMaxDistinctEnabled)] ?? 'exact',
    );
  }
});
const held = store.one<{ n: number }>('SELECT count(*) AS n FROM keyword')?.n ?? 0;
const megabytes = process.memoryUsage().rss / 2 ** 20;
process.stdout.write(`${JSON.stringify({ held, megabytes })}\n`);
