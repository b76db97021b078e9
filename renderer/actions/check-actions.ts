import { enCheck } from '../messages/en-check.ts';
import { runAction, type ActionContext } from './doing.ts';

/** The check of everything before it is sent, and which rules it is silent about. */
export interface CheckActions {
  /** All three stages; without the service the last one is as old as the last refresh, which is said. */
  check(): Promise<void>;
  /** Silences a warning or a piece of advice in this account, or lets it speak again. */
  muteRule(rule: string, muted: boolean): Promise<boolean>;
}

export function checkActions(doing: ActionContext): CheckActions {
  const { connection, notes, queries, store } = doing;
  const lookAgain = (): void => {
    const { workspaceId } = store.getState();
    queries.refetch(`check ${workspaceId}`);
    queries.refetch(`muted ${workspaceId}`);
  };
  return {
    check: async () => {
      const read = await runAction(doing, (workspaceId) => connection.client.sync.refresh({ workspaceId }));
      const checked = await runAction(doing, (workspaceId) => connection.client.rules.check({ workspaceId }));
      const figures = await runAction(doing, (workspaceId) => connection.client.workspace.summary({ workspaceId }));
      lookAgain();
      if (checked === null || figures === null) return;
      const { error, warning } = figures.findings;
      notes.tell((read === null ? enCheck.partly : enCheck.done)(error, warning));
    },
    muteRule: async (rule, muted) => {
      const now = await runAction(doing, (workspaceId) => connection.client.rules.mute({ workspaceId, rule, muted }));
      lookAgain();
      if (now !== null && muted) notes.tell(enCheck.mutedTold);
      return now !== null;
    },
  };
}
