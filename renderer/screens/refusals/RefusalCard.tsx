import type { RowDetail } from '../../../shared/contract/workspace.ts';
import { findErrorHelp } from '../../../shared/explain/explain-message.ts';
import { copyText } from '../../app/copy-text.ts';
import { useAppContext } from '../../app/desk.ts';
import { enSyncErrors } from '../../messages/en-refusals.ts';
import { fieldName } from '../../messages/fields.ts';
import { goToNextStep } from './next-place.ts';
import { type RefusedRow, supportText } from './support-text.ts';

interface RefusalCardProps {
  readonly row: RefusedRow;
  readonly refusal: NonNullable<RowDetail['refusal']>;
}

/** What the service refused about one row: its own words, what they mean, and the way to mend it. */
export function SyncErrorCard({ row, refusal }: RefusalCardProps) {
  return (
    <div className="card card-error refusal" role="note">
      <strong>{enSyncErrors.said}</strong>
      <p className="refusal-words">{refusal.message}</p>
      <Meaning message={refusal.message} />
      <p className="quiet">
        {refusal.correlationId === null ? (
          enSyncErrors.notSent
        ) : (
          <>
            {enSyncErrors.correlationId} <span className="numeric refusal-id">{refusal.correlationId}</span>
          </>
        )}
      </p>
      <NextStep row={row} refusal={refusal} />
    </div>
  );
}

/** Cause, field and next step of a message. One that is not known says so, rather than guess. */
export function Meaning({ message }: { readonly message: string }) {
  const explained = findErrorHelp(message);
  if (explained === null) return <p>{enSyncErrors.unknown}</p>;
  return (
    <dl className="refusal-meaning">
      <dt>{enSyncErrors.cause}</dt>
      <dd>{explained.cause}</dd>
      <dt>{enSyncErrors.next}</dt>
      <dd>{explained.next}</dd>
      <dt>{enSyncErrors.about}</dt>
      <dd>{explained.field === null ? enSyncErrors.wholeRow : fieldName(explained.field)}</dd>
    </dl>
  );
}

/** The button of the next step, and the text for support. */
export function NextStep({ row, refusal }: RefusalCardProps) {
  const desk = useAppContext();
  const explained = findErrorHelp(refusal.message);
  const place = explained?.place ?? 'row';
  const copy = async (): Promise<void> => {
    if (await copyText(supportText(row, refusal))) desk.notes.tell(enSyncErrors.copied);
    else desk.notes.fail(enSyncErrors.copyFailed);
  };
  return (
    <div className="chips">
      <button type="button" className="chip" onClick={() => goToNextStep(desk, place, row, explained?.field ?? null)}>
        {enSyncErrors.places[place]}
      </button>
      <button type="button" className="chip" onClick={() => void copy()}>
        {enSyncErrors.copy}
      </button>
    </div>
  );
}
