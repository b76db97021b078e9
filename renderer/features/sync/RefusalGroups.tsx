import { Button } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { SyncReport } from '../../../shared/api/sync.ts';
import type { RowDetail } from '../../../shared/api/workspace.ts';
import { findErrorHelp, type NextStepTarget } from '../../../shared/error-help/find-error-help.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AppContext, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText } from '../../app/locale/numbers.ts';
import { textOf } from '../../app/row-cells.ts';
import { copyText } from '../../app/save-text.ts';
import ui from '../../components/ui.module.css';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import styles from './sync.module.css';

const texts = {
  said: 'Service message',
  saidOf: (message: string) => `Service message: "${message}"${/[.!?]$/.test(message) ? '' : '.'}`,
  cause: 'Cause',
  next: 'Next step',
  about: 'Field',
  wholeRow: 'entire row',
  unknown:
    'Adslate does not recognize this message. Check the issues of the row. If there are none, contact the retailer.',
  notSent: 'Found by item search. Nothing was sent.',
  copy: 'Copy for support',
  copied: 'Copied. Contains no credentials.',
  copyFailed: 'Your browser does not allow copying. Select the text and press Ctrl+C.',
  more: (n: number) => `${countText(n)} more`,
  inCampaign: (campaign: string) => `in ${campaign}`,
  showAll: 'Show all',
  places: {
    field: 'Go to cell',
    row: 'Go to row',
    'repair-ids': 'Repair item IDs…',
    'find-items': 'Search items…',
    reviews: 'Open inbox',
    refresh: 'Refresh all campaigns',
    sync: 'Open sync plan…',
    keys: 'Credentials…',
    settings: 'Account settings…',
  },
  support: {
    message: 'Message',
    at: 'Received',
    request: 'Request',
    correlationId: 'Correlation ID',
    row: 'Row',
    remoteId: 'Service ID',
  },
} as const;

/** Rows of one group that are named; the others are a click away in the grid. */
const NAMED_MAX = 5;

/** The refusals of a sync by what was said: one entry a message, however many rows it came for. */
export function RefusalGroups({ refused }: { readonly refused: SyncReport['refused'] }) {
  return (
    <ul>
      {groupsOf(refused).map((group) => (
        <Group key={group.key} group={group} />
      ))}
    </ul>
  );
}

const useRow = (row: Pick<Refused, 'kind' | 'id'> | undefined): RowDetail | undefined => {
  const workspaceId = useView((s) => s.workspaceId);
  return useQuery(
    useApi().workspace.row.queryOptions({
      input:
        workspaceId === null || row === undefined ? skipToken : { workspaceId, ref: { kind: row.kind, id: row.id } },
    }),
  ).data;
};

/** The way to a refused row. Its campaign is named as well: the same item in two campaigns would read alike. */
function RefusedLink({ kind, id, label }: Pick<Refused, 'kind' | 'id' | 'label'>) {
  const { store } = useAppContext();
  const detail = useRow({ kind, id });
  const campaign = kind === 'campaign' ? undefined : detail?.row.campaignName;
  return (
    <p>
      <button type="button" className={ui['link']} onClick={() => store.getState().reveal(kind, null, id, null)}>
        {label}
      </button>{' '}
      <span className={ui['quiet']}>
        {atStart(KIND_NAMES[kind].one)}
        {campaign !== undefined && ` ${texts.inCampaign(campaign)}`}
      </span>
    </p>
  );
}

function Group({ group: { message, rows } }: { readonly group: RefusalGroup }) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const [first] = rows;
  const detail = useRow(first);
  if (first === undefined || workspaceId === null) return null;
  const showAll = (): void => {
    store.getState().dismiss();
    store.getState().goTo({ kind: first.kind, campaignId: null });
    store.getState().setOnly('rejected');
  };
  const explained = findErrorHelp(message);
  const refusal = detail?.refusal ?? null;
  const itemId = first.kind === 'adItem' && detail !== undefined ? textOf('adItem', detail.row, 'itemId') : null;
  return (
    <li className={styles['failure']}>
      <IconCircleX size={16} stroke={1.75} aria-hidden="true" className={styles['mark-failed']} />
      <ItemPicture
        workspaceId={workspaceId}
        itemId={itemId ?? detail?.row.picture ?? null}
        name={first.label}
        size={36}
      />
      <div className={styles['failure-text']}>
        {rows.slice(0, NAMED_MAX).map(({ kind, id, label }) => (
          <RefusedLink key={`${kind} ${id}`} kind={kind} id={id} label={label} />
        ))}
        {rows.length > NAMED_MAX && (
          <p>
            <span className={ui['quiet']}>{texts.more(rows.length - NAMED_MAX)}</span>{' '}
            <button type="button" className={ui['link']} onClick={showAll}>
              {texts.showAll}
            </button>
          </p>
        )}
        <p className={ui['quiet']}>
          {texts.saidOf(message)} {explained === null ? texts.unknown : `${explained.cause} ${explained.next}`}
        </p>
        {refusal !== null && refusal.correlationId !== null && (
          <p className={`${ui['quiet']} ${styles['small']}`}>
            {dialogTexts.syncErrors.correlationId}{' '}
            <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{refusal.correlationId}</span>
          </p>
        )}
      </div>
      {detail !== undefined && refusal !== null && (
        <NextStep
          row={{ kind: first.kind, id: first.id, campaignId: detail.row.campaignId, remoteId: detail.row.remoteId }}
          refusal={refusal}
        />
      )}
    </li>
  );
}

type Refused = SyncReport['refused'][number];

/** Rows for which the service said the same thing, whatever values it put into the words. */
interface RefusalGroup {
  readonly key: string;
  readonly message: string;
  readonly rows: readonly Refused[];
}

/** Refusals of one kind of row by what was said, those with the most rows first. */
function groupsOf(refused: readonly Refused[]): readonly RefusalGroup[] {
  const byKey = Map.groupBy(refused, ({ kind, message }) => `${kind} ${findErrorHelp(message)?.id ?? message}`);
  return [...byKey]
    .map(([key, rows]) => ({ key, message: rows[0]?.message ?? '', rows }))
    .toSorted((one, other) => other.rows.length - one.rows.length);
}

interface RefusalCardProps {
  readonly row: RefusedRow;
  readonly refusal: NonNullable<RowDetail['refusal']>;
}

/** What the service refused about one row: its own words, what they mean, and the way to fix it. */
export function SyncErrorCard({ row, refusal }: RefusalCardProps) {
  return (
    <div className={`${ui['card']} ${ui['card-error']}`} role="note">
      <strong>{texts.said}</strong>
      <p className={styles['refusal-words']}>{refusal.message}</p>
      <Meaning message={refusal.message} />
      <p className={ui['quiet']}>
        {refusal.correlationId === null ? (
          texts.notSent
        ) : (
          <>
            {dialogTexts.syncErrors.correlationId}{' '}
            <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{refusal.correlationId}</span>
          </>
        )}
      </p>
      <NextStep row={row} refusal={refusal} />
    </div>
  );
}

/** Cause, field and next step of a message. One that is not known says so, rather than guess. */
function Meaning({ message }: { readonly message: string }) {
  const explained = findErrorHelp(message);
  if (explained === null) return <p>{texts.unknown}</p>;
  return (
    <dl className={styles['refusal-meaning']}>
      <dt>{texts.cause}</dt>
      <dd>{explained.cause}</dd>
      <dt>{texts.next}</dt>
      <dd>{explained.next}</dd>
      <dt>{texts.about}</dt>
      <dd>{explained.field === null ? texts.wholeRow : fieldName(explained.field)}</dd>
    </dl>
  );
}

function NextStep({ row, refusal }: RefusalCardProps) {
  const desk = useAppContext();
  const explained = findErrorHelp(refusal.message);
  const place = explained?.place ?? 'row';
  const copy = async (): Promise<void> => {
    if (await copyText(supportText(row, refusal))) desk.notes.tell(texts.copied);
    else desk.notes.fail(texts.copyFailed);
  };
  return (
    <div className={styles['failure-verbs']}>
      <Button onClick={() => goToNextStep(desk, place, row, explained?.field ?? null)}>{texts.places[place]}</Button>
      <Button variant="subtle" color="gray" onClick={() => void copy()}>
        {texts.copy}
      </Button>
    </div>
  );
}

/** Goes to where the next step is taken; dialogs open over the row they are about. */
function goToNextStep(
  { store, actions }: AppContext,
  place: NextStepTarget,
  row: RefusedRow,
  field: string | null,
): void {
  const { goTo, reveal, show, openInbox, openPlace, openSettings, openSync, dismiss } = store.getState();
  const toRow = (): void => reveal(row.kind, row.campaignId, row.id, field);
  const ways: Readonly<Record<NextStepTarget, () => void>> = {
    field: toRow,
    row: toRow,
    'repair-ids': () => openSettings('item-ids'),
    'find-items': () => {
      // In the list of all campaigns there would be nothing to add an item to.
      goTo({ kind: row.kind, campaignId: row.campaignId });
      toRow();
      openPlace('add-rows');
    },
    reviews: () => openInbox(null),
    refresh: () => void actions.refreshAll(),
    sync: () => openSync(),
    keys: () => show({ name: 'unlock' }),
    settings: () => openSettings('deployment'),
  };
  dismiss();
  ways[place]();
}

interface RefusedRow {
  readonly kind: Kind;
  readonly id: number;
  readonly campaignId: number | null;
  /** Its id at the service; null for a row that was never taken. */
  readonly remoteId: string | null;
}

type Refusal = NonNullable<RowDetail['refusal']>;

/** What the retailer's support needs to find the request in its logs, a line each; what is not known is left out. */
function supportText({ kind, remoteId }: RefusedRow, refusal: Refusal): string {
  const { support } = texts;
  const lines: readonly (readonly [string, string | null])[] = [
    [support.message, refusal.message],
    [support.at, new Date(refusal.at).toISOString()],
    [support.request, refusal.request === '' ? null : refusal.request],
    [support.correlationId, refusal.correlationId],
    [support.row, kind],
    [support.remoteId, remoteId],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n');
}
