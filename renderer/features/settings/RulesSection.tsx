import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { UserRule } from '../../../shared/api/rules.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { parseUserRule, ruleFilter, ruleQuery } from '../../../shared/rules/custom-rules.ts';
import { parsePack, printPack, testSamples } from '../../../shared/rules/rule-pack.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { plainSearch } from '../../app/locale/plain-search.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { saveText } from '../../app/save-text.ts';
import { useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { Empty } from '../../components/Empty.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { ruleActions } from './rule-actions.ts';
import styles from './settings.module.css';

const texts = {
  list: 'Custom rules',
  intro:
    'Custom rules add to the issues of the account. Enter a condition as in the filter box; it is checked with every edit.',
  loading: 'Loading rules…',
  none: 'No custom rules yet',
  noneText: 'For example, a warning for keywords with bid>5 catches a misplaced decimal point before you sync.',
  add: 'New rule',
  on: 'On',
  name: 'Name',
  nameHint: 'Describe what the rule finds, such as: Bids above $5',
  kind: 'Applies to',
  severity: 'Severity',
  query: 'Condition',
  queryHint: 'Same syntax as the filter: bid>5 matchType:broad, -campaign:test, "paper towel"',
  severities: {
    error: 'Error: rows are not sent',
    warning: 'Warning: shown, and rows are sent',
    advice: 'Suggestion: shown quietly, and rows are sent',
  },
  found: 'Matches now',
  foundRows: (n: number) => (n === 0 ? 'No rows match.' : `${plural(n, 'row')} ${n === 1 ? 'matches' : 'match'}.`),
  count: (n: number) => countText(n),
  counting: 'Counting matches…',
  typeQuery: 'Enter a condition to see how many rows match.',
  show: 'Show matching rows',
  edit: 'Edit',
  editOf: (name: string) => `Edit rule ${name}`,
  remove: 'Delete',
  removeOf: (name: string) => `Delete rule ${name}`,
  switchOf: (name: string) => `Rule ${name} is on`,
  actions: 'Actions',
  cannotRun: "Can't run",
  back: 'Back to list',
  save: 'Save rule',
  saved: (name: string) => `Rule "${name}" saved.`,
  saveAsFile: 'Export rules…',
  saveRejections: 'Export rejected wording…',
  rejectionsName: 'rejected.adslate-rules',
  fileName: 'custom.adslate-rules',
  takeIn: 'Import rules…',
  takeInLabel: 'Rule pack',
  takeInHint: 'Open a rule pack, or paste its text. Rules with the same ID are replaced.',
  openFile: 'Open file…',
  unreadable: "The file can't be read. Copy it to this computer, then open it again.",
  samplesPass: 'All sample rows pass.',
  notFound: (rule: string, row: string) => `${rule} does not find its sample: ${row}`,
  foundWrongly: (rule: string, row: string) => `${rule} finds a sample that it must pass: ${row}`,
  takeInButton: 'Import rules',
} as const;

/**
 *   list --New rule, Edit--> form --Save, Back--> list
 *      \--Import rules--> text --Import, Back--> list
 */
export function RulesSection({ workspaceId }: { readonly workspaceId: string }) {
  const { keepRule } = useAppContext().store.getState();
  const rule = useView((s) => s.rules[workspaceId]);
  const [isImporting, setIsImporting] = useState(false);
  const actions = useActions(ruleActions);
  const { data: rules, error } = useQuery(useApi().rules.list.queryOptions({ input: { workspaceId } }));
  return (
    <>
      {rule !== undefined && <RuleForm workspaceId={workspaceId} rule={rule} />}
      {isImporting && <ImportRules onDone={() => setIsImporting(false)} />}
      {rule === undefined && !isImporting && (
        <>
          <p className={ui['quiet']}>{texts.intro}</p>
          <Problem of={error} />
          {rules === undefined && error === null && <p className={ui['quiet']}>{texts.loading}</p>}
          {rules?.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
          {rules !== undefined && rules.length > 0 && (
            <RuleList workspaceId={workspaceId} rules={rules} onEdit={(each) => keepRule(workspaceId, ruleOf(each))} />
          )}
          <Group justify="space-between" mt="md">
            <Group gap="xs">
              <Button disabled={rules === undefined} onClick={() => setIsImporting(true)}>
                {texts.takeIn}
              </Button>
              <Button
                disabled={rules === undefined || rules.length === 0}
                onClick={() => saveText(texts.fileName, asFileText(rules ?? []), 'text/plain')}
              >
                {texts.saveAsFile}
              </Button>
              <Button onClick={() => void actions.saveRejections(texts.rejectionsName)}>{texts.saveRejections}</Button>
            </Group>
            <Button disabled={rules === undefined} onClick={() => keepRule(workspaceId, newRule())}>
              {texts.add}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

const SEVERITIES: readonly UserRule['severity'][] = ['error', 'warning', 'advice'];
/** Milliseconds without typing after which the rule is tested. */
const PAUSE_MS = 300;

interface RuleFormProps {
  readonly workspaceId: string;
  readonly rule: UserRule;
}

/** The form of one rule, which is tested against the account during input, and kept while another screen is shown. */
function RuleForm({ workspaceId, rule }: RuleFormProps) {
  const { toasts, store } = useAppContext();
  const { goTo, setFilter, keepRule } = store.getState();
  const actions = useActions(ruleActions);
  const others = useQuery(useApi().rules.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const set = (change: Partial<UserRule>): void => {
    keepRule(workspaceId, { ...rule, ...change });
    setProblem(null);
  };
  /** The rule with amounts in the stored format; null when they can't be read, which is shown. */
  const readable = (): UserRule | null => {
    const plain = plainRule(rule);
    if (!plain.ok) setProblem(plain.error);
    return plain.ok ? plain.value : null;
  };
  const showRows = (): void => {
    const plain = readable();
    if (plain === null) return;
    goTo({ kind: plain.kind, campaignId: null });
    setFilter(ruleQuery(plain));
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const plain = readable();
    if (plain === null) return;
    const id = rule.id === '' ? idFor(rule.name, new Set(others.map((other) => other.id))) : rule.id;
    const why = await during(actions.saveRule({ ...plain, id }));
    setProblem(why);
    if (why !== null) return;
    toasts.tell(texts.saved(rule.name.trim()));
    keepRule(workspaceId);
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <div className={ui['form-two']}>
        <TextInput
          className={ui['form-wide']}
          size="xs"
          label={texts.name}
          placeholder={texts.nameHint}
          ref={takeFocus}
          maxLength={200}
          value={rule.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ChoiceField
          label={texts.kind}
          options={KINDS.map((each) => [each, KIND_NAMES[each].many])}
          value={rule.kind}
          onChoose={(kind) => set({ kind })}
        />
        <ChoiceField
          label={texts.severity}
          options={SEVERITIES.map((each) => [each, texts.severities[each]])}
          value={rule.severity}
          onChoose={(severity) => set({ severity })}
        />
        <TextInput
          className={ui['form-wide']}
          size="xs"
          label={texts.query}
          description={texts.queryHint}
          maxLength={2000}
          value={rule.query}
          onChange={(event) => set({ query: event.currentTarget.value })}
        />
      </div>
      <Trial workspaceId={workspaceId} rule={rule} />
      <Problem of={problem} />
      <Group justify="space-between" mt="md">
        <Button disabled={rule.query.trim() === ''} onClick={showRows}>
          {texts.show}
        </Button>
        <Group gap="xs">
          <Button data-back onClick={() => keepRule(workspaceId)}>
            {texts.back}
          </Button>
          <Button type="submit" loading={busy}>
            {texts.save}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

const ruledView = (rule: UserRule) => ({ kind: rule.kind, filter: ruleFilter(rule) });

/** The rows that the rule matches now, or why it can't run. */
function Trial({ workspaceId, rule }: { readonly workspaceId: string; readonly rule: UserRule }) {
  const [rested] = useDebouncedValue(rule, PAUSE_MS);
  const isEmpty = rested.query.trim() === '';
  // Only the condition is tested: the name may still be missing, and the ID is not chosen yet.
  const plain = plainRule(rested);
  const parsed = plain.ok
    ? parseUserRule({ ...plain.value, id: 'trial', name: rested.name.trim() || texts.add })
    : null;
  const asked = !isEmpty && plain.ok && parsed?.ok === true ? plain.value : null;
  const found = useRows(workspaceId, asked === null ? null : ruledView(asked), 0);
  return (
    <p className={styles['rule-trial']} role="status">
      {isEmpty && <span className={ui['quiet']}>{texts.typeQuery}</span>}
      {!isEmpty && !plain.ok && <span className={ui['note-error']}>{plain.error}</span>}
      {!isEmpty && parsed?.ok === false && <span className={ui['note-error']}>{parsed.error.problem}</span>}
      {found.error !== null && <span className={ui['note-error']}>{errorText(found.error)}</span>}
      {asked !== null &&
        found.error === null &&
        (found.data === undefined ? texts.counting : <strong>{texts.foundRows(found.data.total)}</strong>)}
    </p>
  );
}

type ListedRule = Awaited<ReturnType<Client['rules']['list']>>[number];

interface RuleListProps {
  readonly workspaceId: string;
  readonly rules: readonly ListedRule[];
  readonly onEdit: (rule: ListedRule) => void;
}

/** The rules with the number of rows each matches now; a check box switches a rule off without deleting it. */
function RuleList({ workspaceId, rules, onEdit }: RuleListProps) {
  return (
    <ScrollBox className={`${ui['preview-scroll']} ${ui['tall-scroll']}`} label={texts.list}>
      <table className={`${ui['diff']} ${ui['plain-table']} ${styles['rule-table']}`}>
        <TableHead
          titles={[texts.on, texts.name, texts.kind, texts.severity, texts.query, texts.found]}
          actions={texts.actions}
        />
        <tbody>
          {rules.map((rule) => (
            <RuleLine key={rule.id} workspaceId={workspaceId} rule={rule} onEdit={onEdit} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function RuleLine({
  workspaceId,
  rule,
  onEdit,
}: Pick<RuleListProps, 'workspaceId' | 'onEdit'> & { readonly rule: ListedRule }) {
  const { toasts } = useAppContext();
  const actions = useActions(ruleActions);
  const found = useRows(workspaceId, rule.problem === null ? ruledView(rule) : null, 0);
  const change = (enabled: boolean): void =>
    void actions.saveRule({ ...ruleOf(rule), enabled }).then((problem) => {
      if (problem !== null) toasts.fail(problem);
    });
  return (
    <tr className={rule.enabled ? undefined : ui['diff-held']}>
      <td>
        <input
          type="checkbox"
          aria-label={texts.switchOf(rule.name)}
          checked={rule.enabled}
          onChange={(event) => change(event.target.checked)}
        />
      </td>
      <th scope="row">{rule.name}</th>
      <td>{KIND_NAMES[rule.kind].many}</td>
      <td>
        <span className={`${ui['badge']} ${ui[`badge-${rule.severity}`]}`}>
          {appTexts.rules.severityWord[rule.severity]}
        </span>
      </td>
      <td>
        <code>{rule.query}</code>
        {rule.problem !== null && (
          <p className={ui['note-error']}>
            {texts.cannotRun}: {rule.problem}
          </p>
        )}
        <Problem of={found.error} />
      </td>
      <td className={ui['numeric']}>{found.data === undefined ? '–' : texts.count(found.data.total)}</td>
      <td className={styles['row-buttons']}>
        <Chip aria-label={texts.editOf(rule.name)} onClick={() => onEdit(rule)}>
          {texts.edit}
        </Chip>
        <Chip aria-label={texts.removeOf(rule.name)} onClick={() => void actions.removeRule(rule.id)}>
          {texts.remove}
        </Chip>
      </td>
    </tr>
  );
}

/** Imports rules from a file or pasted text, and shows the results of their samples first. */
function ImportRules({ onDone }: { readonly onDone: () => void }) {
  const actions = useActions(ruleActions);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const set = (next: string): void => {
    setText(next);
    setProblem(null);
  };
  const take = async (): Promise<void> => {
    const why = await during(actions.takeInRules(text));
    setProblem(why);
    if (why === null) onDone();
  };
  const failed = failedSamples(text);
  return (
    <>
      <Textarea
        size="xs"
        rows={12}
        label={texts.takeInLabel}
        description={texts.takeInHint}
        ref={takeFocus}
        value={text}
        error={problem}
        classNames={{ input: styles['rule-pack'] ?? '' }}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <div className={styles['rule-trial']} role="status">
        {failed !== null && failed.length === 0 && <span className={ui['quiet']}>{texts.samplesPass}</span>}
        {failed?.map(({ rule, row, expected }) => (
          <p key={`${rule} ${row}`} className={ui['note-error']}>
            {(expected ? texts.notFound : texts.foundWrongly)(rule, row)}
          </p>
        ))}
      </div>
      <Group justify="space-between" mt="md">
        <FilePicker
          ref={picker}
          aria-label={texts.openFile}
          accept=".adslate-rules,.txt,.json"
          onPick={([file]) => void file?.text().then(set, () => setProblem(texts.unreadable))}
        />
        <Button onClick={() => picker.current?.click()}>{texts.openFile}</Button>
        <Group gap="xs">
          <Button data-back onClick={onDone}>
            {texts.back}
          </Button>
          <Button
            variant="filled"
            loading={busy}
            disabled={text.trim() === '' || (failed !== null && failed.length > 0)}
            onClick={() => void take()}
          >
            {texts.takeInButton}
          </Button>
        </Group>
      </Group>
    </>
  );
}

/** Samples that fail; null for a text without samples, or one that is no valid pack yet. */
function failedSamples(text: string) {
  const pack = parsePack(text);
  const outcomes = pack.ok ? testSamples(pack.value.rules) : [];
  return outcomes.length === 0 ? null : outcomes.filter(({ expected, found }) => expected !== found);
}

const ID_MAX = 40;

/** A new, empty rule; without an ID until it is saved. */
export const newRule = (): UserRule => ({
  id: '',
  name: '',
  kind: 'keyword',
  severity: 'warning',
  query: '',
  enabled: true,
});

/**
 * An ID for a new rule: its name in lower case letters, digits and hyphens, followed by a number if that is taken.
 *
 * @param taken IDs of the other rules
 */
export function idFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, ID_MAX);
  const base = plain === '' ? 'rule' : plain;
  let id = base;
  for (let i = 2; taken.has(id); i += 1) id = `${base}-${i}`;
  return id;
}

/** The stored part of a rule, without the problem that main reports. */
const ruleOf = ({ problem: _, ...rule }: ListedRule): UserRule => rule;

/** A rule in the stored format: amounts with decimal points, whatever the locale. @returns or why they can't be read */
export function plainRule(rule: UserRule): Result<UserRule, string> {
  const query = plainSearch(rule.query, rule.kind);
  return query.ok ? ok({ ...rule, query: query.value }) : query;
}

export const asFileText = (rules: readonly ListedRule[]): string =>
  printPack({ name: texts.list, rules: rules.map(ruleOf) });
