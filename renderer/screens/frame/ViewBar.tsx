import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconColumns3, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { Kind } from '../../../shared/model/kinds.ts';
import { deleteRows } from '../../app/bulk-doings.ts';
import { useAppContext, useView, useViewOf } from '../../app/desk.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { firstRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import type { OpenView } from '../../data/window-source.ts';
import { orderedColumns } from '../../grid/columns.ts';
import { hasMatrix } from '../../grid/has-matrix.ts';
import { plainSearch } from '../../locale/plain-search.ts';
import { en } from '../../messages/en.ts';
import { enMatrix } from '../../messages/en-matrix.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { useTypedText } from '../../ui/use-typed-text.ts';
import { FilterForm } from './FilterForm.tsx';
import { QuickFilters } from './OnlyChips.tsx';
import { RowCount } from './RowCount.tsx';
import { ViewsMenu } from './ViewsMenu.tsx';

/** What is shown, and how it is narrowed: title, filter box, quick chips, columns, add and delete. */
export function ViewBar({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView | null }) {
  const { store } = useAppContext();
  const context = useCommandContext();
  const place = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    filter: s.filter,
    matrix: s.matrix,
  }));
  // A matrix shows the whole campaign: narrowing, columns and selected rows belong to the table.
  const isMatrix = place.matrix && place.campaignId !== null && hasMatrix(place.kind);
  const campaigns = useQuery(place.campaignId === null ? null : firstRows(workspaceId, 'campaign', place.campaignId));
  const campaign = campaigns.data?.[0]?.campaignName;
  const many = KIND_NAMES[place.kind].many;
  return (
    <div className="view-bar">
      <h1 className="view-title">
        {place.campaignId !== null && <span className="view-campaign">{campaign ?? ''}</span>}
        <span>{place.campaignId === null ? many : `› ${many}`}</span>
      </h1>
      {place.campaignId !== null && hasMatrix(place.kind) && <MatrixSwitch />}
      {!isMatrix && (
        <>
          <RowCount view={view} />
          <FilterBox
            key={`${place.kind} ${place.campaignId}`}
            kind={place.kind}
            value={place.filter}
            onChange={store.getState().setFilter}
          />
          <QuickFilters workspaceId={workspaceId} />
          <span className="toolbar-gap" />
          {place.kind !== 'campaign' && place.kind !== 'media' && place.kind !== 'adGroup' && (
            <ActionIcon
              variant="default"
              size={24}
              aria-label={en.add.title(many.toLowerCase())}
              title={en.add.title(many.toLowerCase())}
              onClick={() => store.getState().show({ name: 'add-rows' })}
            >
              <IconPlus size={16} stroke={1.5} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="default"
            size={24}
            aria-label={en.commands['rows.delete']}
            title={`${en.commands['rows.delete']} (Ctrl+Delete)`}
            onClick={() => deleteRows(context)}
          >
            <IconTrash size={16} stroke={1.5} />
          </ActionIcon>
          <ViewsMenu workspaceId={workspaceId} />
          <ColumnMenu />
        </>
      )}
    </div>
  );
}

/** Keywords and multipliers of one campaign: as rows, or what belongs together in one line. */
function MatrixSwitch() {
  const { store } = useAppContext();
  const matrix = useView((s) => s.matrix);
  return (
    <ChipChoice
      label={enMatrix.view}
      choices={[
        { value: false, name: enMatrix.asTable },
        { value: true, name: enMatrix.asMatrix },
      ]}
      chosen={matrix}
      onChoose={(value) => store.getState().showMatrix(value)}
    />
  );
}

interface FilterBoxProps {
  readonly kind: Kind;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const FILTER_PROBLEM = 'row-filter-problem';

function FilterBox({ kind, value, onChange }: FilterBoxProps) {
  const read = useCallback(
    (typed: string): void => {
      const plain = plainSearch(typed, kind);
      if (plain.ok) onChange(plain.value);
    },
    [kind, onChange],
  );
  const [text, setText] = useTypedText(value, read);
  const plain = plainSearch(text, kind);
  const problem = plain.ok ? null : plain.error;
  return (
    <>
      <TextInput
        id="row-filter"
        size="xs"
        className="view-filter"
        aria-label={en.grid.filter}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : FILTER_PROBLEM}
        placeholder={en.grid.filterHint}
        leftSection={<IconSearch size={14} stroke={1.5} aria-hidden="true" />}
        rightSection={<FilterForm kind={kind} filter={value} onChange={onChange} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('[role="grid"]')?.focus();
          }
        }}
      />
      {problem !== null && (
        <p id={FILTER_PROBLEM} className="note-error view-filter-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function ColumnMenu() {
  const { store } = useAppContext();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const layout = useViewOf((s) => ({ columnShown: s.columnShown, columnOrder: s.columnOrder }));
  const columns = orderedColumns(kind, campaignId, layout);
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={24} aria-label={en.grid.columns} title={en.grid.columns}>
          <IconColumns3 size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column) => {
          const key = `${kind}.${column.field}`;
          const isShown = layout.columnShown[key] ?? column.shown;
          return (
            <Menu.CheckboxItem
              key={key}
              checked={isShown}
              onChange={(checked) => store.getState().showColumn(key, checked)}
            >
              {column.title}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
