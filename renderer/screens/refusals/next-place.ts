import type { NextStepTarget } from '../../../shared/explain/explanation.ts';
import type { AppContext } from '../../app/desk.ts';
import type { RefusedRow } from './support-text.ts';

/** Goes to where the next step is taken; dialogs open over the row they are about. */
export function goToNextStep({ store, actions }: AppContext, place: NextStepTarget, row: RefusedRow, field: string | null): void {
  const { goTo, reveal, show, openLaunch, dismiss } = store.getState();
  const toRow = (): void => reveal(row.kind, row.campaignId, row.id, field);
  const ways: Readonly<Record<NextStepTarget, () => void>> = {
    field: toRow,
    row: toRow,
    'mend-ids': () => show({ name: 'item-ids' }),
    'find-items': () => {
      // In the list of all campaigns there would be nothing to add an item to.
      goTo({ kind: row.kind, campaignId: row.campaignId });
      toRow();
      show({ name: 'add-rows' });
    },
    reviews: () => openLaunch('reviews'),
    refresh: () => void actions.refreshAll(),
    sync: () => show({ name: 'sync' }),
    keys: () => show({ name: 'secrets' }),
    settings: () => show({ name: 'settings' }),
  };
  dismiss();
  ways[place]();
}
