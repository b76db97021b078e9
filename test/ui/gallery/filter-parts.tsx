import { FilterForm } from '../../../renderer/screens/frame/FilterForm.tsx';
import { FilterLines } from '../../../renderer/screens/frame/FilterLines.tsx';
import { OnlyChips } from '../../../renderer/screens/frame/OnlyChips.tsx';
import type { Only } from '../../../renderer/store/navigation-slice.ts';
import { WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const nothing = () => {};
const ONLY = { all: true, changed: true, errors: true, held: true } as const satisfies Partial<Record<Only, true>>;
const lines = (filter: string) => staged({}, <FilterLines kind="keyword" filter={filter} onChange={nothing} />);
const form = <FilterForm kind="keyword" filter="bid>1.50" onChange={nothing} />;

/** Ways to narrow the rows. */
export const FILTER_PARTS: readonly Part[] = [
  {
    name: 'FilterForm',
    isWide: true,
    states: { closed: staged({}, form), open: staged({ press: ['Build a filter'] }, form) },
  },
  {
    name: 'FilterLines',
    isWide: true,
    states: {
      empty: lines(''),
      'two conditions': lines('bid>1.50 matchType:exact'),
      'more than lines can say': lines('(a or b) -(c or d)'),
      'cannot be read': lines('bid>>'),
    },
  },
  {
    name: 'OnlyChips',
    isWide: true,
    states: each(ONLY, (only) => staged({ arrange: (s) => s.setOnly(only) }, <OnlyChips workspaceId={WORKSPACE} />)),
  },
];
