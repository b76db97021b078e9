import type { RowRef } from '../../shared/contract/scalars.ts';
import { isReported } from '../../shared/reports/reported-kinds.ts';
import type { EditOutcome } from '../workspace/port.ts';
import { refuseEdit } from './edit-errors.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const workspaceRouter = ({ open }: CoreParts) => ({
  summary: os.workspace.summary.handler(async ({ input, errors }) =>
    (await opened(open, input.workspaceId, errors)).workspace.summary(),
  ),
  openView: os.workspace.openView.handler(async ({ input, errors }) => {
    const { workspace, reports } = await opened(open, input.workspaceId, errors);
    const { view, window } = input;
    const { report, kind } = view;
    const opening = await workspace.openView(view, {
      ...(window === undefined ? {} : { window }),
      figures: async (figure) => {
        if (report === undefined || !isReported(kind)) return null;
        // Rows are there without their figures as well; why those are missing is told to whoever asks for them.
        const column = await reports.column(report, kind, figure);
        return column.ok ? column.value : null;
      },
    });
    if (!opening.ok) throw errors.BAD_FILTER({ data: opening.error });
    return opening.value;
  }),
  readWindow: os.workspace.readWindow.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const window = await workspace.readWindow(input.viewId, input.from, input.count);
    if (window === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
    return window;
  }),
  closeView: os.workspace.closeView.handler(async ({ input, errors }) => {
    await (await opened(open, input.workspaceId, errors)).workspace.closeView(input.viewId);
    return {};
  }),
  row: os.workspace.row.handler(async ({ input, errors }) => {
    const detail = await (await opened(open, input.workspaceId, errors)).workspace.rowDetail(input.ref);
    if (detail === null) throw errors.NO_ROW({ data: input.ref });
    return detail;
  }),
  rowFindings: os.workspace.rowFindings.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const findings = await workspace.rowFindings(input.kind, input.ids);
    return { findings: findings.map((finding) => ({ ...finding })) };
  }),
  edit: os.workspace.edit.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const outcome = await workspace.apply({ label: input.label, source: 'user', updates: input.changes });
    return outcome.ok ? edited(outcome.value) : refuseEdit(outcome.error, errors);
  }),
  create: os.workspace.create.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const outcome = await workspace.apply({ label: input.label, source: 'user', creates: input.rows });
    return outcome.ok ? edited(outcome.value) : refuseEdit(outcome.error, errors);
  }),
  remove: os.workspace.remove.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const outcome = await workspace.apply({ label: removalLabel(input.rows), source: 'user', deletes: input.rows });
    return outcome.ok ? edited(outcome.value) : refuseEdit(outcome.error, errors);
  }),
  revert: os.workspace.revert.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const outcome = await workspace.revert(input.rows, input.field);
    return outcome.ok ? edited(outcome.value) : refuseEdit(outcome.error, errors);
  }),
  hold: os.workspace.hold.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const outcome = await workspace.hold(input.rows, input.held);
    return outcome.ok ? edited(outcome.value) : refuseEdit(outcome.error, errors);
  }),
  undo: os.workspace.undo.handler(async ({ input, errors }) => {
    const outcome = await (await opened(open, input.workspaceId, errors)).workspace.undo();
    if (outcome.ok) return edited(outcome.value);
    if (outcome.error.kind === 'nothing-to-do') throw errors.NOTHING_TO_DO({ data: {} });
    throw notWritable(outcome.error, errors.NOT_WRITABLE);
  }),
  redo: os.workspace.redo.handler(async ({ input, errors }) => {
    const outcome = await (await opened(open, input.workspaceId, errors)).workspace.redo();
    if (outcome.ok) return edited(outcome.value);
    if (outcome.error.kind === 'nothing-to-do') throw errors.NOTHING_TO_DO({ data: {} });
    throw notWritable(outcome.error, errors.NOT_WRITABLE);
  }),
  history: os.workspace.history.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const { total, steps } = await workspace.history(input.from, input.count, input.words);
    return { total, steps: [...steps] };
  }),
  findings: os.workspace.findings.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const page = await workspace.findings(input.from, input.count, input.campaignId, input.rule);
    return { ...page, rules: [...page.rules], findings: page.findings.map((finding) => ({ ...finding })) };
  }),
  changes: os.workspace.changes.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const page = await workspace.changes(input.from, input.count, input.words, input.lane);
    return { ...page, changes: [...page.changes] };
  }),
});

/** As many as can be created at once: a window shows where it was, it does not walk 100,000 ids. */
const TOUCHED_NAMED = 10_000;

const edited = ({ revision, touched }: EditOutcome) => ({ revision, touched: touched.slice(0, TOUCHED_NAMED) });

const removalLabel = (rows: readonly RowRef[]): string =>
  rows.length === 1 ? 'Delete a row' : `Delete ${rows.length} rows`;
