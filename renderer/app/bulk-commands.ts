import type { BulkScope, BulkTool } from '../../shared/api/bulk.ts';
import type { OpenView, WindowSource } from '../grid/window.ts';
import type { AppContext, CommandContext } from './app-context.ts';
import { activeColumn } from './grid-commands.ts';
import { ROWS_BY_ID_MAX } from './move-commands.ts';
import type { ToolStep } from './store/layout-slice.ts';
import { rangeOf } from './store/selection-slice.ts';
import { appTexts } from './texts.ts';

/** The selected rows for a bulk command; main reads them by index in the view. */
export interface SelectedScope {
  readonly scope: BulkScope;
  readonly count: number;
}

export function selectionScope({ store }: AppContext, view: OpenView): SelectedScope {
  const { source } = view;
  const range = rangeOf(store.getState(), 1);
  const count = Math.max(0, Math.min(range.bottom, source.length() - 1) - range.top + 1);
  return { count, scope: { viewId: source.viewId(), ranges: [{ from: range.top, count: Math.max(1, count) }] } };
}

function withSelection(app: AppContext, run: (selected: SelectedScope, view: OpenView) => void): void {
  const view = app.openView.current;
  if (view === null) return;
  const selected = selectionScope(app, view);
  if (selected.count > 0) run(selected, view);
}

const apply =
  (tool: BulkTool, label: (count: number) => string) =>
  ({ app }: CommandContext): void =>
    withSelection(app, ({ scope, count }) => void app.actions.applyTool(scope, tool, label(count)));

export const revertRows = apply({ tool: 'revert', field: null }, appTexts.bulk.labels.revert);
export const holdRows = apply({ tool: 'hold', held: true }, appTexts.bulk.labels.hold);
export const releaseRows = apply({ tool: 'hold', held: false }, appTexts.bulk.labels.release);

export function deleteRows({ app }: CommandContext): void {
  withSelection(app, (selected, { source }) => {
    const { title, text, keep, button } = appTexts.remove;
    const { count } = selected;
    const { workspaceId } = app.store.getState();
    const scope =
      count > ROWS_BY_ID_MAX ? selected.scope : namedRows(source, rangeOf(app.store.getState(), 1).top, count);
    const run = async (): Promise<void> => {
      const label = appTexts.bulk.labels.delete(count);
      // Another account may be open once the rows are read.
      await app.actions.applyTool(await scope, { tool: 'delete' }, label, undefined, workspaceId);
    };
    app.store.getState().show({ name: 'confirm', title, text: text(count), keep, button, run: () => void run() });
  });
}

/** Rows by ID: their positions may have changed when a confirmation is answered. */
async function namedRows(source: WindowSource, from: number, count: number): Promise<BulkScope> {
  const rows = source.rowsHere(from, from + count) ?? (await source.readRows(from, from + count));
  return { rows: [{ kind: source.request.kind, ids: rows.map(({ id }) => id) }] };
}

/** Creates new drafts beside the originals; the first one becomes the active row. */
export function duplicateRows({ app }: CommandContext): void {
  withSelection(app, ({ scope, count }) => {
    const { workspaceId } = app.store.getState();
    void app.actions.applyTool(scope, { tool: 'duplicate' }, appTexts.bulk.labels.duplicate(count)).then((done) => {
      const [first] = done?.roots ?? [];
      if (done === null || first === undefined) return;
      const { campaignId, reveal, workspaceId: now } = app.store.getState();
      // Another account may be open by now, in which this number is another row.
      if (now === workspaceId) reveal(first.kind, campaignId, first.id, null);
      app.toasts.tell(appTexts.copies.made(done.created));
    });
  });
}

/** Opens a tool for the field of the active cell. */
export const changeMany =
  (step: ToolStep) =>
  ({ app }: CommandContext): void => {
    app.store.getState().openTool(step, activeColumn(app)?.field ?? '');
  };
