import type { SavedView } from '../../../shared/api/views.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { useAppContext } from '../../app/app-context.ts';
import { layoutOfKind } from '../../app/store/layout-slice.ts';
import type { QuickFilter } from '../../app/store/navigation-slice.ts';

const texts = {
  saveView: 'Save view',
  viewName: 'View name',
  viewHint: 'Saves the current filter, sort order and columns.',
  saved: (name: string) => `View "${name}" saved.`,
  save: 'Save',
  replace: {
    title: (name: string) => `Replace view ${name}?`,
    text: 'A view with this name exists. Its filter, sort order and columns are replaced.',
    keep: 'Keep view',
    button: 'Replace view',
  },
  rename: { title: 'Rename view', button: 'Rename' },
  remove: {
    title: (name: string) => `Delete view "${name}"?`,
    text: 'Its filter, sort order and columns are deleted. No rows are deleted.',
    keep: 'Keep view',
    button: 'Delete view',
  },
} as const;

/** True for quick filters without a tab; they are shown as a chip. */
export const isHidden = (only: QuickFilter): boolean => !['all', 'changed', 'attention'].includes(only);

/**
 * Saves filter, order and columns under a name. The open view is overwritten at once; overwriting another view is
 * confirmed first.
 */
export function useSaveView(saved: readonly SavedView[]): (name?: string) => void {
  const { store, actions, toasts } = useAppContext();
  const { saveView: title, viewName: label, viewHint: hint, save: button } = texts;
  const bySameName = (name: string): SavedView | undefined => {
    const { kind } = store.getState();
    return saved.find((each) => each.view.kind === kind && each.name.toLowerCase() === name.toLowerCase());
  };
  const save = async (name: string): Promise<boolean> => {
    const { workspaceId, kind, campaignId, filter, only, sort, openSavedView } = store.getState();
    const before = bySameName(name);
    const within = campaignId === null ? null : asRowId(campaignId);
    const view = { kind, campaignId: before?.view.campaignId === null ? null : within, filter, only, sort: [...sort] };
    const layout = layoutOfKind(store.getState(), kind);
    const done = await actions.saveView({ name, view, layout }, before?.id ?? null);
    if (done === null) return false;
    // Another account may be open by now, with rows and views of its own.
    if (store.getState().workspaceId === workspaceId) openSavedView(done);
    toasts.tell(texts.saved(done.name));
    return true;
  };
  const saveNew = async (name: string): Promise<boolean> => {
    const before = bySameName(name);
    if (before === undefined || before.id === store.getState().savedView) return save(name);
    const { title: question, text, keep, button: replace } = texts.replace;
    const run = (): void => void save(name);
    store.getState().show({ name: 'confirm', title: question(before.name), text, keep, button: replace, run });
    return false;
  };
  return (name) => {
    if (name === undefined)
      store.getState().show({ name: 'name', title, label, hint, value: '', button, run: saveNew });
    else void save(name);
  };
}

/** Renames or deletes a saved view, each after a dialog. */
export function useChangeView(): {
  readonly rename: (view: SavedView) => void;
  readonly remove: (view: SavedView) => void;
} {
  const { store, actions } = useAppContext();
  const { show } = store.getState();
  return {
    rename: ({ id, ...view }) => {
      const { title, button } = texts.rename;
      const run = async (name: string): Promise<boolean> => (await actions.saveView({ ...view, name }, id)) !== null;
      show({ name: 'name', title, label: texts.viewName, hint: '', value: view.name, button, run });
    },
    remove: ({ id, name }) => {
      const { title, text, keep, button } = texts.remove;
      show({ name: 'confirm', title: title(name), text, keep, button, run: () => void actions.removeView(id) });
    },
  };
}
