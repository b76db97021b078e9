import { useState } from 'react';
import type { PlanView } from '../../../shared/contract/sync.ts';
import { en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { bytesText, countText } from '../../messages/numbers.ts';

/** What a sync would do: figures first, then every request in order with its exact body on demand. */
export function PlanSheet({ plan }: { readonly plan: PlanView }) {
  const figures: readonly (readonly [number, string])[] = [
    [plan.creates, en.sync.creates],
    [plan.updates, en.sync.updates],
    [plan.uploads.length, en.sync.uploads],
    [plan.reviews, en.sync.reviews],
    [plan.held, en.sync.held],
  ];
  return (
    <>
      <ul className="figures">
        {figures.map(([count, name]) => (
          <li key={name}>
            <strong className="numeric">{countText(count)}</strong>
            <span className="quiet">{name}</span>
          </li>
        ))}
      </ul>
      <p className="quiet">
        {en.sync.requests(plan.batches.length)} · {en.sync.elements(plan.elements)} · {en.sync.budget(plan.budgetLeft)}
      </p>
      {plan.errors > 0 && <p className="note-error">{en.sync.errors(plan.errors)}</p>}
      {plan.leftOut.length > 0 && (
        <details className="left-out">
          <summary>
            {en.sync.leftOut} <span className="badge">{plan.leftOut.length}</span>
          </summary>
          <ul className="lines">
            {plan.leftOut.map((row) => (
              <li key={`${row.kind} ${row.id}`} className="line">
                <span className="quiet">{KIND_NAMES[row.kind].one}</span> {row.label}
                <span className="line-where quiet">{en.sync.leftOutReasons[row.reason] ?? row.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {(plan.batches.length > 0 || plan.uploads.length > 0) && (
        <>
          <h3 className="group-title">{en.sync.order}</h3>
          <ol className="plan">
            {plan.uploads.map((upload) => (
              <li key={upload.mediaId}>
                {en.sync.phases.uploading}: {upload.file} <span className="quiet">{bytesText(upload.bytes)}</span>
              </li>
            ))}
            {plan.batches.map((batch) => (
              <PlanLine key={batch.index} batch={batch} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function PlanLine({ batch }: { readonly batch: PlanView['batches'][number] }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className="plan-line">
        <span className="plan-call">
          {batch.method} {batch.path}
        </span>
        <span>{batch.campaign}</span>
        <span className="quiet numeric">{en.sync.elements(batch.elements)}</span>
        <button
          type="button"
          className="chip"
          aria-expanded={open}
          aria-label={`${open ? en.sync.hideJson : en.sync.json}: ${batch.method} ${batch.path} ${batch.campaign}`}
          title={open ? en.sync.hideJson : en.sync.json}
          onClick={() => setOpen(!open)}
        >
          JSON
        </button>
      </div>
      {open && <pre className="json">{batch.json}</pre>}
    </li>
  );
}
