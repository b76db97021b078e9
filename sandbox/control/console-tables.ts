import { ownMessages } from '../messages.ts';
import { itemStatuses, judgeItemBid } from '../resources/ad-item-changes.ts';
import { isPrintable } from '../resources/campaign-fields.ts';
import { judgeEnabled, judgeKeywordBid, keywordStates } from '../resources/keyword-changes.ts';
import { judgeMultiplier } from '../resources/multipliers.ts';
import { judgeSbaContent } from '../resources/sba-fields.ts';
import { disableOtherProfiles } from '../resources/sba-update.ts';
import type { Service } from '../service.ts';
import type { Row } from '../store.ts';

/**
 * What a person may change in the retailer's own console, table by table, in the names of the API. The console does not
 * ask whether a campaign is live or under review; but words, moves of states, floors and content rules hold there, too.
 */
export type Column = readonly [column: string, kind: 'text' | 'optional text' | 'amount' | readonly string[]];

export interface EditableTable {
  readonly table: string;
  readonly key: string;
  /** API field to column; a list names the words it may hold. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The column and the word after which a row no longer changes. */
  readonly final?: readonly [column: string, word: string];
  /** What is wrong with the row as it is after the change, or null. Runs in the transaction of the change. */
  readonly judge?: (service: Service, row: Row) => string | null;
  /** What the change of a state sets right in other rows. Runs in the transaction of the change. */
  readonly settle?: (service: Service, row: Row) => void;
}

const switchable: Column = ['status', ['enabled', 'disabled']];
const approvals = ['pending', 'approved', 'rejected'] as const;
const reviewed: Readonly<Record<string, Column>> = {
  reviewStatus: ['review_status', approvals],
  reviewReason: ['review_reason', 'optional text'],
};

const judgeName = (_service: Service, row: Row) => (isPrintable(String(row['name'])) ? null : ownMessages.nameInvalid);

export const consoleTables: Readonly<Record<string, EditableTable>> = {
  'ad-groups': {
    table: 'ad_group',
    key: 'ad_group_id',
    columns: { name: ['name', 'text'], status: switchable },
    judge: judgeName,
  },
  'ad-items': {
    table: 'ad_item',
    key: 'ad_item_id',
    columns: { bid: ['bid', 'amount'], status: ['status', itemStatuses], ...reviewed },
    final: ['status', 'deleted'],
    judge: (_service, row) => judgeItemBid(Number(row['bid'])),
  },
  keywords: {
    table: 'keyword',
    key: 'keyword_id',
    columns: { bid: ['bid', 'amount'], state: ['state', keywordStates], status: ['status', approvals] },
    final: ['state', 'archived'],
    judge: (service, row) =>
      judgeKeywordBid(service, Number(row['campaign_id']), Number(row['bid'])) ??
      (row['state'] === 'enabled' ? judgeEnabled(service, Number(row['ad_group_id'])) : null),
  },
  'sba-profiles': {
    table: 'sba_profile',
    key: 'sba_profile_id',
    columns: {
      searchAmpName: ['search_amp_name', 'text'],
      headlineText: ['headline_text', 'text'],
      clickUrl: ['click_url', 'text'],
      logoUrl: ['logo_url', 'text'],
      status: switchable,
      reviewStatus: ['review_status', ['pending', 'complete']],
      reviewReason: ['review_reason', 'optional text'],
    },
    judge: (service, row) =>
      judgeSbaContent(service, {
        brand: String(row['search_amp_name']),
        headline: String(row['headline_text']),
        clickUrl: String(row['click_url']),
      }),
    settle: (service, row) => {
      if (row['status'] !== 'enabled') return;
      disableOtherProfiles(service, Number(row['ad_group_id']), Number(row['sba_profile_id']));
    },
  },
  'ad-group-media': {
    table: 'ad_group_media',
    key: 'ad_group_media_id',
    columns: { status: switchable, ...reviewed },
  },
  media: {
    table: 'media',
    key: 'media_id',
    columns: { name: ['name', 'text'], status: ['status', ['available', 'failed']] },
    judge: judgeName,
  },
  multipliers: {
    table: 'multiplier',
    key: 'multiplier_id',
    columns: { multiplier: ['multiplier', 'amount'] },
    judge: (_service, row) => judgeMultiplier(String(row['kind']), String(row['type']), Number(row['multiplier'])),
  },
};

/** Other names people use for the same rows. */
export const tableAliases: Readonly<Record<string, string>> = {
  'video-profiles': 'ad-group-media',
  'placement-multipliers': 'multipliers',
  'platform-multipliers': 'multipliers',
};
