import { startVitest } from 'vitest/node';

/** `npm run test:deployments`: the whole job on every deployment of the table; `npm test` takes a part. */
process.env['TEST_FULL'] = '1';
const vitest = await startVitest('test', ['test/deployments/deployments.test.ts'], { watch: false, project: 'unit' });
await vitest.close();
