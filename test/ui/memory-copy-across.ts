import { implement } from '@orpc/server';
import { contract } from '../../shared/contract/contract.ts';

const os = implement(contract);

/** Copies of one campaign with its two ad groups and a logo, as another account would answer. */
export const memoryCopyAcross = () => ({
  preview: os.copyAcross.preview.handler(() => ({
    created: 3,
    byKind: [
      { kind: 'campaign' as const, rows: 1 },
      { kind: 'adGroup' as const, rows: 2 },
    ],
    refused: [],
    dropped: [{ field: 'remoteId', rows: 3 }],
    media: { files: 1, bytes: 12_000 },
  })),
  apply: os.copyAcross.apply.handler(() => ({
    revision: 1,
    created: 3,
    refused: [],
    roots: [{ kind: 'campaign' as const, id: 1 }],
    media: 1,
  })),
});
