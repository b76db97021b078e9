import { createVitest } from 'vitest/node';

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
