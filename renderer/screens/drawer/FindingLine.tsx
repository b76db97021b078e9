import { useAppContext } from '../../app/desk.ts';
import type { Found } from '../../data/finding-questions.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { findingText } from '../../messages/findings.ts';
import { FixAll, Mute } from './KindActions.tsx';

interface FindingLineProps {
  /** Undefined while it has not arrived. */
  readonly finding: Found | undefined;
  /** True below the title of its rule, where what is done to all of a kind stands already. */
  readonly isGrouped?: boolean;
}

/** What a rule says of a row, and where. A click goes to the cell; a fix is one more click. */
export function FindingLine({ finding, isGrouped = false }: FindingLineProps) {
  const { actions, store } = useAppContext();
  if (finding === undefined) return <span className="long-skeleton" />;
  const { fix, kind, id } = finding;
  const where = [
    finding.campaignName,
    kind === 'campaign' ? '' : KIND_NAMES[kind].one,
    kind === 'campaign' ? '' : finding.label,
  ];
  const text = findingText(finding);
  const path = `${where.filter((part) => part !== '').join(' › ')}${finding.field === null ? '' : ` › ${fieldName(finding.field)}`}`;
  return (
    <div className={isGrouped ? 'line line-grouped' : 'line'}>
      <button
        type="button"
        className="line-main"
        title={`${text}\n${path}`}
        onClick={() => store.getState().reveal(kind, finding.campaignId, id, finding.field)}
      >
        <span className="line-text">{text}</span>
        <span className="line-where quiet">{path}</span>
      </button>
      {fix !== null && (
        <button
          type="button"
          className="chip"
          onClick={() => void actions.edit(en.inspector.fix, [{ kind, id, field: fix.field, value: fix.value }])}
        >
          {en.inspector.fix}
        </button>
      )}
      {fix !== null && !isGrouped && <FixAll rule={finding.rule} campaignId={null} name={en.drawer.fixAll} />}
      {!isGrouped && <Mute rule={finding.rule} severity={finding.severity} text={text} />}
    </div>
  );
}
