import { AT_FIRST } from '../../../renderer/actions/import-choice.ts';
import { DamagedIds } from '../../../renderer/screens/ids/DamagedIds.tsx';
import { ItemIdsDialog } from '../../../renderer/screens/ids/ItemIdsDialog.tsx';
import { ImportColumns } from '../../../renderer/screens/sheet/ImportColumns.tsx';
import { ImportFiles } from '../../../renderer/screens/sheet/ImportFiles.tsx';
import { ImportProgress } from '../../../renderer/screens/sheet/ImportProgress.tsx';
import { ImportRows } from '../../../renderer/screens/sheet/ImportRows.tsx';
import { MissingCampaigns } from '../../../renderer/screens/sheet/MissingCampaigns.tsx';
import { SheetChoice, SheetDialog } from '../../../renderer/screens/sheet/SheetDialog.tsx';
import { SheetFigures, SheetProblems } from '../../../renderer/screens/sheet/SheetFigures.tsx';
import { SignedBy } from '../../../renderer/screens/sheet/SignedBy.tsx';
import type { DeskState } from '../../../renderer/store/desk-store.ts';
import type { ImportPreview, ImportRow, ImportSignature } from '../../../shared/contract/exchange.ts';
import type { DamagedItemId, IdScan } from '../../../shared/contract/ids.ts';
import { aPreview } from '../a-preview.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const PREVIEW = aPreview({
  added: 1,
  changed: 1,
  removed: 1,
  conflicts: 1,
  unknownColumns: ['Colour'],
  formulaCount: 1,
  warnings: [],
  warningCount: 0,
  sheet: null,
  otherSheets: [],
  formulaLines: [4],
});
const SOURCES: Readonly<Record<ImportPreview['source'], true>> = { sheet: true, archive: true, changes: true };
const figures = (part: Partial<ImportPreview>) => staged({}, <SheetFigures preview={{ ...PREVIEW, ...part }} />);

const FILES: ImportPreview['files'] = [
  { key: 'a', what: 'added', fileName: 'kettle-spot.mp4', mediaType: 'video', bytes: 2_400_000, rows: 2, changes: [] },
  { key: 'b', what: 'added', fileName: 'old-logo.png', mediaType: null, bytes: null, rows: 0, changes: [] },
  {
    key: 'c',
    what: 'changed',
    fileName: 'roll.mp4',
    mediaType: 'video',
    bytes: 900_000,
    rows: 1,
    changes: ['caption', 'mediaName'],
  },
];

const COLUMNS: ImportPreview['columns'] = [
  { column: 'Daily budget', changes: 412, needed: 0, problems: 3, isLeftOut: false },
  { column: 'Bid', changes: 30, needed: 0, problems: 0, isLeftOut: true },
  { column: 'Keyword', changes: 0, needed: 12, problems: 0, isLeftOut: false },
  { column: 'Campaign', changes: 2, needed: 1, problems: 0, isLeftOut: false },
];

const MISSING: ImportPreview['missing'] = [{ campaign: '987654321', name: 'Kettles', type: null, adGroup: null }];

const PROGRESS = <ImportProgress job="j" />;
const reading =
  (share: number | null) =>
  ({ noteTask }: DeskState): void =>
    noteTask({
      type: 'task.progress',
      workspaceId: WORKSPACE,
      taskId: 'j',
      task: 'import',
      canCancel: true,
      rows: null,
      share,
      isOver: false,
    });

const SIGNED: Extract<ImportSignature, { is: 'signed' }> = {
  is: 'signed',
  name: 'ada',
  at: NOON,
  fingerprint: 'c0ff ee00 c0ff ee00 c0ff ee00 c0ff ee00',
  signer: 'new',
  knownAs: null,
};
const signedBy = (part: Partial<typeof SIGNED>) => <SignedBy signature={{ ...SIGNED, ...part }} />;

const rows = os.exchange.rows.handler(({ input }) => {
  const outcome = input.filter === 'all' || input.filter === 'error' ? 'added' : input.filter;
  const row: ImportRow = {
    line: 2,
    kind: 'keyword',
    campaign: 'Kettles',
    outcome,
    cells: [{ column: 'Bid', before: 150, after: 165, base: 150 }],
    message: null,
  };
  return { total: 1, rows: [row] };
});
const importRows = (part: Partial<ImportPreview>) => (
  <ImportRows workspaceId={WORKSPACE} preview={{ ...PREVIEW, ...part }} choice={AT_FIRST} onChoice={() => {}} />
);

const DAMAGES: Readonly<Record<DamagedItemId['damage'], true>> = {
  legacy: true,
  'too-new': true,
  scientific: true,
  'decimal-ending': true,
  grouped: true,
  marked: true,
  'lost-zeros': true,
  'too-long': true,
  unreadable: true,
};
const damagedId = (damage: DamagedItemId['damage'], isKnown = true): DamagedItemId => ({
  itemId: '5.01235E+09',
  damage,
  rows: 2,
  first: [{ id: null, line: 4, campaign: 'Kettles' }],
  candidates: isKnown ? [{ itemId: '5012345001', name: 'Steel kettle', source: 'search' }] : [],
  proposed: isKnown ? '5012345001' : null,
});
const damaged = (one: DamagedItemId) => (
  <DamagedIds damaged={[one]} chosen={new Map([[one.itemId, '5012345001']])} onChoose={() => {}} />
);
const scan = (part: Partial<IdScan>) => ({
  ids: {
    scan: os.ids.scan.handler(() => ({
      scanId: 's',
      fileName: null,
      ids: 40,
      damaged: [],
      notSearched: null,
      ...part,
    })),
  },
});

/** Sheets on their way in, and item ids that a spreadsheet has spoilt. */
export const SHEET_PARTS: readonly Part[] = [
  {
    name: 'SignedBy',
    states: {
      unsigned: <SignedBy signature={{ is: 'unsigned' }} />,
      altered: <SignedBy signature={{ is: 'altered' }} />,
      own: signedBy({ signer: 'own' }),
      known: signedBy({ signer: 'known', knownAs: 'ada' }),
      'known by another name': signedBy({ signer: 'known', knownAs: 'grace' }),
      new: signedBy({ signer: 'new' }),
    },
  },
  {
    name: 'SheetChoice',
    states: {
      some: (
        <SheetChoice
          preview={{
            ...PREVIEW,
            sheet: 'Plan',
            otherSheets: [
              { name: 'Notes', hidden: false, rows: 1 },
              { name: 'Old', hidden: true, rows: 2430 },
            ],
          }}
          isBusy={false}
          onSheet={() => {}}
        />
      ),
    },
  },
  { name: 'SheetDialog', isWide: true, states: { empty: staged({}, <SheetDialog file={null} media={[]} />) } },
  {
    name: 'SheetFigures',
    isWide: true,
    states: {
      ...each(SOURCES, (source) => figures({ source })),
      'parts that are skipped': figures({ source: 'archive', skippedParts: ['../evil.sh', 'more.zip'] }),
      'rows with something odd': figures({
        warnings: [
          { line: 4, column: 'Bid', message: '1.239 is read as 1.23: two decimals are kept, the rest is cut off.' },
          { line: 5, column: '', message: 'This row has 6 cells, and the header has 5.' },
        ],
        warningCount: 2,
      }),
      'nothing to do': figures({
        added: 0,
        changed: 0,
        removed: 0,
        conflicts: 0,
        errorCount: 0,
        errors: [],
        unknownColumns: [],
        formulaCount: 0,
        formulaLines: [],
      }),
    },
  },
  { name: 'SheetProblems', isWide: true, states: { some: staged({}, <SheetProblems preview={PREVIEW} />) } },
  {
    name: 'ImportFiles',
    states: {
      some: (
        <ImportFiles preview={{ ...PREVIEW, files: FILES, fileCount: 1200 }} out={new Set(['b'])} onOut={() => {}} />
      ),
    },
  },
  {
    name: 'ImportColumns',
    isWide: true,
    states: {
      some: <ImportColumns preview={{ ...PREVIEW, columns: COLUMNS }} out={new Set(['Bid'])} onOut={() => {}} />,
    },
  },
  {
    name: 'ImportProgress',
    states: {
      known: staged({ arrange: reading(0.42) }, PROGRESS),
      unknown: staged({ arrange: reading(null) }, PROGRESS),
    },
  },
  {
    name: 'MissingCampaigns',
    isWide: true,
    states: {
      one: <MissingCampaigns missing={MISSING} count={1} onAdd={() => {}} />,
      more: <MissingCampaigns missing={MISSING} count={1200} onAdd={() => {}} />,
    },
  },
  {
    name: 'ImportRows',
    isWide: true,
    states: {
      'one of each': staged({ answers: { exchange: { rows } } }, importRows({})),
      conflicts: staged({ answers: { exchange: { rows } } }, importRows({ added: 0, changed: 0, removed: 0 })),
      reading: staged({ answers: { exchange: { rows: os.exchange.rows.handler(never) } } }, importRows({})),
    },
  },
  {
    name: 'ItemIdsDialog',
    isWide: true,
    states: {
      looking: staged({ answers: { ids: { scan: os.ids.scan.handler(never) } } }, <ItemIdsDialog />),
      sound: staged({ answers: scan({}) }, <ItemIdsDialog />),
      damaged: staged({ answers: scan({ damaged: [damagedId('scientific')] }) }, <ItemIdsDialog />),
      'search is away': staged(
        { answers: scan({ damaged: [damagedId('legacy', false)], notSearched: 'unreachable' }) },
        <ItemIdsDialog />,
      ),
    },
  },
  {
    name: 'DamagedIds',
    isWide: true,
    states: {
      ...each(DAMAGES, (damage) => damaged(damagedId(damage))),
      'nothing to offer': damaged(damagedId('unreadable', false)),
    },
  },
];
