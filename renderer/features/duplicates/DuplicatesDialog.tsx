import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { WINDOW_MAX } from '../../../shared/api/limits.ts';
import {
  DUPLICATE_KINDS,
  type DuplicateGroup,
  type DuplicateKind,
  type DuplicateRow,
  type Duplicates,
} from '../../../shared/api/views.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { choiceName } from '../../app/field-names.ts';
import { shownCell } from '../../app/locale/cells.ts';
import { countText, dayText, figureText, plural } from '../../app/locale/numbers.ts';
import { useFigureReport } from '../../app/shared-queries.ts';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import styles from './duplicates.module.css';

const duplicatesDialogTexts = {
  title: 'Find duplicates',
  kind: 'Compare',
  kinds: { keyword: 'Keywords', adItem: 'Ad items' },
  within: 'Search in',
  where: { adGroup: 'Each ad group', account: 'All campaigns' },
  hint: 'Keywords that differ only in capitalization, spaces or punctuation are duplicates if they have the same match type.',
  searching: 'Comparing rows…',
  none: 'No duplicates found.',
  found: (groups: number, rows: number) => `${plural(groups, 'group')} with ${plural(rows, 'row')}`,
  first: (shown: number) =>
    `Showing the first ${plural(shown, 'group')}. Resolve ${shown === 1 ? 'it' : 'these'} to see more.`,
  same: (n: number) => plural(n, 'copy', 'copies'),
  list: 'Duplicate rows',
  keep: 'Keep',
  keepRow: (text: string, place: string) => `Keep ${text} in ${place}`,
  text: { keyword: 'Keyword', adItem: 'Item ID' },
  place: 'Campaign',
  fullness: 'Distinct keywords',
  distinct: (n: number, max: number) => `${countText(n)} / ${countText(max)}`,
  bid: 'Bid',
  state: 'Status',
  spend: 'Spend',
  spendOf: (from: string, to: string) => `Spend from ${from} to ${to}, from a saved report.`,
  noSpend: 'To see spend, get a report for these rows.',
  more: (n: number) => `and ${countText(n)} more`,
  show: 'Show in grid',
  pause: 'Pause others',
  remove: 'Delete others',
  pauseAll: (n: number) => `Pause ${plural(n, 'other')}`,
  removeAll: (n: number) => `Delete ${plural(n, 'other')}`,
  pauseLabel: (n: number) => `Pause ${plural(n, 'duplicate')}`,
  removeLabel: (n: number) => `Delete ${plural(n, 'duplicate')}`,
  paused: (n: number) => `${plural(n, 'duplicate')} paused. Press Ctrl+Z to undo.`,
  removed: (n: number) => `${plural(n, 'duplicate')} deleted. Press Ctrl+Z to undo.`,
  close: 'Close',
} as const;

const WHERE = ['adGroup', 'account'] as const;
const OFF = { keyword: { state: 'paused' }, adItem: { status: 'disabled' } } as const;
const TEXT = { keyword: 'text', adItem: 'itemId' } as const;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** What a kept report says rows have spent, in cents, by the ids the service gave them; null until all of it is read. */
function useSpend(
  workspaceId: string,
  reportId: string | null,
  kind: DuplicateKind,
  remoteIds: readonly string[],
): ReadonlyMap<string, number> | null {
  const api = useApi();
  const id = reportId ?? '';
  const starts = reportId === null ? [] : remoteIds.flatMap((_, at) => (at % WINDOW_MAX === 0 ? [at] : []));
  const pages = starts.map((at) => ({ workspaceId, id, kind, remoteIds: remoteIds.slice(at, at + WINDOW_MAX) }));
  const answers = useQueries({ queries: pages.map((input) => api.reports.ofRows.queryOptions({ input })) });
  if (answers.length === 0 || answers.some(({ data }) => data === undefined)) return null;
  const rows = answers.flatMap(({ data }) => data?.rows ?? []);
  return new Map(
    rows.flatMap(({ remoteId, figures: { adSpend } }) => (adSpend === undefined ? [] : [[remoteId, adSpend]])),
  );
}

/** What is there twice, group by group, with a row to keep in each and a way to be rid of the others. */
export function DuplicatesDialog({ workspaceId, kind: first }: { workspaceId: string; kind: DuplicateKind }) {
  const { store, actions, notes } = useAppContext();
  const { dismiss, goToRows } = store.getState();
  const [kind, setKind] = useState<DuplicateKind>(first);
  const [within, setWithin] = useState<(typeof WHERE)[number]>('adGroup');
  const [chosen, setChosen] = useState<Chosen>({});
  const found = useQuery(useApi().views.duplicates.queryOptions({ input: { workspaceId, kind, within } }));
  const groups = found.data?.groups ?? [];
  const report = useFigureReport(workspaceId, kind, true).chosen;
  const remoteIds = groups.flatMap(({ rows }) => rows.flatMap(({ remoteId }) => remoteId ?? []));
  const spend = useSpend(workspaceId, report?.id ?? null, kind, remoteIds);
  const keepOf = (group: DuplicateGroup): number | null =>
    chosen[groupKey(group)] ?? worthKeeping(group.rows, spend ?? NOTHING);
  const others = groups.flatMap((group) => othersOf(group, keepOf(group)));

  const settle = async (rows: readonly DuplicateRow[], what: 'pause' | 'remove'): Promise<void> => {
    const [one, ...more] = what === 'pause' ? rows.filter(isOn) : rows;
    if (one === undefined) return;
    const ids = [one, ...more].map(({ id }) => id);
    const scope = { rows: [{ kind, ids }] };
    const { pauseLabel, removeLabel, paused, removed } = duplicatesDialogTexts;
    const done =
      what === 'pause'
        ? await actions.applyTool(scope, { tool: 'set', values: OFF[kind] }, pauseLabel(ids.length))
        : await actions.applyTool(scope, { tool: 'delete' }, removeLabel(ids.length));
    if (done !== null) notes.tell(what === 'pause' ? paused(done.cells) : removed(done.removed));
  };
  const showInGrid = ({ rows }: DuplicateGroup): void => {
    const texts = [...new Set(rows.map(({ text }) => text))];
    const parts = texts.map((value) => ({ is: 'compare', field: TEXT[kind], op: '=', value }) as const);
    dismiss();
    goToRows({ kind, filter: printSearch({ is: 'or', parts }, kind), dialog: null });
  };
  return (
    <Modal opened onClose={dismiss} title={duplicatesDialogTexts.title} size={860}>
      <div className={styles['duplicate-choice']}>
        <SegmentedControl
          aria-label={duplicatesDialogTexts.kind}
          data={DUPLICATE_KINDS.map((value) => ({ value, label: duplicatesDialogTexts.kinds[value] }))}
          value={kind}
          onChange={(value) => setKind(DUPLICATE_KINDS.find((each) => each === value) ?? kind)}
        />
        <SegmentedControl
          aria-label={duplicatesDialogTexts.within}
          data={WHERE.map((value) => ({ value, label: duplicatesDialogTexts.where[value] }))}
          value={within}
          onChange={(value) => setWithin(WHERE.find((each) => each === value) ?? within)}
        />
      </div>
      <p className={ui['quiet']}>
        {duplicatesDialogTexts.hint}{' '}
        {report === null
          ? duplicatesDialogTexts.noSpend
          : duplicatesDialogTexts.spendOf(dayText(report.startDate), dayText(report.endDate))}
      </p>
      <p role="status" className={styles['duplicate-found']}>
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? duplicatesDialogTexts.searching
            : found.data.total === 0
              ? duplicatesDialogTexts.none
              : duplicatesDialogTexts.found(found.data.total, found.data.rows)}
      </p>
      {groups.length > 0 && (
        <ScrollBox className={styles['duplicate-scroll']} label={duplicatesDialogTexts.list}>
          <ul className={ui['cards']}>
            {groups.map((group) => (
              <DuplicateCard
                key={groupKey(group)}
                kind={kind}
                group={group}
                keep={keepOf(group)}
                facts={found.data ?? { fullness: [], distinctMax: 0 }}
                spend={spend}
                onKeep={(id) => setChosen((before) => ({ ...before, [groupKey(group)]: id }))}
                onShow={() => showInGrid(group)}
                onPause={() => void settle(othersOf(group, keepOf(group)), 'pause')}
                onRemove={() => void settle(othersOf(group, keepOf(group)), 'remove')}
              />
            ))}
          </ul>
          {(found.data?.total ?? 0) > groups.length && (
            <p className={ui['quiet']}>{duplicatesDialogTexts.first(groups.length)}</p>
          )}
        </ScrollBox>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {groups.length > 0 && (
          <>
            <Button disabled={!others.some(isOn)} onClick={() => void settle(others, 'pause')}>
              {duplicatesDialogTexts.pauseAll(others.filter(isOn).length)}
            </Button>
            <Button onClick={() => void settle(others, 'remove')}>
              {duplicatesDialogTexts.removeAll(others.length)}
            </Button>
          </>
        )}
        <Button data-autofocus onClick={dismiss}>
          {duplicatesDialogTexts.close}
        </Button>
      </Group>
    </Modal>
  );
}

interface DuplicateCardProps {
  readonly kind: DuplicateKind;
  readonly group: DuplicateGroup;
  readonly keep: number | null;
  readonly facts: Pick<Duplicates, 'fullness' | 'distinctMax'>;
  /** Cents by the service's id; null when no report is kept. */
  readonly spend: ReadonlyMap<string, number> | null;
  readonly onKeep: (id: number) => void;
  readonly onShow: () => void;
  readonly onPause: () => void;
  readonly onRemove: () => void;
}

/** One group of the same: which row stays, and what becomes of the others. */
function DuplicateCard(props: DuplicateCardProps) {
  const { kind, group, keep, facts, spend, onKeep } = props;
  const name = useId();
  const [first] = group.rows;
  const distinctOf = ({ adGroupId }: DuplicateRow): string => {
    const known = facts.fullness.find((each) => each.adGroupId === adGroupId);
    return known === undefined ? '–' : duplicatesDialogTexts.distinct(known.distinct, facts.distinctMax);
  };
  const spendText = ({ remoteId }: DuplicateRow): string => {
    const cents = remoteId === null ? undefined : spend?.get(remoteId);
    return cents === undefined ? '–' : figureText('money', cents);
  };
  return (
    <li className={ui['card']}>
      <div className={styles['duplicate-head']}>
        <strong>{first?.text}</strong>
        {group.matchType !== null && <span className={ui['badge']}>{choiceName(group.matchType)}</span>}
        <span className={ui['quiet']}>{duplicatesDialogTexts.same(group.count)}</span>
        <span className={ui['toolbar-gap']} />
        <Button size="compact-xs" onClick={props.onShow}>
          {duplicatesDialogTexts.show}
        </Button>
        <Button size="compact-xs" onClick={props.onPause}>
          {duplicatesDialogTexts.pause}
        </Button>
        <Button size="compact-xs" onClick={props.onRemove}>
          {duplicatesDialogTexts.remove}
        </Button>
      </div>
      <table className={`${ui['diff']} ${styles['duplicate-rows']}`}>
        <thead>
          <tr>
            <th scope="col">{duplicatesDialogTexts.keep}</th>
            <th scope="col">{duplicatesDialogTexts.text[kind]}</th>
            <th scope="col">{duplicatesDialogTexts.place}</th>
            {kind === 'keyword' && <th scope="col">{duplicatesDialogTexts.fullness}</th>}
            <th scope="col">{duplicatesDialogTexts.bid}</th>
            <th scope="col">{duplicatesDialogTexts.state}</th>
            <th scope="col">{duplicatesDialogTexts.spend}</th>
          </tr>
        </thead>
        <tbody>
          {group.rows.map((row) => (
            <tr key={row.id}>
              <td>
                <input
                  type="radio"
                  name={name}
                  aria-label={duplicatesDialogTexts.keepRow(row.text, row.campaignName)}
                  checked={row.id === keep}
                  onChange={() => onKeep(row.id)}
                />
              </td>
              <td>{row.text}</td>
              <td>
                {row.campaignName} <span className={ui['quiet']}>› {row.adGroupName}</span>
              </td>
              {kind === 'keyword' && <td className={ui['numeric']}>{distinctOf(row)}</td>}
              <td className={ui['numeric']}>{shownCell(kind, 'bid', row.bid)}</td>
              <td>
                <StatusShape state={row.state} text={choiceName(row.state)} />
              </td>
              <td className={ui['numeric']}>{spendText(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {group.count > group.rows.length && (
        <p className={ui['quiet']}>{duplicatesDialogTexts.more(group.count - group.rows.length)}</p>
      )}
    </li>
  );
}

/** The groups with a row to keep in each: by its place in `groups`, the id the user chose. */
type Chosen = Readonly<Record<string, number>>;

/** Stays the same while the rows of a group do. */
const groupKey = ({ rows }: DuplicateGroup): string => rows.map(({ id }) => id).join();

/**
 * The row of a group that is worth keeping: the one that spends most, else one the service has with what it learned
 * about it, else the oldest.
 *
 * @param spend cents by the service's id
 */
function worthKeeping(rows: readonly DuplicateRow[], spend: ReadonlyMap<string, number>): number | null {
  const spent = ({ remoteId }: DuplicateRow): number => (remoteId === null ? -1 : (spend.get(remoteId) ?? 0));
  const [first] = rows;
  if (first === undefined) return null;
  return rows.reduce((best, row) => (spent(row) > spent(best) ? row : best), first).id;
}

const othersOf = (group: DuplicateGroup, keep: number | null): readonly DuplicateRow[] =>
  group.rows.filter(({ id }) => id !== keep);

/** States in which a row bids; pausing any other would change nothing. */
const isOn = ({ state }: DuplicateRow): boolean => state === 'enabled' || state === '';
