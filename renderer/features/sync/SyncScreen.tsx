import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { IconCloudOff, IconShieldCheck, IconWifiOff } from '@tabler/icons-react';
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { ChosenRows, OpenedPlan, PlanView } from '../../../shared/api/sync.ts';
import { NOT_REVERSIBLE } from '../../../shared/plan/rollback-plan.ts';
import { grantFile } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { askForSignOff } from '../../app/command-handlers.ts';
import { rowName, rowsText } from '../../app/field-names.ts';
import { countText, momentText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { useAccount, useReadOnly, useServiceReachability } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { NotIncluded, NotIncludedSummary } from './NotIncluded.tsx';
import { type Health, Outlook, SendLater } from './Outlook.tsx';
import { PendingSync } from './PendingSync.tsx';
import { type Pick, PickBox, type PlanFilter, PlanList } from './PlanList.tsx';
import { type PlanTab, PlanTabs } from './PlanTabs.tsx';
import { PlanChanges, PlanTechnical } from './PlanTechnical.tsx';
import { RollbackPage } from './RollbackPage.tsx';
import { Head, ResultPage, RunPage } from './RunPage.tsx';
import { rollbackTexts } from './SyncResults.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  percent: (share: number) => `${Math.floor(100 * share)}%`,
  plan: 'Sync plan',
  request: 'Change request',
  heading: (n: number) => `Sync plan: ${plural(n, 'change')}`,
  requested: (n: number) => `Change request: ${plural(n, 'change')}`,
  safe: (account: string) => `From ${account}. Nothing leaves this computer until you press Send.`,
  onlySome: (rows: string, within: string) => `Only ${rows}${within}.`,
  within: (n: number) => `, with everything in ${n === 1 ? 'it' : 'them'}`,
  restart: (campaign: string) => `Adslate cancels the review of ${campaign} first. Its progress is lost.`,
  signOff: 'Old and new values of the request. Nothing is sent from here.',
  ask: 'Ask for sign-off…',
  submit: 'Submit for review',
  practice: 'Practice',
  sendTo: (account: string) => `Send to ${account}`,
  send: (n: number, account: string) => `Send ${plural(n, 'change')} to ${account}`,
  sendReviews: (n: number) => `Submit ${plural(n, 'review')}`,
  sendOnline: 'Send when online',
  confirm: (account: string) => `Type "${account}" to send`,
  close: 'Close',
  selected: (picked: number, all: number) => `${countText(picked)} of ${countText(all)} selected`,
  selectAll: 'Select all changes',
  filters: { all: 'All', immediate: 'Immediate', review: 'Needs review', budgets: 'Budgets' } as const,
  filterGroup: 'Filter changes',
  find: 'Find a change',
  synced: 'Everything is synced.',
  syncedText: 'Your next edits are listed here before they are sent.',
  onlyReviews: 'No changes to send.',
  onlyReviewsText: 'Reviews and uploads are listed under Technical.',
  notYet: "These changes can't be sent yet.",
  notYetText: 'See the reasons under Not included.',
  rollback: (n: number) => `You can roll back this sync: ${plural(n, 'value')} can be restored.`,
  noRollback: (first: string) => `Nothing of this sync can be rolled back, such as ${first}.`,
  nothingToRollBack: 'Nothing of this sync can be rolled back.',
  forGood: (n: number, first: string) => `${rollbackTexts.notReversible(n)} can't be rolled back, such as ${first}.`,
  waiting: {
    offline: 'This computer is offline. Your changes are saved, and can be sent when it is back online.',
    away: 'The service did not respond to the last request. Your changes are saved. If it does not respond to a sync either, the sync waits and resumes automatically.',
  },
} as const;

const fileTexts = {
  title: 'Run a saved plan',
  explain: 'Choose a plan file, or drop one here. Adslate plans the same changes again and shows what differs.',
  choose: 'Choose a plan file…',
  another: 'Choose another file…',
  reading: 'Reading the plan…',
  wishes: ({ submit, campaigns, rows }: OpenedPlan) =>
    [
      campaigns === null ? '' : plural(campaigns, 'campaign'),
      rows === null ? '' : plural(rows, 'selected row'),
      campaigns === null && rows === null ? 'all changes' : '',
      submit ? 'submit for review' : 'no review',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  draftsOf: (time: string) => `Changes of ${time}`,
  same: 'Nothing changed since the plan was saved.',
  changed: "The plan changed since it was saved, so it can't be sent. Plan again to see and send the new plan.",
  again: 'Plan again',
} as const;

/** Components for accounts with a team. */
interface TeamParts {
  readonly senderNotice: ReactNode;
  readonly requestPanel: (id: string) => ReactNode;
}

/**
 * One page for a sync from its plan to its results:
 *
 *   plan --Send--> sending --the run ends--> results --Done--> the place it was opened from
 *
 * Leaving the page does not stop the sync.
 */
export function SyncScreen({ workspaceId, ...team }: TeamParts & { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const options = useView((s) => s.syncOptions);
  const seenRun = useView((s) => s.seenRun);
  const progress = useView((s) => s.syncs[workspaceId]);
  const account = useAccount(workspaceId);
  const last = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data ?? null;
  /** The plan last sent from here, and its run, which the report does not include yet. */
  const [begun, setBegun] = useState<Begun | null>(null);
  const isStarting = begun !== null && begun.before === (last?.runId ?? null);
  const sent = begun !== null && (isStarting || begun.runId === last?.runId) ? begun.plan : undefined;
  const close = (): void => store.getState().closeSync(last?.state === 'running' ? null : (last?.runId ?? null));
  const begin = async (plan: PlanView, start: () => Promise<string | null>): Promise<void> => {
    const starting = { before: last?.runId ?? null, plan };
    setBegun({ ...starting, runId: null });
    const runId = await start();
    setBegun(runId === null ? null : { ...starting, runId });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    close();
  };
  /** Stays mounted while its sync starts: if the plan has changed, nothing is sent and it is shown again. */
  const planPage = (account: Account): ReactNode => {
    const props = { account, team, isStarting, onBegin: begin, onClose: close };
    return (
      <div key={JSON.stringify(options)} className={styles['plan-page']} hidden={isStarting}>
        {options.file === null ? <PlanPage {...props} /> : <FilePage {...props} file={options.file} />}
      </div>
    );
  };
  const page = (): ReactNode => {
    if (account === undefined) return null;
    if (last?.state === 'running' || isStarting) {
      return (
        <>
          <RunPage
            key="run"
            account={account}
            runId={isStarting ? null : (last?.runId ?? null)}
            plan={sent}
            onClose={close}
          />
          {isStarting && planPage(account)}
        </>
      );
    }
    const isFresh = progress?.runId === last?.runId && seenRun !== last?.runId;
    if (last !== null && (isFresh || options.isResult)) {
      return <ResultPage key="result" account={account} report={last} plan={sent} onClose={close} />;
    }
    if (options.isRollback) return <RollbackPage workspaceId={workspaceId} onClose={close} />;
    return <>{planPage(account)}</>;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the page from any of its controls.
    <div className={styles['page']} onKeyDown={onKeyDown}>
      {page()}
    </div>
  );
}

interface Begun {
  /** The ID of the run before it. */
  readonly before: string | null;
  readonly plan: PlanView;
  /** Null until the run has started. */
  readonly runId: string | null;
}

interface PageProps {
  readonly account: Account;
  readonly team: TeamParts;
  /** Whether the sync of this plan is starting; the page is hidden then. */
  readonly isStarting: boolean;
  readonly onBegin: (plan: PlanView, start: () => Promise<string | null>) => Promise<void>;
  readonly onClose: () => void;
}

/** Makes the plan, and makes it again when a check box, an edit or the connection changes. */
function PlanPage({ account, team, isStarting, onBegin, onClose }: PageProps) {
  const app = useAppContext();
  const { store } = app;
  const api = useApi();
  const actions = useActions(syncDialogActions);
  const { workspaceId } = account;
  const { chosen: only, request, restart } = useView((s) => s.syncOptions);
  const [submit, setSubmit] = useState(true);
  const [picks, setPicks] = useState<readonly Pick[]>([]);
  const chosen: ChosenRows | null =
    picks.length === 0 ? only : { rows: only?.rows ?? [], below: only?.below ?? false, picks: [...picks] };
  const wish =
    restart === null ? { submit, chosen } : { submit: true, chosen, campaignIds: [restart], cancelReviews: true };
  const reviewed = useQuery(
    api.afterReview.list.queryOptions({ input: restart === null ? skipToken : { workspaceId } }),
  ).data?.find(({ campaignId }) => campaignId === restart);
  const planned = useQuery(
    api.sync.plan.queryOptions({
      input: { workspaceId, ...wish, beforeSignOff: request !== null },
      placeholderData: keepPreviousData,
      // A plan of an earlier visit is never shown, because main would refuse to send it.
      gcTime: 0,
    }),
  );
  const start = async ({ planId }: PlanView, deadline: number | null): Promise<string | null> => {
    const runId = await actions.startSync(planId, wish, deadline);
    // If nothing was sent, the page shows the new plan, and the next click sends that one.
    if (runId === null) await planned.refetch();
    return runId;
  };
  const pick = (one: Pick): void =>
    setPicks((now) => [
      ...now.filter((other) => !isWithin(other, one)),
      ...(one.campaignId === null && one.on ? [] : [one]),
    ]);
  return (
    <PlanBody
      account={account}
      team={team}
      isStarting={isStarting}
      plan={planned.data}
      isOther={planned.isPlaceholderData}
      error={planned.error}
      submit={restart === null && request === null ? { isOn: submit, set: setSubmit } : null}
      request={request}
      note={
        request !== null
          ? texts.signOff
          : reviewed !== undefined
            ? texts.restart(reviewed.campaign)
            : only === null
              ? texts.safe(account.name)
              : onlySomeText(only)
      }
      onPick={request === null ? pick : null}
      onPlanAgain={planned.refetch}
      onSelectAll={() => (only === null ? setPicks([]) : store.getState().openSync())}
      onSend={(plan, deadline) => void onBegin(plan, () => start(plan, deadline))}
      onSchedule={async ({ planId: shownPlan }, health) => {
        if (await actions.scheduleSync({ ...wish, shownPlan, ...health })) onClose();
        else await planned.refetch();
      }}
      onAsk={account.hasTeam && request === null && restart === null ? () => askForSignOff(app, chosen) : null}
      onClose={onClose}
    />
  );
}

/** The chosen rows by kind, such as *Only 1 campaign, with everything in it*. */
function onlySomeText({ rows, below }: ChosenRows): string {
  const holders = rows.filter(({ kind }) => kind === 'campaign' || kind === 'adGroup');
  const held = holders.reduce((sum, { ids }) => sum + ids.length, 0);
  const named = rows.map(({ kind, ids }) => rowsText(ids.length, kind)).join(', ');
  return texts.onlySome(named, below && held > 0 ? texts.within(held) : '');
}

/** Whether a check box is within another one, which then decides for it. */
const isWithin = (inner: Pick, outer: Pick): boolean =>
  outer.campaignId === null ||
  (inner.campaignId === outer.campaignId &&
    (outer.kind === null || (inner.kind === outer.kind && (outer.id === null || inner.id === outer.id))));

interface PlanBodyProps {
  readonly account: Account;
  readonly team: TeamParts;
  readonly isStarting: boolean;
  /** Undefined until the plan is made. */
  readonly plan: PlanView | undefined;
  /** Whether the last check box is not part of this plan yet. */
  readonly isOther?: boolean;
  readonly error: unknown;
  /** The check box for reviews; null where the plan defines this. */
  readonly submit: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
  readonly note: ReactNode;
  /** The change request that the plan is for: it is signed off and not sent. */
  readonly request?: string | null;
  /** Null for a saved plan, which is sent unchanged. */
  readonly onPick: ((pick: Pick) => void) | null;
  /** Plans again. Main keeps only the newest plan. */
  readonly onPlanAgain: () => Promise<{ readonly isSuccess: boolean }>;
  /** Selects all rows. */
  readonly onSelectAll: () => void;
  readonly onSend: (plan: PlanView, deadline: number | null) => void;
  readonly onSchedule: ((plan: PlanView, health: Health) => Promise<void>) | null;
  /** Asks colleagues to sign off; null where that is not offered. */
  readonly onAsk?: (() => void) | null;
  readonly onClose: () => void;
}

/** Shown until the first plan is made, with its progress if that takes long. */
function Planning({ workspaceId }: { readonly workspaceId: string }) {
  const share = useView(
    ({ tasks }) =>
      Object.values(tasks).find((one) => one.task === 'plan' && one.workspaceId === workspaceId)?.share ?? null,
  );
  return (
    <p className={`${styles['planning']} ${ui['numeric']}`}>
      <Loader size={14} aria-hidden />
      {appTexts.sync.planning} {share !== null && texts.percent(share)}
    </p>
  );
}

function PlanBody(props: PlanBodyProps) {
  const {
    account,
    team,
    isStarting,
    plan,
    isOther = false,
    error,
    submit,
    note,
    request = null,
    onPick,
    onPlanAgain,
    onSelectAll,
    onSend,
    onSchedule,
    onAsk = null,
    onClose,
  } = props;
  const api = useApi();
  const { workspaceId } = account;
  const [tab, setTab] = useState<PlanTab>('changes');
  const [deadline, setDeadline] = useState<number | null>(null);
  const [typed, setTyped] = useState('');
  const sendButton = useRef<HTMLButtonElement>(null);
  const service = useServiceReachability(workspaceId);
  const isOnline = account.practice || service !== 'offline';
  const isEmpty = plan === undefined || plan.requests + plan.uploads.length === 0;
  const isAgreed = account.mode !== 'confirm' || typed.trim() === account.name;
  const readOnly = useReadOnly(account);
  const canSend = !isEmpty && !isOther && readOnly === null && isAgreed;
  const isReady = plan !== undefined && !isStarting;
  useEffect(() => {
    // Focuses the button when the page opens, but never takes the focus from a field in use.
    const { activeElement } = document;
    if (isReady && (activeElement === null || activeElement.contains(sendButton.current))) sendButton.current?.focus();
  }, [isReady]);
  const queries = useQueryClient();
  const planAgain = async (): Promise<void> => {
    const { isSuccess } = await onPlanAgain();
    // An unchanged plan keeps its ID, so failed queries have to be repeated explicitly.
    for (const queryKey of isSuccess ? [api.sync.planLines.key(), api.sync.planBatches.key()] : [])
      await queries.refetchQueries({ queryKey, type: 'active', predicate: ({ state }) => state.status === 'error' });
  };
  const onOutdated = (): void => void planAgain();
  const send = (): void => {
    if (plan === undefined) return;
    if (isOnline || onSchedule === null) onSend(plan, deadline);
    else void onSchedule(plan, { deadline, after: 0, healthyMinutes: 1 });
  };
  const name = account.practice ? texts.practice : account.name;
  const button = (view: PlanView): string =>
    !isOnline
      ? texts.sendOnline
      : view.changes === 0 && view.reviews > 0
        ? texts.sendReviews(view.reviews)
        : texts.send(view.changes, name);
  const [untold, told] = request === null ? [texts.plan, texts.heading] : [texts.request, texts.requested];
  const title = plan === undefined ? untold : told(plan.changes);
  return (
    <>
      <Head title={title} text={request === null ? (readOnly ?? note) : note}>
        {submit !== null && (
          <Checkbox
            size="xs"
            checked={submit.isOn}
            label={texts.submit}
            onChange={(event) => submit.set(event.currentTarget.checked)}
          />
        )}
        {onAsk !== null && (plan?.listed ?? 0) + (plan?.notIncluded ?? 0) > 0 && (
          <Button variant="subtle" color="gray" onClick={onAsk}>
            {texts.ask}
          </Button>
        )}
        {account.mode === 'confirm' && request === null && (
          <TextInput
            size="xs"
            aria-label={texts.confirm(account.name)}
            placeholder={texts.confirm(account.name)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Button variant="subtle" color="gray" onClick={onClose}>
          {texts.close}
        </Button>
        {request === null && (
          <Button
            ref={sendButton}
            variant="filled"
            classNames={{ root: styles['primary'] }}
            disabled={!canSend}
            onClick={send}
          >
            {plan === undefined ? texts.sendTo(name) : button(plan)}
          </Button>
        )}
      </Head>
      <PlanTabs plan={plan} tab={tab} onTab={setTab} />
      <div className={styles['notes']}>
        <OfflineNotice />
        <PendingSync workspaceId={workspaceId} />
        {account.hasTeam && request === null && team.senderNotice}
        <Problem of={error} />
        {plan === undefined && error === null && <Planning workspaceId={workspaceId} />}
      </div>
      {plan !== undefined && tab === 'technical' && (
        <PlanTechnical workspaceId={workspaceId} plan={plan} onOutdated={onOutdated} />
      )}
      {plan !== undefined && tab === 'stays' && (
        <NotIncluded workspaceId={workspaceId} plan={plan} onSelectAll={onSelectAll} />
      )}
      {plan !== undefined && tab === 'changes' && (
        <div className={styles['columns']}>
          <div className={styles['column']}>
            {plan.listed === 0 ? (
              <NothingToSend plan={plan} />
            ) : (
              <Changes workspaceId={workspaceId} plan={plan} onPick={onPick} onOutdated={onOutdated} />
            )}
          </div>
          <aside className={styles['side']} hidden={plan.listed + plan.notIncluded === 0 && request === null}>
            {request !== null && team.requestPanel(request)}
            <Outlook plan={plan} />
            {request === null && (
              <>
                <NotIncludedSummary plan={plan} onSelectAll={onSelectAll} onShow={() => setTab('stays')} />
                {plan.changes > 0 && (
                  <p className={styles['side-note']}>
                    <IconShieldCheck size={16} stroke={1.75} aria-hidden="true" />
                    {rollbackText(plan.rollback)}
                  </p>
                )}
              </>
            )}
            {onSchedule !== null && request === null && !isEmpty && readOnly === null && (
              <SendLater
                canSend={canSend}
                deadline={deadline}
                onDeadline={setDeadline}
                onSchedule={(health) => onSchedule(plan, health)}
              />
            )}
          </aside>
        </div>
      )}
    </>
  );
}

function NothingToSend({ plan }: { readonly plan: PlanView }) {
  if (plan.requests + plan.uploads.length > 0) return <Empty title={texts.onlyReviews} text={texts.onlyReviewsText} />;
  if (plan.notIncluded === 0) return <Empty title={texts.synced} text={texts.syncedText} />;
  return <Empty title={texts.notYet} text={texts.notYetText} />;
}

const FILTERS: readonly PlanFilter[] = ['all', 'immediate', 'review', 'budgets'];
const SHAPES: Partial<Record<PlanFilter, string>> = { immediate: 'live', review: 'in-review' };

interface ChangesProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
  readonly onPick: ((pick: Pick) => void) | null;
  readonly onOutdated: () => void;
}

function Changes({ workspaceId, plan, onPick, onOutdated }: ChangesProps) {
  const [filter, setFilter] = useState<PlanFilter>('all');
  const [words, setWords] = useState('');
  /** Null until the list has come: 0 would be a wrong number. */
  const [counts, setCounts] = useState<Record<PlanFilter, number> | null>(null);
  return (
    <>
      <div className={styles['bar']}>
        {onPick !== null && (
          <>
            <PickBox
              name={texts.selectAll}
              picked={plan.changes}
              of={plan.listed}
              onChange={(on) => onPick({ campaignId: null, kind: null, id: null, on })}
            />
            <span className={styles['marked']} role="status">
              {texts.selected(plan.changes, plan.listed)}
            </span>
          </>
        )}
        <span role="group" aria-label={texts.filterGroup} className={styles['filters']}>
          {FILTERS.map((each) => (
            <Chip key={each} aria-pressed={each === filter} onClick={() => setFilter(each)}>
              {SHAPES[each] !== undefined && <StatusShape state={SHAPES[each]} text="" />}
              {texts.filters[each]} {counts !== null && countText(counts[each])}
            </Chip>
          ))}
        </span>
        <span className={ui['toolbar-gap']} />
        <SearchBox label={texts.find} value={words} onChange={setWords} />
      </div>
      <PlanList
        workspaceId={workspaceId}
        planId={plan.planId}
        phase="plan"
        filter={filter}
        words={words}
        onCounts={setCounts}
        onPick={onPick}
        onOutdated={onOutdated}
      />
    </>
  );
}

/**
 * A saved plan compared with the present one:
 *
 *   no file --selected or dropped--> read --nothing changed--> the plan, which is sent unchanged
 *                                      '---changed, line by line--> Plan again --^
 */
function FilePage({
  account,
  team,
  isStarting,
  file,
  onBegin,
  onClose,
}: PageProps & { readonly file: File | 'choose' }) {
  const app = useAppContext();
  const actions = useActions(syncDialogActions);
  const { workspaceId } = account;
  const picker = useRef<HTMLInputElement>(null);
  const [grant, setGrant] = useState<string | null>(null);
  const [isNew, setNew] = useState(false);
  const opened = useQuery(
    useApi().sync.openPlan.queryOptions({ input: grant === null ? skipToken : { workspaceId, grant } }),
  );
  const { data } = opened;
  const take = async (chosen: File): Promise<void> => {
    setNew(false);
    setGrant(await grantFile(app, chosen));
  };
  const takeFirst = useEffectEvent(take);
  useEffect(() => {
    if (file !== 'choose') void takeFirst(file);
  }, [file]);
  const isSame = data !== undefined && data.changed.lines.length === 0;
  const about =
    data === undefined
      ? ''
      : [
          data.fileName,
          data.draftsOf === null ? '' : fileTexts.draftsOf(momentText(data.draftsOf)),
          fileTexts.wishes(data),
        ]
          .filter((part) => part !== '')
          .join(' · ');
  if (data !== undefined && (isSame || isNew)) {
    return (
      <PlanBody
        account={account}
        team={team}
        isStarting={isStarting}
        plan={data.plan}
        error={null}
        submit={null}
        note={
          <span role="status">
            {isNew ? '' : `${fileTexts.same} `}
            {about}
          </span>
        }
        onPick={null}
        onPlanAgain={opened.refetch}
        onSelectAll={() => app.store.getState().openSync()}
        onSend={(plan) => void onBegin(plan, () => actions.runPlan(plan.planId))}
        onSchedule={null}
        onClose={onClose}
      />
    );
  }
  return (
    <>
      <Head title={fileTexts.title} text={data === undefined ? fileTexts.explain : about}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {texts.close}
        </Button>
        <Button onClick={() => picker.current?.click()}>{grant === null ? fileTexts.choose : fileTexts.another}</Button>
        {data !== undefined && (
          <Button variant="filled" classNames={{ root: styles['primary'] }} onClick={() => setNew(true)}>
            {fileTexts.again}
          </Button>
        )}
      </Head>
      <FilePicker
        ref={picker}
        aria-label={fileTexts.choose}
        accept=".adslate-plan,.txt,.json"
        onPick={([chosen]) => chosen !== undefined && void take(chosen)}
      />
      <div className={styles['scrolled']}>
        <Problem of={opened.error} />
        {grant !== null && data === undefined && opened.error === null && <p>{fileTexts.reading}</p>}
        {data !== undefined && (
          <>
            <OfflineNotice />
            <p role="status">{fileTexts.changed}</p>
            <PlanChanges changed={data.changed} />
          </>
        )}
      </div>
    </>
  );
}

/** A summary of a rollback before it is sent. */
function rollbackText({ changes, forGood, firstForGood }: PlanView['rollback']): string {
  const [first] = firstForGood;
  if (first === undefined) return changes > 0 ? texts.rollback(changes) : texts.nothingToRollBack;
  const named = `${rowName(first.kind, first.label)} (${NOT_REVERSIBLE[first.why] ?? first.why})`;
  return changes > 0 ? `${texts.rollback(changes)} ${texts.forGood(forGood, named)}` : texts.noRollback(named);
}

/** A notice next to actions that need the service: they wait for the network. A practice account needs none. */
function OfflineNotice() {
  const account = useAccount(useView((s) => s.workspaceId));
  return account === undefined || account.practice ? null : <WaitsForNetwork workspaceId={account.workspaceId} />;
}

function WaitsForNetwork({ workspaceId }: { readonly workspaceId: string }) {
  const line = useServiceReachability(workspaceId);
  const pending = useQuery(useApi().sync.pending.queryOptions({ input: { workspaceId } })).data;
  // A sync that waits for the service says so itself.
  if (line === 'online' || pending?.state === 'waiting') return null;
  const Icon = line === 'offline' ? IconWifiOff : IconCloudOff;
  return (
    <p className={ui['note-line']} role="status">
      <Icon size={14} stroke={1.75} aria-hidden="true" />
      {texts.waiting[line]}
    </p>
  );
}
