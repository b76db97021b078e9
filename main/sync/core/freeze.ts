import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { freezeKey } from '../../../shared/plan/plan-input.ts';
import { rowKey } from './books.ts';
import type { RoundContext } from './context.ts';

interface Creates {
  readonly verb: string;
  readonly rows: readonly { readonly kind: Kind; readonly id: RowId }[];
}

/**
 * While a create is not settled its group gets no further creates of that kind: what a read finds there could not be
 * told apart. The plan leaves such rows out; a create that comes into doubt while a plan is being sent freezes its
 * group here, for the batches of that plan that are still to come.
 */
export function freeze(ctx: RoundContext, creates: Creates): void {
  for (const key of keysOf(ctx, creates)) ctx.frozen.add(key);
}

export const isFrozen = (ctx: RoundContext, creates: Creates): boolean =>
  ctx.frozen.size > 0 && keysOf(ctx, creates).some((key) => ctx.frozen.has(key));

function keysOf(ctx: RoundContext, { verb, rows }: Creates): readonly string[] {
  if (verb !== 'create') return [];
  return rows.flatMap(({ kind, id }) => {
    const row = ctx.rows.get(rowKey(kind, id));
    const parent = row?.adGroupId ?? row?.campaignId ?? null;
    return parent === null || parent === id ? [] : [freezeKey(kind, parent)];
  });
}
