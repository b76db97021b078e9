import type { PlanChanges as Changes } from '../../../shared/contract/plan-changes.ts';
import { en } from '../../messages/en.ts';
import { enPlanFile } from '../../messages/en-plan-file.ts';
import { KIND_NAMES } from '../../messages/fields.ts';

/** What differs between a saved plan and the one that would be sent now, line by line with the rows by name. */
export function PlanChanges({ changed }: { readonly changed: Changes }) {
  return (
    <section aria-label={enPlanFile.changes}>
      <h3 className="group-title">{enPlanFile.changes}</h3>
      <ul className="lines plan-changes">
        {changed.lines.map(({ sign, line, kind, label }) => (
          <li key={`${sign} ${line}`} className="line">
            <span className={sign === '-' ? 'plan-gone' : 'plan-new'}>{enPlanFile.signs[sign]}</span>{' '}
            {kind !== null && label !== null && (
              <>
                <span className="quiet">{KIND_NAMES[kind].one}</span> {label}{' '}
              </>
            )}
            <code className="plan-line-text">{line}</code>
          </li>
        ))}
        {changed.more > 0 && <li className="line quiet">{en.sync.more(changed.more)}</li>}
      </ul>
    </section>
  );
}
