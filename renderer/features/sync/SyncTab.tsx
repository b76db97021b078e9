import { Button, TextInput } from '@mantine/core';
import { IconArrowsSplit, IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account, UploadHost } from '../../../shared/api/accounts.ts';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import type { Review } from '../../../shared/api/reviews.ts';
import type { Question } from '../../../shared/api/sync.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { choiceName, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { atStart, bytesText, countText, timeText } from '../../app/locale/numbers.ts';
import { useMedia } from '../../app/shared-queries.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { PendingList, PendingSync } from './PendingSync.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  results: 'Results of the last sync',
  refresh: 'Refresh all campaigns',
  poll: 'Check review status',
  none: 'No syncs yet',
  noneText: 'Press Ctrl+Enter to see what would be sent. Nothing is sent until you confirm.',
} as const;

/** The Sync tab: the running sync, the last result, and decisions the user has to make. */
export function SyncTab({ account }: { readonly account: Account }) {
  const api = useApi();
  const { workspaceId } = account;
  const { actions, store } = useAppContext();
  const last = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data;
  const questions = useQuery(api.sync.questions.queryOptions({ input: { workspaceId } })).data ?? [];
  const disagreements = useQuery(api.sync.conflicts.queryOptions({ input: { workspaceId } })).data ?? [];
  const open = useQuery(api.review.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const running = last?.state === 'running';
  return (
    <div className={ui['drawer-body']}>
      <div className={ui['drawer-bar']}>
        <Chip onClick={() => store.getState().openSync()}>{commandOf('sync.plan').title}</Chip>
        {last != null && <Chip onClick={() => store.getState().openSync({ isResult: true })}>{texts.results}</Chip>}
        <Chip onClick={() => void actions.refreshAll()}>{texts.refresh}</Chip>
        <Chip onClick={() => void actions.pollReviews()}>{texts.poll}</Chip>
      </div>
      {!running && <PendingSync workspaceId={workspaceId} />}
      {questions.length > 0 && <UnresolvedRequests questions={questions} />}
      {disagreements.length > 0 && <Conflicts workspaceId={workspaceId} conflicts={disagreements} />}
      <UploadHosts workspaceId={workspaceId} />
      {!running && <PendingList workspaceId={workspaceId} />}
      {last == null && !running && <Empty title={texts.none} text={texts.noneText} />}
      {open.length > 0 && <Reviews reviews={open} />}
    </div>
  );
}

const unresolvedRequestsTexts = {
  questions: 'Unresolved requests',
  question: (what: string, time: string) =>
    `${what}: was it created? The service did not respond at ${time}. Look for it in the retailer's console.`,
  exists: 'It exists. Service ID:',
  serviceId: 'Service ID',
  existsButton: 'Use this ID',
  absent: "It doesn't exist",
  later: 'Decide later',
  leftOpen:
    'Not decided. Adslate does not send it again until you decide. Rows that depend on it are pending. Everything else continues.',
  decide: 'Decide now',
  absentFrom: (time: string) => `You can choose "It doesn't exist" from ${time}`,
} as const;

interface RequestsProps {
  readonly questions: readonly Question[];
  /** False below a title with the same text. */
  readonly hasTitle?: boolean;
}

/**
 * Creates without a response that can't be found by a read: only the user can tell whether the service created the
 * rows.
 */
export function UnresolvedRequests({ questions, hasTitle = true }: RequestsProps) {
  return (
    <section>
      {hasTitle && (
        <h2 className={`${ui['group-title']} ${ui['note-warning']}`}>
          <IconHelpCircle size={14} stroke={1.75} aria-hidden="true" /> {unresolvedRequestsTexts.questions}{' '}
          <span className={ui['badge']}>{questions.length}</span>
        </h2>
      )}
      <ul className={ui['lines']}>
        {questions.map((question) => (
          <QuestionLine key={question.id} question={question} />
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly workspaceId: string;
  readonly entry: InboxEntry;
}

/** An unresolved request in the inbox. */
export function QuestionEntry({ workspaceId, entry }: EntryProps) {
  const questions = useQuery(useApi().sync.questions.queryOptions({ input: { workspaceId } })).data ?? [];
  return <UnresolvedRequests questions={questions.filter(({ id }) => String(id) === entry.ref)} hasTitle={false} />;
}

function QuestionLine({ question }: { readonly question: Question }) {
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const now = useNow();
  const [isLeft, setLeft] = useState(false);
  const leave = async (): Promise<void> => setLeft(await actions.answer(question.id, 'later'));
  return (
    <li className={`${ui['line']} ${styles['line-question']}`}>
      <button
        type="button"
        className={ui['line-main']}
        onClick={() => store.getState().reveal(question.kind, null, question.rowId, null)}
      >
        <span className={ui['line-text']}>
          {unresolvedRequestsTexts.question(question.what, timeText(question.sentAt, now))}
        </span>
      </button>
      <span className={`${ui['quiet']} ${styles['line-id']}`}>
        {dialogTexts.syncErrors.correlationId}{' '}
        <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{question.correlationId}</span>
      </span>
      {isLeft ? (
        <span className={ui['quiet']} role="status">
          {unresolvedRequestsTexts.leftOpen}
        </span>
      ) : (
        <Answers question={question} />
      )}
      {question.answers.includes('later') && (
        <Button onClick={() => void (isLeft ? setLeft(false) : leave())}>
          {isLeft ? unresolvedRequestsTexts.decide : unresolvedRequestsTexts.later}
        </Button>
      )}
    </li>
  );
}

/**
 * Takes the ID that the user found on the service, or that there is none; the latter only once the service can't still
 * be processing the request.
 */
function Answers({ question }: { readonly question: Question }) {
  const actions = useActions(syncDialogActions);
  const [id, setId] = useState('');
  const now = useNow();
  const tooEarly = question.absentFrom > now;
  const isId = /^\d{1,19}$/.test(id);
  return (
    <>
      {question.answers.includes('exists') && (
        <form
          className={ui['answer']}
          onSubmit={(event) => {
            event.preventDefault();
            if (isId) void actions.answer(question.id, { exists: id });
          }}
        >
          <TextInput
            size="xs"
            aria-label={unresolvedRequestsTexts.exists}
            placeholder={unresolvedRequestsTexts.serviceId}
            inputMode="numeric"
            value={id}
            onChange={(event) => setId(event.currentTarget.value.trim())}
          />
          <Button type="submit" disabled={!isId}>
            {unresolvedRequestsTexts.existsButton}
          </Button>
        </form>
      )}
      {question.answers.includes('absent') && (
        <Button
          disabled={tooEarly}
          title={tooEarly ? unresolvedRequestsTexts.absentFrom(timeText(question.absentFrom, now)) : undefined}
          onClick={() => void actions.answer(question.id, 'absent')}
        >
          {unresolvedRequestsTexts.absent}
        </Button>
      )}
      {tooEarly && (
        <span className={ui['quiet']}>{unresolvedRequestsTexts.absentFrom(timeText(question.absentFrom, now))}</span>
      )}
    </>
  );
}

const possessive = (name: string): string => (name.endsWith('s') ? `${name}'` : `${name}'s`);

const conflictsTexts = {
  conflictsTitle: 'Conflicts: changed here and on the service',
  withTeam: 'Conflicts: changed here and by others',
  inCampaign: (name: string) => `in ${name}, `,
  gone: 'deleted on the service, changed here',
  goneBy: (name: string) => `deleted by ${name}, changed here`,
  goneHere: (name: string) => `deleted here, changed by ${name}`,
  with: (name: string) => `with ${name}`,
  service: 'the service',
  createAgain: 'Create it again',
  drop: 'Delete it here too',
  mine: 'Keep my value',
  theirs: 'Use service value',
  theirsOf: (name: string) => `Use ${possessive(name)} value`,
  theirsOfAll: (n: number) => `Use the other value for all ${countText(n)}`,
  keepRow: 'Keep my row',
  keepDeleted: 'Keep it deleted',
  rowOf: (name: string) => `Use ${possessive(name)} row`,
  was: (value: string) => `was ${value}`,
  wasRead: (value: string, time: string) => `was ${value} (refreshed ${time})`,
  mineForAll: (n: number) => `Keep my value for all ${countText(n)}`,
  theirsForAll: (n: number) => `Use service value for all ${countText(n)}`,
} as const;

/** A field changed here and on the service. */
type Conflict = Awaited<ReturnType<Client['sync']['conflicts']>>[number];

interface ConflictsProps {
  readonly workspaceId: string;
  readonly conflicts: readonly Conflict[];
  /** False below a title with the same text. */
  readonly hasTitle?: boolean;
}

/** Fields changed here and on the service: the base, both values, and buttons to decide each one or all. */
export function Conflicts({ workspaceId, conflicts, hasTitle = true }: ConflictsProps) {
  const fields = conflicts.filter(({ field }) => field !== null);
  const hasTeam = conflicts.some(({ by }) => by !== undefined);
  return (
    <section>
      {hasTitle && (
        <h2 className={`${ui['group-title']} ${ui['note-warning']}`}>
          <IconArrowsSplit size={14} stroke={1.75} aria-hidden="true" />{' '}
          {hasTeam ? conflictsTexts.withTeam : conflictsTexts.conflictsTitle}{' '}
          <span className={ui['badge']}>{conflicts.length}</span>
        </h2>
      )}
      {fields.length > 1 && <ForAll fields={fields} hasTeam={hasTeam} />}
      <ul className={ui['lines']}>
        {conflicts.map((conflict) => {
          const { ref, field, against } = conflict;
          const key = `${ref.kind} ${ref.id} ${field} ${against}`;
          return field === null ? (
            <Gone key={key} conflict={conflict} hasTeam={hasTeam} />
          ) : (
            <Disputed key={key} workspaceId={workspaceId} conflict={conflict} field={field} hasTeam={hasTeam} />
          );
        })}
      </ul>
    </section>
  );
}

/** One conflict in the inbox, or all conflicts of a kind if there are many. */
export function ConflictEntry({ workspaceId, entry: { kind, rowId, field, rows } }: EntryProps) {
  const all = useQuery(useApi().sync.conflicts.queryOptions({ input: { workspaceId } })).data ?? [];
  const own = all.filter(
    (conflict) => conflict.ref.kind === kind && (rows > 1 || (conflict.ref.id === rowId && conflict.field === field)),
  );
  return <Conflicts workspaceId={workspaceId} conflicts={own} hasTitle={false} />;
}

/** Resolves all fields at once. Deleted rows are excluded, because their decision is a different one. */
function ForAll({ fields, hasTeam }: { readonly fields: readonly Conflict[]; readonly hasTeam: boolean }) {
  const actions = useActions(syncDialogActions);
  const all = (take: 'mine' | 'theirs') => fields.map(({ ref, field, against }) => ({ ref, field, against, take }));
  return (
    <p className={ui['line']}>
      <Button onClick={() => void actions.resolve(all('mine'))}>{conflictsTexts.mineForAll(fields.length)}</Button>
      <Button onClick={() => void actions.resolve(all('theirs'))}>
        {(hasTeam ? conflictsTexts.theirsOfAll : conflictsTexts.theirsForAll)(fields.length)}
      </Button>
    </p>
  );
}

interface DisputedProps {
  readonly workspaceId: string;
  readonly conflict: Conflict;
  readonly field: string;
  /** Whether each conflict shows with whom it is. */
  readonly hasTeam: boolean;
}

function Disputed({ workspaceId, conflict, field, hasTeam }: DisputedProps) {
  const { ref, label, campaign, base, mine, theirs, at, against, by } = conflict;
  const actions = useActions(syncDialogActions);
  const { names } = useMedia(workspaceId);
  const now = useNow();
  const text = (value: Cell): string => valueText(ref.kind, field, value, names) || dialogTexts.sync.emptyValue;
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>
        <span className={ui['quiet']}>{atStart(KIND_NAMES[ref.kind].one)}</span> {label} › {fieldName(field, ref.kind)}{' '}
        <span className={ui['quiet']}>
          {campaign !== '' && ref.kind !== 'campaign' && conflictsTexts.inCampaign(campaign)}
          {by === undefined ? conflictsTexts.wasRead(text(base), timeText(at, now)) : conflictsTexts.was(text(base))}
        </span>
      </span>
      {hasTeam && <span className={ui['line-who']}>{conflictsTexts.with(by ?? conflictsTexts.service)}</span>}
      <Button onClick={() => void actions.resolve([{ ref, field, against, take: 'mine' }])}>
        {`${conflictsTexts.mine}: ${text(mine)}`}
      </Button>
      <Button onClick={() => void actions.resolve([{ ref, field, against, take: 'theirs' }])}>
        {`${by === undefined ? conflictsTexts.theirs : conflictsTexts.theirsOf(by)}: ${text(theirs)}`}
      </Button>
    </li>
  );
}

/** A row changed on one side and deleted on the other: keep or delete it. Undo restores a deleted one as a new row. */
function Gone({ conflict, hasTeam }: Pick<DisputedProps, 'conflict' | 'hasTeam'>) {
  const { ref, label, campaign, against, by, mine } = conflict;
  const isKeptHere = mine !== null;
  const actions = useActions(syncDialogActions);
  const settle = (take: 'mine' | 'theirs') => void actions.resolve([{ ref, field: null, against, take }]);
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>
        <span className={ui['quiet']}>{atStart(KIND_NAMES[ref.kind].one)}</span> {label}{' '}
        {campaign !== '' && ref.kind !== 'campaign' && (
          <span className={ui['quiet']}>{conflictsTexts.inCampaign(campaign)}</span>
        )}
        {by === undefined ? conflictsTexts.gone : (isKeptHere ? conflictsTexts.goneBy : conflictsTexts.goneHere)(by)}
      </span>
      {hasTeam && <span className={ui['line-who']}>{conflictsTexts.with(by ?? conflictsTexts.service)}</span>}
      <Button onClick={() => settle('mine')}>
        {by === undefined
          ? conflictsTexts.createAgain
          : isKeptHere
            ? conflictsTexts.keepRow
            : conflictsTexts.keepDeleted}
      </Button>
      <Button onClick={() => settle('theirs')}>
        {by === undefined || isKeptHere ? conflictsTexts.drop : conflictsTexts.rowOf(by)}
      </Button>
    </li>
  );
}

const uploadHostsTexts = {
  hosts: {
    title: 'Upload hosts',
    asked: 'The service requests uploads to a host that is not allowed yet:',
    written: (name: string) => `shown as ${name}`,
    would: 'Files waiting to upload:',
    file: (name: string, bytes: number) => `${name} (${bytesText(bytes)})`,
    never:
      'Only the file is sent, never your credentials. If you do not recognize the host, ask your contact at the retailer.',
    allow: 'Allow host',
    refuse: 'Block host',
    allowed: 'Allowed',
    refused: 'Blocked',
    forget: 'Reset',
    forgetOf: (host: string) => `Reset the decision for ${host}`,
  },
} as const;

const text = uploadHostsTexts.hosts;

/** Hosts to which the service requests uploads. Each needs one decision, which can be reset. */
export function UploadHosts({ workspaceId }: { readonly workspaceId: string }) {
  const hosts = useQuery(useApi().uploadHosts.list.queryOptions({ input: { workspaceId } })).data ?? [];
  if (hosts.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <h2 className={ui['group-title']}>{text.title}</h2>
      {hosts.map((host) => (host.state === 'asked' ? <Asked key={host.host} host={host} /> : null))}
      <ul className={ui['lines']}>
        {hosts.map((host) => (host.state === 'asked' ? null : <Answered key={host.host} host={host} />))}
      </ul>
    </section>
  );
}

/**
 * The host in large letters, also in its other spelling if that differs, and the files to upload. Blocking is the safe
 * default.
 */
function Asked({ host: { host, shown, files } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <div className={styles['host-asked']}>
      <p>{text.asked}</p>
      <p className={styles['host-name']}>{host}</p>
      {shown !== host && <p className={ui['note-warning']}>{text.written(shown)}</p>}
      <p className={ui['quiet']}>
        {text.would} {files.map(({ name, bytes }) => text.file(name, bytes)).join(', ')}
      </p>
      <p className={ui['quiet']}>{text.never}</p>
      <div className={styles['host-answers']}>
        <Button onClick={() => void actions.answerUploadHost(host, false)}>{text.refuse}</Button>
        <Button onClick={() => void actions.answerUploadHost(host, true)}>{text.allow}</Button>
      </div>
    </div>
  );
}

function Answered({ host: { host, state } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>{host}</span>
      <span className={`${ui['line-where']} ${ui['quiet']}`}>{state === 'allowed' ? text.allowed : text.refused}</span>
      <Button aria-label={text.forgetOf(host)} onClick={() => void actions.forgetUploadHost(host)}>
        {text.forget}
      </Button>
    </li>
  );
}

const reviewsTexts = {
  reviewsTitle: 'Reviews',
} as const;

/** Reviews by campaign; a rejection shows its reasons and links to the rejected rows. */
function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
  const { store } = useAppContext();
  return (
    <section>
      <h2 className={ui['group-title']}>{reviewsTexts.reviewsTitle}</h2>
      <ul className={ui['lines']}>
        {reviews.map((review) => (
          <li key={review.reviewId} className={ui['line']}>
            <button
              type="button"
              className={ui['line-main']}
              onClick={() => store.getState().reveal('adGroup', review.campaignId, review.adGroupId, 'reviewStatus')}
            >
              <span className={ui['line-text']}>{review.campaign}</span>
              <span className={`${ui['line-where']} ${ui['quiet']}`}>
                {review.components
                  .filter((component) => component.reason !== null)
                  .map(({ label, reason }) => `${label}: ${reason}`)
                  .join(' · ')}
              </span>
            </button>
            <StatusShape state={review.status} text={choiceName(review.status)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
