import { Button, SegmentedControl } from '@mantine/core';
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
import { countText, dayText, moneyText, plural } from '../../app/locale/numbers.ts';
import { useFigureReport } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { ToolFrame } from './ToolFrame.tsx';
import styles from './tools.module.css';

const texts = {
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
  keepRow: (text: string, place: string) => `Keep ${text} in ${place}`,
  fullness: 'Distinct keywords',
  distinct: (n: number, max: number) => `${countText(n)} / ${countText(max)}`,
  bid: 'Bid',
  fact: (name: string, value: string) => `${name} ${value}`,
  spend: 'Spend',
  spendOf: (from: string, to: string) => `Spend from ${from} to ${to}, from a saved report.`,
  noSpend: 'To see spend, get a report for these rows.',
  show: 'Show in grid',
  pause: 'Pause others',
  remove: 'Delete others',
  pauseAll: (n: number) => `Pause ${plural(n, 'other')}`,
  removeAll: (n: number) => `Delete ${plural(n, 'other')}`,
  pauseLabel: (n: number) => `Pause ${plural(n, 'duplicate')}`,
  removeLabel: (n: number) => `Delete ${plural(n, 'duplicate')}`,
  paused: (n: number) => `${plural(n, 'duplicate')} paused. Press Ctrl+Z to undo.`,
  removed: (n: number) => `${plural(n, 'duplicate')} deleted. Press Ctrl+Z to undo.`,
} as const;

const WHERE = ['adGroup', 'account'] as const;
const OFF = { keyword: { state: 'paused' }, adItem: { status: 'disabled' } } as const;
const TEXT = { keyword: 'text', adItem: 'itemId' } as const;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** Spend of rows from a saved report in cents, by service ID; null until it is fully read. */
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

/** Duplicates by group, with a row to keep in each, and actions for the others. */
export function DuplicatesStep({ workspaceId, kind: first }: { workspaceId: string; kind: DuplicateKind }) {
  const [busy, during] = useBusy();
  const { store, actions, toasts } = useAppContext();
  const { goToRows } = store.getState();
  const [kind, setKind] = useState<DuplicateKind>(first);
  const [within, setWithin] = useState<(typeof WHERE)[number]>('adGroup');
  const [chosen, setChosen] = useState<Chosen>({});
  const found = useQuery(useApi().views.duplicates.queryOptions({ input: { workspaceId, kind, within } }));
  const groups = found.data?.groups ?? [];
  const report = useFigureReport(workspaceId, kind);
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
    const { pauseLabel, removeLabel, paused, removed } = texts;
    const done =
      what === 'pause'
        ? await actions.applyTool(scope, { tool: 'set', values: OFF[kind] }, pauseLabel(ids.length))
        : await actions.applyTool(scope, { tool: 'delete' }, removeLabel(ids.length));
    if (done !== null) toasts.tell(what === 'pause' ? paused(done.cells) : removed(done.removed));
  };
  const showInGrid = ({ rows }: DuplicateGroup): void => {
    const words = [...new Set(rows.map(({ text }) => text))];
    const parts = words.map((value) => ({ is: 'compare', field: TEXT[kind], op: '=', value }) as const);
    goToRows({ kind, filter: printSearch({ is: 'or', parts }, kind), tool: null });
  };
  const running = others.filter(isOn).length;
  return (
    <ToolFrame
      label={running === 0 ? texts.pause : texts.pauseAll(running)}
      disabled={running === 0}
      busy={busy}
      onApply={() => void during(settle(others, 'pause'))}
      beside={
        others.length > 0 && (
          <Button onClick={() => void during(settle(others, 'remove'))}>{texts.removeAll(others.length)}</Button>
        )
      }
    >
      <SegmentedControl
        aria-label={texts.kind}
        data={DUPLICATE_KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind}
        onChange={setKind}
      />
      <SegmentedControl
        aria-label={texts.within}
        data={WHERE.map((value) => ({ value, label: texts.where[value] }))}
        value={within}
        onChange={setWithin}
      />
      <p className={ui['quiet']}>
        {kind === 'keyword' && `${texts.hint} `}
        {report === null ? texts.noSpend : texts.spendOf(dayText(report.startDate), dayText(report.endDate))}
      </p>
      <p role="status">
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? texts.searching
            : found.data.total === 0
              ? texts.none
              : texts.found(found.data.total, found.data.rows)}
      </p>
      {groups.length > 0 && (
        <ul className={ui['cards']} aria-label={texts.list}>
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
      )}
      {(found.data?.total ?? 0) > groups.length && <p className={ui['quiet']}>{texts.first(groups.length)}</p>}
    </ToolFrame>
  );
}

interface DuplicateCardProps {
  readonly kind: DuplicateKind;
  readonly group: DuplicateGroup;
  readonly keep: number | null;
  readonly facts: Pick<Duplicates, 'fullness' | 'distinctMax'>;
  /** Cents by service ID; null without a saved report. */
  readonly spend: ReadonlyMap<string, number> | null;
  readonly onKeep: (id: number) => void;
  readonly onShow: () => void;
  readonly onPause: () => void;
  readonly onRemove: () => void;
}

/** One group of duplicates: the row to keep, and the actions for the others. */
function DuplicateCard(props: DuplicateCardProps) {
  const { kind, group, keep, facts, spend, onKeep } = props;
  const name = useId();
  const [first] = group.rows;
  const distinctOf = ({ adGroupId }: DuplicateRow): string => {
    const known = facts.fullness.find((each) => each.adGroupId === adGroupId);
    return known === undefined ? '–' : texts.distinct(known.distinct, facts.distinctMax);
  };
  const spendText = ({ remoteId }: DuplicateRow): string => {
    const cents = remoteId === null ? undefined : spend?.get(remoteId);
    return cents === undefined ? '–' : moneyText(cents);
  };
  return (
    <li className={`${ui['card']} ${styles['duplicate']}`}>
      <p>
        <strong>{first?.name ?? first?.text}</strong>{' '}
        <span className={ui['quiet']}>
          {[
            ...(first?.name != null ? [first.text] : []),
            ...(group.matchType === null ? [] : [choiceName(group.matchType)]),
            texts.same(group.count),
          ].join(' · ')}
        </span>
      </p>
      {group.rows.map((row) => (
        <label key={row.id}>
          <input
            type="radio"
            name={name}
            aria-label={texts.keepRow(row.text, row.campaignName)}
            checked={row.id === keep}
            onChange={() => onKeep(row.id)}
          />
          <span>
            {/* The text of an item is its ID, which the heading shows. */}
            {row.name === null && `${row.text} · `}
            {row.campaignName} <span className={ui['quiet']}>› {row.adGroupName}</span>
            <span className={styles['facts']}>
              <StatusShape state={row.state} text={choiceName(row.state)} />
              <span>{texts.fact(texts.bid, row.bid === null ? '–' : moneyText(row.bid))}</span>
              <span>{texts.fact(texts.spend, spendText(row))}</span>
              {kind === 'keyword' && <span>{texts.fact(texts.fullness, distinctOf(row))}</span>}
            </span>
          </span>
        </label>
      ))}
      {group.count > group.rows.length && (
        <p className={ui['quiet']}>{appTexts.sync.more(group.count - group.rows.length)}</p>
      )}
      <div className={styles['chips']}>
        <Chip onClick={props.onShow}>{texts.show}</Chip>
        <Chip onClick={props.onPause}>{texts.pause}</Chip>
        <Chip onClick={props.onRemove}>{texts.remove}</Chip>
      </div>
    </li>
  );
}

/** The row to keep in each group that the user selected: its ID by `groupKey`. */
type Chosen = Readonly<Record<string, number>>;

/** Constant as long as the rows of a group are the same. */
const groupKey = ({ rows }: DuplicateGroup): string => rows.map(({ id }) => id).join();

/**
 * The row of a group to keep by default: of those that bid, or of all if none does, the one with the highest spend,
 * else one that is on the service, else the oldest.
 *
 * @param spend cents by service ID
 */
function worthKeeping(rows: readonly DuplicateRow[], spend: ReadonlyMap<string, number>): number | null {
  const spent = ({ remoteId }: DuplicateRow): number => (remoteId === null ? -1 : (spend.get(remoteId) ?? 0));
  const [first, ...more] = rows.some(isOn) ? rows.filter(isOn) : rows;
  if (first === undefined) return null;
  return more.reduce((best, row) => (spent(row) > spent(best) ? row : best), first).id;
}

const othersOf = (group: DuplicateGroup, keep: number | null): readonly DuplicateRow[] =>
  group.rows.filter(({ id }) => id !== keep);

/** States in which a row bids; only these can be paused. */
const isOn = ({ state }: DuplicateRow): boolean => state === 'enabled' || state === '';
