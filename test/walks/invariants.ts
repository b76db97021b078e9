import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../sandbox/limits.ts';
import { documentMoves } from '../conformance/document-moves.ts';

/**
 * What must be true of the stored state after every action. Each law is a query for the rows that break it, read
 * through a connection of our own, so that the sandbox is not asked about itself.
 */
interface Law {
  readonly sentence: string;
  readonly sql: string;
}

const words = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** "States and transitions": every column that holds a state, and the words it may hold. */
const states: readonly (readonly [table: string, column: string, allowed: readonly string[]])[] = [
  ['campaign', 'status', ['enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled']],
  ['campaign', 'campaign_type', ['sponsoredProducts', 'sba', 'video']],
  ['campaign', 'targeting_type', ['auto', 'manual']],
  ['ad_group', 'status', ['enabled', 'disabled']],
  ['ad_item', 'status', ['enabled', 'disabled', 'deleted']],
  ['ad_item', 'review_status', ['pending', 'approved', 'rejected']],
  ['keyword', 'state', ['enabled', 'paused', 'archived']],
  ['keyword', 'status', ['pending', 'approved', 'rejected']],
  ['keyword', 'match_type', limits.keywordMatchTypes],
  ['media', 'status', ['pending', 'processing', 'available', 'failed']],
  ['ad_group_media', 'status', ['enabled', 'disabled']],
  ['ad_group_media', 'review_status', ['pending', 'approved', 'rejected']],
  ['sba_profile', 'status', ['enabled', 'disabled']],
  ['sba_profile', 'review_status', ['pending', 'complete']],
  ['review', 'status', ['pending', 'in-progress', 'cancelled', 'approved', 'rejected']],
  ['review_component', 'status', ['pending', 'approved', 'rejected']],
];

/** The arrows of the document, from the list that was written from it: the table of the sandbox is what is being tried. */
const arrows = documentMoves
  .filter(({ machine, from }) => machine === 'campaign' && from !== '(new)')
  .map(({ from, to }) => `${from} > ${to}`);

const atMost = (sentence: string, table: string, by: string, what: string, max: number, where = '1'): Law => ({
  sentence,
  sql: `SELECT ${by}, ${what} AS n FROM ${table} WHERE ${where} GROUP BY ${by} HAVING n > ${max}`,
});

const openReview = "status IN ('pending', 'in-progress')";

const laws: readonly Law[] = [
  ...states.map(([table, column, allowed]) => ({
    sentence: `${table}.${column} is one of ${allowed.join(', ')}`,
    sql: `SELECT ${column} FROM ${table} WHERE ${column} NOT IN (${words(allowed)})`,
  })),
  {
    sentence: 'a campaign moves along the arrows only',
    sql: `SELECT * FROM campaign_move WHERE from_status || ' > ' || to_status NOT IN (${words(arrows)})`,
  },
  {
    sentence: 'each move begins where the one before ended, and no earlier',
    sql: `SELECT * FROM (SELECT *, lag(to_status) OVER each AS was, lag(at_ms) OVER each AS was_ms FROM campaign_move
          WINDOW each AS (PARTITION BY campaign_id ORDER BY move_id))
          WHERE was IS NOT NULL AND (was <> from_status OR was_ms > at_ms)`,
  },
  {
    sentence: 'a campaign is where its last move led',
    sql: `SELECT campaign.* FROM campaign JOIN campaign_move AS last ON last.move_id =
          (SELECT max(move_id) FROM campaign_move WHERE campaign_move.campaign_id = campaign.campaign_id)
          WHERE last.to_status <> campaign.status`,
  },
  { sentence: 'dates are in order', sql: 'SELECT * FROM campaign WHERE end_date < start_date' },
  atMost('one ad group a campaign', 'ad_group', 'campaign_id', 'count(*)', limits.adGroupsPerCampaign),
  atMost('ten items an ad group', 'ad_item', 'ad_group_id', 'count(*)', limits.adItemsMax, "status <> 'deleted'"),
  atMost('an item once an ad group', 'ad_item', 'ad_group_id, item_key', 'count(*)', 1, "status <> 'deleted'"),
  atMost(
    '200 distinct enabled keywords an ad group',
    'keyword',
    'ad_group_id',
    'count(DISTINCT same_text)',
    limits.keywordsMaxDistinctEnabled,
    "state = 'enabled'",
  ),
  atMost(
    'a keyword once a match type',
    'keyword',
    'ad_group_id, same_text, match_type',
    'count(*)',
    1,
    "state <> 'archived'",
  ),
  atMost('two SBA profiles an ad group', 'sba_profile', 'ad_group_id', 'count(*)', limits.sbaMaxProfiles),
  atMost('one video profile a campaign', 'ad_group_media', 'campaign_id', 'count(*)', limits.videoProfilesPerCampaign),
  atMost('one open review an ad group', 'review', 'ad_group_id', 'count(*)', 1, openReview),
  {
    sentence: 'a review is open as long as a component is undecided, unless it was cancelled',
    sql: `SELECT review.* FROM review WHERE status <> 'cancelled' AND (${openReview}) <> EXISTS
          (SELECT 1 FROM review_component AS part WHERE part.review_id = review.review_id AND part.status = 'pending')`,
  },
  {
    sentence: 'a decided review says what its components say',
    sql: `SELECT review.* FROM review WHERE status IN ('approved', 'rejected') AND (status = 'rejected') <> EXISTS
          (SELECT 1 FROM review_component AS part WHERE part.review_id = review.review_id AND part.status = 'rejected')`,
  },
  {
    sentence: 'bids are at the floor of their campaign or above',
    sql: `SELECT keyword.* FROM keyword JOIN campaign USING (campaign_id) WHERE bid <
          iif(campaign_type = 'video', ${limits.videoKeywordBidFloorCents}, ${limits.keywordBidFloorCents})`,
  },
  {
    sentence: 'item bids are at the floor or above',
    sql: `SELECT * FROM ad_item WHERE bid < ${limits.itemBidFloorCents}`,
  },
  {
    sentence: 'multipliers are from 0 to 50,000 percent',
    sql: `SELECT * FROM multiplier WHERE multiplier NOT BETWEEN 0 AND ${limits.multiplierMaxHundredths}`,
  },
  {
    sentence: 'profiles are of the kind of their campaign',
    sql: `SELECT campaign_id FROM sba_profile JOIN campaign USING (campaign_id) WHERE campaign_type <> 'sba' UNION ALL
          SELECT campaign_id FROM ad_group_media JOIN campaign USING (campaign_id) WHERE campaign_type <> 'video'`,
  },
  {
    sentence: 'a video profile shows media of its own advertiser that was available',
    sql: `SELECT campaign_id FROM ad_group_media JOIN campaign USING (campaign_id) JOIN media USING (media_id)
          WHERE media.advertiser_id <> campaign.advertiser_id OR media.status IN ('pending', 'processing')`,
  },
  {
    sentence: 'rows belong to the campaign of their ad group',
    sql: ['ad_item', 'keyword', 'sba_profile', 'ad_group_media', 'review']
      .map(
        (table) => `SELECT ad_group_id FROM ${table} AS part LEFT JOIN ad_group USING (ad_group_id)
                    WHERE ad_group.campaign_id IS NOT part.campaign_id`,
      )
      .join(' UNION ALL '),
  },
];

type Violation = string;

/** Prepares the laws. @returns a check that gives the laws broken now, each with a row that breaks it */
export function createInvariants(database: DatabaseSync): () => readonly Violation[] {
  const prepared = laws.map(({ sentence, sql }) => ({ sentence, query: database.prepare(`${sql} LIMIT 1`) }));
  return () =>
    prepared.flatMap(({ sentence, query }) => {
      const row = query.get();
      return row === undefined ? [] : [`${sentence}: ${JSON.stringify(row)}`];
    });
}

export const lawCount = laws.length;
