import { implement } from '@orpc/server';
import { exchangeContract } from '../../shared/contract/exchange.ts';
import { mediaContract } from '../../shared/contract/files.ts';
import { aPreview } from './a-preview.ts';
import type { MemoryAccount } from './memory-account.ts';

/** Files in and out, from memory: every medium is refused as empty, and every sheet is the same. */
export function memoryFiles(account: MemoryAccount) {
  const os = { media: implement(mediaContract), exchange: implement(exchangeContract) };
  return {
    media: {
      add: os.media.add.handler(({ input }) => ({
        files: input.grants.map((grant) => ({
          outcome: 'refused' as const,
          fileName: grant.slice(0, 4),
          reason: 'empty',
          params: {},
        })),
        revision: account.revision(),
      })),
      preview: os.media.preview.handler(({ errors, input }) => {
        throw errors.NO_ROW({ data: { kind: 'media', id: input.mediaId } });
      }),
    },
    exchange: {
      preview: os.exchange.preview.handler(() => PREVIEW),
      leaveColumnsOut: os.exchange.leaveColumnsOut.handler(({ input: { columns, lines } }) => {
        const left = PREVIEW.columns.map((each) => ({
          ...each,
          isLeftOut: columns.some((out) => out === each.column),
        }));
        return { preview: { ...PREVIEW, columns: left }, becoming: lines.map(() => null) };
      }),
      apply: os.exchange.apply.handler(() => ({
        revision: 1,
        added: 12,
        changed: 2,
        removed: 0,
        unchanged: 30,
        refusedFiles: [],
      })),
      rows: os.exchange.rows.handler(() => ({ total: 0, rows: [] })),
      failed: os.exchange.failed.handler(() => exported('failed-rows.csv')),
      dismiss: os.exchange.dismiss.handler(() => ({})),
      export: os.exchange.export.handler(() => exported('account.csv')),
    },
  };
}

const PREVIEW = aPreview({
  columns: [
    { column: 'Keyword', changes: 0, needed: 12, problems: 0, isLeftOut: false },
    { column: 'Bid', changes: 14, needed: 0, problems: 1, isLeftOut: false },
  ],
});

const exported = (fileName: string) => ({ fileName, url: '/preview/0', contentType: 'text/csv', bytes: 6, rows: 0 });
