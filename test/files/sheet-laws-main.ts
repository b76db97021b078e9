import { startVitest } from 'vitest/node';

/** `npm run test:sheet-laws`: 20,000 random sheets and one of a million rows; `npm test` takes a sample. */
process.env['TEST_FULL'] = '1';
const vitest = await startVitest('test', ['test/files/sheet-laws.test.ts'], {
  watch: false,
  project: 'unit',
  testTimeout: 3_600_000,
});
await vitest.close();
