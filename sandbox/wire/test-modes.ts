import type { Paging } from './paging.ts';

/** How answers look beyond the document, for tests of clients; both are off until `POST /sandbox/wire` says otherwise. */
interface WireModes {
  readonly paging: Paging | null;
  readonly largeIds: boolean;
}

export interface TestModes {
  readonly current: () => WireModes;
  readonly set: (modes: WireModes) => void;
}

export function createTestModes(): TestModes {
  let modes: WireModes = { paging: null, largeIds: false };
  return {
    current: () => modes,
    set: (next) => {
      modes = next;
    },
  };
}
