import { SwapButton } from '../../../renderer/screens/inspector/SwapButton.tsx';
import { StepButtons } from '../../../renderer/screens/swap/StepButtons.tsx';
import { SwapDialog } from '../../../renderer/screens/swap/SwapDialog.tsx';
import type { SwapView } from '../../../shared/contract/swaps.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { os } from './answers.ts';
import { WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const CAMPAIGN = 2;
const pair = {
  from: { id: asRowId(50), label: 'Kettles for every kitchen' },
  to: { id: asRowId(51), label: 'Kettles for guests' },
};
const answers = (view: SwapView | null) => ({ swaps: { state: os.swaps.state.handler(() => view) } });
const dialog = (view: SwapView | null) =>
  staged({ answers: answers(view) }, <SwapDialog workspaceId={WORKSPACE} campaignId={CAMPAIGN} />);
const at = (under: NonNullable<SwapView['under']>) => dialog({ ...pair, under });
const edit = { way: 'edit', id: pair.to.id, canStay: true } as const;
const button = (view: SwapView | null) =>
  staged({ answers: answers(view) }, <SwapButton workspaceId={WORKSPACE} campaignId={CAMPAIGN} />);

/** A banner that takes the place of another. */
export const SWAP_PARTS: readonly Part[] = [
  {
    name: 'SwapDialog',
    states: {
      'before it begins': dialog({ ...pair, under: null }),
      'at the first step': at({ step: 'edit', move: edit, rejected: null }),
      rejected: at({ step: 'edit', move: { ...edit, canStay: false }, rejected: { reason: 'A claim.' } }),
      'under review': at({ step: 'review', move: { way: 'look', at: 'reviews' }, rejected: null }),
      done: at({ step: 'done', move: null, rejected: null }),
      'without a pair': dialog(null),
    },
  },
  {
    name: 'StepButtons',
    states: {
      edit: staged({}, <StepButtons campaignId={CAMPAIGN} move={edit} />),
      enable: staged(
        {},
        <StepButtons campaignId={CAMPAIGN} move={{ way: 'write', id: pair.to.id, status: 'enabled' }} />,
      ),
      send: staged({}, <StepButtons campaignId={CAMPAIGN} move={{ way: 'sync' }} />),
    },
  },
  {
    name: 'SwapButton',
    states: {
      'to begin': button({ ...pair, under: null }),
      'under way': button({ ...pair, under: { step: 'review', move: { way: 'submit' }, rejected: null } }),
    },
  },
];
