import { columnsOf } from '../../../renderer/grid/columns.ts';
import { BannerPreview } from '../../../renderer/screens/inspector/BannerPreview.tsx';
import { ClickUrl } from '../../../renderer/screens/inspector/ClickUrl.tsx';
import { FieldRow, type FieldRowProps } from '../../../renderer/screens/inspector/FieldRow.tsx';
import { FindingCards } from '../../../renderer/screens/inspector/FindingCards.tsx';
import type { ImpactView } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import type { Finding, Severity } from '../../../shared/rules/finding.ts';
import { each, type Part } from './part.ts';

const SEVERITIES: Readonly<Record<Severity, true>> = { error: true, warning: true, advice: true };
const COSTS: Readonly<Record<ImpactView['cost'], string | null>> = {
  immediate: null,
  'needs-review': null,
  'needs-pause': null,
  refused: 'The campaign is in review',
  local: null,
  'with-create': null,
};

const finding = (severity: Severity, fix: Finding['fix'] = null): Finding => ({
  rule: 'keyword.bid-floor',
  severity,
  kind: 'keyword',
  id: asRowId(1),
  campaignId: null,
  field: 'bid',
  params: { label: 'kettle', bid: 10, min: 20 },
  fix,
});

function field(kind: Kind, name: string, value: FieldRowProps['value'], part: Partial<FieldRowProps> = {}) {
  const column = columnsOf(kind, false).find((each) => each.field === name);
  if (column === undefined) throw new Error(`${kind} has no field ${name}.`);
  return (
    <FieldRow
      kind={kind}
      column={column}
      value={value}
      mixed={false}
      locked={null}
      findings={[]}
      before={null}
      impact={null}
      media={new Map()}
      onRevert={null}
      openComments={0}
      onChange={() => {}}
      {...part}
    />
  );
}

/** Fields of the details, what is said about them, and what is drawn from them. */
export const FIELD_PARTS: readonly Part[] = [
  {
    name: 'FieldRow',
    states: {
      text: field('campaign', 'name', 'Kettles'),
      money: field('keyword', 'bid', 150),
      choice: field('keyword', 'matchType', 'exact'),
      date: field('campaign', 'startDate', '2030-06-01'),
      'no end': field('campaign', 'endDate', null),
      mixed: field('keyword', 'bid', null, { mixed: true }),
      locked: field('keyword', 'reviewStatus', 'approved', { locked: 'Only the service changes this.' }),
      'counted characters': field('sbaProfile', 'headline', 'Kettles for every kitchen'),
      'too many characters': field('sbaProfile', 'headline', 'K'.repeat(60)),
      commented: field('keyword', 'bid', 165, { openComments: 2 }),
      changed: field('keyword', 'bid', 165, { before: 'Service has: 1.50', onRevert: () => {} }),
      ...each(SEVERITIES, (severity) => field('keyword', 'bid', 10, { findings: [finding(severity)] })),
    },
  },
  {
    name: 'FieldFrame',
    states: each(COSTS, (cost) => field('keyword', 'bid', 150, { impact: { cost, message: COSTS[cost] } })),
  },
  {
    name: 'FindingCards',
    states: {
      none: <FindingCards findings={[]} onFix={() => {}} />,
      ...each(SEVERITIES, (severity) => (
        <FindingCards findings={[finding(severity, { field: 'bid', value: 20 })]} onFix={() => {}} />
      )),
    },
  },
  {
    name: 'BannerPreview',
    states: {
      empty: <BannerPreview workspaceId="gallery" brand="" headline="" logo={null} onService={null} />,
      words: (
        <BannerPreview
          workspaceId="gallery"
          brand="Northwind"
          headline="Kettles for every kitchen"
          logo={null}
          onService={null}
        />
      ),
    },
  },
  {
    name: 'ClickUrl',
    states: {
      'as typed': <ClickUrl raw="https://www.example.com/kettles" />,
      rewritten: <ClickUrl raw="https://www.example.com/kettles?q=a+b&typeahead=ket" />,
    },
  },
];
