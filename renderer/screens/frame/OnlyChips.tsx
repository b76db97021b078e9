import { useAppContext, useViewOf } from '../../app/desk.ts';
import { viewCounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { ONLY_NAMES } from '../../messages/fields.ts';
import type { QuickFilter } from '../../store/navigation-slice.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';

/** Chips that are there whatever they count; the others come when there is something to show. */
const STEADY: ReadonlySet<QuickFilter> = new Set(['all', 'changed', 'errors']);

/** Narrows the rows by one click, and says beforehand how many each choice would show. */
export function QuickFilters({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const { kind, campaignId, only } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId, only: s.only }));
  const counts = useQuery(viewCounts(workspaceId, kind, campaignId)).data;
  const isShown = (each: QuickFilter): boolean => each === only || STEADY.has(each) || (counts?.[each] ?? 0) > 0;
  return (
    <div className="view-only">
      <ChipChoice
        label={en.grid.only}
        choices={ONLY_NAMES.filter(([each]) => isShown(each)).map(([each, name]) => ({
          value: each,
          name,
          count: each === 'all' ? undefined : counts?.[each],
        }))}
        chosen={only}
        onChoose={(each) => store.getState().setOnly(each)}
      />
    </div>
  );
}
