import { formatCell } from '../../../../shared/model/cell-text.ts';
import type { Kind } from '../../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../../shared/model/row.ts';
import { inversePlan } from '../../../../shared/plan/inverse-plan.ts';
import { rowLabel } from '../../../../shared/rules/row-label.ts';
import type { Planned } from '../../../sync/plan-preview.ts';
import { wordOf } from '../words.ts';

/** Why nothing takes a sent change back. */
export const FOR_GOOD: Readonly<Record<string, string>> = {
  'created-for-good': 'the service has no call that removes it',
  'fixed-after-create': 'it is fixed once it is there',
  'logo-replaced': 'the picture before is gone',
  'review-asked': 'a review is asked for; it can be cancelled while it is open',
  'video-uploaded': 'the video stays in the library of the service',
  'switched-off-for-good': 'deleting is for good on the service; add it anew',
};

/** What would take the plan back once it is sent, and what nothing takes back. */
export function inverseLines({ plan, trees, capabilities }: Planned): readonly string[] {
  const labels = new Map<string, string>();
  for (const tree of trees) {
    const { campaign, ...lists } = tree;
    const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
    for (const row of rows) labels.set(`${row.kind}:${row.id}`, rowLabel(row));
  }
  const named = (kind: Kind, id: number): string => `${wordOf(kind)} "${labels.get(`${kind}:${id}`) ?? id}"`;
  const { changes, irreversible } = inversePlan(plan, trees, capabilities);
  return [
    ...changes.map(({ kind, id, field, value }) => {
      const text = formatCell(kind, field, value);
      return `back: ${named(kind, id)}, ${field} ${text === '' ? 'empty' : text}`;
    }),
    ...irreversible.map(({ kind, id, why }) => `for good: ${named(kind, id)}: ${FOR_GOOD[why] ?? why}`),
  ];
}
