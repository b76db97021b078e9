import type { PlanView } from '../../../shared/contract/sync.ts';
import { useAppContext } from '../../app/desk.ts';
import { saveFrom } from '../../app/save-text.ts';
import { enPlanFile } from '../../messages/en-plan-file.ts';

/** Saves what would be sent as a plan file, for somebody to look over and to be run later. */
export function SavePlan({ plan: { planId } }: { readonly plan: PlanView }) {
  const { actions } = useAppContext();
  const save = async (): Promise<void> => {
    const file = await actions.savePlan(planId);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  return (
    <button type="button" className="chip" onClick={() => void save()}>
      {enPlanFile.save}
    </button>
  );
}
