import type { PlanView } from '../../../shared/contract/sync.ts';
import { useDesk } from '../../app/desk.ts';
import { saveText } from '../../app/save-text.ts';
import { readWhole } from '../../data/paged-list.ts';
import { planBatches } from '../../data/sync-questions.ts';
import { en } from '../../messages/en.ts';
import { planFile } from './plan-file.ts';

/** Saves what would be sent, for somebody to look over. The same changes make the same file. */
export function SavePlan({ workspaceId, plan }: { readonly workspaceId: string; readonly plan: PlanView }) {
  const { connection } = useDesk();
  const save = async (): Promise<void> => {
    const batches = await readWhole(connection.client, planBatches(workspaceId, plan, true), () => true, plan.requests);
    saveText(en.sync.planFile, planFile(plan, batches), 'application/json');
  };
  return (
    <button type="button" className="chip" onClick={() => void save()}>
      {en.sync.savePlan}
    </button>
  );
}
