import { ChangeLine } from '../../../renderer/screens/drawer/ChangeLine.tsx';
import { LaneFilter } from '../../../renderer/screens/drawer/LaneFilter.tsx';
import { AfterReviewList } from '../../../renderer/screens/sync/AfterReviewList.tsx';
import { RestartReviewDialog } from '../../../renderer/screens/sync/RestartReviewDialog.tsx';
import type { AfterReview } from '../../../shared/contract/after-review.ts';
import { CHANGE_LANES } from '../../../shared/contract/change-lane.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const keyword = (id: number, label: string) => ({ kind: 'keyword' as const, id: asRowId(id), label });
const locked: AfterReview = {
  campaignId: asRowId(1),
  campaign: 'Paper towels',
  state: 'locked',
  outcome: null,
  rows: 7,
  first: [keyword(4, 'paper towel, exact'), keyword(5, 'kitchen roll, broad')],
  askedAt: NOON,
  days: { min: 1, max: 3 },
};
const over = { campaignId: asRowId(2), campaign: 'Kettles', state: 'free', outcome: 'rejected', rows: 1 } as const;
const kept = (...campaigns: readonly AfterReview[]) => ({
  afterReview: { list: os.afterReview.list.handler(() => [...campaigns]) },
});
const list = <AfterReviewList workspaceId={WORKSPACE} />;
const dialog = <RestartReviewDialog workspaceId={WORKSPACE} campaignId={asRowId(1)} />;
const LANES = { ready: 120, queued: 2, 'after-review': 7, blocked: 1, held: 12_400 };
const LANE = Object.fromEntries(CHANGE_LANES.map((lane) => [lane, true])) as Record<keyof typeof LANES, true>;

const bid = { ...keyword(7, 'kettle, exact'), campaignId: asRowId(2), campaignName: 'Kettles' } as const;
const changed = { ...bid, what: 'field', field: 'bid', before: 150, after: 165 } as const;

/** Where changes stand, and the edits that a review closes. */
export const AFTER_REVIEW_PARTS: readonly Part[] = [
  {
    name: 'LaneFilter',
    states: {
      all: <LaneFilter lanes={LANES} lane={null} onLane={() => {}} />,
      ...each(LANE, (lane) => <LaneFilter lanes={LANES} lane={lane} onLane={() => {}} />),
    },
  },
  {
    name: 'ChangeLine',
    isWide: true,
    states: each(LANE, (lane) => (
      <ChangeLine
        change={{ ...changed, lane, held: lane === 'held' }}
        first
        media={new Map()}
        ticked={lane === 'ready'}
        onTick={() => {}}
      />
    )),
  },
  {
    name: 'AfterReviewList',
    isWide: true,
    states: {
      'review open': staged({ answers: kept(locked) }, list),
      'review over': staged({ answers: kept({ ...locked, ...over }, locked) }, list),
      'asked for elsewhere': staged({ answers: kept({ ...locked, askedAt: null }) }, list),
    },
  },
  {
    name: 'RestartReviewDialog',
    isWide: true,
    states: {
      open: staged({ answers: kept(locked) }, dialog),
      'over meanwhile': staged({ answers: kept() }, dialog),
      planning: staged({ answers: { ...kept(locked), sync: { plan: os.sync.plan.handler(never) } } }, dialog),
    },
  },
];
