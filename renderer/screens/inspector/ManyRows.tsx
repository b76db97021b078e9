import type { WindowRow } from '../../../shared/contract/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useAppContext } from '../../app/desk.ts';
import { useMedia } from '../../data/use-media.ts';
import type { OpenView } from '../../data/window-source.ts';
import { type Column, columnsOf, lockOf } from '../../grid/columns.ts';
import { fillChanges } from '../../grid/paste.ts';
import { en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { FieldRow } from './FieldRow.tsx';

interface ManyRowsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly kind: Kind;
  readonly rows: readonly WindowRow[];
}

/** The fields that several rows share. Setting one sets it in every row that takes it, as one undo step. */
export function ManyRows({ workspaceId, view, kind, rows }: ManyRowsProps) {
  const { actions } = useAppContext();
  const { names } = useMedia(workspaceId);
  const editable = columnsOf(kind, false).filter(
    (column) => column.spec?.type.is !== 'ref' && rows.some((row) => lockOf(column, row) === null),
  );
  const set = (column: Column, value: Cell): void => {
    const changes = fillChanges(kind, [column], rows, () => value);
    if (changes.length > 0) void view.inPlace(() => actions.edit(en.grid.editLabel(column.title), changes));
  };
  return (
    <div className="inspector">
      <header className="inspector-head">
        <h2>{en.inspector.many(rows.length)}</h2>
        <span className="quiet">{KIND_NAMES[kind].many}</span>
      </header>
      <div className="fields">
        {editable.map((column) => {
          const values = new Set(rows.map((row) => (column.cell === null ? null : (row.cells[column.cell] ?? null))));
          const [only = null] = values;
          return (
            <FieldRow
              key={column.field}
              kind={kind}
              column={column}
              locked={null}
              findings={[]}
              before={null}
              impact={null}
              onRevert={null}
              openComments={null}
              value={values.size === 1 ? only : null}
              mixed={values.size > 1}
              media={names}
              onChange={(next) => set(column, next)}
            />
          );
        })}
      </div>
    </div>
  );
}
