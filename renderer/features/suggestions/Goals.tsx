import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { parseDecimal } from '../../../shared/model/decimal.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { type Goal, type GoalScope, roasOfAcos, type ScopedGoal } from '../../../shared/suggestions/goals.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { moneyText } from '../../app/locale/numbers.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { useRows } from '../../app/shared-queries.ts';
import ui from '../../components/ui.module.css';
import styles from './suggestions.module.css';

const texts = {
  title: 'Goals',
  hint: 'The nearest goal counts: that of the campaign, of its label, of the account. Without one, no bids are suggested.',
  list: 'Goals in force',
  none: 'No goal yet.',
  account: 'All campaigns',
  label: (name: string) => `Label: ${name}`,
  campaign: (name: string) => `Campaign: ${name}`,
  for: 'For',
  goal: 'Goal',
  goals: { roas: 'Target ROAS', acos: 'Target ACOS', hold: 'Hold the spend', none: 'No bid suggestions' },
  roas: (value: string) => `ROAS ${value}`,
  held: 'Hold spend',
  heldAt: (amount: string) => `Hold spend at ${amount} a day`,
  value: {
    roas: 'Sales per dollar of spend',
    acos: 'Spend as a share of sales (%)',
    hold: 'Spend a day (empty: as now)',
    none: '',
  },
  save: 'Save goal',
  remove: (name: string) => `Remove goal: ${name}`,
  bad: 'Enter a number above 0.',
  back: 'Show suggestions',
} as const;

const WAYS = ['roas', 'acos', 'hold', 'none'] as const;
type Way = (typeof WAYS)[number];

const goalActions = (doing: ActionContext) => ({
  set: (scope: GoalScope, goal: Goal | null) =>
    runAction(doing, (workspaceId) => doing.connection.client.suggestions.setGoal({ workspaceId, scope, goal })),
});

/** One text for one scope, as the form's choice has it: `account`, `label:Summer`, `campaign:12`. */
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
}

/** What bids should reach, for the account, labels and campaigns. Stored on this computer only. */
export function Goals({ workspaceId, goals }: GoalsProps) {
  const { store } = useAppContext();
  const actions = useActions(goalActions);
  const wanted = useView((s) => s.goalFor) ?? 'account';
  const labels = useQuery(useApi().notes.labels.queryOptions({ input: { workspaceId } })).data ?? [];
  const campaigns = useRows(workspaceId, { kind: 'campaign', campaignId: null }).data?.rows ?? [];
  const nameOf = (key: string): string => {
    const scope = scopeOf(key);
    if (scope.of === 'account') return texts.account;
    if (scope.of === 'label') return texts.label(scope.label);
    return texts.campaign(campaigns.find(({ id }) => id === scope.campaignId)?.campaignName ?? `#${scope.campaignId}`);
  };
  const scopes = [
    'account',
    ...labels.map(({ name }) => `label:${name}`),
    ...campaigns.map(({ id }) => `campaign:${id}`),
  ];
  const known = scopes.includes(wanted) ? scopes : [...scopes, wanted];
  return (
    <>
      <h2>{texts.title}</h2>
      <p className={ui['quiet']}>{texts.hint}</p>
      {goals.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul className={styles['goals']} aria-label={texts.list}>
          {goals.map(({ scope, goal }) => {
            const key = keyOf(scope);
            return (
              <li key={key}>
                <button type="button" className={ui['link']} onClick={() => store.getState().showGoals(key)}>
                  {nameOf(key)}
                </button>
                <span>{goalText(goal)}</span>
                <button
                  type="button"
                  className={styles['tab']}
                  aria-label={texts.remove(nameOf(key))}
                  title={texts.remove(nameOf(key))}
                  onClick={() => void actions.set(scope, null)}
                >
                  <IconX size={12} stroke={1.5} aria-hidden="true" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <GoalForm
        key={wanted}
        scope={wanted}
        scopes={known}
        nameOf={nameOf}
        goal={goals.find(({ scope }) => keyOf(scope) === wanted)?.goal ?? null}
        onScope={(key) => store.getState().showGoals(key)}
        onSave={(goal) => void actions.set(scopeOf(wanted), goal).then(() => store.getState().showGoals(null))}
      />
      <button type="button" className={ui['link']} onClick={() => store.getState().showGoals(null)}>
        {texts.back}
      </button>
    </>
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
  readonly goal: Goal | null;
  readonly onScope: (key: string) => void;
  readonly onSave: (goal: Goal) => void;
}

function GoalForm({ scope, scopes, nameOf, goal, onScope, onSave }: GoalFormProps) {
  const first = useRef<HTMLInputElement>(null);
  const [way, setWay] = useState<Way>(goal?.is ?? 'roas');
  const amount = goal?.is === 'roas' ? goal.target : goal?.is === 'hold' ? goal.perDay : null;
  const [text, setText] = useState(amount === null ? '' : typedAmount((amount / 100).toFixed(2), locale().style));
  const read = goalOf(way, text);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (read !== null) onSave(read);
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <label>
        {texts.for}
        <select className={ui['input']} value={scope} onChange={(event) => onScope(event.target.value)}>
          {scopes.map((key) => (
            <option key={key} value={key}>
              {nameOf(key)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.goal}
        <select
          className={ui['input']}
          value={way}
          onChange={(event) => setWay(WAYS.find((each) => each === event.target.value) ?? way)}
        >
          {WAYS.map((each) => (
            <option key={each} value={each}>
              {texts.goals[each]}
            </option>
          ))}
        </select>
      </label>
      {way !== 'none' && (
        <label>
          {texts.value[way]}
          <input
            ref={first}
            className={ui['input']}
            inputMode="decimal"
            aria-invalid={text !== '' && read === null}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      )}
      {text !== '' && read === null && (
        <p className={ui['note-error']} role="alert">
          {texts.bad}
        </p>
      )}
      <Button type="submit" disabled={read === null}>
        {texts.save}
      </Button>
    </form>
  );
}

/** ACOS is kept as the ROAS that it is the inverse of. */
function goalOf(way: Way, text: string): Goal | null {
  if (way === 'none') return { is: 'none' };
  if (way === 'hold' && text.trim() === '') return { is: 'hold', perDay: null };
  const plain = readAmount(text.replace('%', '').trim());
  const number = plain.ok ? parseDecimal(plain.value, 2) : plain;
  if (!number.ok || number.value.units <= 0) return null;
  const { units } = number.value;
  if (way === 'hold') return { is: 'hold', perDay: units };
  const target = way === 'acos' ? roasOfAcos(units) : units;
  return target > 0 ? { is: 'roas', target } : null;
}
