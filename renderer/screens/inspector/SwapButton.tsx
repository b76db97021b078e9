import { useAppContext } from '../../app/desk.ts';
import { swap } from '../../data/review-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enSwap } from '../../messages/en-swap.ts';

interface SwapButtonProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** Leads to the swap of two profiles, where there are two of which one is shown. */
export function SwapButton({ workspaceId, campaignId }: SwapButtonProps) {
  const { store } = useAppContext();
  const view = useQuery(swap(workspaceId, campaignId)).data ?? null;
  if (view === null) return null;
  const step = view.under?.step ?? 'done';
  return (
    <button type="button" className="chip" onClick={() => store.getState().show({ name: 'swap', campaignId })}>
      {step === 'done' ? enSwap.open : enSwap.goOn(enSwap.steps[step])}
    </button>
  );
}
