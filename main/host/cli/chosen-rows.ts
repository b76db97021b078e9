import { WINDOW_MAX } from '../../../shared/contract/limits.ts';
import type { ChosenRows } from '../../../shared/contract/sync.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { CHOSEN_MAX } from '../../../shared/plan/chosen.ts';
import type { Context } from './command.ts';
import { usageStop } from './stop.ts';
import { kindOf } from './words.ts';

export const ONLY_OPTION = { only: { type: 'string' } } as const;

/**
 * The changed rows that `--only TYPE[:FILTER]` names, such as `keyword` or `"ad item: bid>2"`; null without the option.
 * A campaign or an ad group stands for itself alone: `--campaign` takes everything in one.
 */
export async function chosenRowsOf(context: Context): Promise<ChosenRows | null> {
  const wanted = context.text('only');
  if (wanted === null) return null;
  const [word = '', ...rest] = wanted.split(':');
  const kind = kindOf(word, '--only');
  const { client, workspaceId } = await context.atAccount();
  const view = { kind, filter: rest.join(':').trim(), only: 'changed' as const };
  const { viewId, length } = await client.workspace.openView({ workspaceId, view });
  if (length === 0) throw usageStop(`Nothing that was changed is "${wanted}". "adslate check" and "export" show rows.`);
  if (length > CHOSEN_MAX) throw usageStop(`--only names ${length} rows, and takes ${CHOSEN_MAX} at most.`);
  const ids: RowId[] = [];
  while (ids.length < length) {
    const window = { from: ids.length, count: WINDOW_MAX };
    const { rows } = await client.workspace.readWindow({ workspaceId, viewId, ...window });
    if (rows.length === 0) break;
    ids.push(...rows.map(({ id }) => id));
  }
  await client.workspace.closeView({ workspaceId, viewId });
  return { rows: [{ kind, ids }], below: false };
}
