import { Checkbox } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { IconCheck, IconChevronDown, IconChevronRight, IconHelpCircle, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChosenRows, PlanLine } from '../../../shared/api/sync.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { choiceName, fieldName, KIND_NAMES, rowName, rowsText } from '../../app/field-names.ts';
import { atStart, countText, moneyText, plural, shortDayText, timeText } from '../../app/locale/numbers.ts';
import { usePages } from '../../app/pages.ts';
import { useMedia } from '../../app/shared-queries.ts';
import type { Client } from '../../app/transport/connection.ts';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { useViewport } from '../../components/use-viewport.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import styles from './sync.module.css';

const texts = {
  list: 'Changes by campaign',
  changes: (n: number) => plural(n, 'change'),
  open: (campaign: string) => `Show the changes in ${campaign}`,
  pick: (name: string) => `Send ${name}`,
  starts: (day: string) => `New, starts ${day}`,
  isNew: 'New',
  deleted: 'Deleted',
  was: 'Before',
  is: 'After',
  perDay: (amount: string) => `${amount} a day`,
  bids: (before: string, after: string) => `average bid ${before} → ${after}`,
  more: (n: number, rows: string) => `Show ${countText(n)} more ${rows}`,
  below: 'Not sent, because what it belongs to is not selected.',
  effects: { immediate: 'Immediate', review: 'Needs review' },
  sentOf: (sent: number, all: number) => `${countText(sent)} of ${countText(all)} sent`,
  results: {
    pending: 'Pending',
    sending: 'Sending',
    sent: (time: string) => `Sent ${time}`,
    failed: 'Failed',
    unresolved: 'Unconfirmed',
  },
} as const;

/** Heights of lines, in CSS pixels. */
const HEIGHTS = { campaign: 42, line: 28, text: 44 } as const;
const OVERSCAN_PX = 300;
/** Chromium has rendering faults in taller elements. */
const HEIGHT_MAX = 8_000_000;

type Page = Awaited<ReturnType<Client['sync']['planLines']>>;
export type PlanFilter = keyof Page['counts'];
export type Pick = NonNullable<ChosenRows['picks']>[number];
export type PlanPhase = 'plan' | 'run' | 'result';

interface PlanListProps {
  readonly workspaceId: string;
  /** The ID of a plan, or of the run that sends it. */
  readonly planId: string;
  readonly phase: PlanPhase;
  readonly filter: PlanFilter;
  readonly words: string;
  /** Only campaigns of which something was sent. */
  readonly sentOnly?: boolean;
  readonly onCounts?: (counts: Page['counts']) => void;
  /** Null where rows can't be deselected. */
  readonly onPick: ((pick: Pick) => void) | null;
  /** Plans again. Called when another window has planned, because further lines of this plan can then not be read. */
  readonly onOutdated?: () => void;
  /** Content above the list that scrolls with it. */
  readonly children?: ReactNode;
}

/** Plans again when main no longer has the requested plan. Main keeps only the newest one. */
export function useOutdatedPlan(error: unknown, onOutdated: (() => void) | undefined): void {
  const planAgain = useEffectEvent(() => onOutdated?.());
  useEffect(() => {
    if (error instanceof ORPCError && error.code === 'NO_PLAN') planAgain();
  }, [error]);
}

/** A run of lines with equal height, with the position of its first line. */
interface Segment {
  readonly from: number;
  readonly top: number;
  readonly count: number;
  readonly size: keyof typeof HEIGHTS;
}

function segmentsOf(shape: Page['shape']): {
  readonly segments: readonly Segment[];
  readonly height: number;
  readonly count: number;
} {
  const segments: Segment[] = [];
  let [from, top] = [0, 0];
  for (const [size, count] of shape) {
    segments.push({ from, top, count, size });
    from += count;
    top += count * HEIGHTS[size];
  }
  return { segments, height: Math.min(top, HEIGHT_MAX), count: from };
}

/** The lines in a part of the list, with their positions. */
function linesIn(segments: readonly Segment[], top: number, bottom: number) {
  const lines: { readonly index: number; readonly top: number; readonly height: number }[] = [];
  for (const segment of segments) {
    const height = HEIGHTS[segment.size];
    const end = segment.top + segment.count * height;
    if (end < top) continue;
    if (segment.top > bottom) break;
    const first = Math.max(0, Math.floor((top - segment.top) / height));
    const last = Math.min(segment.count - 1, Math.floor((bottom - segment.top) / height));
    for (let at = first; at <= last; at++) {
      lines.push({ index: segment.from + at, top: segment.top + at * height, height });
    }
  }
  return lines;
}

/** The changes of a plan by campaign and kind; only the lines in view are rendered. */
export function PlanList(props: PlanListProps) {
  const { workspaceId, planId, phase, filter, words, sentOnly = false } = props;
  const { onCounts, onPick, onOutdated, children } = props;
  const api = useApi();
  const [turned, setTurned] = useState<readonly number[]>([]);
  const [whole, setWhole] = useState<readonly string[]>([]);
  const list = usePages(
    (from, count) =>
      api.sync.planLines.queryOptions({
        input: {
          workspaceId,
          planId,
          from,
          count,
          filter,
          words,
          sentOnly,
          closed: phase === 'result',
          turned: [...turned],
          whole: [...whole],
        },
      }),
    ({ lines }) => lines,
  );
  useOutdatedPlan(list.error, onOutdated);
  const { names } = useMedia(workspaceId);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLUListElement>(null);
  const wanted = useRef<number | null>(null);
  const view = useViewport(box, { height: 600, width: 600 });
  const top = view.top - (canvas.current?.offsetTop ?? 0);
  const { segments, height, count } = segmentsOf(list.newest?.shape ?? []);
  const shown = linesIn(segments, top - OVERSCAN_PX, top + view.height + OVERSCAN_PX);
  const counts = list.newest?.counts;

  const focusWanted = (): void => {
    const target = canvas.current?.querySelector<HTMLElement>(`[data-line="${wanted.current}"] :is(input, button)`);
    if (target == null) return;
    wanted.current = null;
    target.focus();
  };
  useEffect(() => {
    list.want(shown[0]?.index ?? 0, (shown.at(-1)?.index ?? 0) + 1);
    focusWanted();
  });
  const { all = null, immediate = 0, review = 0, budgets = 0 } = counts ?? {};
  useEffect(() => {
    if (all !== null) onCounts?.({ all, immediate, review, budgets });
  }, [all, immediate, review, budgets, onCounts]);

  const turn = (campaignId: number): void =>
    setTurned((now) => (now.includes(campaignId) ? now.filter((id) => id !== campaignId) : [...now, campaignId]));
  const showAll = (campaignId: number, kind: Kind): void => setWhole((now) => [...now, `${campaignId}:${kind}`]);
  const onKeyDown = useLineKeys({
    at: list.at,
    phase,
    turn,
    showAll,
    go: (index) => {
      if (index < 0 || index >= count) return;
      wanted.current = index;
      const [line] = shown.filter((each) => each.index === index);
      // A rendered line scrolls into view when it gets the focus.
      if (line === undefined) box.current?.scrollBy(0, index === 0 ? -HEIGHT_MAX : HEIGHTS.campaign);
      else focusWanted();
    },
  });
  return (
    <div ref={box} className={styles['lines']} data-scrolls="">
      {children}
      <ul
        ref={canvas}
        aria-label={texts.list}
        className={styles['lines-canvas']}
        style={{ height }}
        onKeyDown={onKeyDown}
      >
        {shown.map(({ index, top, height: size }) => {
          const line = list.at(index);
          return (
            <li
              key={index}
              data-line={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              className={`${styles['plan-row']} ${styles[`plan-row-${line?.is ?? 'row'}`]}`}
              style={{ transform: `translateY(${top}px)`, height: size }}
            >
              {line === undefined ? (
                <span className={ui['long-skeleton']} />
              ) : (
                <Line
                  workspaceId={workspaceId}
                  line={line}
                  phase={phase}
                  names={names}
                  turn={turn}
                  showAll={showAll}
                  onPick={onPick}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface LineKeys {
  readonly at: (index: number) => PlanLine | undefined;
  readonly phase: PlanPhase;
  readonly turn: (campaignId: number) => void;
  readonly showAll: (campaignId: number, kind: Kind) => void;
  readonly go: (index: number) => void;
}

/** Up and Down move between lines, Enter opens a campaign, F2 opens the cell, Delete reverts. */
function useLineKeys({ at, phase, turn, showAll, go }: LineKeys) {
  const { store, actions } = useAppContext();
  return (event: KeyboardEvent<HTMLElement>): void => {
    const index = Number((event.target as HTMLElement).closest('[data-line]')?.getAttribute('data-line'));
    const line = at(index);
    if (line === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const isBox = event.target instanceof HTMLInputElement;
    switch (event.key) {
      case 'ArrowDown':
        go(index + 1);
        break;
      case 'ArrowUp':
        go(index - 1);
        break;
      case 'Enter':
        if (!isBox) return;
        if (line.is === 'campaign') turn(line.campaignId);
        else if (line.is === 'kind') showAll(line.campaignId, line.kind);
        else return;
        break;
      case 'F2':
        if (line.is !== 'row') return;
        store.getState().reveal(line.kind, line.campaignId, line.id, line.field?.field ?? null);
        break;
      case 'Delete':
        if (line.is !== 'row' || phase !== 'plan') return;
        if (line.what === 'new') void actions.remove([line]);
        else void actions.revert([line], null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

interface LineProps<L extends PlanLine = PlanLine> {
  readonly workspaceId: string;
  readonly line: L;
  readonly phase: PlanPhase;
  readonly names: MediaNames;
  readonly turn: (campaignId: number) => void;
  readonly showAll: (campaignId: number, kind: Kind) => void;
  /** Null where rows can't be deselected. */
  readonly onPick: ((pick: Pick) => void) | null;
}
type LineOf<Is extends PlanLine['is']> = Extract<PlanLine, { readonly is: Is }>;

function Line(props: LineProps): ReactNode {
  const { line, names, showAll } = props;
  switch (line.is) {
    case 'campaign':
      return <CampaignLine {...props} line={line} />;
    case 'kind':
      return <KindLine {...props} line={line} />;
    case 'row':
      return <RowLine {...props} line={line} />;
    case 'field':
      return (
        <>
          <span className={styles['plan-name']} />
          <Change kind={line.kind} field={line.field} names={names} />
        </>
      );
    case 'more':
      return (
        <button
          type="button"
          className={`${ui['link']} ${styles['plan-more']}`}
          onClick={() => showAll(line.campaignId, line.kind)}
        >
          {texts.more(
            line.rows,
            (line.rows === 1 ? KIND_NAMES[line.kind].one : KIND_NAMES[line.kind].many).toLowerCase(),
          )}
        </button>
      );
  }
}

function CampaignLine({ workspaceId, line, phase, turn, onPick }: LineProps<LineOf<'campaign'>>) {
  const { campaignId, label, itemId, state, isNew, startDate, changes, picked, perDay, isOpen, sent, isSending } = line;
  // One whose changes all failed is over, as one whose changes are all sent.
  const isLeft = phase === 'run' && line.isPending;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button
        type="button"
        className={styles['plan-turn']}
        aria-expanded={isOpen}
        aria-label={texts.open(label)}
        onClick={() => turn(campaignId)}
      >
        <Chevron size={16} stroke={1.75} aria-hidden="true" />
      </button>
      {phase === 'plan' ? (
        <PickBox
          name={texts.pick(label)}
          picked={picked}
          of={changes}
          disabled={onPick === null}
          onChange={(on) => onPick?.({ campaignId, kind: null, id: null, on })}
        />
      ) : (
        <ResultMark is={sent === changes ? 'sent' : isSending || (sent > 0 && isLeft) ? 'sending' : 'pending'} />
      )}
      <ItemPicture workspaceId={workspaceId} itemId={itemId} name={label} size={24} />
      <h2 className={styles['plan-campaign']}>{label}</h2>
      {state !== null && <StatusShape state={state} text={choiceName(state)} />}
      <span className={ui['quiet']}>{texts.changes(changes)}</span>
      <span className={ui['toolbar-gap']} />
      {phase === 'plan' ? (
        <>
          {isNew && (
            <span className={ui['quiet']}>
              {startDate === null ? texts.isNew : texts.starts(shortDayText(startDate))}
            </span>
          )}
          {perDay !== 0 && (
            <span className={perDay > 0 ? styles['more-money'] : styles['less-money']}>
              {texts.perDay(`${perDay > 0 ? '+' : '−'}${moneyText(Math.abs(perDay))}`)}
            </span>
          )}
        </>
      ) : (
        <span className={sent === changes ? styles['all-sent'] : ui['quiet']}>
          {sent === 0 && !isSending && isLeft ? texts.results.pending : texts.sentOf(sent, changes)}
        </span>
      )}
    </>
  );
}

function KindLine({ line, phase, onPick }: LineProps<LineOf<'kind'>>) {
  const { campaignId, kind, rows, picked, bids } = line;
  return (
    <>
      {phase === 'plan' && (
        <PickBox
          name={texts.pick(rowsText(rows, kind))}
          picked={picked}
          of={rows}
          disabled={onPick === null}
          onChange={(on) => onPick?.({ campaignId, kind, id: null, on })}
        />
      )}
      <span className={styles['plan-kind']}>{KIND_NAMES[kind].many}</span>
      <span className={ui['quiet']}>{countText(rows)}</span>
      <span className={ui['toolbar-gap']} />
      {bids !== null && moneyText(bids[0]) !== moneyText(bids[1]) && (
        <span className={`${ui['quiet']} ${styles['small']}`}>
          {texts.bids(moneyText(bids[0]), moneyText(bids[1]))}
        </span>
      )}
    </>
  );
}

function RowLine({ workspaceId, line, phase, names, onPick }: LineProps<LineOf<'row'>>) {
  const { store } = useAppContext();
  const now = useNow();
  const { campaignId, kind, id, label, detail, itemId, what, field, effect, isPicked, isBelowUnpicked, result } = line;
  const name = kind === 'campaign' ? atStart(KIND_NAMES.campaign.one) : label;
  return (
    <>
      {phase === 'plan' ? (
        <PickBox
          name={texts.pick(rowName(kind, label))}
          picked={isPicked ? 1 : 0}
          of={1}
          disabled={isBelowUnpicked || onPick === null}
          onChange={(on) => onPick?.({ campaignId, kind, id, on })}
        />
      ) : (
        <ResultMark is={result.is} />
      )}
      <span className={styles['plan-name']}>
        {kind === 'adItem' && <ItemPicture workspaceId={workspaceId} itemId={itemId} name={label} size={20} />}
        <button
          type="button"
          className={styles['plan-label']}
          onClick={() => store.getState().reveal(kind, campaignId, id, field?.field ?? null)}
        >
          {kind === 'adGroup' || kind === 'sbaProfile' || kind === 'videoProfile'
            ? atStart(KIND_NAMES[kind].one)
            : name}
          {detail !== null && <span className={ui['quiet']}> {choiceName(detail).toLowerCase()}</span>}
        </button>
      </span>
      {what === 'deleted' ? (
        <span className={styles['plan-change']}>
          <del className={styles['plan-old']}>{texts.deleted}</del>
        </span>
      ) : (
        <Change kind={kind} field={field} names={names} isNew={what === 'new'} />
      )}
      {phase === 'plan' ? (
        <span className={styles['plan-effect']} title={isBelowUnpicked ? texts.below : undefined}>
          <StatusShape state={effect === 'review' ? 'in-review' : 'live'} text={texts.effects[effect]} />
        </span>
      ) : (
        <span className={styles['plan-effect']} title={result.message ?? undefined}>
          {result.is === 'sent' ? texts.results.sent(timeText(result.at ?? now, now)) : texts.results[result.is]}
        </span>
      )}
    </>
  );
}

interface ChangeProps {
  readonly kind: Kind;
  readonly field: LineOf<'field'>['field'] | null;
  readonly names: MediaNames;
  readonly isNew?: boolean;
}

/** Field, old value struck through, new value. A new row shows only the new value. */
function Change({ kind, field, names, isNew = false }: ChangeProps) {
  const text = (value: Cell): string =>
    field === null
      ? ''
      : typeof value === 'number' && fieldSpec(kind, field.field)?.type.is === 'money'
        ? moneyText(value)
        : valueText(kind, field.field, value, names) || dialogTexts.sync.emptyValue;
  if (isNew) {
    return (
      <>
        <span className={styles['plan-field']}>{texts.isNew}</span>
        <span className={styles['plan-change']}>
          {field !== null && (
            <ins className={styles['plan-new']}>
              {fieldName(field.field, kind)} {text(field.after)}
            </ins>
          )}
        </span>
      </>
    );
  }
  if (field === null) return <span className={styles['plan-change']} />;
  const [before, after] = [text(field.before), text(field.after)];
  return (
    <>
      <span className={styles['plan-field']}>{fieldName(field.field, kind)}</span>
      <span className={styles['plan-change']} title={`${before} → ${after}`}>
        <del className={styles['plan-old']}>
          <span className={ui['spoken-only']}>{texts.was} </span>
          {before}
        </del>
        <span aria-hidden="true" className={styles['plan-arrow']}>
          →
        </span>
        <ins className={styles['plan-new']}>
          <span className={ui['spoken-only']}>{texts.is} </span>
          {after}
        </ins>
      </span>
    </>
  );
}

interface PickBoxProps {
  readonly name: string;
  /** The number of selected rows, out of `of`. */
  readonly picked: number;
  readonly of: number;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

export const PickBox = ({ name, picked, of, disabled = false, onChange }: PickBoxProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: it enlarges the click area; the check box has a name
  <label className={styles['pick-box']}>
    <Checkbox
      size="xs"
      checked={picked === of}
      indeterminate={picked > 0 && picked < of}
      disabled={disabled}
      aria-label={name}
      onChange={() => onChange(picked !== of)}
    />
  </label>
);

/** The result of a row as shape and color; the text is at the end of its line. */
function ResultMark({ is }: { readonly is: LineOf<'row'>['result']['is'] }) {
  const mark = {
    sent: <IconCheck size={14} stroke={2} />,
    failed: <IconX size={14} stroke={2} />,
    unresolved: <IconHelpCircle size={14} stroke={1.75} />,
    sending: <StatusShape state="processing" text="" />,
    pending: <span className={styles['mark-dot']} />,
  }[is];
  return (
    <span className={`${styles['plan-mark']} ${styles[`mark-${is}`]}`} aria-hidden="true">
      {mark}
    </span>
  );
}
