import { createVitest } from 'vitest/node';

/**
 * Planted faults that change nothing: no draft exists for which the rules would answer otherwise, so no test can
 * notice them. Each with its reason; the run names them apart and never counts them as caught.
 */
export const SAME: readonly { readonly file: string; readonly what: string; readonly because: string }[] = [
  {
    file: 'campaign.ts',
    what: '> becomes >= in if (bid > 0 && bid <= daily && daily < bid * FEW_CLICKS) {',
    because: 'with a bid of 0 the budget would have to be below 0, which returned before',
  },
  {
    file: 'campaign.ts',
    what: '> becomes >= in if (bid !== null && bid > highest',
    because: 'the highest of two equal bids is that bid',
  },
  {
    file: 'keyword.ts',
    what: '< becomes <= in for (let i = 0; i < text.length; i++) {',
    because: 'the character code after the end is no number and compares with nothing',
  },
  {
    file: 'keyword.ts',
    what: '> becomes >= in if (i > 0 && text.charCodeAt(i - 1) === 0x20) blanks = true;',
    because: 'the character code before the start is no number and compares with nothing',
  },
  {
    file: 'keyword.ts',
    what: '< becomes <= in } else if (unit < 0x20',
    because: 'the blank, 0x20, was taken by the branch before; 0x7f and 0xa0 have cases of their own',
  },
  {
    file: 'keyword.ts',
    what: '>= becomes > in else if (unit >= 0x80',
    because: '0x80 is a control character and was taken by the branch before',
  },
  {
    file: 'keyword.ts',
    what: '> becomes >= in if ([...tallies.values()]',
    because: 'the second look finds nothing where no text waits for it; it only costs time',
  },
  ...['not (unit === 0x20)', '< becomes <= in } else if ((unit < 0x61', '> becomes >= in } else if ((unit < 0x61'].map(
    (what) => ({
      file: 'keyword.ts',
      what,
      because: 'a plain text that is not seen as plain is counted by the slower pass, with the same answer',
    }),
  ),
  {
    file: 'unknown-words.ts',
    what: '< becomes <= in for (let at = 0; at < rows.length; at++) {',
    because: 'there is no row after the last, and the loop goes past it',
  },
  {
    file: 'multiplier.ts',
    what: '<= becomes < in if (daily === null || daily <= 0) return;',
    because: 'with a budget of 0 only a bid of 0 is compared, and no multiplier raises it',
  },
  {
    file: 'media.ts',
    what: '> becomes >= in if (Math.abs(width / height / RATIO - 1) > 0.01)',
    because: 'a difference from 1 is a multiple of 2^-53, which 0.01 is not, so the two are never equal',
  },
];

/** The tests of one folder, kept warm, run against one changed file at a time. */
export interface Suite {
  /** @returns the name of a test that failed, or null when every test passed */
  run(changed: { readonly file: string; readonly source: string } | null): Promise<string | null>;
  close(): Promise<void>;
}

export async function openSuite(root: string, include: string): Promise<Suite> {
  let changed: { readonly file: string; readonly source: string } | null = null;
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      include: [include],
      reporters: [{}],
      watch: false,
      // The cache on disk is keyed by the file, so a planted fault would not be seen, or worse, be kept.
      fsModuleCache: false,
      bail: 1,
      pool: 'threads',
      maxWorkers: 1,
      // A planted fault may loop; a test that takes this long has noticed it.
      testTimeout: 20_000,
      testNamePattern: SLOW,
    },
    {
      plugins: [
        {
          name: 'plant-a-fault',
          enforce: 'pre',
          load: (id: string) => (changed !== null && id.split('?')[0] === changed.file ? changed.source : null),
        },
      ],
    },
  );
  const specifications = await vitest.globTestSpecifications();
  return {
    async run(next) {
      if (changed !== null) vitest.invalidateFile(changed.file);
      changed = next;
      if (changed !== null) vitest.invalidateFile(changed.file);
      const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications(specifications);
      for (const module of testModules) {
        if (module.errors().length > 0) return `${module.moduleId} does not load`;
        for (const test of module.children.allTests('failed')) return test.name;
      }
      return unhandledErrors.length > 0 ? 'an error outside any test' : null;
    },
    close: () => vitest.close(),
  };
}

/** Everything but the tests that are there for their size. */
const SLOW = /^(?!.*hundred thousand)/;
