import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { commandOf, extensionOf } from '../../app/commands.ts';
import type { CommandContext } from '../../app/desk.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { useOffering } from '../../data/use-offering.ts';
import { type CommandId, en } from '../../messages/en.ts';
import type { GridMenu as Opened } from '../../store/menu-slice.ts';

/** Entries behind one: a menu of all of them would fill the height of a small window. */
interface Folded {
  readonly name: keyof typeof en.grid.menuFolds;
  readonly commands: readonly CommandId[];
}

/** The menus of the grid, in groups; each entry is a command of the one table. */
const GROUPS: Readonly<Record<Opened['of'], readonly (readonly (CommandId | Folded)[])[]>> = {
  cells: [
    ['cells.edit', 'cells.copy', 'cells.paste', 'cells.paste-values', 'cells.clear', 'cells.fill-down'],
    ['cells.comment', 'view.filter-value'],
    ['bulk.set', 'bulk.amount', 'bulk.replace'],
    [
      'rows.add',
      'rows.duplicate',
      {
        name: 'carry',
        commands: [
          'rows.copy-to',
          'rows.pick-up',
          'rows.pick-copy',
          'rows.put-down',
          'rows.paste-table',
          'campaign.like',
        ],
      },
      {
        name: 'send',
        commands: [
          'sync.plan-selected',
          'sync.refresh-selected',
          'rows.hold',
          'rows.release',
          'review.submit',
          'review.cancel',
        ],
      },
      'rows.revert',
      'rows.delete',
    ],
  ],
  column: [
    ['column.sort-up', 'column.sort-down', 'view.sort-add'],
    ['column.left', 'column.right', 'column.fit'],
    ['column.freeze', 'column.unfreeze', 'column.hide'],
  ],
};

/** The context menu of cells and of column titles, where it was asked for by mouse or menu key. */
export function GridMenu() {
  const { store, openGrid } = useAppContext();
  const context = useCommandContext();
  const menu = useView((s) => s.menu);
  if (menu === null) return null;
  const close = (): void => {
    store.getState().closeMenu();
    openGrid.current?.focus();
  };
  const name = menu.of === 'cells' ? en.grid.cellMenu : en.grid.columnMenu;
  return (
    <Menu
      key={`${menu.x} ${menu.y}`}
      opened
      onClose={close}
      position="bottom-start"
      returnFocus={false}
      offset={0}
      width={340}
      // Long enough to reach the foot of a small window: it moves up rather than lose its last entries.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      classNames={{ item: 'menu-item', dropdown: 'tall-menu' }}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={name}
          className="menu-point"
          style={{ left: menu.x, top: menu.y }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {GROUPS[menu.of].map((group, i) => (
          <Fragment key={group.map((entry) => (typeof entry === 'string' ? entry : entry.name)).join()}>
            {i > 0 && <Menu.Divider />}
            {group.map((entry) =>
              typeof entry === 'string' ? (
                <CommandItem key={entry} id={entry} context={context} close={close} />
              ) : (
                <FoldedItems key={entry.name} folded={entry} context={context} close={close} />
              ),
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface EntryProps {
  readonly context: CommandContext;
  /** Closes the whole menu and gives the focus back to the grid. */
  readonly close: () => void;
}

/** One command, when it can be run here. */
function CommandItem({ id, context, close }: EntryProps & { readonly id: CommandId }) {
  const keys = useView((s) => s.keys);
  const kind = useView((s) => s.kind);
  const offering = useOffering(extensionOf(id, kind));
  const command = commandOf(id);
  if (command === undefined || !command.when(context)) return null;
  const key = command.gridKey ?? keysOf(command, keys);
  return (
    <Menu.Item
      title={offering?.text}
      onClick={() => {
        close();
        command.run(context);
      }}
      rightSection={key === null ? null : <kbd>{key}</kbd>}
    >
      {en.commands[id]}
    </Menu.Item>
  );
}

/** Commands behind one entry, opened by resting the pointer on it, Arrow right or Enter. */
function FoldedItems({ folded, context, close }: EntryProps & { readonly folded: Folded }) {
  const possible = folded.commands.filter((id) => commandOf(id)?.when(context) === true);
  if (possible.length === 0) return null;
  return (
    // The menu itself scrolls in a very small window, so what opens beside it stands on the window.
    <Menu.Sub floatingStrategy="fixed" middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{en.grid.menuFolds[folded.name]}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown className="folded-menu" aria-label={en.grid.menuFolds[folded.name]}>
        {possible.map((id) => (
          <CommandItem key={id} id={id} context={context} close={close} />
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
