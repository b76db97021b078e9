import { Button } from '@mantine/core';
import { skipToken, useQueries, useQuery } from '@tanstack/react-query';
import type { PlanView } from '../../../shared/api/sync.ts';
import { type AppContext, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { askForSignOff, revealIssue } from '../../app/command-handlers.ts';
import { commandOf } from '../../app/commands.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText, plural } from '../../app/locale/numbers.ts';
import { wholeCampaigns } from '../../app/store/sync-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { AfterReviewList } from './AfterReviewList.tsx';
import styles from './sync.module.css';

const texts = {
  title: 'Not included',
  none: 'Every change is included.',
  noneText: 'Changes that stay on this computer are listed here with their reason.',
  reasons: {
    held: 'On hold',
    'has-errors': 'Has errors',
    'in-doubt': 'An earlier request is unconfirmed',
    conflict: 'Changed here and on the service',
    'not-offered': 'Not supported by the service',
    'waits-for-media': 'Its video is still processing',
    'parent-left-out': 'Its campaign or ad group is not included',
    'review-open': 'Locked during review',
    'nothing-to-send': 'Nothing to send yet',
    'needs-sign-off': 'Needs sign-off',
    'changed-since-sign-off': 'Signed off, then changed',
    'not-chosen': 'Not selected',
  } as Readonly<Record<string, string>>,
  /** Reasons whose words differ for several changes. */
  reasonsOfMany: {
    'has-errors': 'with errors',
    'waits-for-media': 'their videos are still processing',
    'parent-left-out': 'their campaign or ad group is not included',
    'needs-sign-off': 'without sign-off',
  } as Readonly<Record<string, string>>,
  verbs: {
    held: 'Release from hold',
    'has-errors': 'Fix',
    'in-doubt': 'Show request',
    conflict: 'Resolve',
    'waits-for-media': 'Check now',
    'review-open': 'Show review',
    'not-chosen': 'Select all',
    'needs-sign-off': 'Show change request',
    'changed-since-sign-off': 'Show change request',
  } as Readonly<Record<string, string>>,
  show: 'Go to row',
  verbOf: (verb: string, reason: string) => `${verb}: ${reason}`,
  noReviewYet: 'Not submitted for review yet: send all changes in the campaign first.',
  all: 'Show all',
  rows: (n: number, reason: string) => `${plural(n, 'change')}: ${reason.toLowerCase()}`,
} as const;

type Group = PlanView['leftOut'][number];

/** The action for a reason, which leads to its cause. */
function act(context: AppContext, { reason, first }: Group, request: string | null, selectAll: () => void): void {
  const { store, actions } = context;
  const { openInbox, showTab, syncOptions } = store.getState();
  const [row] = first;
  const { chosen, restart } = syncOptions;
  if (reason === 'held') void actions.release(restart === null ? chosen : wholeCampaigns([restart]));
  else if (reason === 'in-doubt' || reason === 'conflict') showTab('sync');
  else if (reason === 'not-chosen') selectAll();
  else if (reason === 'waits-for-media') void actions.pollReviews();
  else if (reason === 'review-open') openInbox(null);
  else if (SIGN_OFFS.has(reason) && request === null) askForSignOff(context, chosen);
  else if (SIGN_OFFS.has(reason)) openInbox(request);
  else if (row !== undefined) void revealIssue(context, row);
}

/**
 * The inbox entry of the change request that contains the first row; null without a change request, undefined until it
 * is read.
 */
function useChangeRequest({ reason, first: [row] }: Group): string | null | undefined {
  const api = useApi();
  const workspaceId = useView((s) => s.workspaceId);
  const isAsked = workspaceId !== null && SIGN_OFFS.has(reason);
  const { data, isError } = useQuery(
    api.team.requests.list.queryOptions({ input: isAsked ? { workspaceId } : skipToken }),
  );
  const pending = (data ?? []).filter(({ state, signedOff, rows }) => !ENDED.has(state) && signedOff < rows);
  const shown = useQueries({
    queries: pending.map(({ id }) =>
      api.team.requests.show.queryOptions({ input: isAsked ? { workspaceId, id } : skipToken }),
    ),
  });
  const own = shown.find(({ data: one }) => one?.rows.some(({ kind, id }) => kind === row?.kind && id === row.id));
  if (own?.data !== undefined) return `request ${own.data.request.id}`;
  return isError || (data !== undefined && shown.every(({ isPending }) => !isPending)) ? null : undefined;
}

const SIGN_OFFS: ReadonlySet<string> = new Set(['needs-sign-off', 'changed-since-sign-off']);
const ENDED: ReadonlySet<string> = new Set(['withdrawn', 'closed']);

function Verb({ group, onSelectAll }: { readonly group: Group; readonly onSelectAll: () => void }) {
  const context = useAppContext();
  const isUnsigned = SIGN_OFFS.has(group.reason);
  const request = useChangeRequest(group);
  if ((group.first.length === 0 && group.reason !== 'not-chosen') || (isUnsigned && request === undefined)) return null;
  const asks = isUnsigned && request === null;
  const verb = asks ? commandOf('team.ask').title : (texts.verbs[group.reason] ?? texts.show);
  return (
    <Button
      aria-label={texts.verbOf(verb, texts.reasons[group.reason] ?? group.reason)}
      onClick={() => act(context, group, request ?? null, onSelectAll)}
    >
      {verb}
    </Button>
  );
}

interface NotIncludedProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
  readonly onSelectAll: () => void;
}

/** Changed rows that are not sent, by reason, each with an action. */
export function NotIncluded({ workspaceId, plan, onSelectAll }: NotIncludedProps) {
  const app = useAppContext();
  return (
    <div className={styles['scrolled']}>
      <AfterReviewList workspaceId={workspaceId} />
      {plan.notIncluded === 0 && <Empty title={texts.none} text={texts.noneText} />}
      {plan.leftOut.map((group) => (
        <section key={group.reason} aria-label={texts.reasons[group.reason] ?? group.reason}>
          <h2 className={styles['list-title']}>
            {texts.reasons[group.reason] ?? group.reason} <span className={ui['badge']}>{countText(group.rows)}</span>
            <span className={ui['toolbar-gap']} />
            <Verb group={group} onSelectAll={onSelectAll} />
          </h2>
          {group.reason === 'not-chosen' && <p className={ui['quiet']}>{texts.noReviewYet}</p>}
          <ul className={ui['lines']}>
            {group.first.map(({ kind, id, label }) => (
              <li key={`${kind} ${id}`} className={ui['line']}>
                <button type="button" className={ui['line-main']} onClick={() => void revealIssue(app, { kind, id })}>
                  <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {label}
                </button>
              </li>
            ))}
            {group.rows > group.first.length && (
              <li className={`${ui['line']} ${ui['quiet']}`}>{appTexts.sync.more(group.rows - group.first.length)}</li>
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}

const reasonOf = ({ reason, rows }: Group): string =>
  (rows === 1 ? undefined : texts.reasonsOfMany[reason]) ?? texts.reasons[reason] ?? reason;

/** The number of reasons in the summary, each with its first row. */
const NAMED = 4;

/** A short summary of the rows that are not sent. */
export function NotIncludedSummary({
  plan,
  onSelectAll,
  onShow,
}: Omit<NotIncludedProps, 'workspaceId'> & { readonly onShow: () => void }) {
  if (plan.notIncluded === 0) return null;
  return (
    <section aria-label={texts.title}>
      <div className={styles['side-head']}>
        <h2>{texts.title}</h2>
        <span className={ui['badge']}>{countText(plan.notIncluded)}</span>
      </div>
      <ul className={styles['reasons']}>
        {plan.leftOut.slice(0, NAMED).map((group) => (
          <li key={group.reason}>
            <span>
              {texts.rows(group.rows, reasonOf(group))}
              {group.first[0] !== undefined && <span className={ui['quiet']}> {group.first[0].label}</span>}
            </span>
            <Verb group={group} onSelectAll={onSelectAll} />
          </li>
        ))}
      </ul>
      {plan.notIncluded > Math.min(NAMED, plan.leftOut.length) && (
        <Button variant="subtle" onClick={onShow}>
          {texts.all}
        </Button>
      )}
    </section>
  );
}
