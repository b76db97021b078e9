import { Button, NumberInput } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { PlanView } from '../../../shared/api/sync.ts';
import { useAppContext } from '../../app/app-context.ts';
import { revealIssue } from '../../app/command-handlers.ts';
import { ruleName } from '../../app/issue-text.ts';
import { countText, moneyText, plural, shortDayText, timeText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { MomentInput } from '../../components/MomentInput.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';
import { TimelineStep } from './TimelineStep.tsx';

const texts = {
  after: 'After you send',
  immediate: (n: number) => `${countText(n)} ${n === 1 ? 'takes' : 'take'} effect immediately`,
  now: 'now',
  upload: (n: number) => `${plural(n, 'video')} uploaded and processed`,
  again: (n: number) => `Sync again when ${n === 1 ? 'it is' : 'they are'} ready`,
  againText: 'A video profile is sent, and reviewed, only then.',
  review: (n: number) => `${countText(n)} ${n === 1 ? 'needs' : 'need'} review`,
  reviewDays: '1–3 days',
  submitted: (n: number) => `${plural(n, 'campaign')} submitted for review`,
  unsubmitted: (n: number) => `${plural(n, 'campaign')} not submitted for review`,
  unsubmittedWhy: {
    off: '"Submit for review" is off',
    incomplete: 'has no profile, item or keyword to review',
    'not-chosen': 'not all of its changes are selected',
    'has-errors': 'a row that its review needs has errors',
    'waits-for-media': 'its video is still processing',
    held: 'a row that its review needs is on hold',
    'nothing-to-send': 'nothing to review',
  } as Readonly<Record<string, string>>,
  unsubmittedOther: 'a row that its review needs is not included',
  unsubmittedRow: (campaign: string) => `Go to row: ${campaign}`,
  scheduled: (n: number) => `${plural(n, 'campaign')} scheduled`,
  from: (day: string) => `from ${day}`,
  budgets: 'Daily budgets',
  before: (amount: string) => `${amount} today, all campaigns`,
  /** Tells campaigns of one name apart. */
  which: (id: string) => `ID ${id}`,
  together: 'Total',
  more: (n: number) => `${countText(n)} more`,
  sentBy: (time: string) => `The service limits changes per hour. All are sent by ${time} if Adslate stays open.`,
  warnings: 'Warnings',
  customRule: 'Custom rule',
  show: 'Go to row',
  showOf: (rule: string) => `Go to row: ${rule}`,
  added: 'Also included',
  later: 'Send later',
  deadline: 'Deadline',
  deadlineHelp: 'Nothing is sent after this time. Leave it empty for no deadline.',
  explain: 'Adslate checks the service every minute. It sends this plan when the service responds without a break.',
  notBefore: 'Not before',
  minutes: 'Minutes without a failure',
  schedule: 'Schedule sync',
  fileOpen: 'Run a saved plan…',
} as const;

export interface Health {
  /** In milliseconds since 1970; null for none. */
  readonly deadline: number | null;
  readonly after: number;
  readonly healthyMinutes: number;
}

interface StepProps {
  readonly state: string;
  readonly name: string;
  readonly when: string;
  readonly text: string;
}

/** The number of names below a step. */
const NAMED = 3;

const firstOf = (names: readonly string[], all: number): string => {
  const shown = [...new Set(names)].slice(0, NAMED);
  return [...shown, ...(all > shown.length ? [texts.more(all - shown.length)] : [])].join(', ');
};

const Step = ({ state, name, when, text }: StepProps) => (
  <TimelineStep sign={<StatusShape state={state} text="" />} name={name} when={when}>
    {text}
  </TimelineStep>
);

/** The effects of the plan: when changes take effect, and the new budgets. */
export function Outlook({
  plan: { effects, budgets, uploads, reviews, changeLimit, sentBy, warnings, added },
}: {
  readonly plan: PlanView;
}) {
  const now = useNow();
  const signed = (cents: number): string => `${cents > 0 ? '+' : '−'}${moneyText(Math.abs(cents))}`;
  const tone = (cents: number) => styles[cents > 0 ? 'more-money' : 'less-money'];
  return (
    <>
      {effects.immediate + effects.review + uploads.length + reviews + effects.unsubmitted.campaigns > 0 && (
        <section aria-label={texts.after}>
          <h2>{texts.after}</h2>
          <ol>
            {effects.immediate > 0 && (
              <Step state="live" name={texts.immediate(effects.immediate)} when={texts.now} text="" />
            )}
            {uploads.length > 0 && (
              <Step
                state="processing"
                name={texts.upload(uploads.length)}
                when=""
                text={firstOf(
                  uploads.map(({ file }) => file),
                  uploads.length,
                )}
              />
            )}
            {uploads.length > 0 && (
              <Step state="draft" name={texts.again(uploads.length)} when="" text={texts.againText} />
            )}
            {reviews > 0 && (
              <Step
                state="in-review"
                name={texts.submitted(reviews)}
                when=""
                text={firstOf(effects.submitted, reviews)}
              />
            )}
            {effects.review > 0 && (
              <Step
                state="in-review"
                name={texts.review(effects.review)}
                when={texts.reviewDays}
                text={effects.reviewed.slice(0, 3).join(', ')}
              />
            )}
            <UnsubmittedStep of={effects.unsubmitted} />
            {effects.scheduled.from !== null && (
              <Step
                state="scheduled"
                name={texts.scheduled(effects.scheduled.campaigns)}
                when={texts.from(shortDayText(effects.scheduled.from))}
                text={firstOf(
                  effects.scheduled.first.map(({ label, startDate }) => `${label} ${shortDayText(startDate)}`),
                  effects.scheduled.campaigns,
                )}
              />
            )}
          </ol>
          {sentBy !== null && <p className={ui['note-warning']}>{texts.sentBy(timeText(sentBy, now))}</p>}
          {(sentBy !== null || changeLimit.from !== 'settings') && (
            <p className={`${ui['quiet']} ${styles['small']}`}>{appTexts.changeLimit(changeLimit)}</p>
          )}
        </section>
      )}
      {warnings.length > 0 && <Warnings of={warnings} />}
      {added.length > 0 && (
        <section aria-label={texts.added}>
          <h2>{texts.added}</h2>
          <p className={ui['quiet']}>
            {added
              .flatMap(({ first }) => first.map(({ label }) => label))
              .slice(0, 8)
              .join(', ')}
          </p>
        </section>
      )}
      {budgets.campaigns.length > 0 && (
        <section aria-label={texts.budgets}>
          <h2>{texts.budgets}</h2>
          <p className={styles['budget-sum']}>
            {budgets.before > 0 && <span className={ui['quiet']}>{texts.before(moneyText(budgets.before))}</span>}
            <span className={styles['budget-after']}>{moneyText(budgets.after)}</span>
          </p>
          <ul className={styles['sums']}>
            {budgets.campaigns.map(({ id, label, remoteId, before, after }) => (
              <li key={id}>
                <span>
                  {label}
                  {remoteId !== null && budgets.campaigns.some((other) => other.label === label && other.id !== id) && (
                    <span className={ui['quiet']}> {texts.which(remoteId)}</span>
                  )}
                </span>
                <span className={tone(after - before)}>{signed(after - before)}</span>
              </li>
            ))}
            {budgets.more > 0 && <li className={ui['quiet']}>{texts.more(budgets.more)}</li>}
            {budgets.after !== budgets.before && budgets.campaigns.length + budgets.more > 1 && (
              <li className={styles['sums-total']}>
                <span>{texts.together}</span>
                <span className={`${styles['marked']} ${tone(budgets.after - budgets.before)}`}>
                  {signed(budgets.after - budgets.before)}
                </span>
              </li>
            )}
          </ul>
        </section>
      )}
    </>
  );
}

/** Campaigns that stay without a review, each with its reason and a link to the row that causes it. */
export function UnsubmittedStep({ of: { campaigns, first } }: { readonly of: PlanView['effects']['unsubmitted'] }) {
  const app = useAppContext();
  if (campaigns === 0) return null;
  return (
    <TimelineStep sign={<StatusShape state="draft" text="" />} name={texts.unsubmitted(campaigns)} when="">
      {first.slice(0, NAMED).map(({ kind, id, label, why }) => (
        <button
          key={`${kind} ${id}`}
          type="button"
          title={texts.unsubmittedRow(label)}
          onClick={() => void revealIssue(app, { kind, id })}
        >
          {label}: {texts.unsubmittedWhy[why] ?? texts.unsubmittedOther}
        </button>
      ))}
      {campaigns > NAMED && texts.more(campaigns - NAMED)}
    </TimelineStep>
  );
}

/** Rules shown, each with its first rows. */
const RULES_SHOWN = 4;
/** Custom rules with warnings are counted together. */
const CUSTOM_RULES = 'user.warning';

/** What the rules warn of in the rows that are sent: they stop no row, so this is the last place to see them. */
function Warnings({ of }: { readonly of: PlanView['warnings'] }) {
  const app = useAppContext();
  const nameOf = (rule: string): string => (rule === CUSTOM_RULES ? texts.customRule : ruleName(rule, []));
  return (
    <section aria-label={texts.warnings}>
      <div className={styles['side-head']}>
        <h2>{texts.warnings}</h2>
        <span className={ui['badge']}>{countText(of.reduce((sum, { rows }) => sum + rows, 0))}</span>
      </div>
      <ul className={styles['reasons']}>
        {of.slice(0, RULES_SHOWN).map(({ reason, rows, first }) => (
          <li key={reason}>
            <span>
              <span className={ui['note-warning']}>{nameOf(reason)}</span>
              <span className={ui['quiet']}>
                {firstOf(
                  first.map(({ label }) => label),
                  rows,
                )}
              </span>
            </span>
            {first.slice(0, 1).map(({ kind, id }) => (
              <Button
                key={id}
                aria-label={texts.showOf(nameOf(reason))}
                onClick={() => void revealIssue(app, { kind, id }, reason === CUSTOM_RULES ? 'user.' : reason)}
              >
                {texts.show}
              </Button>
            ))}
          </li>
        ))}
        {of.length > RULES_SHOWN && <li className={ui['quiet']}>{texts.more(of.length - RULES_SHOWN)}</li>}
      </ul>
    </section>
  );
}

interface SendLaterProps {
  /** Whether the plan may be sent now, and with it scheduled. */
  readonly canSend: boolean;
  readonly deadline: number | null;
  readonly onDeadline: (deadline: number | null) => void;
  readonly onSchedule: (health: Health) => Promise<void>;
}

/** The deadline for sending the plan, and whether it waits until the service is healthy. */
export function SendLater({ canSend, deadline, onDeadline, onSchedule }: SendLaterProps) {
  const { store } = useAppContext();
  const now = useNow();
  const [after, setAfter] = useState<number | null>(null);
  const [minutes, setMinutes] = useState(5);
  return (
    <details className={styles['later']}>
      <summary>
        <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
        {texts.later}
      </summary>
      <MomentInput label={texts.deadline} help={texts.deadlineHelp} onChange={onDeadline} />
      <p className={ui['quiet']}>{texts.explain}</p>
      <MomentInput label={texts.notBefore} onChange={setAfter} />
      <NumberInput
        size="xs"
        label={texts.minutes}
        min={1}
        max={1440}
        allowDecimal={false}
        value={minutes}
        onChange={(value) => setMinutes(Number(value))}
      />
      <Button
        size="xs"
        disabled={!canSend || minutes < 1 || (deadline !== null && Math.max(after ?? 0, now) >= deadline)}
        onClick={() => void onSchedule({ deadline, after: after ?? 0, healthyMinutes: minutes })}
      >
        {texts.schedule}
      </Button>
      <Button size="xs" onClick={() => store.getState().openSync({ file: 'choose' })}>
        {texts.fileOpen}
      </Button>
    </details>
  );
}
