import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchView, PlanChanges as Changes, PlanView } from '../../../shared/api/sync.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { useActions, useApi } from '../../app/app-context.ts';
import { usePages } from '../../app/pages.ts';
import { saveFrom } from '../../app/save-text.ts';
import { Figures } from '../../components/Figures.tsx';
import { JsonText } from '../../components/JsonText.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { en } from '../../texts/en.ts';
import { callText } from '../../texts/en-plan.ts';
import { enPlanFile } from '../../texts/en-plan-file.ts';
import { errorText } from '../../texts/errors.ts';
import { KIND_NAMES } from '../../texts/fields.ts';
import { bytesText, countText } from '../../texts/numbers.ts';
import { AfterReviewList } from './AfterReviewList.tsx';
import { syncDialogActions } from './sync-actions.ts';

interface PlanSheetProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
}

/** What a sync would do: figures first, then every request in order with its exact body on demand. */
export function SyncPlan({ workspaceId, plan }: PlanSheetProps) {
  const isSending = plan.requests + plan.uploads.length > 0;
  const figures: readonly (readonly [number, string])[] = [
    [plan.creates, en.sync.creates],
    [plan.updates, en.sync.updates],
    [plan.uploads.length, en.sync.uploads],
    [plan.reviews, en.sync.reviews],
    [plan.held, en.sync.held],
  ];
  return (
    <>
      {isSending && (
        <>
          <Figures figures={figures.map(([count, name]) => ({ name, value: countText(count) }))} />
          <p className="quiet">
            {en.sync.requests(plan.requests)} · {en.sync.elements(plan.elements)} · {en.sync.budget(plan.budgetLeft)}
          </p>
        </>
      )}
      {plan.waitsHours > 0 && <p className="note-warning">{en.sync.waitsHours(plan.waitsHours)}</p>}
      {isSending && plan.errors > 0 && <p className="note-error">{en.sync.errors(plan.errors)}</p>}
      {plan.added.length > 0 && (
        <RowsByReason title={en.sync.added} groups={plan.added} reasons={en.sync.addedReasons} isOpen />
      )}
      <AfterReviewList workspaceId={workspaceId} />
      {plan.leftOut.length > 0 && (
        <RowsByReason
          title={en.sync.leftOut}
          groups={plan.leftOut}
          reasons={en.sync.leftOutReasons}
          isOpen={!isSending}
        />
      )}
      {plan.leftOut.some(({ reason }) => reason === 'not-chosen') && <p className="quiet">{en.sync.noReviewYet}</p>}
      {isSending && <Order workspaceId={workspaceId} plan={plan} />}
    </>
  );
}

interface RowsByReasonProps {
  readonly title: string;
  readonly groups: PlanView['leftOut'];
  readonly reasons: Readonly<Record<string, string>>;
  readonly isOpen?: boolean;
}

/** Rows that stay on this computer, or that go along unasked, by why. */
function RowsByReason({ title, groups, reasons, isOpen = false }: RowsByReasonProps) {
  return (
    <details className="left-out" open={isOpen}>
      <summary>
        {title} <span className="badge">{countText(groups.reduce((sum, { rows }) => sum + rows, 0))}</span>
      </summary>
      {groups.map(({ reason, rows, first }) => (
        <section key={reason}>
          <h3 className="group-title">
            {reasons[reason] ?? reason} <span className="badge">{countText(rows)}</span>
          </h3>
          <ul className="lines">
            {first.map((row) => (
              <li key={`${row.kind} ${row.id}`} className="line">
                <span className="quiet">{KIND_NAMES[row.kind].one}</span> {row.label}
              </li>
            ))}
            {rows > first.length && <li className="line quiet">{en.sync.more(rows - first.length)}</li>}
          </ul>
        </section>
      ))}
    </details>
  );
}

/** Uploads, then requests, as they would go out. The body of one request at a time is shown below the list. */
function Order({ workspaceId, plan }: PlanSheetProps) {
  const api = useApi();
  const { planId } = plan;
  const list = usePages(
    (from, count) => api.sync.planBatches.queryOptions({ input: { workspaceId, planId, from, count } }),
    ({ batches }) => batches,
  );
  const [open, setOpen] = useState<number | null>(null);
  const before = plan.uploads.length;
  const line = (index: number) => {
    const upload = plan.uploads[index];
    if (upload === undefined) {
      const at = index - before;
      const toggle = (): void => setOpen(open === at ? null : at);
      return <PlanLine number={index + 1} batch={list.at(at)} open={open === at} onToggle={toggle} />;
    }
    return (
      <div className="plan-line">
        <span className="plan-number">{index + 1}.</span>
        <span className="plan-call">{callText('upload', KIND_NAMES.media.one, 1)}</span>
        <span className="plan-campaign">{upload.file}</span>
        <span className="quiet">{bytesText(upload.bytes)}</span>
      </div>
    );
  };
  return (
    <>
      <h3 className="group-title">
        {en.sync.order} <SavePlan plan={plan} />
      </h3>
      <div className="plan">
        <VirtualList
          count={before + plan.requests}
          label={en.sync.order}
          resetOn={plan.planId}
          onWant={(from, to) => list.want(from - before, to - before)}
          line={line}
        />
      </div>
      {open !== null && <Body workspaceId={workspaceId} planId={plan.planId} index={open} batch={list.at(open)} />}
    </>
  );
}

interface PlanLineProps {
  readonly number: number;
  /** Undefined until its page is there. */
  readonly batch: BatchView | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function PlanLine({ number, batch, open, onToggle }: PlanLineProps) {
  if (batch === undefined) return <span className="long-skeleton" />;
  const { kind, verb, campaign, elements } = batch;
  const name = open ? en.sync.hideJson : en.sync.json;
  const call = callText(verb, kindName(kind), elements);
  return (
    <div className="plan-line">
      <span className="plan-number">{countText(number)}.</span>
      <span className="plan-call">{call}</span>
      <span className="plan-campaign">{campaign}</span>
      <button
        type="button"
        className="chip"
        aria-expanded={open}
        aria-label={`${name}: ${call}, ${campaign}`}
        title={name}
        onClick={onToggle}
      >
        JSON
      </button>
    </div>
  );
}

/** A review is of no kind of rows. */
const kindName = (name: string): string => {
  const kind = KINDS.find((each) => each === name);
  return kind === undefined ? name : KIND_NAMES[kind].one;
};

interface BodyProps {
  readonly workspaceId: string;
  readonly planId: string;
  readonly index: number;
  readonly batch: BatchView | undefined;
}

/** One request to the letter: where it goes, and what it says. */
function Body({ workspaceId, planId, index, batch }: BodyProps) {
  const api = useApi();
  const body = useQuery(
    api.sync.planBatches.queryOptions({ input: { workspaceId, planId, from: index, count: 1, bodies: true } }),
  );
  if (body.error !== null) return <p className="note-error">{errorText(body.error)}</p>;
  return (
    <>
      {batch !== undefined && (
        <p className="plan-exact">
          {batch.method} {batch.path}
        </p>
      )}
      <JsonText>{body.data?.batches[0]?.json ?? ''}</JsonText>
    </>
  );
}

/** Saves what would be sent as a plan file, for somebody to look over and to be run later. */
function SavePlan({ plan: { planId } }: { readonly plan: PlanView }) {
  const actions = useActions(syncDialogActions);
  const save = async (): Promise<void> => {
    const file = await actions.savePlan(planId);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  return (
    <button type="button" className="chip" onClick={() => void save()}>
      {enPlanFile.save}
    </button>
  );
}

/** What differs between a saved plan and the one that would be sent now, line by line with the rows by name. */
export function PlanChanges({ changed }: { readonly changed: Changes }) {
  return (
    <section aria-label={enPlanFile.changes}>
      <h3 className="group-title">{enPlanFile.changes}</h3>
      <ul className="lines plan-changes">
        {changed.lines.map(({ sign, line, kind, label }) => (
          <li key={`${sign} ${line}`} className="line">
            <span className={sign === '-' ? 'plan-gone' : 'plan-new'}>{enPlanFile.signs[sign]}</span>{' '}
            {kind !== null && label !== null && (
              <>
                <span className="quiet">{KIND_NAMES[kind].one}</span> {label}{' '}
              </>
            )}
            <code className="plan-line-text">{line}</code>
          </li>
        ))}
        {changed.more > 0 && <li className="line quiet">{en.sync.more(changed.more)}</li>}
      </ul>
    </section>
  );
}
