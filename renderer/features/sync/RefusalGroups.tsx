import { Button } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import type { SyncReport } from '../../../shared/api/sync.ts';
import type { RowDetail } from '../../../shared/api/workspace.ts';
import { findErrorHelp, type NextStepTarget } from '../../../shared/error-help/find-error-help.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowName } from '../../app/actions.ts';
import { type AppContext, useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText } from '../../app/locale/numbers.ts';
import { textOf } from '../../app/row-cells.ts';
import { copyText } from '../../app/save-text.ts';
import { useRow } from '../../app/shared-queries.ts';
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

/** The most rows of a group that are named; a click shows the others in the grid. */
const NAMED_MAX = 5;

/** The refusals of a sync, grouped by message. */
export function RefusalGroups({ refused }: { readonly refused: SyncReport['refused'] }) {
  const groups = useMemo(() => groupsOf(refused), [refused]);
  return (
    <ul>
      {groups.map((group) => (
        <Group key={group.key} group={group} />
      ))}
    </ul>
  );
}

const useRefusedRow = (row: RowName | null) =>
  useRow(
    useView((s) => s.workspaceId),
    row,
  );

/** A link to a refused row. It names the campaign too, because the same item may be in several campaigns. */
function RefusedLink({ kind, id, label }: Pick<Refused, 'kind' | 'id' | 'label'>) {
  const { store } = useAppContext();
  const detail = useRefusedRow({ kind, id });
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
  const detail = useRefusedRow(first ?? null);
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

/** Rows with the same message of the service, apart from the values in it. */
interface RefusalGroup {
  readonly key: string;
  readonly message: string;
  readonly rows: readonly Refused[];
}

/** Refusals by kind of row and message, those with the most rows first. */
function groupsOf(refused: readonly Refused[]): readonly RefusalGroup[] {
  // Looked up once for each message: many rows can fail with the same one.
  const messages = new Set(refused.map(({ message }) => message));
  const causes = new Map(Array.from(messages, (message) => [message, findErrorHelp(message)?.id ?? message]));
  const byKey = Map.groupBy(refused, ({ kind, message }) => `${kind} ${causes.get(message)}`);
  return [...byKey]
    .map(([key, rows]) => ({ key, message: rows[0]?.message ?? '', rows }))
    .toSorted((one, other) => other.rows.length - one.rows.length);
}

interface RefusalCardProps {
  readonly row: RefusedRow;
  readonly refusal: NonNullable<RowDetail['refusal']>;
}

/** A refusal of one row: the message of the service, its meaning, and how to fix it. */
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

/** A failed change in the inbox: the refusal of its row. */
export function FailedEntry({ entry: { kind, rowId, label, text } }: { readonly entry: InboxEntry }) {
  const detail = useRefusedRow(kind === null || rowId === null ? null : { kind, id: rowId });
  if (detail?.refusal == null || kind === null || rowId === null) return <p>{text}</p>;
  const { campaignId, remoteId } = detail.row;
  return (
    <>
      <p className={ui['quiet']}>
        {atStart(KIND_NAMES[kind].one)} {label}
      </p>
      <SyncErrorCard row={{ kind, id: rowId, campaignId, remoteId }} refusal={detail.refusal} />
    </>
  );
}

/** Cause, field and next step of a message; for an unknown message, a sentence that says so. */
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
  const app = useAppContext();
  const explained = findErrorHelp(refusal.message);
  const place = explained?.place ?? 'row';
  const copy = async (): Promise<void> => {
    if (await copyText(supportText(row, refusal))) app.toasts.tell(texts.copied);
    else app.toasts.fail(texts.copyFailed);
  };
  return (
    <div className={styles['failure-verbs']}>
      <Button onClick={() => goToNextStep(app, place, row, explained?.field ?? null)}>{texts.places[place]}</Button>
      <Button variant="subtle" color="gray" onClick={() => void copy()}>
        {texts.copy}
      </Button>
    </div>
  );
}

/** Opens the place of the next step; dialogs open over their row. */
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
      // Items can be added to a campaign only, not to the list of all campaigns.
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
  /** The service ID; null for a row that the service has never accepted. */
  readonly remoteId: string | null;
}

type Refusal = NonNullable<RowDetail['refusal']>;

/** Facts for the retailer's support to find the request in its logs, one per line; unknown ones are left out. */
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
