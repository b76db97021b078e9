import { writeFile } from 'node:fs/promises';
import type { ReportSnapshot } from '../../shared/contract/reports.ts';
import { guardCell } from '../../shared/sheet/cell-guard.ts';
import { writeSheet } from '../exchange/write-sheet.ts';
import type { ReportProblem } from '../reports/fetch-report.ts';
import { downloadWords } from '../reports/problem-words.ts';
import { type KeptProblem, rawNameOf } from '../reports/snapshot-store.ts';
import type { NotWritable } from '../workspace/port.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { readProblem } from './sync.ts';

export const reportsRouter = ({ open, exports }: CoreParts) => ({
  list: os.reports.list.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const { snapshots, damaged } = await reports.list();
    const { jobs, damaged: damagedJobs } = await reports.jobs.list();
    return {
      snapshots: [...snapshots],
      damaged: damaged + damagedJobs,
      today: await reports.today(),
      jobs: [...jobs],
      types: [...(await reports.types())],
    };
  }),
  request: os.reports.request.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const asked = await reports.request(input.wish, input.again);
    if (asked.ok) return asked.value;
    throw askedProblem(asked.error, errors);
  }),
  look: os.reports.look.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    const looked = await reports.jobs.look(input.snapshotId);
    if (looked.ok) return looked.value;
    if (looked.error.kind === 'not-kept') throw errors.NO_REPORT({ data: { id: input.snapshotId } });
    throw askedProblem(looked.error, errors);
  }),
  giveUp: os.reports.giveUp.handler(async ({ input, errors }) => {
    const { reports } = await opened(open, input.workspaceId, errors);
    if (!(await reports.jobs.remove(input.snapshotId))) throw errors.NO_REPORT({ data: { id: input.snapshotId } });
    return {};
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
    return exports.write(async (path) => {
      await writeFile(path, writeSheet(rows.map((row) => row.map(disarmed))), { mode: 0o600 });
      const fileName = fileNameOf(snapshot);
      const file = { path, contentType: 'text/csv; charset=utf-8', fileName, workspaceId: input.workspaceId };
      return exports.offer(file, Math.max(0, rows.length - 1));
    });
  }),
  raw: os.reports.raw.handler(async ({ input, errors }) => {
    const found = await (await opened(open, input.workspaceId, errors)).reports.raw(input.id);
    if (!found.ok) throw keptProblem(input.id, found.error, errors);
    const { snapshot, bytes, mediaType } = found.value;
    return exports.write(async (path) => {
      await writeFile(path, bytes, { mode: 0o600 });
      const fileName = rawNameOf(snapshot);
      return exports.offer({ path, contentType: mediaType, fileName, workspaceId: input.workspaceId }, snapshot.rows);
    });
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

type AskedErrors = Parameters<typeof readProblem>[1] & {
  readonly NOT_WRITABLE: NotWritableError;
  readonly REPORT_FAILED: (given: { readonly data: ReturnType<typeof failureOf> }) => Error;
};

function askedProblem(problem: ReportProblem | NotWritable, errors: AskedErrors): Error {
  if (problem.kind === 'not-writable') return notWritable(problem, errors.NOT_WRITABLE);
  if (problem.kind === 'read') return readProblem(problem.failure, errors);
  return errors.REPORT_FAILED({ data: failureOf(problem) });
}

type Failure = Exclude<ReportProblem, { kind: 'read' }>;

function failureOf(problem: Failure) {
  if (problem.kind === 'refused') return { reason: 'refused' as const, detail: problem.message };
  const { kind } = problem.problem;
  const reason = kind === 'address' || kind === 'too-large' ? kind : ('file' as const);
  return { reason, detail: downloadWords(problem.problem) };
}

const fileNameOf = ({ reportType, startDate, endDate }: ReportSnapshot): string =>
  `${reportType}-${startDate}-${endDate}.csv`;

/** Plain numbers, also negative ones, are no formulas. */
const disarmed = (cell: string): string => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell));
