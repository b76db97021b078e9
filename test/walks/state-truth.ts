import type { DatabaseSync } from 'node:sqlite';
import { stateOfStatus } from '../../shared/lifecycle/campaign-state.ts';
import { type CampaignState, partReview, type ServiceStatus } from '../../shared/lifecycle/states.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { FIELDS, type Values } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Row } from '../../shared/model/row.ts';
import { asRowId, type PlainDate, remoteId } from '../../shared/model/scalars.ts';

/** What the service itself has of a campaign: its status, and the word that the table of states gives for it. */
export interface Truth {
  readonly status: ServiceStatus;
  readonly state: CampaignState;
  readonly end: string;
}

type Cells = Readonly<Record<string, unknown>>;

/** Reads the campaigns of the service from its own file, by name. */
export function truths(database: DatabaseSync): ReadonlyMap<string, Truth> {
  const all = (sql: string, id: number): readonly Cells[] => database.prepare(sql).all(id);
  const campaigns: readonly Cells[] = database.prepare('SELECT * FROM campaign').all();
  return new Map(
    campaigns.map((row) => {
      const id = Number(row['campaign_id']);
      const status = String(row['status']) as ServiceStatus;
      const tree = treeOf(row, (table) => all(`SELECT * FROM ${table} WHERE campaign_id = ?`, id));
      return [String(row['name']), { status, state: stateOfStatus(status, tree), end: String(row['end_date']) }];
    }),
  );
}

function treeOf(campaign: Cells, rowsOf: (table: string) => readonly Cells[]): CampaignTree {
  const reviews = rowsOf('review').toSorted((a, b) => Number(b['review_id']) - Number(a['review_id']));
  const [newest] = reviews;
  return {
    campaign: rowOf('campaign', 1, {
      campaignType: campaign['campaign_type'] as Values<'campaign'>['campaignType'],
      targetingType: campaign['targeting_type'] as Values<'campaign'>['targetingType'],
      startDate: campaign['start_date'] as PlainDate,
      endDate: campaign['end_date'] as PlainDate,
    }),
    adGroups: rowsOf('ad_group').map((_, at) =>
      rowOf('adGroup', 10 + at, {
        reviewStatus: (newest?.['status'] ?? null) as Values<'adGroup'>['reviewStatus'],
        reviewId: newest === undefined ? null : String(newest['review_id']),
      }),
    ),
    adItems: rowsOf('ad_item').map((row, at) => rowOf('adItem', 20 + at, partOf(row, 'status', 'review_status'))),
    keywords: rowsOf('keyword').map((row, at) => {
      const { status, reviewStatus } = partOf(row, 'state', 'status');
      return rowOf('keyword', 40 + at, { state: status, reviewStatus } as Partial<Values<'keyword'>>);
    }),
    sbaProfiles: rowsOf('sba_profile').map((row, at) =>
      rowOf('sbaProfile', 60 + at, partOf(row, 'status', 'review_status')),
    ),
    videoProfiles: rowsOf('ad_group_media').map((row, at) =>
      rowOf('videoProfile', 80 + at, partOf(row, 'status', 'review_status')),
    ),
    placementMultipliers: [],
    platformMultipliers: [],
    media: [],
  };
}

const partOf = (row: Cells, on: string, review: string) => ({
  status: String(row[on]) as 'enabled' | 'disabled',
  reviewStatus: partReview(String(row[review]), (row['review_reason'] ?? null) as string | null),
});

function rowOf<K extends Kind>(kind: K, id: number, values: Partial<Values<K>>): Row<K> {
  const blank = Object.fromEntries(Object.keys(FIELDS[kind]).map((field) => [field, null])) as Values<K>;
  const full = { ...blank, ...values };
  const rowId = asRowId(id);
  return {
    kind,
    id: rowId,
    campaignId: asRowId(1),
    adGroupId: null,
    remoteId: remoteId('1'),
    values: full,
    base: null,
    dirty: 0,
  };
}
