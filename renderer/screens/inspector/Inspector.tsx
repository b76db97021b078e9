import { DETAILS_MAX, useSelectedRows } from '../../data/use-selected-rows.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ManyRows } from './ManyRows.tsx';
import { OneRow } from './OneRow.tsx';
import { VeryManyRows } from './VeryManyRows.tsx';

/** Details of the selection: one row with everything about it, or the shared values of several. */
export function Inspector({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView | null }) {
  return view === null ? (
    <Empty title={en.inspector.nothing} text={en.inspector.nothingText} />
  ) : (
    <Selection workspaceId={workspaceId} view={view} />
  );
}

function Selection({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const { count, rows } = useSelectedRows(view);
  const { kind } = view.source.request;
  const first = rows?.[0];
  if (count === 0) return <Empty title={en.inspector.nothing} text={en.inspector.nothingText} />;
  if (count > DETAILS_MAX) return <VeryManyRows count={count} />;
  if (first === undefined || rows === null) return <div className="empty">{en.grid.loading}</div>;
  if (count === 1)
    return <OneRow key={`${kind} ${first.id}`} workspaceId={workspaceId} view={view} kind={kind} row={first} />;
  return <ManyRows key={`${kind} many`} workspaceId={workspaceId} view={view} kind={kind} rows={rows} />;
}
