import { Button } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchView, PlanChanges as Changes, PlanView } from '../../../shared/api/sync.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { bytesText, countText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { usePages } from '../../app/pages.ts';
import { copyText, saveFrom } from '../../app/save-text.ts';
import { appTexts } from '../../app/texts.ts';
import { JsonText } from '../../components/JsonText.tsx';
import ui from '../../components/ui.module.css';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useOutdatedPlan } from './PlanList.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  requests: (n: number) => plural(n, 'request'),
  forChanges: (changes: number) => `for ${plural(changes, 'change')}.`,
  left: (n: number) => `${plural(n, 'change')} left this hour.`,
  save: 'Save plan',
  columns: { verb: 'Verb', address: 'Address', what: 'Action', where: 'Campaign', changes: 'Changes', after: 'After' },
  list: 'Requests in order',
  noChange: 'Uploads and review submissions are not changes.',
  none: '–',
  request: (n: number) => `Request ${countText(n)}`,
  choose: 'Select a request to see its JSON.',
  copy: 'Copy',
  copied: 'Request copied.',
  upload: (file: string, size: string) => `Upload ${file} (${size})`,
  differences: 'Changed since the plan was saved',
  signs: { '-': 'Saved', '+': 'Now' },
} as const;

const writeTexts: Readonly<Record<string, string>> = { create: 'Create', update: 'Update' };
const CALLS: Readonly<Record<string, string>> = {
  logo: 'Attach logo',
  upload: 'Upload video',
  submit: 'Submit for review',
  cancel: 'Cancel review',
};

/** A request in plain words: "Create 3 keywords". */
function callText({ verb, kind, elements }: BatchView): string {
  const write = writeTexts[verb];
  const known = KINDS.find((each) => each === kind);
  return write === undefined
    ? (CALLS[verb] ?? verb)
    : `${write} ${plural(elements, known === undefined ? kind : KIND_NAMES[known].one)}`;
}

interface PlanTechnicalProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
  /** Whether the plan is being sent or was sent; it can then not be saved for later. */
  readonly isSent?: boolean;
  readonly onOutdated: () => void;
}

/** The requests of a plan in order, files first, and the exact body of the selected one. */
export function PlanTechnical({ workspaceId, plan, isSent = false, onOutdated }: PlanTechnicalProps) {
  const api = useApi();
  const actions = useActions(syncDialogActions);
  const { planId, uploads } = plan;
  const list = usePages(
    (from, count) => api.sync.planBatches.queryOptions({ input: { workspaceId, planId, from, count } }),
    ({ batches }) => batches,
  );
  useOutdatedPlan(list.error, onOutdated);
  const [open, setOpen] = useState(plan.requests > 0 ? 0 : null);
  const save = async (): Promise<void> => {
    const file = await actions.savePlan(planId);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  const before = uploads.length;
  const line = (index: number) => {
    const upload = uploads[index];
    if (upload !== undefined) {
      return (
        <div className={styles['request']}>
          <span className={styles['request-number']}>{countText(index + 1)}</span>
          <span>PUT</span>
          <span />
          <span>{texts.upload(upload.file, bytesText(upload.bytes))}</span>
          <span />
          <span className={styles['request-count']}>{texts.none}</span>
          <span />
        </div>
      );
    }
    const batch = list.at(index - before);
    if (batch === undefined) return <span className={ui['long-skeleton']} />;
    return (
      <button
        type="button"
        className={styles['request']}
        aria-pressed={open === batch.index}
        onClick={() => setOpen(batch.index)}
      >
        <span className={styles['request-number']}>{countText(index + 1)}</span>
        <span className={ui['quiet']}>{batch.method}</span>
        <span>{batch.path}</span>
        <span>{callText(batch)}</span>
        <span className={ui['quiet']}>{batch.campaign}</span>
        <span className={styles['request-count']}>{batch.changes === 0 ? texts.none : countText(batch.changes)}</span>
        <span className={styles['request-count']}>
          {batch.after === null ? '' : countText(batch.after + before + 1)}
        </span>
      </button>
    );
  };
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <div className={styles['bar']}>
          <strong className={styles['marked']}>{texts.requests(plan.requests)}</strong>
          <span className={ui['quiet']} title={appTexts.changeLimit(plan.changeLimit)}>
            {texts.forChanges(plan.changes)} {!isSent && texts.left(plan.budgetLeft)}
          </span>
          <span className={ui['toolbar-gap']} />
          {!isSent && (
            <Button
              leftSection={<IconDownload size={14} stroke={1.75} aria-hidden="true" />}
              onClick={() => void save()}
            >
              {texts.save}
            </Button>
          )}
        </div>
        <div className={`${styles['request']} ${styles['request-head']}`} aria-hidden="true">
          <span />
          <span>{texts.columns.verb}</span>
          <span>{texts.columns.address}</span>
          <span>{texts.columns.what}</span>
          <span>{texts.columns.where}</span>
          <span className={styles['request-count']}>{texts.columns.changes}</span>
          <span className={styles['request-count']}>{texts.columns.after}</span>
        </div>
        <div className={styles['requests']}>
          <VirtualList
            count={before + plan.requests}
            label={texts.list}
            resetOn={planId}
            onWant={(from, to) => list.want(from - before, to - before)}
            line={line}
          />
        </div>
        <div className={`${styles['request']} ${styles['request-sum']}`}>
          <span className={styles['request-note']}>{texts.noChange}</span>
          <strong className={`${styles['request-count']} ${styles['marked']}`}>{countText(plan.changes)}</strong>
          <span />
        </div>
      </div>
      <aside className={styles['side']}>
        {open === null ? (
          <p className={ui['quiet']}>{texts.choose}</p>
        ) : (
          <Body workspaceId={workspaceId} planId={planId} index={open} number={open + before + 1} />
        )}
      </aside>
    </div>
  );
}

interface BodyProps {
  readonly workspaceId: string;
  readonly planId: string;
  readonly index: number;
  readonly number: number;
}

/** The exact text of one request: address and body. */
function Body({ workspaceId, planId, index, number }: BodyProps) {
  const { toasts } = useAppContext();
  const { data, error } = useQuery(
    useApi().sync.planBatches.queryOptions({ input: { workspaceId, planId, from: index, count: 1, bodies: true } }),
  );
  const batch = data?.batches[0];
  const json = batch?.json ?? '';
  const copy = async (): Promise<void> => {
    if (await copyText(json)) toasts.tell(texts.copied);
    else toasts.fail(dialogTexts.history.copyFailed);
  };
  return (
    <>
      <div className={styles['side-head']}>
        <h2>{texts.request(number)}</h2>
        <Button leftSection={<IconCopy size={14} stroke={1.75} aria-hidden="true" />} onClick={() => void copy()}>
          {texts.copy}
        </Button>
      </div>
      <Problem of={error} />
      {batch !== undefined && (
        <p className={ui['quiet']}>
          {batch.method} {batch.path}
        </p>
      )}
      <JsonText>{indented(json)}</JsonText>
    </>
  );
}

/** The JSON with line breaks and indentation. Numbers are copied as text, because a parser would round long IDs. */
export function indented(json: string): string {
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gsu, (part) => {
    if (part.startsWith('"')) return part;
    if (part === ':') return ': ';
    if (part === '}' || part === ']') {
      depth--;
      return newLine() + part;
    }
    if (part !== ',') depth++;
    return part + newLine();
  });
}

/** The differences between a saved plan and the present one, line by line with row names. */
export function PlanChanges({ changed }: { readonly changed: Changes }) {
  return (
    <section aria-label={texts.differences}>
      <h2 className={ui['group-title']}>{texts.differences}</h2>
      <ul className={ui['lines']}>
        {changed.lines.map(({ sign, line, kind, label }) => (
          <li key={`${sign} ${line}`} className={ui['line']}>
            <span className={sign === '-' ? styles['plan-old'] : styles['plan-new']}>{texts.signs[sign]}</span>{' '}
            {kind !== null && label !== null && (
              <>
                <span className={ui['quiet']}>{KIND_NAMES[kind].one}</span> {label}{' '}
              </>
            )}
            <code className={styles['plan-code']}>{line}</code>
          </li>
        ))}
        {changed.more > 0 && <li className={`${ui['line']} ${ui['quiet']}`}>{appTexts.sync.more(changed.more)}</li>}
      </ul>
    </section>
  );
}
