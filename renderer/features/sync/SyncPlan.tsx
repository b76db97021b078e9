import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchView, PlanChanges as Changes, PlanView } from '../../../shared/api/sync.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { useActions, useApi } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { bytesText, countText, plural } from '../../app/locale/numbers.ts';
import { usePages } from '../../app/pages.ts';
import { saveFrom } from '../../app/save-text.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Figures } from '../../components/Figures.tsx';
import { JsonText } from '../../components/JsonText.tsx';
import ui from '../../components/ui.module.css';
import { VirtualList } from '../../components/VirtualList.tsx';
import { AfterReviewList } from './AfterReviewList.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';
import { syncTexts } from './text.ts';

const texts = {
  creates: 'to create',
  updates: 'to update',
  uploads: 'to upload',
  reviews: 'reviews to submit',
  held: 'on hold',
  waitsHours: (n: number) =>
    `The service limits changes per hour, so this takes about ${plural(n, 'hour')} while Adslate is open. Changes that take effect immediately go first.`,
  elements: (n: number) => plural(n, 'change'),
  budget: (left: number) => `${countText(left)} changes left this hour`,
  added: 'Also included',
  addedReasons: {
    parent: 'new parent of a selected row',
    carries: 'uses a selected file',
    file: 'video of a selected profile',
  } as Readonly<Record<string, string>>,
  noReviewYet:
    'Not submitted for review yet: sync all changes in the campaign first. Nothing can be added while a review is open.',
  order: 'Requests in order',
  json: 'Show JSON',
  hideJson: 'Hide JSON',
  leftOut: 'Not included',
  leftOutReasons: {
    held: 'on hold',
    'has-errors': 'has errors',
    'in-doubt': 'an earlier request is unconfirmed',
    conflict: 'has a conflict',
    'not-offered': 'not supported by the service',
    'waits-for-media': 'its video is still processing',
    'parent-left-out': 'its campaign or ad group is not included',
    'review-open': 'locked during review',
    'nothing-to-send': 'nothing to send yet',
    'not-chosen': 'not selected',
  } as Readonly<Record<string, string>>,
  errors: (n: number) => `${plural(n, 'row')} with errors will not be sent`,
  save: 'Save plan (JSON)',
  changes: 'Changed since the plan was saved',
  signs: { '-': 'Saved', '+': 'Now' },
} as const;

const WRITES: Readonly<Record<string, string>> = { create: 'Create', update: 'Change' };

const CALLS: Readonly<Record<string, string>> = {
  logo: 'Attach logo',
  upload: 'Upload video',
  submit: 'Submit for review',
  cancel: 'Cancel review',
};

/**
 * What one request of a plan does, for somebody who has never seen a request: "Create 3 keywords".
 *
 * @param verb of the plan; one that has no words yet is said as it is
 * @param one what it creates or changes, in the singular
 * @param count how many of them
 */
function callText(verb: string, one: string, count: number): string {
  const write = WRITES[verb];
  return write === undefined ? (CALLS[verb] ?? verb) : `${write} ${plural(count, one)}`;
}

interface PlanSheetProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
}

/** What a sync would do: figures first, then every request in order with its exact body on demand. */
export function SyncPlan({ workspaceId, plan }: PlanSheetProps) {
  const isSending = plan.requests + plan.uploads.length > 0;
  const figures: readonly (readonly [number, string])[] = [
    [plan.creates, texts.creates],
    [plan.updates, texts.updates],
    [plan.uploads.length, texts.uploads],
    [plan.reviews, texts.reviews],
    [plan.held, texts.held],
  ];
  return (
    <>
      {isSending && (
        <>
          <Figures figures={figures.map(([count, name]) => ({ name, value: countText(count) }))} />
          <p className={ui['quiet']}>
            {syncTexts.requests(plan.requests)} · {texts.elements(plan.elements)} · {texts.budget(plan.budgetLeft)}
          </p>
        </>
      )}
      {plan.waitsHours > 0 && <p className={ui['note-warning']}>{texts.waitsHours(plan.waitsHours)}</p>}
      {isSending && plan.errors > 0 && <p className={ui['note-error']}>{texts.errors(plan.errors)}</p>}
      {plan.added.length > 0 && (
        <RowsByReason title={texts.added} groups={plan.added} reasons={texts.addedReasons} isOpen />
      )}
      <AfterReviewList workspaceId={workspaceId} />
      {plan.leftOut.length > 0 && (
        <RowsByReason title={texts.leftOut} groups={plan.leftOut} reasons={texts.leftOutReasons} isOpen={!isSending} />
      )}
      {plan.leftOut.some(({ reason }) => reason === 'not-chosen') && <p className={ui['quiet']}>{texts.noReviewYet}</p>}
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
    <details className={ui['left-out']} open={isOpen}>
      <summary>
        {title} <span className={ui['badge']}>{countText(groups.reduce((sum, { rows }) => sum + rows, 0))}</span>
      </summary>
      {groups.map(({ reason, rows, first }) => (
        <section key={reason}>
          <h3 className={ui['group-title']}>
            {reasons[reason] ?? reason} <span className={ui['badge']}>{countText(rows)}</span>
          </h3>
          <ul className={ui['lines']}>
            {first.map((row) => (
              <li key={`${row.kind} ${row.id}`} className={ui['line']}>
                <span className={ui['quiet']}>{KIND_NAMES[row.kind].one}</span> {row.label}
              </li>
            ))}
            {rows > first.length && (
              <li className={`${ui['line']} ${ui['quiet']}`}>{appTexts.sync.more(rows - first.length)}</li>
            )}
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
      <div className={styles['plan-line']}>
        <span className={styles['plan-number']}>{index + 1}.</span>
        <span className={styles['plan-call']}>{callText('upload', KIND_NAMES.media.one, 1)}</span>
        <span className={styles['plan-campaign']}>{upload.file}</span>
        <span className={ui['quiet']}>{bytesText(upload.bytes)}</span>
      </div>
    );
  };
  return (
    <>
      <h3 className={ui['group-title']}>
        {texts.order} <SavePlan plan={plan} />
      </h3>
      <div className={styles['plan']}>
        <VirtualList
          count={before + plan.requests}
          label={texts.order}
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
  if (batch === undefined) return <span className={ui['long-skeleton']} />;
  const { kind, verb, campaign, elements } = batch;
  const name = open ? texts.hideJson : texts.json;
  const call = callText(verb, kindName(kind), elements);
  return (
    <div className={styles['plan-line']}>
      <span className={styles['plan-number']}>{countText(number)}.</span>
      <span className={styles['plan-call']}>{call}</span>
      <span className={styles['plan-campaign']}>{campaign}</span>
      <Chip aria-expanded={open} aria-label={`${name}: ${call}, ${campaign}`} title={name} onClick={onToggle}>
        JSON
      </Chip>
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
  const body = useQuery(
    useApi().sync.planBatches.queryOptions({ input: { workspaceId, planId, from: index, count: 1, bodies: true } }),
  );
  if (body.error !== null) return <p className={ui['note-error']}>{errorText(body.error)}</p>;
  return (
    <>
      {batch !== undefined && (
        <p className={styles['plan-exact']}>
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
  return <Chip onClick={() => void save()}>{texts.save}</Chip>;
}

/** What differs between a saved plan and the one that would be sent now, line by line with the rows by name. */
export function PlanChanges({ changed }: { readonly changed: Changes }) {
  return (
    <section aria-label={texts.changes}>
      <h3 className={ui['group-title']}>{texts.changes}</h3>
      <ul className={ui['lines']}>
        {changed.lines.map(({ sign, line, kind, label }) => (
          <li key={`${sign} ${line}`} className={ui['line']}>
            <span className={sign === '-' ? styles['plan-gone'] : styles['plan-new']}>{texts.signs[sign]}</span>{' '}
            {kind !== null && label !== null && (
              <>
                <span className={ui['quiet']}>{KIND_NAMES[kind].one}</span> {label}{' '}
              </>
            )}
            <code className={styles['plan-line-text']}>{line}</code>
          </li>
        ))}
        {changed.more > 0 && <li className={`${ui['line']} ${ui['quiet']}`}>{appTexts.sync.more(changed.more)}</li>}
      </ul>
    </section>
  );
}
