import { RowMark } from '../../../renderer/grid/RowMark.tsx';
import { BidCell } from '../../../renderer/screens/matrix/BidCell.tsx';
import { Boundary } from '../../../renderer/ui/Boundary.tsx';
import { ChipChoice } from '../../../renderer/ui/ChipChoice.tsx';
import { DayInput } from '../../../renderer/ui/DayInput.tsx';
import { Empty } from '../../../renderer/ui/Empty.tsx';
import { Figures } from '../../../renderer/ui/Figures.tsx';
import { JsonText } from '../../../renderer/ui/JsonText.tsx';
import { LongList } from '../../../renderer/ui/LongList.tsx';
import { ScrollBox } from '../../../renderer/ui/ScrollBox.tsx';
import { SearchBox } from '../../../renderer/ui/SearchBox.tsx';
import { StateDot, type Tone } from '../../../renderer/ui/StateDot.tsx';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { each, type Part } from './part.ts';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'Live',
  waiting: 'In review',
  off: 'Paused',
  bad: 'Rejected',
  done: 'Completed',
};

const TONE_NAMES = Object.values(TONES);

const ROW: WindowRow = {
  id: asRowId(1),
  campaignId: asRowId(2),
  adGroupId: asRowId(3),
  remoteId: '7001',
  campaignName: 'Kettles',
  dirty: 0,
  severity: null,
  outbox: null,
  cells: fieldNames('keyword').map(() => null),
};
const OUTBOX: Readonly<Record<NonNullable<WindowRow['outbox']>, true>> = {
  sent: true,
  'in-doubt': true,
  question: true,
  conflict: true,
  refused: true,
};
const mark = (part: Partial<WindowRow>) => <RowMark row={{ ...ROW, ...part }} number={12} />;

const WEEKS = [
  { value: 4, name: '4 weeks' },
  { value: 8, name: '8 weeks' },
] as const;

function Broken(): never {
  throw new Error('A part of the gallery that cannot be drawn, on purpose.');
}

const bid = (value: number | null, changed = false) => (
  <table className="matrix-table">
    <tbody>
      <tr>
        <td>
          <BidCell kind="keyword" field="bid" label="Bid" value={value} changed={changed} onWrite={() => {}} />
        </td>
      </tr>
    </tbody>
  </table>
);

/** Parts without a field of their own: states, marks, lists, empty and broken places. */
export const SMALL_PARTS: readonly Part[] = [
  { name: 'StateDot', states: each(TONES, (tone) => <StateDot tone={tone} text={TONES[tone]} />) },
  {
    name: 'RowMark',
    states: {
      clean: mark({}),
      loading: <RowMark row={undefined} number={12} />,
      new: mark({ dirty: NEW }),
      changed: mark({ dirty: 1 }),
      deleted: mark({ dirty: DELETED }),
      held: mark({ dirty: HELD | 1 }),
      error: mark({ severity: 'error' }),
      warning: mark({ severity: 'warning' }),
      commented: mark({ comments: { '': 1, bid: 2 } }),
      ...each(OUTBOX, (outbox) => mark({ outbox })),
    },
  },
  { name: 'BidCell', states: { empty: bid(null), amount: bid(150), changed: bid(165, true) } },
  {
    name: 'Empty',
    states: {
      'words only': <Empty title="No keywords here yet" text="Open a campaign on the left, then add its keywords." />,
      'with a way on': (
        <Empty title="Nothing matches the filter" text="">
          <button type="button" className="chip">
            Clear the filter
          </button>
        </Empty>
      ),
    },
  },
  {
    name: 'ChipChoice',
    states: {
      plain: <ChipChoice label="Weeks" choices={WEEKS} chosen={4} onChoose={() => {}} />,
      'with counts': (
        <ChipChoice
          label="Weeks"
          choices={WEEKS.map((week) => ({ ...week, count: week.value * 1000 }))}
          chosen={8}
          onChoose={() => {}}
        />
      ),
    },
  },
  {
    name: 'Figures',
    states: {
      few: (
        <Figures
          label="What would come"
          figures={[
            { name: 'to add', value: '1,200' },
            { name: 'clicks', value: '3', meaning: 'How often the ad was clicked' },
          ]}
        />
      ),
    },
  },
  {
    name: 'ScrollBox',
    states: {
      'more than it shows': (
        <ScrollBox className="preview-scroll" label="Old and new values">
          <ul className="lines">
            {TONE_NAMES.map((name) => (
              <li key={name} className="line">
                {name}
              </li>
            ))}
          </ul>
        </ScrollBox>
      ),
    },
  },
  {
    name: 'JsonText',
    states: { body: <JsonText>{JSON.stringify({ campaignId: 7001, bid: 1.5 }, null, 2)}</JsonText> },
  },
  {
    name: 'LongList',
    states: {
      empty: <LongList count={0} label="Nothing" line={() => null} onWant={() => {}} resetOn="" />,
      lines: (
        <div style={{ height: 120, display: 'flex' }}>
          <LongList
            count={100_000}
            label="Lines"
            line={(index) => <span>Line {index + 1}</span>}
            onWant={() => {}}
            resetOn=""
            isStill
          />
        </div>
      ),
    },
  },
  {
    name: 'DayInput',
    states: {
      'a day': <DayInput aria-label="First day" value="2030-05-04" onChange={() => {}} />,
      'no day': <DayInput aria-label="First day" value="4/5/2030" aria-invalid onChange={() => {}} />,
      empty: <DayInput aria-label="First day" value="" onChange={() => {}} />,
    },
  },
  {
    name: 'SearchBox',
    states: {
      empty: <SearchBox label="Search the changes" value="" onChange={() => {}} />,
      filled: <SearchBox label="Search the changes" value="kettle" onChange={() => {}} />,
    },
  },
  {
    name: 'Boundary',
    states: {
      whole: (
        <Boundary>
          <p>What is inside.</p>
        </Boundary>
      ),
      broken: (
        <Boundary>
          <Broken />
        </Boundary>
      ),
    },
  },
];
