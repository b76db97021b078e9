import type { PendingSyncView } from '../../../../shared/contract/sync.ts';
import type { Context } from '../command.ts';
import { EXIT, type ExitCode } from '../stop.ts';
import { counted } from '../table.ts';

/** Drops what is paused, waits or is scheduled. Nothing is sent. */
export async function cancelPending(context: Context): Promise<ExitCode> {
  const { client, workspaceId } = await context.atAccount();
  const pending = await client.sync.pending({ workspaceId });
  if (pending === null) return noneIsPending(context);
  await client.sync.cancel({ workspaceId });
  await (await (await context.account()).sync()).settled();
  context.output.say(`The ${pending.state} sync was canceled. ${counted(pending.left, 'change')} stay here.`);
  context.output.result({ canceled: pendingJson(pending) });
  return EXIT.done;
}

export function noneIsPending(context: Context): ExitCode {
  context.output.say('No sync is paused, waiting or scheduled.');
  context.output.result({ canceled: null });
  return EXIT.done;
}

const pendingJson = ({ state, left, nextAt, deadline, cause, problem }: PendingSyncView) => ({
  state,
  left,
  nextAt: isoOf(nextAt),
  deadline: isoOf(deadline),
  cause,
  problem,
});

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
