import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { UserRule } from '../../../shared/contract/rules.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { parseUserRule } from '../../../shared/rules/user-rules.ts';
import { ruleActions } from '../../actions/rule-actions.ts';
import { useActions, useAppContext } from '../../app/desk.ts';
import { type ListedRule, rowsFound, userRules } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enRules as texts } from '../../messages/en-rules.ts';
import { errorText } from '../../messages/errors.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { takeFocus } from '../../ui/take-focus.ts';
import { idFor, plainRule, ruleOf } from './rule-form.ts';

const SEVERITIES: readonly UserRule['severity'][] = ['error', 'warning', 'advice'];
/** A pause in typing after which the rule is tried, in milliseconds. */
const PAUSE_MS = 300;

interface RuleFormProps {
  readonly workspaceId: string;
  readonly rule: ListedRule;
  readonly onDone: () => void;
}

/** One rule being written, tried against the account while it is typed. */
export function RuleForm({ workspaceId, rule, onDone }: RuleFormProps) {
  const { notes, store } = useAppContext();
  const actions = useActions(ruleActions);
  const others = useQuery(userRules(workspaceId)).data ?? [];
  const [draft, setDraft] = useState<UserRule>(ruleOf(rule));
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<UserRule>): void => {
    setDraft((before) => ({ ...before, ...change }));
    setProblem(null);
  };
  /** The draft with its amounts as they are stored; null when they cannot be read, which is said. */
  const readable = (): UserRule | null => {
    const plain = plainRule(draft);
    if (!plain.ok) setProblem(plain.error);
    return plain.ok ? plain.value : null;
  };
  const showRows = (): void => {
    const plain = readable();
    if (plain === null) return;
    const { goTo, setFilter, dismiss } = store.getState();
    dismiss();
    goTo({ kind: plain.kind, campaignId: null });
    setFilter(plain.query);
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const plain = readable();
    if (plain === null) return;
    const id = draft.id === '' ? idFor(draft.name, new Set(others.map((other) => other.id))) : draft.id;
    setBusy(true);
    const why = await actions.saveRule({ ...plain, id });
    setBusy(false);
    setProblem(why);
    if (why !== null) return;
    notes.tell(texts.saved(draft.name.trim()));
    onDone();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <div className="form-four">
        <TextInput
          className="form-half"
          size="xs"
          label={texts.name}
          placeholder={texts.nameHint}
          ref={takeFocus}
          maxLength={80}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={texts.kind}
          data={KINDS.map((value) => ({ value, label: KIND_NAMES[value].many }))}
          value={draft.kind}
          onChange={(event) => {
            const kind = KINDS.find((each) => each === event.currentTarget.value);
            if (kind !== undefined) set({ kind });
          }}
        />
        <NativeSelect
          size="xs"
          label={texts.severity}
          data={SEVERITIES.map((value) => ({ value, label: texts.severities[value] }))}
          value={draft.severity}
          onChange={(event) => {
            const severity = SEVERITIES.find((each) => each === event.currentTarget.value);
            if (severity !== undefined) set({ severity });
          }}
        />
        <TextInput
          className="form-wide"
          size="xs"
          label={texts.query}
          description={texts.queryHint}
          maxLength={2000}
          value={draft.query}
          onChange={(event) => set({ query: event.currentTarget.value })}
        />
      </div>
      <Trial workspaceId={workspaceId} rule={draft} />
      {problem !== null && (
        <p className="note-error" role="alert">
          {problem}
        </p>
      )}
      <Group justify="space-between" mt="md">
        <Button disabled={draft.query.trim() === ''} onClick={showRows}>
          {texts.show}
        </Button>
        <Group gap="xs">
          <Button onClick={onDone}>{texts.back}</Button>
          <Button type="submit" variant="filled" loading={busy}>
            {texts.save}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** What the rule finds at the moment, or why it cannot be run. */
function Trial({ workspaceId, rule }: { readonly workspaceId: string; readonly rule: UserRule }) {
  const [rested, setRested] = useState(rule);
  useEffect(() => {
    const timer = setTimeout(() => setRested(rule), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [rule]);
  const isEmpty = rested.query.trim() === '';
  // Its name may still be missing and its id is not chosen yet; the condition alone is tried.
  const plain = plainRule(rested);
  const parsed = plain.ok
    ? parseUserRule({ ...plain.value, id: 'trial', name: rested.name.trim() || texts.add })
    : null;
  const asked = !isEmpty && plain.ok && parsed?.ok === true ? plain.value : null;
  const found = useQuery(asked === null ? null : rowsFound(workspaceId, asked.kind, asked.query));
  return (
    <p className="rule-trial" role="status">
      {isEmpty && <span className="quiet">{texts.typeQuery}</span>}
      {!isEmpty && !plain.ok && <span className="note-error">{plain.error}</span>}
      {!isEmpty && parsed?.ok === false && <span className="note-error">{parsed.error.problem}</span>}
      {found.error !== null && <span className="note-error">{errorText(found.error)}</span>}
      {asked !== null &&
        found.error === null &&
        (found.data === undefined ? texts.counting : <strong>{texts.foundRows(found.data)}</strong>)}
    </p>
  );
}
