import type { SwapView } from '../../shared/contract/swaps.ts';
import { beginSwap, offeredSwap, type Swap, swapState } from '../../shared/lifecycle/swap.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { OpenAccount } from '../open-account.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const swapsRouter = ({ open }: CoreParts) => ({
  state: os.swaps.state.handler(async ({ input, errors }) =>
    view(await opened(open, input.workspaceId, errors), input.campaignId),
  ),
  begin: os.swaps.begin.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const { campaignId } = input;
    const { tree, swap } = await read(account, campaignId);
    const isOver = tree !== null && swap !== null && stateOf(account, tree, swap) === null;
    const offered = tree !== null && (swap === null || isOver) ? offeredSwap(tree) : null;
    if (offered !== null) await account.swaps.keep(beginSwap(offered, campaignId));
    return view(account, campaignId);
  }),
  keep: os.swaps.keep.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const swap = await account.swaps.of(input.campaignId);
    if (swap !== null) await account.swaps.keep({ ...swap, asItIs: true });
    return view(account, input.campaignId);
  }),
  end: os.swaps.end.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    await account.swaps.forget(input.campaignId);
    return view(account, input.campaignId);
  }),
});

async function read({ workspace, swaps }: OpenAccount, campaignId: RowId) {
  const [tree] = await workspace.readTrees([campaignId]);
  return { tree: tree ?? null, swap: await swaps.of(campaignId) };
}

const stateOf = ({ profile }: OpenAccount, tree: CampaignTree, swap: Swap) =>
  swapState(tree, swap, profile.sba.singleEnabled);

async function view(account: OpenAccount, campaignId: RowId): Promise<SwapView | null> {
  const { tree, swap } = await read(account, campaignId);
  if (tree === null) return null;
  const under = swap === null ? null : stateOf(account, tree, swap);
  const shown = (id: RowId) => {
    const row = tree.sbaProfiles.find((each) => each.id === id);
    return { id, label: row === undefined ? '' : rowLabel(row) };
  };
  if (swap !== null && under !== null) return { from: shown(swap.from), to: shown(swap.to), under };
  const offered = offeredSwap(tree);
  return offered === null ? null : { from: shown(offered.from.id), to: shown(offered.to.id), under: null };
}
