import { Menu } from '@mantine/core';
import { AddByIdDialog } from '../../../renderer/screens/known/AddByIdDialog.tsx';
import { AddReported } from '../../../renderer/screens/known/AddReported.tsx';
import { KnownIdsDialog } from '../../../renderer/screens/known/KnownIdsDialog.tsx';
import { PastedLines } from '../../../renderer/screens/known/PastedLines.tsx';
import { TakenInList } from '../../../renderer/screens/known/TakenInList.tsx';
import { type KnownId, TakeInOutcome } from '../../../shared/contract/known.ts';
import { campaignLines } from '../../../shared/ids/campaign-lines.ts';
import { KNOWN_SOURCES } from '../../../shared/model/known-id.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { parseTsv } from '../../../shared/sheet/tsv.ts';
import { never, os } from './answers.ts';
import { WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const PASTED = '123456789\tSpring towels\tsba\t223456789\n123456790\n1.23E+09\n123456791\t\tbanner\n123456790';
const LINES = campaignLines(parseTsv(PASTED));

const outcomes = TakeInOutcome.shape.outcome.options.map((outcome, at): TakeInOutcome => {
  const id = String(123_456_789 + at);
  return { kind: 'campaign', id, campaign: id, outcome, detail: outcome === 'refused' ? 'No access.' : '' };
});

const ids: readonly KnownId[] = KNOWN_SOURCES.map((source, at) => ({
  kind: at % 2 === 0 ? 'campaign' : 'adGroup',
  id: String(123_456_789 + at),
  source,
  at: 0,
  confirmedAt: source === 'made' ? null : Date.UTC(2026, 4, 4, 12),
  rowId: source === 'report' ? null : asRowId(at + 1),
  campaignId: asRowId(at + 1),
  name: 'Spring towels',
  campaign: 'Spring towels',
}));
const known = (answer: readonly KnownId[] | null) =>
  staged(
    {
      answers: {
        known: {
          list: os.known.list.handler(() => (answer === null ? never() : { total: answer.length, ids: [...answer] })),
        },
      },
    },
    <KnownIdsDialog workspaceId={WORKSPACE} />,
  );
const adding = (text: string) => staged({}, <AddByIdDialog workspaceId={WORKSPACE} text={text} source="pasted" />);

/** Known ids, and campaigns that are added by them. */
export const KNOWN_PARTS: readonly Part[] = [
  { name: 'AddByIdDialog', isWide: true, states: { empty: adding(''), pasted: adding(PASTED) } },
  {
    name: 'PastedLines',
    isWide: true,
    states: {
      asking: staged({}, <PastedLines lines={LINES} here={null} />),
      asked: staged({}, <PastedLines lines={LINES} here={new Set(['123456790'])} />),
    },
  },
  {
    name: 'TakenInList',
    isWide: true,
    states: {
      all: staged(
        {},
        <TakenInList taken={{ outcomes: [...outcomes], withoutGroup: ['123456789'], stoppedBy: null }} />,
      ),
      stopped: staged({}, <TakenInList taken={{ outcomes: [], withoutGroup: [], stoppedBy: 'no connection' }} />),
    },
  },
  {
    name: 'AddReported',
    states: {
      unknown: staged(
        {},
        <Menu opened withinPortal={false}>
          <Menu.Dropdown>
            <AddReported id="123456789" />
          </Menu.Dropdown>
        </Menu>,
      ),
    },
  },
  { name: 'KnownIdsDialog', isWide: true, states: { looking: known(null), none: known([]), some: known(ids) } },
];
