import { writeFile } from 'node:fs/promises';
import type { ReportSnapshot } from '../../shared/contract/reports.ts';
import { unreachable } from '../../shared/result.ts';
import { guardCell } from '../../shared/sheet/cell-guard.ts';
import { writeSheet } from '../exchange/write-sheet.ts';
import { addressProblemText } from '../media/upload/address-guard.ts';
import type { DownloadProblem } from '../reports/download-report.ts';
import type { ReportProblem } from '../reports/fetch-report.ts';
import type { KeptProblem } from '../reports/snapshot-store.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { readProblem } from './sync.ts';

export const reportsRouter = ({ open, exports }: CoreParts) => ({
  list: os.reports.list.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const { snapshots, damaged } = await reports.list();
    return { snapshots: [...snapshots], damaged, today: await reports.today() };
  }),
  request: os.reports.request.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const asked = await reports.request(input.wish, input.again);
    if (asked.ok) return asked.value;
    const { error } = asked;
    if (error.kind === 'not-writable') throw notWritable(error, errors.NOT_WRITABLE);
    if (error.kind === 'read') throw readProblem(error.failure, errors);
    throw errors.REPORT_FAILED({ data: failureOf(error) });
  }),
  view: os.reports.view.handler(async ({ input, errors }) => {
    const view = await (await opened(open, input.workspaceId, errors)).reports.view(input.id, input.look);
    if (!view.ok) throw keptProblem(input.id, view.error, errors);
    return view.value;
  }),
  ofRows: os.reports.ofRows.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const rows = await reports.ofRows(input.id, input.kind, input.remoteIds);
    if (!rows.ok) throw keptProblem(input.id, rows.error, errors);
    return { rows: [...rows.value] };
  }),
  csv: os.reports.csv.handler(async ({ input, errors }) => {
    const found = await (await opened(open, input.workspaceId, errors)).reports.rows(input.id);
    if (!found.ok) throw keptProblem(input.id, found.error, errors);
    const { snapshot, rows } = found.value;
    const path = await exports.place();
    await writeFile(path, writeSheet(rows.map((row) => row.map(disarmed))), { mode: 0o600 });
    const fileName = fileNameOf(snapshot);
    const file = { path, contentType: 'text/csv; charset=utf-8', fileName, workspaceId: input.workspaceId };
    return exports.offer(file, Math.max(0, rows.length - 1));
  }),
  remove: os.reports.remove.handler(async ({ input, errors }) => {
    const removed = await (await opened(open, input.workspaceId, errors)).reports.remove(input.id);
    if (!removed) throw errors.NO_REPORT({ data: { id: input.id } });
    return {};
  }),
});

/** The errors of the contract for a report that cannot be looked at. */
interface KeptErrors {
  readonly NO_REPORT: (given: { readonly data: { readonly id: string } }) => Error;
  readonly REPORT_UNREADABLE: (given: { readonly data: { readonly id: string; readonly detail: string } }) => Error;
}

const keptProblem = (id: string, problem: KeptProblem, errors: KeptErrors): Error =>
  problem.kind === 'not-kept'
    ? errors.NO_REPORT({ data: { id } })
    : errors.REPORT_UNREADABLE({ data: { id, detail: problem.detail } });

type Failure = Exclude<ReportProblem, { kind: 'read' }>;

function failureOf(problem: Failure) {
  switch (problem.kind) {
    case 'refused':
      return { reason: 'refused' as const, detail: problem.message };
    case 'not-ready':
      return { reason: 'not-ready' as const, detail: problem.snapshotId };
    case 'download':
      return downloadFailure(problem.problem);
    default:
      return unreachable(problem);
  }
}

function downloadFailure(problem: DownloadProblem) {
  switch (problem.kind) {
    case 'address':
      return { reason: 'address' as const, detail: addressProblemText(problem.problem) };
    case 'status':
      return { reason: 'file' as const, detail: `status ${problem.status}` };
    case 'connection':
      return { reason: 'file' as const, detail: problem.cause };
    case 'too-large':
      return { reason: 'too-large' as const, detail: String(problem.limit) };
    case 'not-readable':
      return { reason: 'file' as const, detail: problem.found };
    default:
      return unreachable(problem);
  }
}

const fileNameOf = ({ reportType, startDate, endDate }: ReportSnapshot): string =>
  `${reportType}-${startDate}-${endDate}.csv`;

/** Plain numbers, also negative ones, are no formulas. */
const disarmed = (cell: string): string => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell));
