import { ActionIcon, Menu } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import type { SavedView } from '../../../shared/contract/views.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { useAppContext } from '../../app/desk.ts';
import { saveText } from '../../app/save-text.ts';
import { savedViews } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enAnnotations } from '../../messages/en-notes.ts';
import { enViews } from '../../messages/en-views.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { layoutOfKind } from '../../store/layout-slice.ts';

/** Views under a name: filter, order and columns, one click away. */
export function ViewsMenu({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions, notes } = useAppContext();
  const saved = useQuery(savedViews(workspaceId)).data ?? [];

  const open = ({ view, layout }: SavedView): void => {
    const state = store.getState();
    state.goTo({ kind: view.kind, campaignId: view.campaignId });
    state.setFilter(view.filter);
    state.setOnly(view.only);
    state.setSort(view.sort);
    state.restoreKind(view.kind, layout);
  };
  const save = (): void => {
    const { kind, campaignId, filter, only, sort, show } = store.getState();
    const view = { kind, campaignId: campaignId === null ? null : asRowId(campaignId), filter, only, sort: [...sort] };
    const run = (name: string): void => {
      const before = saved.find((each) => each.view.kind === kind && each.name.toLowerCase() === name.toLowerCase());
      const layout = layoutOfKind(store.getState(), kind);
      void actions.saveView({ name, view, layout }, before?.id ?? null).then((done) => {
        if (done !== null) notes.tell(enAnnotations.saved(done.name));
      });
    };
    const { viewTitle: title, viewName: label, viewHint: hint, save: button } = enAnnotations;
    show({ name: 'name', title, label, hint, value: '', button, run });
  };
  // The form of the file stands behind schemas, which the first screen does without.
  const saveAll = async (): Promise<void> => {
    const { printViews } = await import('../../../shared/contract/views-file.ts');
    saveText(enViews.fileName, printViews(saved), 'application/json');
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size={24} aria-label={enAnnotations.views} title={enAnnotations.views}>
          <IconBookmark size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {saved.length === 0 && <Menu.Label>{enAnnotations.noViews}</Menu.Label>}
        {saved.map((view) => (
          <Menu.Item
            key={view.id}
            onClick={() => open(view)}
            rightSection={<span className="quiet">{KIND_NAMES[view.view.kind].many}</span>}
          >
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={save}>{enAnnotations.saveView}</Menu.Item>
        {saved.length > 0 && <Menu.Item onClick={() => void saveAll()}>{enViews.save}</Menu.Item>}
        <Menu.Item onClick={() => store.getState().show({ name: 'views' })}>{enViews.open}</Menu.Item>
        {saved.length > 0 && <Menu.Divider />}
        {saved.map((view) => (
          <Menu.Item
            key={view.id}
            leftSection={<IconTrash size={14} stroke={1.5} aria-hidden="true" />}
            onClick={() => void actions.removeView(view.id)}
          >
            {enAnnotations.removeView(view.name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
