import { Button } from '@mantine/core';
import type { SwapMoveView } from '../../../shared/contract/swaps.ts';
import { swapActions } from '../../actions/swap-actions.ts';
import { useActions, useAppContext } from '../../app/desk.ts';
import { enSwap } from '../../messages/en-swap.ts';

interface StepButtonsProps {
  readonly campaignId: number;
  readonly move: SwapMoveView;
}

/** The buttons of the step that is due. */
export function StepButtons({ campaignId, move }: StepButtonsProps) {
  const { store, actions } = useAppContext();
  const swap = useActions(swapActions);
  const { dismiss, reveal, show } = store.getState();
  const { moves } = enSwap;
  const button = (text: string, run: () => void) => (
    <Button variant="filled" data-autofocus onClick={run}>
      {text}
    </Button>
  );
  switch (move.way) {
    case 'edit': {
      const go = (): void => {
        dismiss();
        reveal('sbaProfile', campaignId, move.id, 'headline');
      };
      return (
        <>
          {move.canStay && <Button onClick={() => void swap.keepSpare(campaignId)}>{moves.keep}</Button>}
          {button(moves.edit, go)}
        </>
      );
    }
    case 'write':
      return button(
        move.status === 'enabled' ? moves.enable : moves.disable,
        () => void swap.switchProfile(move.id, move.status),
      );
    case 'sync':
      return button(moves.sync, () => show({ name: 'sync', campaignIds: [campaignId] }));
    case 'submit':
      return button(moves.submit, () => void actions.review('submit', [campaignId]));
    case 'look':
      return button(moves.look, () => void (move.at === 'reviews' ? actions.pollReviews() : actions.refreshAll()));
    default:
      return move satisfies never;
  }
}
