import { Button, Checkbox, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import type { RequestRow, RequestVerdict } from '../../../shared/api/team.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { chosenRows } from '../../../shared/plan/sync-selection.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { toggled } from '../../app/toggled.ts';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import styles from './team.module.css';
import { teamActions } from './team-actions.ts';

const texts = {
  request: 'Change request',
  by: (name: string, time: string) => `${name}, ${time}`,
  states: {
    open: 'Needs sign-off',
    'signed-off': 'Signed off',
    'changes-asked': 'Changes requested',
    withdrawn: 'Withdrawn',
    closed: 'Sent',
  },
  rows: (signed: number, all: number) => `${countText(signed)} of ${plural(all, 'row')} signed off`,
  changed: (n: number) => `${plural(n, 'row')} changed since`,
  campaigns: 'Campaigns of this request',
  rowStates: {
    open: '',
    'signed-off': 'signed off',
    'changed-since': 'changed since',
    'changes-asked': 'changes requested',
    sent: 'sent',
  },
  changedBy: (name: string) => `signed off, then changed by ${name}`,
  note: 'Comment for your colleagues (optional)',
  signOff: (n: number, all: number) =>
    n === all ? 'Sign off' : `Sign off ${countText(n)} of ${plural(all, 'campaign')}`,
  ask: 'Ask for changes',
  withdraw: 'Withdraw request',
  plan: 'Show old and new values',
  whyNot: {
    role: 'You need the role "can sign off".',
    submitter: 'You asked for this sign-off. A colleague has to sign off.',
    author: 'You changed these campaigns. A colleague who did not has to sign off.',
    over: 'This request is no longer open.',
  },
  said: { 'sign-off': 'signed off', changes: 'asked for changes' },
  saidAll: 'all campaigns',
  forged: 'This has a wrong signature. No sign-off of this request counts. Ask for it again.',
} as const;

interface RequestPanelProps {
  readonly workspaceId: string;
  readonly id: string;
  /** True on the plan page, which shows the plan of the request already. */
  readonly isBesidePlan?: true;
}

/** A change request: its state by campaign, its comments, and the actions of this member. */
export function RequestPanel({ workspaceId, id, isBesidePlan }: RequestPanelProps) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const now = useNow();
  const [busy, during] = useBusy();
  const [note, setNote] = useState('');
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const { data, error } = useQuery(useApi().team.requests.show.queryOptions({ input: { workspaceId, id } }));
  if (data === undefined) return <Waiting error={error} />;
  const { request, rows, verdicts } = data;
  const campaigns = [...Map.groupBy(rows, ({ campaignId }) => campaignId)];
  const chosen = campaigns.map(([campaignId]) => campaignId).filter((campaignId) => !off.has(campaignId));
  const may = (what: (typeof request.can)[number]): boolean => request.can.includes(what);
  const judge = (says: 'signOff' | 'askForChanges'): void => {
    const some = chosen.length === campaigns.length ? null : chosen.map(asRowId);
    void during(actions.judge(says, id, some, note.trim())).then((isSaid) => isSaid && setNote(''));
  };
  const showPlan = (): void => store.getState().openSync({ request: id, chosen: chosenRows(rows) });
  const mayJudge = may('sign-off') || may('ask-for-changes');
  return (
    <section className={styles['request']} aria-label={texts.request}>
      <p>
        {isBesidePlan && <strong>{request.title} </strong>}
        <span className={ui['quiet']}>{texts.by(request.by.display, timeText(request.at, now))}</span>
      </p>
      <p role="status">
        {texts.states[request.state]} · {texts.rows(request.signedOff, request.rows)}
        {request.changedSince > 0 && ` · ${texts.changed(request.changedSince)}`}
      </p>
      <ul className={styles['request-campaigns']} aria-label={texts.campaigns}>
        {campaigns.map(([campaignId, own]) => (
          <li key={campaignId}>
            <Checkbox
              size="xs"
              label={own[0]?.campaignName ?? ''}
              checked={!off.has(campaignId)}
              disabled={!mayJudge}
              onChange={() => setOff(toggled(off, campaignId))}
            />
            <span className={ui['quiet']}>{campaignState(own)}</span>
          </li>
        ))}
      </ul>
      {mayJudge && (
        <Textarea
          size="xs"
          autosize
          maxLength={2000}
          label={texts.note}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
      <div className={styles['buttons']}>
        {isBesidePlan === undefined && (
          <Button data-primary variant="filled" onClick={showPlan}>
            {texts.plan}
          </Button>
        )}
        {may('sign-off') && (
          <Button
            {...(isBesidePlan ? { variant: 'filled' } : {})}
            loading={busy}
            disabled={chosen.length === 0}
            onClick={() => judge('signOff')}
          >
            {texts.signOff(chosen.length, campaigns.length)}
          </Button>
        )}
        {may('ask-for-changes') && (
          <Button loading={busy} disabled={chosen.length === 0} onClick={() => judge('askForChanges')}>
            {texts.ask}
          </Button>
        )}
        {may('withdraw') && (
          <Button loading={busy} onClick={() => void during(actions.withdraw(id))}>
            {texts.withdraw}
          </Button>
        )}
        {request.whyNot !== null && !may('sign-off') && (
          <span className={ui['quiet']}>{texts.whyNot[request.whyNot]}</span>
        )}
      </div>
      <ul className={styles['verdicts']}>
        {verdicts.map((verdict) => (
          <Verdict key={`${verdict.at} ${verdict.member.no}`} verdict={verdict} now={now} />
        ))}
      </ul>
    </section>
  );
}

/** A change request in the inbox. */
export const RequestEntry = ({ workspaceId, entry }: { readonly workspaceId: string; readonly entry: InboxEntry }) => (
  <RequestPanel workspaceId={workspaceId} id={entry.ref} />
);

/** The states of a request's rows, each with its count. */
function campaignState(rows: readonly RequestRow[]): string {
  return [
    ...Map.groupBy(rows, ({ state, changedBy }) =>
      changedBy === null ? texts.rowStates[state] : texts.changedBy(changedBy.display),
    ),
  ]
    .map(([text, own]) => (text === '' ? plural(own.length, 'row') : `${plural(own.length, 'row')} ${text}`))
    .join(', ');
}

function Verdict({ verdict, now }: { readonly verdict: RequestVerdict; readonly now: number }) {
  const { member, at, says, note, campaigns, signature } = verdict;
  const of = campaigns === null ? texts.saidAll : campaigns.map(({ label }) => label).join(', ');
  return (
    <li>
      {member.display} {texts.said[says]}: {of} <span className={ui['quiet']}>{timeText(at, now)}</span>
      {note !== '' && <p>{note}</p>}
      {signature === 'wrong' && <p role="alert">{texts.forged}</p>}
    </li>
  );
}
