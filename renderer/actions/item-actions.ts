import { enItems } from '../messages/en-items.ts';
import { runAction, type ActionContext } from './doing.ts';

/** Looking items up at the service. */
export interface ItemActions {
  /** Asks for the new items that no search has confirmed, and says what came of it; the findings have the rest. */
  confirmItems(): Promise<boolean>;
}

export const itemActions = (doing: ActionContext): ItemActions => ({
  confirmItems: async () => {
    const confirmed = await runAction(doing, (workspaceId) => doing.connection.client.items.confirm({ workspaceId }));
    if (confirmed === null) return false;
    const { asked, found, refused } = confirmed;
    if (refused.length > 0) doing.notes.fail(enItems.refused(refused));
    else doing.notes.tell(asked === 0 ? enItems.nothing : enItems.confirmed(asked, found));
    return true;
  },
});
