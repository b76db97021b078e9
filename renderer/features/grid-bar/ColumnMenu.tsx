import { Popover } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { printSearch } from '../../../shared/search/query.ts';
import {
  CAMPAIGN_COLUMN,
  joinParts,
  partsOf,
  queryOfValues,
  type ValueFilter,
  valueFilterOf,
} from '../../../shared/search/value-filter.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { type CommandId, commandOf } from '../../app/commands.ts';
import { activeColumn } from '../../app/grid-commands.ts';
import { inSentence } from '../../app/locale/numbers.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { keysOf } from '../../app/shortcuts.ts';
import type { GridMenu } from '../../app/store/app-store.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import type { Column } from '../../grid/columns.ts';
import styles from './grid-bar.module.css';
import { groupingOfField, groupingTexts } from './groupings.ts';
import { ValueList } from './ValueList.tsx';

const texts = {
  menu: 'Column',
  commands: (title: string) => `Column ${title}`,
  group: (by: string) => `Group by ${by}`,
} as const;

const SORTING: readonly CommandId[] = ['column.sort-up', 'column.sort-down', 'view.sort-add'];
const PLACING: readonly CommandId[] = [
  'column.hide',
  'column.freeze',
  'column.unfreeze',
  'column.left',
  'column.right',
  'column.fit',
];

/** The menu below the title of the active column: commands, and a filter by the column's values. */
export function ColumnMenu({ workspaceId, menu }: { readonly workspaceId: string; readonly menu: GridMenu }) {
  const { store, openGrid } = useAppContext();
  const context = useCommandContext();
  const column = activeColumn(context.app);
  const kind = useView((s) => s.kind);
  const campaignId = useView((s) => s.campaignId);
  if (column === undefined) return null;
  const by = groupingOfField(column.field, kind, campaignId);
  const close = (): void => {
    store.getState().closeMenu();
    openGrid.current?.focus();
  };
  return (
    <Popover
      withRoles={false}
      opened
      onDismiss={close}
      position="bottom-start"
      trapFocus
      returnFocus={false}
      width={300}
      shadow="md"
      offset={2}
    >
      <Popover.Target>
        <span className={styles['menu-point']} style={{ left: menu.x, top: menu.y }} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.menu} className={styles['tall']}>
        <div role="menu" aria-label={texts.commands(column.title)} className={styles['menu']} onKeyDown={stepThrough}>
          {SORTING.map((id, i) => (
            <Entry key={id} id={id} isFirst={i === 0} close={close} />
          ))}
          {by !== null && (
            <button
              type="button"
              role="menuitem"
              onClick={() => {
                close();
                store.getState().setGroupBy(kind, by);
              }}
            >
              {texts.group(inSentence(groupingTexts[by]))}
            </button>
          )}
          {PLACING.map((id) => (
            <Entry key={id} id={id} isFirst={false} close={close} />
          ))}
        </div>
        <Values workspaceId={workspaceId} column={column} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface EntryProps {
  readonly id: CommandId;
  readonly isFirst: boolean;
  readonly close: () => void;
}

/** A menu item for a command; nothing if the command can't run now. */
function Entry({ id, isFirst, close }: EntryProps) {
  const context = useCommandContext();
  const keys = useView((s) => s.keys);
  const command = commandOf(id);
  if (!command.when(context)) return null;
  const key = keysOf(command, keys);
  return (
    <button
      type="button"
      role="menuitem"
      data-autofocus={isFirst ? '' : undefined}
      onClick={() => {
        close();
        command.run(context);
      }}
    >
      {command.title}
      {key !== null && <kbd>{key}</kbd>}
    </button>
  );
}

function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement) + by + items.length;
  items[at % items.length]?.focus();
}

/** The list edits the part of the filter that names values of its column; other parts are kept. */
function Values({ workspaceId, column }: { readonly workspaceId: string; readonly column: Column }) {
  const { store } = useAppContext();
  const kind = useView((s) => s.kind);
  const filter = useView((s) => s.filter);
  const { names } = useMedia(workspaceId);
  const query = parseSearch(filter, kind);
  if ((column.cell === null && column.field !== CAMPAIGN_COLUMN) || !query.ok) return null;
  const parts = partsOf(query.value);
  const at = parts.findIndex((part) => valueFilterOf(part)?.field === column.field);
  const part = parts[at];
  const others = at < 0 ? parts : parts.toSpliced(at, 1);
  const change = (wanted: ValueFilter | null): void => {
    const own = wanted === null ? [] : [queryOfValues(wanted)];
    const next = at < 0 ? [...parts, ...own] : parts.toSpliced(at, 1, ...own);
    store.getState().setFilter(printSearch(joinParts(next), kind));
  };
  return (
    <ValueList
      workspaceId={workspaceId}
      field={column.field}
      rest={printSearch(joinParts(others), kind)}
      wanted={part === undefined ? null : valueFilterOf(part)}
      media={names}
      onChange={change}
    />
  );
}
