import { Button } from '@mantine/core';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useDesk } from '../../app/desk.ts';
import type { Conflict } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';

interface ConflictsProps {
  readonly workspaceId: string;
  readonly conflicts: readonly Conflict[];
}

/** Fields that were changed here and on the service: both values, and one decision each. */
export function Conflicts({ workspaceId, conflicts }: ConflictsProps) {
  const { actions } = useDesk();
  const { names } = useMedia(workspaceId);
  return (
    <section>
      <h2 className="group-title note-error">
        <span aria-hidden="true">!</span> {en.sync.conflictsTitle} <span className="badge">{conflicts.length}</span>
      </h2>
      <ul className="lines">
        {conflicts.map((conflict) => {
          const { ref, label, field, mine, theirs } = conflict;
          if (field === null) return <Gone key={`${ref.kind} ${ref.id}`} conflict={conflict} />;
          const text = (value: Cell): string => valueText(ref.kind, field, value, names) || en.sync.emptyValue;
          return (
            <li key={`${ref.kind} ${ref.id} ${field}`} className="line">
              <span className="line-text">
                <span className="quiet">{KIND_NAMES[ref.kind].one}</span> {label} › {fieldName(field)}
              </span>
              <Button
                onClick={() => void actions.resolve(ref, field, 'mine')}
              >{`${en.sync.mine}: ${text(mine)}`}</Button>
              <Button onClick={() => void actions.resolve(ref, field, 'theirs')}>
                {`${en.sync.theirs}: ${text(theirs)}`}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A row that was changed here and deleted there: made anew, or dropped here as well. Undo brings a dropped one back as new. */
function Gone({ conflict: { ref, label } }: { readonly conflict: Conflict }) {
  const { actions } = useDesk();
  return (
    <li className="line">
      <span className="line-text">
        <span className="quiet">{KIND_NAMES[ref.kind].one}</span> {label} {en.sync.gone}
      </span>
      <Button onClick={() => void actions.resolve(ref, null, 'mine')}>{en.sync.makeAnew}</Button>
      <Button onClick={() => void actions.resolve(ref, null, 'theirs')}>{en.sync.drop}</Button>
    </li>
  );
}
