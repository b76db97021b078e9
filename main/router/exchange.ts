import type { ExportProblem } from '../exchange/worker/export-sheet.ts';
import type { LongWork } from '../long-work.ts';
import { badFile, granted } from './granted.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { runningWorks } from './running-works.ts';
import { showingWork } from './showing-work.ts';

export const exchangeRouter = ({ open, events, accounts, grants, exchange, exports, options }: CoreParts) => {
  const works = runningWorks(events);
  return {
    preview: os.exchange.preview.handler(async ({ input, errors, signal }) => {
      const account = await opened(open, input.workspaceId, errors);
      const file = await granted(grants, input.grant, errors);
      const { workspaceId, jobId, decimals, evenAltered, sheet, linesAsRows } = input;
      const options = { decimals, evenAltered, sheet, linesAsRows };
      const run = (work: LongWork) => exchange.preview(account, file, options, work);
      const preview = await works.run(workspaceId, 'import', { jobId, signal }, run);
      if (!preview.ok) throw errors.CANCELLED({ data: {} });
      if (preview.value.ok) return preview.value.value;
      throw badFile(file.fileName, preview.value.error, errors.BAD_FILE);
    }),
    leaveColumnsOut: os.exchange.leaveColumnsOut.handler(async ({ input, errors }) => {
      const { workspaceId, previewId, columns, lines } = input;
      const account = await opened(open, workspaceId, errors);
      const left = await showingWork(events, workspaceId, 'import', () =>
        exchange.leaveColumnsOut(account, previewId, columns, lines),
      );
      if (left === null) throw errors.NO_GRANT({ data: { grant: previewId } });
      if (!left.ok) throw badFile('', left.error, errors.BAD_FILE);
      return { preview: left.value.preview, becoming: [...left.value.becoming] };
    }),
    rows: os.exchange.rows.handler(async ({ input, errors }) => {
      const account = await opened(open, input.workspaceId, errors);
      const rows = await exchange.rows(account, input.previewId, input.filter, input.from, input.count);
      if (rows === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
      return rows;
    }),
    apply: os.exchange.apply.handler(async ({ input, errors, signal }) => {
      const { workspaceId, previewId, jobId, ...choice } = input;
      const account = await opened(open, workspaceId, errors);
      const run = (work: LongWork) => exchange.apply(account, previewId, choice, work);
      const ended = await works.run(workspaceId, 'import', { jobId, signal }, run);
      if (!ended.ok) throw errors.CANCELLED({ data: {} });
      const applied = ended.value;
      if (applied === null) throw errors.NO_GRANT({ data: { grant: previewId } });
      if (!applied.ok) {
        const { error } = applied;
        if (error.kind === 'rows-missed') throw badFile(error.fileName, error.refusal, errors.BAD_FILE);
        throw notWritable(error, errors.NOT_WRITABLE);
      }
      return { ...applied.value, refusedFiles: [...applied.value.refusedFiles] };
    }),
    cancel: os.exchange.cancel.handler(async ({ input, errors }) => {
      await opened(open, input.workspaceId, errors);
      return { cancelled: works.cancel(input.jobId) };
    }),
    failed: os.exchange.failed.handler(async ({ input, errors }) => {
      const account = await opened(open, input.workspaceId, errors);
      return exports.write(async (path) => {
        const rows = await exchange.failed(account, input.previewId, path, input.format);
        if (rows === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
        const contentType = CONTENT_TYPE[input.format];
        const file = { path, contentType, fileName: `failed-rows.${input.format}`, workspaceId: input.workspaceId };
        return exports.offer(file, rows);
      });
    }),
    dismiss: os.exchange.dismiss.handler(async ({ input, errors }) => {
      await opened(open, input.workspaceId, errors);
      await exchange.dismiss(input.previewId);
      return {};
    }),
    export: os.exchange.export.handler(async ({ input, errors, signal }) => {
      const { workspaceId, format, view, jobId } = input;
      const account = await opened(open, workspaceId, errors);
      const nowMs = options.clock.nowMs();
      const day = new Date(nowMs).toISOString().slice(0, 10);
      const { name = '', advertiserId = '' } =
        (await accounts.list()).find((one) => one.workspaceId === workspaceId) ?? {};
      const fileName = `adslate-${workspaceId}-${day}.${format === 'archive' || format === 'changes' ? SUFFIX[format] : format}`;
      return exports.write(async (target) => {
        if (format === 'archive' || format === 'changes') {
          const order = { source: format, target, account: { name, advertiserId }, nowMs };
          const run = (work: LongWork) => exchange.archive(account, order, work);
          const ended = await works.run(workspaceId, 'export', { jobId, signal }, run);
          if (!ended.ok) throw errors.CANCELLED({ data: {} });
          const archive = ended.value;
          if (!archive.ok) {
            const missing = archive.error.fileName;
            throw errors.BAD_FILE({ data: { fileName: missing, reason: 'cannot-read', params: { code: 'ENOENT' } } });
          }
          const { rows, isSigned } = archive.value;
          const offered = await exports.offer(
            { path: target, contentType: 'application/zip', fileName, workspaceId },
            rows,
          );
          return isSigned ? offered : { ...offered, isUnsigned: true as const };
        }
        const order = { target, format, view, title: `${name}, ${day}` };
        const run = (work: LongWork) => exchange.export(account, order, work);
        const ended = await works.run(workspaceId, 'export', { jobId, signal }, run);
        if (!ended.ok) throw errors.CANCELLED({ data: {} });
        const written = ended.value;
        if (!written.ok) throw refuseExport(written.error, fileName, errors);
        return exports.offer(
          { path: target, contentType: CONTENT_TYPE[format], fileName, workspaceId },
          written.value.rows,
        );
      });
    }),
  };
};

const SUFFIX = { archive: 'adslate', changes: 'adslate-changes' } as const;

const CONTENT_TYPE = {
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  // Never as a page of our own origin: it is saved, and opened as the file it is.
  html: 'application/x-adslate-page',
} as const;

interface ExportErrors {
  readonly NOT_WRITABLE: NotWritableError;
  readonly BAD_FILTER: (facts: { data: { at: number; problem: string } }) => Error;
  readonly BAD_FILE: (facts: {
    data: { fileName: string; reason: string; params: Record<string, string | number> };
  }) => Error;
}

function refuseExport(problem: ExportProblem, fileName: string, errors: ExportErrors): Error {
  if (problem.kind === 'bad-filter') {
    return errors.BAD_FILTER({ data: { at: problem.at, problem: problem.problem } });
  }
  if (problem.kind === 'cannot-write') {
    return errors.NOT_WRITABLE({
      data: { why: problem.code === 'ENOSPC' ? 'disk-full' : 'read-only', detail: fileName },
    });
  }
  return errors.BAD_FILE({ data: { fileName, reason: 'too-many-rows', params: { limit: problem.limit } } });
}
