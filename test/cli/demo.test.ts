import { resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runDemo } from '../../main/hosts/cli/demo/demo.ts';
import { temporaryFolder } from './cli.ts';

const folder = temporaryFolder('demo');
afterAll(folder.remove);

test('the demo brings every campaign of the examples live with the fewest requests and nothing sent twice', async () => {
  const lines: string[] = [];
  await runDemo({ dataDir: folder.path, examples: resolve('examples'), say: (line) => lines.push(line) });
  const text = lines.join('\n');
  expect(text).toMatch(/6 campaigns live/);
  expect(text).toMatch(/Nothing was sent twice/);
  const [, sent, fewest] = /(\d+) writing requests; fewest by the batch rules: (\d+)/.exec(text) ?? [];
  expect(sent).toBe(fewest);
});
