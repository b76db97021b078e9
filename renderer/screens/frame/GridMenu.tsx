import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { commandOf } from '../../app/commands.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { type CommandId, en } from '../../messages/en.ts';
import type { GridMenu as Opened } from '../../store/menu-slice.ts';

/** The menus of the grid, in groups; each entry is a command of the one table. */
const GROUPS: Readonly<Record<Opened['of'], readonly (readonly CommandId[])[]>> = {
  cells: [
    ['cells.edit', 'cells.copy', 'cells.paste', 'cells.paste-values', 'cells.clear', 'cells.fill-down'],
    ['cells.comment'],
    ['bulk.set', 'bulk.amount', 'bulk.replace'],
    [
      'rows.add',
      'rows.paste-table',
      'rows.duplicate',
      'rows.copy-to',
      'rows.pick-up',
      'rows.pick-copy',
      'rows.put-down',
      'campaign.like',
      'rows.hold',
      'rows.release',
      'rows.revert',
      'rows.delete',
    ],
    ['view.filter-value', 'sync.plan-selected', 'sync.refresh-selected', 'review.submit', 'review.cancel'],
  ],
  column: [
    ['column.sort-up', 'column.sort-down', 'view.sort-add'],
    ['column.left', 'column.right', 'column.fit'],
    ['column.freeze', 'column.unfreeze', 'column.hide'],
  ],
};

/** The context menu of cells and of column titles, where it was asked for by mouse or menu key. */
export function GridMenu() {
  const { store, openGrid } = useDesk();
  const context = useCommandContext();
  const menu = useView((s) => s.menu);
  const keys = useView((s) => s.keys);
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
          <Fragment key={group.join()}>
            {i > 0 && <Menu.Divider />}
            {group.map((id) => {
              const command = commandOf(id);
              if (command === undefined || !command.when(context)) return null;
              const key = command.gridKey ?? keysOf(command, keys);
              return (
                <Menu.Item
                  key={id}
                  onClick={() => {
                    close();
                    command.run(context);
                  }}
                  rightSection={key === null ? null : <kbd>{key}</kbd>}
                >
                  {en.commands[id]}
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
