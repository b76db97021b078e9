import type { RowDetail } from '../../../shared/contract/workspace.ts';
import { explainMessage } from '../../../shared/explain/explain-message.ts';
import { copyText } from '../../app/copy-text.ts';
import { useDesk } from '../../app/desk.ts';
import { enRefusals } from '../../messages/en-refusals.ts';
import { fieldName } from '../../messages/fields.ts';
import { goToPlace } from './next-place.ts';
import { type RefusedRow, supportText } from './support-text.ts';

interface RefusalCardProps {
  readonly row: RefusedRow;
  readonly refusal: NonNullable<RowDetail['refusal']>;
}

/** What the service refused about one row: its own words, what they mean, and the way to mend it. */
export function RefusalCard({ row, refusal }: RefusalCardProps) {
  return (
    <div className="card card-error refusal" role="note">
      <strong>{enRefusals.said}</strong>
      <p className="refusal-words">{refusal.message}</p>
      <Meaning message={refusal.message} />
      <p className="quiet">
        {refusal.correlationId === null ? (
          enRefusals.notSent
        ) : (
          <>
            {enRefusals.correlationId} <span className="numeric refusal-id">{refusal.correlationId}</span>
          </>
        )}
      </p>
      <NextStep row={row} refusal={refusal} />
    </div>
  );
}

/** Cause, field and next step of a message. One that is not known says so, rather than guess. */
export function Meaning({ message }: { readonly message: string }) {
  const explained = explainMessage(message);
  if (explained === null) return <p>{enRefusals.unknown}</p>;
  return (
    <dl className="refusal-meaning">
      <dt>{enRefusals.cause}</dt>
      <dd>{explained.cause}</dd>
      <dt>{enRefusals.next}</dt>
      <dd>{explained.next}</dd>
      <dt>{enRefusals.about}</dt>
      <dd>{explained.field === null ? enRefusals.wholeRow : fieldName(explained.field)}</dd>
    </dl>
  );
}

/** The button of the next step, and the text for support. */
export function NextStep({ row, refusal }: RefusalCardProps) {
  const desk = useDesk();
  const explained = explainMessage(refusal.message);
  const place = explained?.place ?? 'row';
  const copy = async (): Promise<void> => {
    if (await copyText(supportText(row, refusal))) desk.notes.tell(enRefusals.copied);
    else desk.notes.fail(enRefusals.copyFailed);
  };
  return (
    <div className="chips">
      <button type="button" className="chip" onClick={() => goToPlace(desk, place, row, explained?.field ?? null)}>
        {enRefusals.places[place]}
      </button>
      <button type="button" className="chip" onClick={() => void copy()}>
        {enRefusals.copy}
      </button>
    </div>
  );
}
