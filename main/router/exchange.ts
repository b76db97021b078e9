import type { ExportProblem } from '../exchange/worker/export-sheet.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { showingWork } from './showing-work.ts';

export const exchangeRouter = ({ open, events, accounts, grants, exchange, exports, options }: CoreParts) => ({
  preview: os.exchange.preview.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const file = await grants.resolve(input.grant);
    if (file === null) throw errors.NO_GRANT({ data: { grant: input.grant } });
    if (!file.ok) {
      const reason = file.error.kind === 'unreadable' ? 'cannot-read' : file.error.kind;
      const params: Record<string, string> = file.error.kind === 'unreadable' ? { code: file.error.code } : {};
      throw errors.BAD_FILE({ data: { fileName: file.error.fileName, reason, params } });
    }
    const preview = await showingWork(events, input.workspaceId, 'import', () =>
      exchange.preview(account, file.value, input.decimals, input.evenAltered),
    );
    if (preview.ok) return preview.value;
    const { reason, params } = preview.error;
    throw errors.BAD_FILE({ data: { fileName: file.value.fileName, reason, params: { ...params } } });
  }),
  leaveColumnsOut: os.exchange.leaveColumnsOut.handler(async ({ input, errors }) => {
    const { workspaceId, previewId, columns, lines } = input;
    const account = await opened(open, workspaceId, errors);
    const left = await showingWork(events, workspaceId, 'import', () =>
      exchange.leaveColumnsOut(account, previewId, columns, lines),
    );
    if (left === null) throw errors.NO_GRANT({ data: { grant: previewId } });
    if (!left.ok) {
      const { reason, params } = left.error;
      throw errors.BAD_FILE({ data: { fileName: '', reason, params: { ...params } } });
    }
    return { preview: left.value.preview, becoming: [...left.value.becoming] };
  }),
  rows: os.exchange.rows.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const rows = await exchange.rows(account, input.previewId, input.filter, input.from, input.count);
    if (rows === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
    return rows;
  }),
  apply: os.exchange.apply.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const applied = await showingWork(events, input.workspaceId, 'import', () =>
      exchange.apply(account, input.previewId, input),
    );
    if (applied === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
    if (!applied.ok) throw notWritable(applied.error, errors.NOT_WRITABLE);
    return { ...applied.value, refusedFiles: [...applied.value.refusedFiles] };
  }),
  failed: os.exchange.failed.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const path = await exports.place();
    const rows = await exchange.failed(account, input.previewId, path, input.format);
    if (rows === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
    const contentType = CONTENT_TYPE[input.format];
    const file = { path, contentType, fileName: `failed-rows.${input.format}`, workspaceId: input.workspaceId };
    return exports.offer(file, rows);
  }),
  dismiss: os.exchange.dismiss.handler(async ({ input, errors }) => {
    await opened(open, input.workspaceId, errors);
    await exchange.dismiss(input.previewId);
    return {};
  }),
  export: os.exchange.export.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const { format, view } = input;
    const day = new Date(options.clock.nowMs()).toISOString().slice(0, 10);
    const fileName = `adslate-${input.workspaceId}-${day}.${format}`;
    const target = await exports.place();
    const named = (await accounts.list()).find(({ workspaceId }) => workspaceId === input.workspaceId);
    if (format === 'archive' || format === 'changes') {
      const archive = await showingWork(events, input.workspaceId, 'export', () =>
        exchange.archive(account, {
          source: format,
          target,
          account: { name: named?.name ?? '', advertiserId: named?.advertiserId ?? '' },
          nowMs: options.clock.nowMs(),
        }),
      );
      if (!archive.ok) {
        throw errors.BAD_FILE({
          data: { fileName: archive.error.fileName, reason: 'cannot-read', params: { code: 'ENOENT' } },
        });
      }
      const suffix = format === 'archive' ? 'adslate' : 'adslate-changes';
      const archiveName = `adslate-${input.workspaceId}-${day}.${suffix}`;
      const file = { path: target, contentType: 'application/zip', fileName: archiveName };
      const offered = await exports.offer({ ...file, workspaceId: input.workspaceId }, archive.value.rows);
      return archive.value.isSigned ? offered : { ...offered, isUnsigned: true as const };
    }
    const title = `${named?.name ?? ''}, ${day}`;
    const written = await showingWork(events, input.workspaceId, 'export', (tellShare) =>
      exchange.export(account, { target, format, view, title }, tellShare),
    );
    if (!written.ok) throw refuseExport(written.error, fileName, errors);
    const sheet = { path: target, contentType: CONTENT_TYPE[format], fileName, workspaceId: input.workspaceId };
    return exports.offer(sheet, written.value.rows);
  }),
});

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
