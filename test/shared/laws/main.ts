import { startVitest } from 'vitest/node';

/** `npm run test:domain-laws`: the laws against the sandbox with all their cases; `npm test` takes a sample. */
process.env['TEST_FULL'] = '1';
const vitest = await startVitest('test', ['test/shared/laws'], {
  watch: false,
  project: 'unit',
  testTimeout: 900_000,
});
await vitest.close();
