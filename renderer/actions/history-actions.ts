import type { RestoreScope } from '../../shared/contract/history.ts';
import { enHistory } from '../messages/en-history.ts';
import { runAction, type ActionContext } from './doing.ts';

/** Going back in the history, as an edit like any other. */
export interface HistoryActions {
  /** Brings back what was there right after a step; 0 stands for before all of them. */
  bringBack(to: number, scope: RestoreScope, label: string): Promise<boolean>;
}

export const historyActions = (doing: ActionContext): HistoryActions => ({
  bringBack: async (to, scope, label) => {
    const restored = await doing.inOrder(() =>
      runAction(doing, (workspaceId) => doing.connection.client.history.restore({ workspaceId, to, scope, label })),
    );
    if (restored !== null) doing.notes.tell(enHistory.back(restored.cells, restored.created, restored.removed));
    return restored !== null;
  },
});
