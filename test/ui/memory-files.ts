import { implement } from '@orpc/server';
import { exchangeContract } from '../../shared/contract/exchange.ts';
import { mediaContract } from '../../shared/contract/files.ts';
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
      preview: os.exchange.preview.handler(() => ({
        previewId: 'p1',
        fileName: 'campaigns.csv',
        source: 'sheet' as const,
        added: 12,
        changed: 2,
        removed: 0,
        unchanged: 30,
        conflicts: 0,
        unknownColumns: [],
        formulaCount: 0,
        formulaLines: [],
        media: 0,
        spareFiles: 0,
        signature: null,
        files: [],
        fileCount: 0,
        errorCount: 1,
        errors: [{ line: 7, column: 'Bid', message: '"1,50" could be read in two ways.' }],
      })),
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

const exported = (fileName: string) => ({ fileName, url: '/preview/0', contentType: 'text/csv', bytes: 6, rows: 0 });
