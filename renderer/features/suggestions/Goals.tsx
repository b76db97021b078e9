import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { MonthPlan } from '../../../shared/api/suggestions.ts';
import { parseDecimal } from '../../../shared/model/decimal.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { type Goal, type GoalScope, roasOfAcos, type ScopedGoal } from '../../../shared/suggestions/goals.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { CampaignChoice } from '../../app/CampaignChoice.tsx';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { moneyText } from '../../app/locale/numbers.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { Problem } from '../../app/Problem.tsx';
import { rowsOf } from '../../app/shared-queries.ts';
import { Choice } from '../../components/Choice.tsx';
import ui from '../../components/ui.module.css';
import styles from './suggestions.module.css';

const texts = {
  title: 'Goals',
  hint: 'The most specific goal applies: of the campaign, of its label, then of the account. Without a goal, no bids are suggested.',
  list: 'Active goals',
  none: 'No goal yet.',
  plan: 'Monthly spend plan (optional)',
  planned: (amount: string) => `${amount} per month`,
  account: 'All campaigns',
  label: (name: string) => `Label: ${name}`,
  campaign: (name: string) => `Campaign: ${name}`,
  find: 'A campaign…',
  choose: 'Choose campaign',
  cancel: 'Cancel',
  for: 'Applies to',
  goal: 'Goal',
  goals: {
    roas: 'Target ROAS',
    acos: 'Target ACOS',
    hold: 'Keep spend steady',
    none: 'No bid suggestions',
    inherit: 'Inherit',
  },
  roas: (value: string) => `ROAS ${value}`,
  held: 'Keep spend at the average of the last 28 days',
  heldAt: (amount: string) => `Keep spend at ${amount} per day`,
  value: {
    roas: 'Sales per dollar of spend',
    acos: 'Spend as a percentage of sales',
    hold: 'Daily spend (empty: average of the last 28 days)',
    none: '',
    inherit: '',
  },
  save: 'Save goal',
  remove: (name: string) => `Remove goal: ${name}`,
  bad: 'Enter a number above 0.',
  back: 'Show suggestions',
} as const;

const WAYS = ['roas', 'acos', 'hold', 'none', 'inherit'] as const;
type Way = (typeof WAYS)[number];

/** The settings of one scope: a goal, and the monthly budget in cents. */
interface ScopeSetting {
  readonly goal: Goal | null;
  readonly plan: number | null;
}

const NOTHING: ScopeSetting = { goal: null, plan: null };

const goalActions = (context: ActionContext) => ({
  set: (scope: GoalScope, { goal, plan }: ScopeSetting) =>
    runAction(context, (workspaceId) =>
      context.connection.client.suggestions.setGoal({ workspaceId, scope, goal, plan }),
    ),
});

/** A scope as text, as in the options of the form: `account`, `label:Summer`, `campaign:12`. */
function keyOf(scope: GoalScope): string {
  if (scope.of === 'account') return 'account';
  return scope.of === 'label' ? `label:${scope.label}` : `campaign:${scope.campaignId}`;
}

function scopeOf(key: string): GoalScope {
  if (key.startsWith('label:')) return { of: 'label', label: key.slice('label:'.length) };
  if (!key.startsWith('campaign:')) return { of: 'account' };
  return { of: 'campaign', campaignId: asRowId(Number(key.slice('campaign:'.length))) };
}

interface GoalsProps {
  readonly workspaceId: string;
  readonly goals: readonly ScopedGoal[];
  readonly plans: readonly MonthPlan[];
}

/** Goals for bids, by account, label and campaign. They are stored on this computer only. */
export function Goals({ workspaceId, goals, plans }: GoalsProps) {
  const { store } = useAppContext();
  const api = useApi();
  const actions = useActions(goalActions);
  const wanted = useView((s) => s.goalFor) ?? 'account';
  const labels = useQuery(api.notes.labels.queryOptions({ input: { workspaceId } })).data ?? [];
  const [isFinding, setFinding] = useState(false);
  const inForce = [...new Map([...goals, ...plans].map(({ scope }) => [keyOf(scope), scope]))];
  // An account can have any number of campaigns, so only those that are named here are read.
  const named = [...inForce.map(([, scope]) => scope), scopeOf(wanted)].flatMap((scope) =>
    scope.of === 'campaign' ? [scope.campaignId] : [],
  );
  const campaigns = useQueries({
    queries: [...new Set(named)].map((campaignId) => rowsOf(api, workspaceId, { kind: 'campaign', campaignId })),
  }).flatMap(({ data }) => data?.rows ?? []);
  const nameOf = (key: string): string => {
    const scope = scopeOf(key);
    if (scope.of === 'account') return texts.account;
    if (scope.of === 'label') return texts.label(scope.label);
    return texts.campaign(campaigns.find(({ id }) => id === scope.campaignId)?.campaignName ?? `#${scope.campaignId}`);
  };
  const scopes = ['account', ...labels.map(({ name }) => `label:${name}`)];
  const known = scopes.includes(wanted) ? scopes : [...scopes, wanted];
  const setOf = (key: string): ScopeSetting => ({
    goal: goals.find(({ scope }) => keyOf(scope) === key)?.goal ?? null,
    plan: plans.find(({ scope }) => keyOf(scope) === key)?.plan ?? null,
  });
  const show = (key: string): void => {
    setFinding(false);
    store.getState().showGoals(key);
  };
  const save = async (set: ScopeSetting): Promise<void> => {
    // The form stays with what was typed if it was not saved.
    if ((await actions.set(scopeOf(wanted), set)) !== null) store.getState().showGoals(null);
  };
  return (
    <>
      <h2>{texts.title}</h2>
      <p className={ui['quiet']}>{texts.hint}</p>
      {inForce.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul className={styles['goals']} aria-label={texts.list}>
          {inForce.map(([key, scope]) => {
            const { goal, plan } = setOf(key);
            return (
              <li key={key}>
                <button type="button" className={ui['link']} onClick={() => show(key)}>
                  {nameOf(key)}
                </button>
                <span>
                  {[goal === null ? null : goalText(goal), plan === null ? null : texts.planned(moneyText(plan))]
                    .filter((text) => text !== null)
                    .join(', ')}
                </span>
                <button
                  type="button"
                  className={styles['tab']}
                  aria-label={texts.remove(nameOf(key))}
                  title={texts.remove(nameOf(key))}
                  onClick={() => void actions.set(scope, NOTHING)}
                >
                  <IconX size={12} stroke={1.5} aria-hidden="true" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {isFinding ? (
        <FindCampaign
          workspaceId={workspaceId}
          onFind={(id) => show(`campaign:${id}`)}
          onCancel={() => setFinding(false)}
        />
      ) : (
        <GoalForm
          key={`${wanted} ${JSON.stringify(setOf(wanted))}`}
          scope={wanted}
          scopes={[...known, FIND]}
          nameOf={(key) => (key === FIND ? texts.find : nameOf(key))}
          was={setOf(wanted)}
          onScope={(key) => (key === FIND ? setFinding(true) : show(key))}
          onSave={(set) => void save(set)}
        />
      )}
      <button type="button" className={ui['link']} onClick={() => store.getState().showGoals(null)}>
        {texts.back}
      </button>
    </>
  );
}

/** The option that looks for a campaign. */
const FIND = 'find';

interface FindProps {
  readonly workspaceId: string;
  readonly onFind: (campaignId: number) => void;
  readonly onCancel: () => void;
}

/** Finds a campaign by its name, for a goal. */
function FindCampaign({ workspaceId, onFind, onCancel }: FindProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={box} className={styles['form']}>
      <CampaignChoice workspaceId={workspaceId} chosen={chosen} onChoose={setChosen} />
      <Button disabled={chosen === null} onClick={() => chosen !== null && onFind(chosen)}>
        {texts.choose}
      </Button>
      <Button onClick={onCancel}>{texts.cancel}</Button>
    </div>
  );
}

export function goalText(goal: Goal): string {
  if (goal.is === 'none') return texts.goals.none;
  if (goal.is === 'hold') return goal.perDay === null ? texts.held : texts.heldAt(moneyText(goal.perDay));
  return texts.roas(locale().amount(goal.target));
}

interface GoalFormProps {
  readonly scope: string;
  readonly scopes: readonly string[];
  readonly nameOf: (key: string) => string;
  readonly was: ScopeSetting;
  readonly onScope: (key: string) => void;
  readonly onSave: (set: ScopeSetting) => void;
}

function GoalForm({ scope, scopes, nameOf, was, onScope, onSave }: GoalFormProps) {
  const { goal } = was;
  const first = useRef<HTMLInputElement>(null);
  const [way, setWay] = useState<Way>(goal?.is ?? (was.plan === null ? 'roas' : 'inherit'));
  const amount = goal?.is === 'roas' ? goal.target : goal?.is === 'hold' ? goal.perDay : null;
  const [text, setText] = useState(typed(amount));
  const [planText, setPlanText] = useState(typed(was.plan));
  const read = goalOf(way, text);
  const plan = planText.trim() === '' ? null : centsOf(planText);
  const isPlanBad = planText.trim() !== '' && plan === null;
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (read !== undefined && !isPlanBad) onSave({ goal: read, plan });
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <label>
        {texts.for}
        <Choice options={scopes.map((key) => [key, nameOf(key)])} value={scope} onChoose={onScope} />
      </label>
      <label>
        {texts.goal}
        <Choice options={WAYS.map((each) => [each, texts.goals[each]])} value={way} onChoose={setWay} />
      </label>
      {way !== 'none' && way !== 'inherit' && (
        <label>
          {texts.value[way]}
          <input
            ref={first}
            className={ui['input']}
            inputMode="decimal"
            aria-invalid={text !== '' && read === undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      )}
      <label>
        {texts.plan}
        <input
          className={ui['input']}
          inputMode="decimal"
          aria-invalid={isPlanBad}
          value={planText}
          onChange={(event) => setPlanText(event.target.value)}
        />
      </label>
      <Problem of={(text !== '' && read === undefined) || isPlanBad ? texts.bad : null} />
      <Button type="submit" disabled={read === undefined || isPlanBad}>
        {texts.save}
      </Button>
    </form>
  );
}

const typed = (cents: number | null): string =>
  cents === null ? '' : typedAmount((cents / 100).toFixed(2), locale().style);

/** Null for text that is not an amount above 0. */
function centsOf(text: string): number | null {
  const plain = readAmount(text.replace('%', '').trim());
  const number = plain.ok ? parseDecimal(plain.value, 2) : plain;
  return number.ok && number.value.units > 0 ? number.value.units : null;
}

/** Null for no goal, undefined for invalid input. ACOS is stored as its inverse, ROAS. */
function goalOf(way: Way, text: string): Goal | null | undefined {
  if (way === 'inherit') return null;
  if (way === 'none') return { is: 'none' };
  if (way === 'hold' && text.trim() === '') return { is: 'hold', perDay: null };
  const units = centsOf(text);
  if (units === null) return undefined;
  if (way === 'hold') return { is: 'hold', perDay: units };
  const target = way === 'acos' ? roasOfAcos(units) : units;
  return target > 0 ? { is: 'roas', target } : undefined;
}
