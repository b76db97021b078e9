import { ActionIcon, Menu, Popover, TextInput } from '@mantine/core';
import { IconBookmark, IconColumns3, IconFilterEdit, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, useSyncExternalStore } from 'react';
import type { SavedView } from '../../../shared/api/views.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { deleteRows } from '../../app/bulk-commands.ts';
import { FILTER_FORM_ID } from '../../app/command-handlers.ts';
import { commandTexts } from '../../app/commands.ts';
import { KIND_NAMES, ONLY_NAMES } from '../../app/field-names.ts';
import { inSentence } from '../../app/locale/numbers.ts';
import { plainSearch } from '../../app/locale/plain-search.ts';
import { saveText } from '../../app/save-text.ts';
import { useRows } from '../../app/shared-queries.ts';
import { layoutOfKind } from '../../app/store/layout-slice.ts';
import type { QuickFilter } from '../../app/store/navigation-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import ui from '../../components/ui.module.css';
import { useTypedText } from '../../components/use-typed-text.ts';
import { layoutOf, orderedColumns } from '../../grid/columns.ts';
import { hasMatrix } from '../../grid/has-matrix.ts';
import type { OpenView } from '../../grid/window.ts';
import type { FilterLinesProps } from './FilterLines.tsx';
import styles from './shell.module.css';

const texts = {
  filter: 'Filter rows',
  filterHint: 'Text, or bid<1.50',
  only: 'Show only',
  columns: 'Columns',
  reorder: 'Sort again: the order is outdated',
  views: 'Views',
  noViews: 'No saved views yet',
  saveView: 'Save view…',
  removeView: (name: string) => `Delete view ${name}`,
  viewName: 'View name',
  viewTitle: 'Save view',
  viewHint: 'Saves the current filter, sort order and columns.',
  saved: (name: string) => `View ${name} saved.`,
  save: 'Save',
  filterOpen: 'Filter builder',
  asTable: 'Table',
  asMatrix: 'Matrix',
  view: 'Show rows as',
  viewsSave: 'Export all views…',
  fileName: 'adslate-views.json',
  open: 'Import views…',
} as const;

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
  const campaigns = useRows(
    workspaceId,
    place.campaignId === null ? null : { kind: 'campaign', campaignId: place.campaignId },
  );
  const campaign = campaigns.data?.rows[0]?.campaignName;
  const many = KIND_NAMES[place.kind].many;
  return (
    <div className={styles['view-bar']}>
      <h1 className={ui['view-title']}>
        {place.campaignId !== null && <span className={styles['view-campaign']}>{campaign ?? ''}</span>}
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
          <span className={ui['toolbar-gap']} />
          {place.kind !== 'campaign' && place.kind !== 'media' && place.kind !== 'adGroup' && (
            <ActionIcon
              variant="default"
              size={24}
              aria-label={appTexts.add.title(inSentence(many))}
              title={appTexts.add.title(inSentence(many))}
              onClick={() => store.getState().show({ name: 'add-rows' })}
            >
              <IconPlus size={16} stroke={1.5} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="default"
            size={24}
            aria-label={commandTexts['rows.delete']}
            title={`${commandTexts['rows.delete']} (Ctrl+Delete)`}
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
      label={texts.view}
      choices={[
        { value: false, name: texts.asTable },
        { value: true, name: texts.asMatrix },
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
        className={styles['view-filter']}
        aria-label={texts.filter}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : FILTER_PROBLEM}
        placeholder={texts.filterHint}
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
        <p id={FILTER_PROBLEM} className={`${ui['note-error']} ${styles['view-filter-problem']}`} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function ColumnMenu() {
  const { store } = useAppContext();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const layout = useViewOf(layoutOf);
  const columns = orderedColumns(kind, campaignId, layout);
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={24} aria-label={texts.columns} title={texts.columns}>
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

const FilterLines = lazyComponent(async () => (await import('./FilterLines.tsx')).FilterLines);

/** A filter put together by choosing, which is the same text that can be typed. */
function FilterForm(props: FilterLinesProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      id={FILTER_FORM_ID}
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      width={470}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={22}
          aria-label={texts.filterOpen}
          title={texts.filterOpen}
          aria-expanded={opened}
          onClick={() => setOpened((before) => !before)}
        >
          <IconFilterEdit size={16} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.filterOpen}>{opened && <FilterLines {...props} />}</Popover.Dropdown>
    </Popover>
  );
}

/** Chips that are there whatever they count; the others come when there is something to show. */
const STEADY: ReadonlySet<QuickFilter> = new Set(['all', 'changed', 'errors']);

/** Narrows the rows by one click, and says beforehand how many each choice would show. */
function QuickFilters({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const { kind, campaignId, only } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId, only: s.only }));
  const counts = useQuery(useApi().views.counts.queryOptions({ input: { workspaceId, kind, campaignId } })).data;
  const isShown = (each: QuickFilter): boolean => each === only || STEADY.has(each) || (counts?.[each] ?? 0) > 0;
  return (
    <div className={styles['view-only']}>
      <ChipChoice
        label={texts.only}
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

/** How many rows the view has, and an offer to sort again once edits have made its order old. */
function RowCount({ view }: { readonly view: OpenView | null }) {
  return view === null ? null : <Count view={view} />;
}

function Count({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  useSyncExternalStore(view.source.subscribe, view.source.version);
  const ordered = view.source.request.sort.length > 0 || view.source.request.only !== 'all';
  return (
    <>
      <span className={`${ui['quiet']} ${ui['numeric']}`}>{appTexts.grid.rows(view.source.length())}</span>
      {view.source.isOutOfOrder() && ordered && (
        <Chip
          onClick={() => {
            void view.source.reopen();
            store.getState().announce('');
          }}
        >
          {texts.reorder}
        </Chip>
      )}
    </>
  );
}

/** Views under a name: filter, order and columns, one click away. */
function ViewsMenu({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions, notes } = useAppContext();
  const saved = useQuery(useApi().views.saved.queryOptions({ input: { workspaceId } })).data ?? [];

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
        if (done !== null) notes.tell(texts.saved(done.name));
      });
    };
    const { viewTitle: title, viewName: label, viewHint: hint, save: button } = texts;
    show({ name: 'name', title, label, hint, value: '', button, run });
  };
  // The form of the file stands behind schemas, which the first screen does without.
  const saveAll = async (): Promise<void> => {
    const { printViews } = await import('../../../shared/api/views-file.ts');
    saveText(texts.fileName, printViews(saved), 'application/json');
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size={24} aria-label={texts.views} title={texts.views}>
          <IconBookmark size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {saved.length === 0 && <Menu.Label>{texts.noViews}</Menu.Label>}
        {saved.map((view) => (
          <Menu.Item
            key={view.id}
            onClick={() => open(view)}
            rightSection={<span className={ui['quiet']}>{KIND_NAMES[view.view.kind].many}</span>}
          >
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={save}>{texts.saveView}</Menu.Item>
        {saved.length > 0 && <Menu.Item onClick={() => void saveAll()}>{texts.viewsSave}</Menu.Item>}
        <Menu.Item onClick={() => store.getState().show({ name: 'views' })}>{texts.open}</Menu.Item>
        {saved.length > 0 && <Menu.Divider />}
        {saved.map((view) => (
          <Menu.Item
            key={view.id}
            leftSection={<IconTrash size={14} stroke={1.5} aria-hidden="true" />}
            onClick={() => void actions.removeView(view.id)}
          >
            {texts.removeView(view.name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
