import { Button, Popover } from '@mantine/core';
import { IconCheck, IconTarget } from '@tabler/icons-react';
import { keepPreviousData, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { WINDOW_MAX } from '../../../shared/api/limits.ts';
import { compareNames, textKey } from '../../../shared/model/text.ts';
import type { SuggestionKind } from '../../../shared/suggestions/suggestion.ts';
import { type ActionContext, attempt, runAction, runEdit } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { suggestionKindNames } from '../../app/field-names.ts';
import { countText, wholeMoneyText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { saveFrom } from '../../app/save-text.ts';
import { toggled } from '../../app/toggled.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Tab, TabList } from '../../components/TabList.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useViewport } from '../../components/use-viewport.ts';
import { Goals } from './Goals.tsx';
import { changeIn, isEdit, type Listed, percentText, SuggestionDetails, shownValue } from './SuggestionDetails.tsx';
import styles from './suggestions.module.css';
import { suggestionTexts as texts } from './text.ts';

const suggestionActions = (context: ActionContext) => {
  const { client } = context.connection;
  return {
    /** Accepts suggestions in one undo step. @returns how many the account's spend limit skipped; null when it failed */
    accept: async (keys: readonly string[], lifted: boolean): Promise<number | null> => {
      const done = await runEdit(context, (workspaceId) =>
        client.suggestions.accept({ workspaceId, keys: [...keys], lifted }),
      );
      if (done === null) return null;
      const capped = done.dropped.find(({ reason }) => reason === 'account-cap')?.count ?? 0;
      const text = texts.done(done.accepted);
      // The toast covers the line at the bottom that says the same.
      context.toasts.tell(capped === 0 ? text : `${text} ${texts.capped}`);
      return capped;
    },
    dismiss: async (key: string): Promise<void> => {
      const { workspaceId } = context.store.getState();
      if (workspaceId === null) return;
      const dismissed = { workspaceId, keys: [key] };
      const undo = () => attempt(context, () => client.suggestions.dismiss({ ...dismissed, undo: true }));
      const done = await attempt(context, () => client.suggestions.dismiss(dismissed));
      if (done === null) return;
      context.toasts.tell(texts.dismissed(done.forgotten), { name: texts.undo, run: () => void undo() });
    },
    csv: async (): Promise<void> => {
      const file = await runAction(context, (workspaceId) => client.suggestions.csv({ workspaceId }));
      if (file !== null) saveFrom(file.fileName, file.url);
    },
  };
};

const NO_GOALS = { goals: [], plans: [] };
const SORTS = ['campaign', 'change', 'evidence'] as const;
type Sort = (typeof SORTS)[number];

/** The most suggestions of a kind that are listed; after these are accepted, the next ones appear. */
const LISTED_MAX = 10_000;

/** All suggestions of a kind, read page by page. */
function useSuggestionsOf(workspaceId: string, kind: SuggestionKind | null, count: number): readonly Listed[] {
  const { list } = useApi().suggestions;
  const pages = Math.ceil(Math.min(count, LISTED_MAX) / WINDOW_MAX);
  return useQueries({
    queries: Array.from({ length: pages }, (_, at) =>
      list.queryOptions({
        input: kind === null ? skipToken : { workspaceId, kinds: [kind], from: at * WINDOW_MAX, count: WINDOW_MAX },
      }),
    ),
    combine: inOneList,
  });
}

/** A constant function, so that the list is the same object until a response changes. */
const inOneList = (answers: readonly { readonly data: { readonly suggestions: readonly Listed[] } | undefined }[]) =>
  answers.flatMap(({ data }) => data?.suggestions ?? []);

/** Suggestions based on metrics, by kind and campaign, with reasons. Nothing changes until one is accepted. */
export function SuggestionsScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const { list, goals: kept } = useApi().suggestions;
  const { data, error } = useQuery({
    ...list.queryOptions({ input: { workspaceId, from: 0, count: 0 } }),
    placeholderData: keepPreviousData,
  });
  const { goals, plans } = useQuery(kept.queryOptions({ input: { workspaceId } })).data ?? NO_GOALS;
  const chosenKind = useView((s) => s.suggestionKind);
  const showsGoals = useView((s) => s.goalFor !== null);
  const [words, setWords] = useState('');
  const [sort, setSort] = useState<Sort>('campaign');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [activeKey, setActive] = useState<string | null>(null);
  const actions = useActions(suggestionActions);
  const [busy, during] = useBusy();
  const [capped, setCapped] = useState<readonly string[]>([]);
  const kinds = data?.kinds.filter(({ count }) => count > 0) ?? [];
  // After the last suggestion of a kind, another kind under the same button would be accepted by a second Enter.
  const [isDone, setDone] = useState(false);
  const shown = kinds.find(({ kind }) => kind === chosenKind) ?? (isDone ? undefined : kinds[0]);
  const kind = shown?.kind ?? null;
  const all = useSuggestionsOf(workspaceId, kind, shown?.count ?? 0);
  const lines = useMemo(() => linesOf(all, words, sort), [all, words, sort]);
  if (data === undefined) return <Waiting error={error} />;
  const rows = lines.flatMap((line) => (line.is === 'row' ? [line.row] : []));
  const active = rows.find(({ key }) => key === activeKey) ?? rows[0];
  const picked = rows.filter((row) => selected.has(row.key) && isEdit(row));
  const possible = rows.filter(isEdit);
  const toggle = (row: Listed): void => {
    if (isEdit(row)) setSelected((now) => toggled(now, row.key));
  };
  const stay = (): void => {
    setDone(true);
    if (kind !== chosenKind) store.getState().chooseSuggestions(kind);
  };
  const after = (key: string): void => {
    const at = rows.findIndex((row) => row.key === key);
    setActive((rows[at + 1] ?? rows[at - 1])?.key ?? null);
  };
  const accept = (keys: readonly string[], lifted = false): void => {
    if (keys.length === 0 || busy) return;
    stay();
    if (active !== undefined && keys.length === 1) after(active.key);
    void during(
      actions.accept(keys, lifted).then((left) => {
        if (left === null) return;
        const accepted = new Set(keys);
        setSelected((now) => new Set([...now].filter((key) => !accepted.has(key))));
        setCapped(left > 0 ? keys : []);
      }),
    );
  };
  const keysOf = (wanted: readonly Listed[]): readonly string[] => wanted.filter(isEdit).map(({ key }) => key);
  const dismiss = (row: Listed): void => {
    stay();
    after(row.key);
    void actions.dismiss(row.key);
  };
  const adjust = ({ type, campaignId, id, field }: Listed): void => {
    if (id !== null) store.getState().reveal(type, campaignId, id, field);
  };
  const unsent = rows.filter(({ effect }) => effect === 'not-possible');
  return (
    <div className={styles['screen']}>
      <div className={styles['bar']}>
        <KindTabs kinds={kinds} kind={kind} />
        <span className={ui['toolbar-gap']} />
        <input
          className={ui['input']}
          aria-label={texts.search}
          placeholder={texts.searchHint}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Choice
          aria-label={texts.sort}
          options={SORTS.map((each) => [each, texts.sorts[each]])}
          value={sort}
          onChoose={setSort}
        />
        <Button
          leftSection={<IconTarget size={14} stroke={1.5} aria-hidden="true" />}
          aria-expanded={showsGoals}
          onClick={() => store.getState().showGoals(showsGoals ? null : 'account')}
        >
          {goals.length === 0 ? texts.noGoal : texts.goals}
        </Button>
      </div>
      <section className={styles['list']} aria-label={texts.list}>
        {shown !== undefined && shown.count > LISTED_MAX && (
          <p className={ui['quiet']}>{texts.first(LISTED_MAX, shown.count)}</p>
        )}
        {rows.length === 0 ? (
          <Empty
            title={texts.none}
            text={
              all.length > 0
                ? texts.noneHere
                : kinds.length > 0
                  ? texts.noneLeft
                  : data.hasGoal
                    ? texts.noneText
                    : texts.noneNoGoal
            }
          />
        ) : (
          <>
            <div className={styles['columns']} aria-hidden="true">
              <span />
              <span>{texts.columns.name}</span>
              <span>{texts.columns.evidence}</span>
              <span>{texts.columns.change}</span>
              <span>{texts.columns.expected}</span>
            </div>
            <Lines
              lines={lines}
              active={active?.key ?? null}
              selected={selected}
              onActive={setActive}
              onToggle={toggle}
              onAll={() => setSelected(new Set(possible.map(({ key }) => key)))}
              onAccept={(row) => accept(keysOf(picked.length > 0 ? picked : [row]))}
              onAdjust={adjust}
              onDismiss={dismiss}
            />
          </>
        )}
      </section>
      <aside className={styles['side']} aria-label={showsGoals ? texts.goals : texts.computed}>
        {showsGoals ? (
          <Goals workspaceId={workspaceId} goals={goals} plans={plans} />
        ) : (
          active !== undefined && (
            <SuggestionDetails
              workspaceId={workspaceId}
              row={active}
              busy={busy}
              onAccept={() => accept(keysOf([active]))}
              onAdjust={() => adjust(active)}
              onDismiss={() => dismiss(active)}
            />
          )
        )}
        {data.reducedTo !== null && <p className={ui['quiet']}>{texts.monthsOnly(data.reducedTo)}</p>}
      </aside>
      <div className={styles['foot']}>
        <output>{picked.length > 0 ? texts.selected(picked.length) : ''}</output>
        <Dropped dropped={data.dropped} />
        <span className={ui['toolbar-gap']} />
        {unsent.length > 0 && <Chip onClick={() => void actions.csv()}>{texts.csv}</Chip>}
        {capped.length > 0 && (
          <>
            <span className={styles['capped']}>{texts.capped}</span>
            <Chip onClick={() => accept(capped, true)}>{texts.lift}</Chip>
          </>
        )}
        {kind === 'bid' && data.whatIf !== null && <output>{expectedOf(data.whatIf)}</output>}
        {possible.length > 0 && (
          <Button variant="filled" loading={busy} onClick={() => accept(keysOf(picked.length > 0 ? picked : possible))}>
            {texts.acceptMany(picked.length > 0 ? picked.length : possible.length)}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The weekly effect of all suggested bids: the likely range of sales first. */
function expectedOf({ spend, newSpend, sales, low, high }: WhatIf): string {
  const text = (cents: number): string => {
    // Less than half a dollar rounds to zero, without a plus or minus.
    const dollars = Math.round(cents / 100);
    return `${dollars > 0 ? '+' : dollars < 0 ? '−' : ''}${wholeMoneyText(Math.abs(dollars * 100))}`;
  };
  return texts.expected(text(low - sales), text(high - sales), text(newSpend - spend));
}
type WhatIf = NonNullable<Awaited<ReturnType<Client['suggestions']['list']>>['whatIf']>;

type Line =
  | { readonly is: 'campaign'; readonly name: string; readonly rows: number }
  | { readonly is: 'row'; readonly row: Listed };

/** The suggestions that contain every word, grouped by campaign name. */
function linesOf(all: readonly Listed[], words: string, sort: Sort): readonly Line[] {
  const wanted = textKey(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  const rows = all.filter((row) => {
    const text = textKey(`${row.label} ${row.campaign} ${row.evidence} ${row.reason}`);
    return wanted.every((word) => text.includes(word));
  });
  const ordered = rows.toSorted((a, b) =>
    sort === 'campaign' ? compareNames(a.campaign, b.campaign) : weightIn(b, sort) - weightIn(a, sort),
  );
  const groups = Map.groupBy(ordered, ({ campaign }) => campaign);
  return [...groups].flatMap(([name, own]): readonly Line[] => [
    { is: 'campaign', name: name === '' ? texts.account : name, rows: own.length },
    ...own.map((row) => ({ is: 'row', row }) as const),
  ]);
}

const STRENGTH = { firm: 2, fair: 1, none: 0 } as const;

const weightIn = (row: Listed, sort: Exclude<Sort, 'campaign'>): number =>
  sort === 'evidence' ? STRENGTH[row.evidence] : Math.abs(changeIn(row) ?? 0);

interface KindTabsProps {
  readonly kinds: readonly { readonly kind: SuggestionKind; readonly count: number }[];
  readonly kind: SuggestionKind | null;
}

function KindTabs({ kinds, kind }: KindTabsProps) {
  const { store } = useAppContext();
  return (
    <TabList label={texts.kindTabs} className={styles['tabs']}>
      {kinds.map((each) => (
        <Tab
          key={each.kind}
          isOpen={each.kind === kind}
          className={styles['tab']}
          onClick={() => store.getState().chooseSuggestions(each.kind)}
        >
          {suggestionKindNames[each.kind]} <span>{countText(each.count)}</span>
        </Tab>
      ))}
    </TabList>
  );
}

/** Height of a line in CSS pixels. */
const LINE = 44;
const OVERSCAN = 8;

interface LinesProps {
  readonly lines: readonly Line[];
  readonly active: string | null;
  readonly selected: ReadonlySet<string>;
  readonly onActive: (key: string) => void;
  readonly onToggle: (row: Listed) => void;
  readonly onAll: () => void;
  readonly onAccept: (row: Listed) => void;
  readonly onAdjust: (row: Listed) => void;
  readonly onDismiss: (row: Listed) => void;
}

/** The list keeps the focus and names its active option; only the options in view are rendered. */
function Lines({ lines, active, selected, ...on }: LinesProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const view = useViewport(box, { height: 500, width: 700 });
  const at = lines.findIndex((line) => line.is === 'row' && line.row.key === active);
  const from = Math.max(0, Math.floor(view.top / LINE) - OVERSCAN);
  const to = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE) + OVERSCAN);
  const go = (place: number, by: 1 | -1): void => {
    let next = place;
    while (lines[next]?.is === 'campaign') next += by;
    const line = lines[next];
    if (line?.is !== 'row') return;
    on.onActive(line.row.key);
    const top = next * LINE;
    const list = box.current;
    if (list === null) return;
    if (top - LINE < list.scrollTop) list.scrollTop = top - LINE;
    else if (top + LINE > list.scrollTop + view.height) list.scrollTop = top + LINE - view.height;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[at];
    if (line?.is !== 'row') return;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (isCtrl && event.key.toLowerCase() === 'a') on.onAll();
    else if (event.altKey || event.shiftKey || (isCtrl && event.key !== 'Enter')) return;
    else if (event.key === 'ArrowDown') go(at + 1, 1);
    else if (event.key === 'ArrowUp') go(at - 1, -1);
    else if (event.key === 'Home') go(0, 1);
    else if (event.key === 'End') go(lines.length - 1, -1);
    else if (event.key === ' ') on.onToggle(line.row);
    else if (event.key === 'Enter') on.onAccept(line.row);
    else if (event.key === 'F2') on.onAdjust(line.row);
    else if (event.key === 'Delete') on.onDismiss(line.row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className={styles['scroll']} data-scrolls="">
      <div
        role="listbox"
        tabIndex={0}
        aria-label={texts.list}
        aria-multiselectable="true"
        aria-description={texts.keys}
        aria-activedescendant={at >= from && at < to ? `${id}-${at}` : undefined}
        className={styles['canvas']}
        style={{ height: lines.length * LINE }}
        onKeyDown={onKeyDown}
      >
        {lines.slice(from, to).map((line, i) => {
          const place = { height: LINE, transform: `translateY(${(from + i) * LINE}px)` };
          return line.is === 'campaign' ? (
            <div key={`campaign ${line.name}`} role="presentation" className={styles['group']} style={place}>
              <b>{line.name}</b> {countText(line.rows)}
            </div>
          ) : (
            <Option
              key={line.row.key}
              id={`${id}-${from + i}`}
              row={line.row}
              style={place}
              isActive={line.row.key === active}
              isSelected={selected.has(line.row.key)}
              onActive={() => on.onActive(line.row.key)}
              onToggle={() => on.onToggle(line.row)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly row: Listed;
  readonly style: { readonly height: number; readonly transform: string };
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onActive: () => void;
  readonly onToggle: () => void;
}

function Option({ id, row, style, isActive, isSelected, onActive, onToggle }: OptionProps) {
  const { kind, label, campaign, current, suggested, low, high, evidence, reason } = row;
  const by = changeIn(row);
  const [now, wanted] = [shownValue(row, current), shownValue(row, suggested)];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus and names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      data-active={isActive ? '' : undefined}
      className={styles['option']}
      style={style}
      onClick={onActive}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the list handles the Space key. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <span
        className={styles['box']}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {isEdit(row) && (
          <span>
            <IconCheck size={12} stroke={2.5} aria-hidden="true" />
          </span>
        )}
      </span>
      <span className={styles['name']}>
        <span>
          {label}
          <span className={ui['spoken-only']}>, {campaign}</span>
        </span>
        <span title={reason}>{kind === 'bid' ? reason.slice(reason.indexOf('. ') + 2) : reason}</span>
      </span>
      <span className={styles['evidence']}>
        <i data-on={evidence === 'none' ? undefined : ''} />
        <i data-on={evidence === 'firm' ? '' : undefined} />
        {texts.evidence[evidence]}
      </span>
      <span className={styles['change']}>
        {now === '' ? wanted !== '' && texts.isNew : <del>{now}</del>} {wanted !== '' && '→ '}
        <ins>{wanted}</ins>
      </span>
      <span className={styles['expected']}>
        <span>{by === null ? '' : percentText(by)}</span>
        <span>{low !== null && high !== null && texts.range(shownValue(row, low), shownValue(row, high))}</span>
      </span>
    </div>
  );
}

function Dropped({ dropped }: { readonly dropped: readonly { readonly reason: string; readonly count: number }[] }) {
  const [isOpen, setOpen] = useState(false);
  const rows = dropped.reduce((sum, { count }) => sum + count, 0);
  if (rows === 0) return null;
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="top-start"
      shadow="md"
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button type="button" className={styles['tab']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.dropped(rows)}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.droppedTitle} tabIndex={-1}>
        <b>{texts.droppedTitle}</b>
        <dl className={styles['reasons']}>
          {dropped.map(({ reason, count }) => (
            <DroppedLine key={reason} name={texts.reasons[reason] ?? reason} count={count} />
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}

const DroppedLine = ({ name, count }: { readonly name: string; readonly count: number }) => (
  <>
    <dt>{name}</dt>
    <dd>{countText(count)}</dd>
  </>
);
