import type { SavedView } from '../../../shared/api/views.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { useAppContext } from '../../app/app-context.ts';
import { layoutOfKind } from '../../app/store/layout-slice.ts';
import type { QuickFilter } from '../../app/store/navigation-slice.ts';

const texts = {
  saveView: 'Save view',
  viewName: 'View name',
  viewHint: 'Saves the current filter, sort order and columns.',
  saved: (name: string) => `View ${name} saved.`,
  save: 'Save',
} as const;

/** Narrowings that no tab stands for; a chip does. */
export const isHidden = (only: QuickFilter): boolean => !['all', 'changed', 'attention'].includes(only);

/** Keeps how the rows are narrowed, sorted and laid out, under a name. A name that is there already gets the new view. */
export function useSaveView(saved: readonly SavedView[]): (name?: string) => void {
  const { store, actions, notes } = useAppContext();
  const run = (name: string): void => {
    const { kind, campaignId, filter, only, sort, openSavedView } = store.getState();
    const before = saved.find((each) => each.view.kind === kind && each.name.toLowerCase() === name.toLowerCase());
    const within = campaignId === null ? null : asRowId(campaignId);
    const view = { kind, campaignId: before?.view.campaignId === null ? null : within, filter, only, sort: [...sort] };
    const layout = layoutOfKind(store.getState(), kind);
    void actions.saveView({ name, view, layout }, before?.id ?? null).then((done) => {
      if (done === null) return;
      openSavedView(done);
      notes.tell(texts.saved(done.name));
    });
  };
  return (name) => {
    if (name !== undefined) return run(name);
    const { saveView: title, viewName: label, viewHint: hint, save: button } = texts;
    store.getState().show({ name: 'name', title, label, hint, value: '', button, run });
  };
}
