import { ruleActions } from '../../actions/rule-actions.ts';
import { useActions, useAppContext } from '../../app/desk.ts';
import { type ListedRule, rowsFound } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enRules as texts } from '../../messages/en-rules.ts';
import { errorText } from '../../messages/errors.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { ruleOf } from './rule-form.ts';

interface RuleListProps {
  readonly workspaceId: string;
  readonly rules: readonly ListedRule[];
  readonly onEdit: (rule: ListedRule) => void;
}

/** The rules with what each finds at the moment; a box switches one off without losing it. */
export function RuleList({ workspaceId, rules, onEdit }: RuleListProps) {
  return (
    <ScrollBox className="preview-scroll tall-scroll" label={texts.title}>
      <table className="diff plain-table rule-table">
        <thead>
          <tr>
            <th scope="col">{texts.on}</th>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.severity}</th>
            <th scope="col">{texts.query}</th>
            <th scope="col">{texts.found}</th>
            <th scope="col">
              <span className="spoken-only">{texts.actions}</span>
            </th>
          </tr>
        </thead>
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
  const { notes } = useAppContext();
  const actions = useActions(ruleActions);
  const found = useQuery(rule.problem === null ? rowsFound(workspaceId, rule.kind, rule.query) : null);
  const change = (enabled: boolean): void =>
    void actions.saveRule({ ...ruleOf(rule), enabled }).then((problem) => {
      if (problem !== null) notes.fail(problem);
    });
  return (
    <tr className={rule.enabled ? undefined : 'diff-held'}>
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
        <span className={`badge badge-${rule.severity}`}>{texts.severityWord[rule.severity]}</span>
      </td>
      <td>
        <code>{rule.query}</code>
        {rule.problem !== null && (
          <p className="note-error">
            {texts.cannotRun}: {rule.problem}
          </p>
        )}
        {found.error !== null && <p className="note-error">{errorText(found.error)}</p>}
      </td>
      <td className="numeric">{found.data === undefined ? '–' : texts.count(found.data)}</td>
      <td className="row-buttons">
        <button type="button" className="chip" aria-label={texts.editOf(rule.name)} onClick={() => onEdit(rule)}>
          {texts.edit}
        </button>
        <button
          type="button"
          className="chip"
          aria-label={texts.removeOf(rule.name)}
          onClick={() => void actions.removeRule(rule.id)}
        >
          {texts.remove}
        </button>
      </td>
    </tr>
  );
}
