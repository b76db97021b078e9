import { columnsOf } from '../../../renderer/grid/columns.ts';
import { BulkDialog } from '../../../renderer/screens/bulk/BulkDialog.tsx';
import { CampaignChoice } from '../../../renderer/screens/bulk/CampaignChoice.tsx';
import { CopyAcross } from '../../../renderer/screens/bulk/CopyAcross.tsx';
import { CopyDialog } from '../../../renderer/screens/bulk/CopyDialog.tsx';
import { CopyHere } from '../../../renderer/screens/bulk/CopyHere.tsx';
import { LeftBehind } from '../../../renderer/screens/bulk/LeftBehind.tsx';
import { PreviewTable } from '../../../renderer/screens/bulk/PreviewTable.tsx';
import { ToolFields } from '../../../renderer/screens/bulk/ToolFields.tsx';
import { EMPTY_FORM, type ToolName, withTool } from '../../../renderer/screens/bulk/tool-form.ts';
import { PasteDialog } from '../../../renderer/screens/paste/PasteDialog.tsx';
import { PasteRows } from '../../../renderer/screens/paste/PasteRows.tsx';
import { PasteValuesDialog } from '../../../renderer/screens/paste/PasteValuesDialog.tsx';
import { type BulkPreview, RefusalReason } from '../../../shared/contract/bulk.ts';
import type { PastePreview } from '../../../shared/contract/paste.ts';
import { asRowId, asWorkspaceId } from '../../../shared/model/scalars.ts';
import { ACCOUNT, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged, Viewed } from './Stage.tsx';

const nothing = () => {};
const OTHER = { ...ACCOUNT, workspaceId: asWorkspaceId('other'), name: 'Northwind Garden' };
const TOOLS: Readonly<Record<ToolName, string>> = {
  set: 'matchType',
  amount: 'bid',
  replace: 'text',
  append: 'text',
  case: 'text',
};

const pair = (label: string, before: number, value: number): BulkPreview['pairs'][number] => ({
  kind: 'keyword',
  id: asRowId(before),
  campaignId: asRowId(2),
  campaignName: 'Kettles',
  label,
  field: 'bid',
  before,
  value,
});
const PREVIEW: BulkPreview = {
  revision: 1,
  rows: 12,
  cells: 2,
  created: 0,
  removed: 0,
  refused: [],
  pairs: [pair('kettle', 150, 165), pair('steel kettle', 200, 220)],
  refusals: [],
  dropped: [],
};
const refused = RefusalReason.options.map((why) => ({ why, rows: 2 }));
const dropped = [{ field: 'reviewStatus', rows: 3 }];
const table = (part: Partial<BulkPreview>, waiting = false) => (
  <PreviewTable preview={{ ...PREVIEW, ...part }} media={new Map()} waiting={waiting} />
);

const PASTE: PastePreview = {
  revision: 1,
  hasHeader: true,
  columns: [
    { text: 'Keyword', column: 'Keyword', by: 'header' },
    { text: '1,50', column: null, by: 'none' },
  ],
  choices: ['Keyword', 'Bid'],
  add: 1,
  update: 1,
  unchanged: 1,
  error: 1,
  needsDecimals: false,
  rows: (['add', 'update', 'unchanged', 'error'] as const).map((outcome, at) => ({
    at: at + 1,
    outcome,
    kind: 'keyword',
    id: null,
    label: outcome === 'error' ? '' : `kettle ${at}`,
    cells: [{ field: 'bid', before: null, value: 150 }],
    problems: outcome === 'error' ? [{ column: 'Bid', message: '"x" is not an amount.' }] : [],
  })),
};
const TABLE = [
  ['Keyword', 'Bid'],
  ['kettle', '1.50'],
  ['pot', '1.50'],
  ['pan', '1.50'],
  ['lid', 'x'],
];
const paste = (waiting: boolean) => (
  <PasteRows kind="keyword" preview={PASTE} table={TABLE} waiting={waiting} onColumn={nothing} />
);

const bulk = (tool: 'set' | 'amount' | 'replace', field: string) =>
  staged(
    { arrange: (s) => s.selectRows(0, 4) },
    <Viewed request={{ kind: 'keyword' }}>
      {(view) => <BulkDialog workspaceId={WORKSPACE} view={view} tool={tool} field={field} />}
    </Viewed>,
  );
const GRID = { columns: columnsOf('keyword', false), range: () => ({ top: 0, bottom: 1, left: 2, right: 2 }) };
const selected = { scope: { rows: [{ kind: 'keyword' as const, ids: [asRowId(7)] }] }, count: 1 };

/** Tools over many rows, and rows that come from a clipboard. */
export const MANY_ROWS_PARTS: readonly Part[] = [
  {
    name: 'BulkDialog',
    isWide: true,
    states: {
      'set a value': bulk('set', 'matchType'),
      calculate: bulk('amount', 'bid'),
      replace: bulk('replace', 'text'),
    },
  },
  {
    name: 'ToolFields',
    states: each(TOOLS, (tool) =>
      staged(
        {},
        <ToolFields
          kind="keyword"
          form={withTool({ ...EMPTY_FORM, field: TOOLS[tool] }, 'keyword', tool)}
          onChange={nothing}
        />,
      ),
    ),
  },
  {
    name: 'PreviewTable',
    isWide: true,
    states: {
      changes: table({}),
      'nothing changes': table({ cells: 0, pairs: [] }),
      'more than is shown': table({ cells: 4000, refused }),
      reckoning: table({}, true),
    },
  },
  {
    name: 'LeftBehind',
    states: {
      nothing: <LeftBehind preview={{ dropped: [], refused: [] }} />,
      everything: <LeftBehind preview={{ dropped, refused }} />,
    },
  },
  {
    name: 'CopyDialog',
    isWide: true,
    states: {
      keywords: staged(
        {},
        <Viewed request={{ kind: 'keyword' }}>{(view) => <CopyDialog workspaceId={WORKSPACE} view={view} />}</Viewed>,
      ),
      'campaigns without another account': staged(
        {},
        <Viewed request={{ kind: 'campaign' }}>{(view) => <CopyDialog workspaceId={WORKSPACE} view={view} />}</Viewed>,
      ),
    },
  },
  {
    name: 'CopyHere',
    isWide: true,
    states: { keywords: staged({}, <CopyHere workspaceId={WORKSPACE} kind="keyword" selected={selected} />) },
  },
  {
    name: 'CopyAcross',
    isWide: true,
    states: {
      keywords: staged({}, <CopyAcross workspaceId={WORKSPACE} target={OTHER} kind="keyword" selected={selected} />),
      campaigns: staged({}, <CopyAcross workspaceId={WORKSPACE} target={OTHER} kind="campaign" selected={selected} />),
    },
  },
  {
    name: 'CampaignChoice',
    states: {
      'none yet': staged({}, <CampaignChoice workspaceId={WORKSPACE} chosen={null} onChoose={nothing} />),
      chosen: staged({}, <CampaignChoice workspaceId={WORKSPACE} chosen={1} onChoose={nothing} />),
    },
  },
  {
    name: 'PasteDialog',
    isWide: true,
    states: {
      empty: staged(
        { arrange: (s) => s.goTo({ kind: 'keyword', campaignId: 1 }) },
        <PasteDialog workspaceId={WORKSPACE} />,
      ),
    },
  },
  {
    name: 'PasteValuesDialog',
    isWide: true,
    states: {
      empty: staged(
        {},
        <Viewed request={{ kind: 'keyword' }}>
          {(view) => <PasteValuesDialog workspaceId={WORKSPACE} view={view} grid={GRID} />}
        </Viewed>,
      ),
    },
  },
  { name: 'PasteRows', isWide: true, states: { rows: paste(false), reckoning: paste(true) } },
];
