import { DuplicateCard } from '../../../renderer/screens/duplicates/DuplicateCard.tsx';
import { DuplicatesDialog } from '../../../renderer/screens/duplicates/DuplicatesDialog.tsx';
import type { DuplicateGroup, DuplicateKind, Duplicates } from '../../../shared/contract/duplicates.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const KINDS: Readonly<Record<DuplicateKind, string>> = { keyword: 'steel kettle', adItem: '5012345001' };
const nothing = () => {};

const row = (kind: DuplicateKind, id: number, state: string): DuplicateGroup['rows'][number] => ({
  id: asRowId(id),
  campaignId: asRowId(2),
  campaignName: 'Kettles',
  adGroupId: asRowId(3),
  adGroupName: 'Kettles group',
  remoteId: String(7000 + id),
  text: KINDS[kind],
  bid: 150 + id,
  state,
});
const group = (kind: DuplicateKind): DuplicateGroup => ({
  matchType: kind === 'keyword' ? 'exact' : null,
  rows: [row(kind, 7, 'enabled'), row(kind, 8, 'paused')],
  count: 3,
});
const found = (groups: readonly DuplicateGroup[]): Duplicates => ({
  total: groups.length,
  rows: groups.length * 3,
  groups: [...groups],
  fullness: [{ adGroupId: asRowId(3), distinct: 40 }],
  distinctMax: 200,
});
const card = (kind: DuplicateKind) => (
  <ul className="cards">
    <DuplicateCard
      kind={kind}
      group={group(kind)}
      keep={7}
      facts={found([group(kind)])}
      spend={new Map([['7007', 1234]])}
      onKeep={nothing}
      onShow={nothing}
      onPause={nothing}
      onRemove={nothing}
    />
  </ul>
);
const dialog = (answer: Duplicates | null) =>
  staged(
    { answers: { views: { duplicates: os.views.duplicates.handler(() => answer ?? never()) } } },
    <DuplicatesDialog workspaceId={WORKSPACE} kind="keyword" />,
  );

/** What is there twice. */
export const DUPLICATE_PARTS: readonly Part[] = [
  { name: 'DuplicateCard', isWide: true, states: each(KINDS, (kind) => staged({}, card(kind))) },
  {
    name: 'DuplicatesDialog',
    isWide: true,
    states: { searching: dialog(null), none: dialog(found([])), some: dialog(found([group('keyword')])) },
  },
];
