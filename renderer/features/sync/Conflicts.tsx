import { Button } from '@mantine/core';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useActions } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { useMedia } from '../../app/shared-queries.ts';
import type { Client } from '../../app/transport/connection.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  conflictsTitle: 'Conflicts: changed here and on the service',
  gone: 'deleted on the service, changed here',
  makeAnew: 'Create it again',
  drop: 'Delete it here too',
  mine: 'Keep my value',
  theirs: 'Use service value',
  was: (value: string, time: string) => `was ${value} (refreshed ${time})`,
  mineForAll: (n: number) => `Keep my value for all ${countText(n)}`,
  theirsForAll: (n: number) => `Use service value for all ${countText(n)}`,
} as const;

/** A field changed here and on the service. */
type Conflict = Awaited<ReturnType<Client['sync']['conflicts']>>[number];

interface ConflictsProps {
  readonly workspaceId: string;
  readonly conflicts: readonly Conflict[];
}

/** Fields that were changed here and on the service: what it was, both values, and one decision each or one for all. */
export function Conflicts({ workspaceId, conflicts }: ConflictsProps) {
  const fields = conflicts.filter(({ field }) => field !== null);
  return (
    <section>
      <h2 className={`${ui['group-title']} ${ui['note-error']}`}>
        <span aria-hidden="true">!</span> {texts.conflictsTitle} <span className={ui['badge']}>{conflicts.length}</span>
      </h2>
      {fields.length > 1 && <ForAll fields={fields} />}
      <ul className={ui['lines']}>
        {conflicts.map((conflict) => {
          const { ref, field } = conflict;
          return field === null ? (
            <Gone key={`${ref.kind} ${ref.id}`} conflict={conflict} />
          ) : (
            <Disputed key={`${ref.kind} ${ref.id} ${field}`} {...{ workspaceId, conflict, field }} />
          );
        })}
      </ul>
    </section>
  );
}

/** Rows that are gone are left out: what counts there is another question. */
function ForAll({ fields }: { readonly fields: readonly Conflict[] }) {
  const actions = useActions(syncDialogActions);
  const all = (take: 'mine' | 'theirs') => fields.map(({ ref, field }) => ({ ref, field, take }));
  return (
    <p className={ui['line']}>
      <Button onClick={() => void actions.resolve(all('mine'))}>{texts.mineForAll(fields.length)}</Button>
      <Button onClick={() => void actions.resolve(all('theirs'))}>{texts.theirsForAll(fields.length)}</Button>
    </p>
  );
}

interface DisputedProps {
  readonly workspaceId: string;
  readonly conflict: Conflict;
  readonly field: string;
}

function Disputed({ workspaceId, conflict: { ref, label, base, mine, theirs, at }, field }: DisputedProps) {
  const actions = useActions(syncDialogActions);
  const { names } = useMedia(workspaceId);
  const now = useNow();
  const text = (value: Cell): string => valueText(ref.kind, field, value, names) || dialogTexts.sync.emptyValue;
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>
        <span className={ui['quiet']}>{KIND_NAMES[ref.kind].one}</span> {label} › {fieldName(field, ref.kind)}{' '}
        <span className={ui['quiet']}>{texts.was(text(base), timeText(at, now))}</span>
      </span>
      <Button onClick={() => void actions.resolve([{ ref, field, take: 'mine' }])}>
        {`${texts.mine}: ${text(mine)}`}
      </Button>
      <Button onClick={() => void actions.resolve([{ ref, field, take: 'theirs' }])}>
        {`${texts.theirs}: ${text(theirs)}`}
      </Button>
    </li>
  );
}

/** A row that was changed here and deleted there: made anew, or dropped here as well. Undo brings a dropped one back as new. */
function Gone({ conflict: { ref, label } }: { readonly conflict: Conflict }) {
  const actions = useActions(syncDialogActions);
  const settle = (take: 'mine' | 'theirs') => void actions.resolve([{ ref, field: null, take }]);
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>
        <span className={ui['quiet']}>{KIND_NAMES[ref.kind].one}</span> {label} {texts.gone}
      </span>
      <Button onClick={() => settle('mine')}>{texts.makeAnew}</Button>
      <Button onClick={() => settle('theirs')}>{texts.drop}</Button>
    </li>
  );
}
