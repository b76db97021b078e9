import { useEffect, useState } from 'react';
import type { Kind } from '../../shared/model/kinds.ts';
import { useAppContext } from '../app/app-context.ts';
import { errorText } from '../texts/errors.ts';

/** An open view of every row of a kind in the account: the number main knows it by, and how many rows it has. */
interface AccountView {
  readonly viewId: number;
  readonly length: number;
}

/** Opens such a view while it is wanted and closes it afterwards; null until it is there. */
export function useAccountView(workspaceId: string, kind: Kind, wanted: boolean): AccountView | null {
  const { connection, notes } = useAppContext();
  const [view, setView] = useState<AccountView | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const { client } = connection;
    let isOver = false;
    const opening = client.workspace.openView({ workspaceId, view: { kind } });
    opening.then(
      (opened) => {
        if (!isOver) setView(opened);
      },
      (error: unknown) => notes.fail(errorText(error)),
    );
    return () => {
      isOver = true;
      setView(null);
      opening.then(
        ({ viewId }) => void client.workspace.closeView({ workspaceId, viewId }).catch(() => closesWithItsWorkspace()),
        () => neverOpened(),
      );
    };
  }, [connection, notes, workspaceId, kind, wanted]);
  return view;
}

/** A view that cannot be closed now is closed by main together with its workspace. */
const closesWithItsWorkspace = (): void => undefined;
/** The user has been told already. */
const neverOpened = (): void => undefined;
