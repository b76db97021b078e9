import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const exchangeRouter = ({ open, grants, exchange, options }: CoreParts) => ({
  preview: os.exchange.preview.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const file = await grants.resolve(input.grant);
    if (file === null) throw errors.NO_GRANT({ data: { grant: input.grant } });
    if (!file.ok) {
      const reason = file.error.kind === 'unreadable' ? 'cannot-read' : file.error.kind;
      const params: Record<string, string> = file.error.kind === 'unreadable' ? { code: file.error.code } : {};
      throw errors.BAD_FILE({ data: { fileName: file.error.fileName, reason, params } });
    }
    const preview = await exchange.preview(account, file.value);
    if (preview.ok) return preview.value.preview;
    const { reason, params } = preview.error;
    throw errors.BAD_FILE({ data: { fileName: file.value.fileName, reason, params: { ...params } } });
  }),
  apply: os.exchange.apply.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const applied = await exchange.apply(account, input.previewId);
    if (applied === null) throw errors.NO_GRANT({ data: { grant: input.previewId } });
    if (!applied.ok) throw notWritable(applied.error, errors.NOT_WRITABLE);
    return applied.value;
  }),
  export: os.exchange.export.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const day = new Date(options.clock.nowMs()).toISOString().slice(0, 10);
    return { fileName: `adslate-${input.workspaceId}-${day}.csv`, csv: await exchange.export(account) };
  }),
});
