import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComparedDifference, OpenedComparison } from '../../../shared/api/compare.ts';
import { type ActionContext, runEdit } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { fieldName, KIND_NAMES, rowName, wordName } from '../../app/field-names.ts';
import { atStart, plural } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { usePages } from '../../app/pages.ts';
import { toggled } from '../../app/toggled.ts';
import type { Client } from '../../app/transport/connection.ts';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { valueText } from '../../grid/columns.ts';
import styles from './compare.module.css';
import { type RowsOfTemplate, SideChoice } from './SideChoice.tsx';

const texts = {
  left: 'Left',
  right: 'Right',
  none: 'No differences',
  noneText: (same: number) => `All ${plural(same, 'row')} are the same on both sides.`,
  what: 'Show differences',
  all: 'All',
  kinds: 'Kinds of rows',
  allKinds: 'All rows',
  find: 'Find row or campaign',
  list: 'Differences',
  summary: (same: number) => `${plural(same, 'row')} the same`,
  heads: { row: 'Row', field: 'Field', campaign: 'Campaign' },
  sides: {
    chosen: {
      heads: { left: 'Left side', right: 'Right side' },
      whats: { field: 'Changed fields', left: 'Only left', right: 'Only right' },
      only: { left: 'only left', right: 'only right' },
    },
    moment: {
      heads: { left: 'Now', right: 'At that moment' },
      whats: { field: 'Changed fields', left: 'Added since', right: 'Deleted since' },
      only: { left: 'added since', right: 'deleted since' },
    },
  },
  empty: '(empty)',
  select: (label: string) => `Select ${label}`,
  use: (n: number) => (n === 0 ? 'Use selected values' : `Use ${plural(n, 'selected value')}`),
  useAll: 'Use all values of the right side',
  askAll: {
    title: 'Use all values of the right side?',
    text: 'Rows of the left side become like those of the right side, in one step that you can undo. Nothing is sent.',
    keep: 'Cancel',
    button: 'Use all',
  },
  hint: 'To copy values, choose "As it is now" on the left.',
  used: (changed: number, created: number, deleted: number) => {
    const rows = created === 0 ? [] : [`${plural(created, 'row')} added`];
    if (deleted > 0) rows.push(`${plural(deleted, 'row')} deleted`);
    if (changed > 0 || rows.length === 0) rows.unshift(`${plural(changed, 'value')} changed`);
    return `${rows.join(', ')}. Press Ctrl+Z to undo.`;
  },
} as const;

type What = ComparedDifference['what'];
const WHATS: readonly What[] = ['field', 'left', 'right'];

interface CompareProps {
  readonly workspaceId: string;
  readonly rowsOf: RowsOfTemplate;
}

/** Two sides of a comparison: their differences, and buttons to copy single values to the left side. */
export function CompareScreen({ workspaceId, rowsOf }: CompareProps) {
  const { store } = useAppContext();
  const api = useApi();
  const { left, right } = useView((s) => s.compared);
  const opened = useQuery({
    ...api.compare.open.queryOptions({ input: { workspaceId, left, right } }),
    placeholderData: (before) => before,
  });
  const choose = store.getState().chooseSides;
  return (
    <div className={styles['screen']}>
      <div className={styles['sides']}>
        <SideChoice
          workspaceId={workspaceId}
          rowsOf={rowsOf}
          label={texts.left}
          side={left}
          onChoose={(side) => choose({ left: side, right })}
        />
        <SideChoice
          workspaceId={workspaceId}
          rowsOf={rowsOf}
          label={texts.right}
          side={right}
          onChoose={(side) => choose({ left, right: side })}
        />
      </div>
      <Problem of={opened.error} />
      {opened.error === null && opened.data === undefined && <Waiting />}
      {opened.error === null && opened.data !== undefined && (
        <Differences workspaceId={workspaceId} opened={opened.data} isWritable={left.is === 'now'} />
      )}
    </div>
  );
}

interface DifferencesProps {
  readonly workspaceId: string;
  readonly opened: OpenedComparison;
  readonly isWritable: boolean;
  /** The names of the sides; `moment` is for the time machine. */
  readonly sides?: Sides;
}
type Sides = keyof typeof texts.sides;

/** The differences of two sides, with buttons to copy single values. A changed row makes a new comparison of them. */
export function Differences({ workspaceId, opened, isWritable, sides = 'chosen' }: DifferencesProps) {
  const [what, setWhat] = useState<What | null>(null);
  const [wanted, setKind] = useState<ComparedDifference['kind'] | null>(null);
  const [words, setWords] = useState('');
  const { comparisonId, total, same, counts, kinds } = opened;
  const kind = kinds.find((each) => each.kind === wanted)?.kind ?? null;
  if (total === 0) return <Empty heading title={texts.none} text={texts.noneText(same)} />;
  return (
    <>
      <div className={styles['bar']}>
        <ChipChoice<What | null>
          label={texts.what}
          choices={[
            { value: null, name: texts.all, count: total },
            ...WHATS.map((each) => ({ value: each, name: texts.sides[sides].whats[each], count: counts[each] ?? 0 })),
          ]}
          chosen={what}
          onChoose={setWhat}
        />
        {kinds.length > 1 && (
          <ChipChoice<ComparedDifference['kind'] | null>
            label={texts.kinds}
            choices={[
              { value: null, name: texts.allKinds },
              ...kinds.map((each) => ({ value: each.kind, name: KIND_NAMES[each.kind].many, count: each.differences })),
            ]}
            chosen={kind}
            onChoose={setKind}
          />
        )}
        <span className={ui['quiet']}>{texts.summary(same)}</span>
        <span className={ui['toolbar-gap']} />
        <SearchBox label={texts.find} value={words} onChange={setWords} />
      </div>
      <DifferenceList
        key={comparisonId}
        request={{ workspaceId, comparisonId, kind, what, words }}
        isWritable={isWritable}
        sides={sides}
      />
    </>
  );
}

interface DifferenceListProps {
  readonly request: Omit<Parameters<Client['compare']['page']>[0], 'from' | 'count'>;
  readonly isWritable: boolean;
  readonly sides: Sides;
}

/** The differences of one comparison, which are selected by their position in it. */
function DifferenceList({ request, isWritable, sides }: DifferenceListProps) {
  const { store } = useAppContext();
  const api = useApi();
  const actions = useActions(compareActions);
  const [busy, during] = useBusy();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const { comparisonId } = request;
  const list = usePages(
    (from, count) => api.compare.page.queryOptions({ input: { ...request, from, count } }),
    ({ differences }) => differences,
  );
  if (list.newest === undefined) return <Waiting error={list.error} />;
  const toggle = (at: number): void => setSelected((before) => toggled(before, at));
  const useAll = (): void => {
    const run = (): void => void during(actions.use(comparisonId, null));
    store.getState().show({ name: 'confirm', ...texts.askAll, run });
  };
  return (
    <>
      <div className={styles['heads']} aria-hidden>
        <div className={ui['line']}>
          <span className={styles['heads-check']} />
          <span className={styles['row']}>{texts.heads.row}</span>
          <span className={styles['field']}>{texts.heads.field}</span>
          <span className={styles['value']}>{texts.sides[sides].heads.left}</span>
          <span className={styles['value']}>{texts.sides[sides].heads.right}</span>
          <span className={ui['line-where']}>{texts.heads.campaign}</span>
        </div>
      </div>
      <PageList
        list={list}
        label={texts.list}
        resetOn={JSON.stringify(request)}
        line={(difference) => (
          <Line
            difference={difference}
            isWritable={isWritable}
            sides={sides}
            isSelected={selected.has(difference.at)}
            onToggle={toggle}
          />
        )}
      />
      <div className={styles['foot']}>
        {isWritable ? (
          <>
            <Button
              variant="filled"
              disabled={selected.size === 0}
              loading={busy}
              onClick={() => void during(actions.use(comparisonId, [...selected]))}
            >
              {texts.use(selected.size)}
            </Button>
            {sides === 'chosen' && (
              <Button disabled={busy} onClick={useAll}>
                {texts.useAll}
              </Button>
            )}
          </>
        ) : (
          <span className={ui['quiet']}>{texts.hint}</span>
        )}
      </div>
    </>
  );
}

interface LineProps {
  readonly difference: ComparedDifference;
  readonly isWritable: boolean;
  readonly sides: Sides;
  readonly isSelected: boolean;
  readonly onToggle: (at: number) => void;
}

function Line({ difference, isWritable, sides, isSelected, onToggle }: LineProps) {
  const { store } = useAppContext();
  const { at, kind, label, campaign, what, field, leftId, campaignId, canUse } = difference;
  const name = rowName(kind, label);
  return (
    <div className={ui['line']}>
      <Checkbox
        size="xs"
        aria-label={texts.select(field === null ? name : `${fieldName(field, kind)}, ${name}`)}
        checked={isSelected}
        disabled={!isWritable || !canUse}
        onChange={() => onToggle(at)}
      />
      <button
        type="button"
        className={styles['row']}
        title={`${campaign} › ${name}`}
        disabled={leftId === null}
        onClick={() => leftId !== null && store.getState().reveal(kind, campaignId, leftId, field)}
      >
        <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {label}
      </button>
      <span className={styles['field']}>
        {what === 'field' ? (
          fieldName(field ?? '', kind)
        ) : (
          <span className={ui['badge']}>{texts.sides[sides].only[what]}</span>
        )}
      </span>
      <span className={styles['value']}>{what === 'field' && shown(difference, difference.left)}</span>
      <span className={styles['value']}>{what === 'field' && shown(difference, difference.right)}</span>
      <span className={`${ui['line-where']} ${ui['quiet']}`}>{campaign === label ? '' : campaign}</span>
    </div>
  );
}

const NO_MEDIA: ReadonlyMap<number, string> = new Map();

function shown({ kind, field }: ComparedDifference, cell: ComparedDifference['left']): string {
  if (cell === null || field === null) return texts.empty;
  // Files are compared by name.
  return typeof cell === 'string' && (field === 'logo' || field === 'video')
    ? cell
    : valueText(kind, field, cell, NO_MEDIA) || wordName(field, String(cell));
}

const compareActions = (context: ActionContext) => ({
  use: async (comparisonId: number, places: readonly number[] | null) => {
    const { client } = context.connection;
    const done = await runEdit(context, (workspaceId) =>
      client.compare.use({ workspaceId, comparisonId, places: places === null ? null : [...places] }),
    );
    if (done !== null) context.toasts.tell(texts.used(done.changed, done.created, done.deleted));
    return done !== null;
  },
});
