import type { Quirks } from '../quirks.ts';
import type { OtherWords } from './other-words.ts';
import type { Paging } from './respond.ts';

/** How answers look beyond the document, for tests of clients: as the quirks say until `POST /sandbox/wire` says otherwise. */
interface WireModes {
  readonly paging: Paging | null;
  readonly largeIds: boolean;
  readonly words: OtherWords;
}

export interface TestModes {
  readonly current: () => WireModes;
  readonly set: (modes: WireModes) => void;
  /** Back to what the quirks say. */
  readonly reset: () => void;
}

export function createTestModes({ pageSize, ids, words }: Pick<Quirks, 'pageSize' | 'ids' | 'words'>): TestModes {
  const begun: WireModes = {
    paging: pageSize === null ? null : { size: pageSize, listName: 'items', tokenName: 'nextToken' },
    largeIds: ids === 'large' || ids === 'large-text',
    words,
  };
  let modes = begun;
  return {
    current: () => modes,
    set: (next) => {
      modes = next;
    },
    reset: () => {
      modes = begun;
    },
  };
}
