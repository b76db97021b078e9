import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CHECKLIST_STEPS, type ChecklistStep } from '../../../shared/api/choices.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { plural } from '../../app/locale/numbers.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import ui from '../../components/ui.module.css';
import { type ChecklistProps, checklistTexts, Ring, useChecklist } from './ChecklistRing.tsx';
import styles from './checklist.module.css';

const texts = {
  progress: (done: number, all: number, left: string) => `${done} of ${all} done, about ${left} left`,
  allDone: 'All steps are done.',
  minute: (n: number) => plural(n, 'minute'),
  done: 'Done',
  close: 'Close the list',
  show: 'Show me',
  foot: 'Steps complete automatically. You can close this list. To reopen it, search for First steps.',
  steps: {
    overview: ['Look at the overview', 'It shows sales, problems and what comes next.'],
    error: ['Fix the headline that is too long', 'The sample has one mistake. It is 3 characters too long.'],
    bids: ['Raise three bids by 10%', 'Adslate selects three keywords. Enter +10% and apply.'],
    item: ['Add an item by its picture', 'Search the catalog and choose an item.'],
    sync: ['Check the plan and send', 'The plan shows every change before it is sent.'],
    live: ['Skip three days and go live', 'Move the practice clock 3 days ahead.'],
  } satisfies Record<ChecklistStep, readonly [string, string]>,
} as const;

/** The time a new user needs for a step, in minutes. */
const MINUTES = 0.5;

/** First steps in a sample account, on its overview. The user's work completes them; this component only shows them. */
export function Checklist({ workspaceId }: ChecklistProps) {
  const { connection } = useAppContext();
  const list = useChecklist({ workspaceId });
  const { condition } = useApi().backups;
  const isWritable = useQuery(condition.queryOptions({ input: { workspaceId } })).data?.writable;
  const isFirst = isWritable === true && list?.done.includes('overview') === false;
  useEffect(() => {
    if (isFirst) void connection.client.checklist.seeOverview({ workspaceId });
  }, [isFirst, connection, workspaceId]);
  if (list === null || list === undefined || list.closed) return null;
  const { done } = list;
  const now = CHECKLIST_STEPS.find((step) => !done.includes(step));
  const left = Math.ceil((CHECKLIST_STEPS.length - done.length) * MINUTES);
  return (
    <section className={styles['list']} aria-label={checklistTexts.title}>
      <div className={styles['head']}>
        <Ring done={done.length} size={36} />
        <div>
          <h2>{checklistTexts.title}</h2>
          <span className={ui['quiet']} role="status">
            {now === undefined
              ? texts.allDone
              : texts.progress(done.length, CHECKLIST_STEPS.length, texts.minute(left))}
          </span>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.close}
          onClick={() => void connection.client.checklist.setClosed({ workspaceId, closed: true })}
        >
          <IconX size={16} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      </div>
      <ol>
        {CHECKLIST_STEPS.map((step, at) => (
          <Step key={step} step={step} at={at} isDone={done.includes(step)} isNow={step === now} />
        ))}
      </ol>
      <p className={styles['foot']}>{texts.foot}</p>
    </section>
  );
}

interface StepProps {
  readonly step: ChecklistStep;
  readonly at: number;
  readonly isDone: boolean;
  readonly isNow: boolean;
}

function Step({ step, at, isDone, isNow }: StepProps) {
  const show = useOpenStep();
  const [name, hint] = texts.steps[step];
  return (
    <li className={isNow ? styles['now'] : undefined} aria-current={isNow ? 'step' : undefined}>
      <span className={isDone ? `${styles['number']} ${styles['number-done']}` : styles['number']}>
        {isDone ? <IconCheck size={14} stroke={2} role="img" aria-label={texts.done} /> : at + 1}
      </span>
      <div>
        <span className={isDone ? ui['quiet'] : styles['name']}>{name}</span>
        {isNow && (
          <>
            <p className={ui['quiet']}>{hint}</p>
            <Button variant="light" onClick={() => show(step)}>
              {texts.show}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

/** Three keywords of the sample account with many sales. */
const BEST_KEYWORDS = 'campaign:"Water bottles manual" bid>=0.55';

/** Opens the place of a step; the user does the step. */
function useOpenStep(): (step: ChecklistStep) => void {
  const context = useCommandContext();
  const run = (id: Parameters<typeof commandOf>[0]): void => commandOf(id).run(context);
  return (step) => {
    const { goTo, goToRows, openPlace } = context.app.store.getState();
    if (step === 'overview') openPlace('overview');
    if (step === 'error') run('view.next-error');
    if (step === 'bids') goToRows({ kind: 'keyword', filter: BEST_KEYWORDS, tool: { step: 'amount', field: 'bid' } });
    if (step === 'item') {
      goTo({ kind: 'adItem', campaignId: null });
      run('rows.add');
    }
    if (step === 'sync') run('sync.plan');
    if (step === 'live') run('practice.clock');
  };
}
