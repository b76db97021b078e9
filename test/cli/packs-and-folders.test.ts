import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testFolder } from '../folder.ts';
import { aFilm, aPng } from '../media/builders.ts';
import { cli, cliJson, keptOpen, practiceData, written } from './cli.ts';

const folder = testFolder('packs');
const data = keptOpen(practiceData(folder));
const PACK = `adslate-rules 1
rule: high-bid
type: campaign
severity: error
message: Budgets above $5
find: dailyBudget>5
finds: dailyBudget=6.00
passes: dailyBudget=5.00
`;
const Tested = z.object({ samples: z.int(), failed: z.array(z.object({ rule: z.string(), row: z.string() })) });

test('a pack is tested, imported only when its samples pass, found by the check, and exported again', async () => {
  const pack = written(folder, 'house.adslate-rules', PACK);
  expect(await cliJson(Tested, data, 'rule', 'test', pack, '--rows')).toMatchObject({ code: 0, json: { samples: 2 } });
  const broken = written(folder, 'broken.adslate-rules', PACK.replace('>5\n', '>6\n'));
  expect(await cliJson(Tested, data, 'rule', 'test', broken)).toMatchObject({
    code: 1,
    json: { failed: [{ rule: 'high-bid', row: 'dailyBudget=6.00' }] },
  });
  expect(await cli(data, 'rule', 'import', broken)).toMatchObject({
    code: 1,
    err: expect.stringContaining('A sample of "high-bid" fails'),
  });
  const bad = written(folder, 'bad.adslate-rules', PACK.replace('dailyBudget>5', 'size>5'));
  expect(await cli(data, 'rule', 'import', bad)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/bad\.adslate-rules, line 2: /),
  });

  expect(await cli(data, 'rule', 'import', pack)).toMatchObject({ code: 0 });
  const sheet = written(
    folder,
    'a.csv',
    'Type,Campaign,Campaign type,Targeting,Daily budget\ncampaign,Hose,video,manual,100\nad group,Hose,,,\n',
  );
  await cli(data, 'import', sheet);
  expect((await cli(data, 'check')).out).toContain('Budgets above $5');
  const out = join(folder, 'again.adslate-rules');
  expect(await cli(data, 'rule', 'export', '--out', out)).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toContain('finds: dailyBudget=6.00');
  const none = join(folder, 'none.adslate-rules');
  expect(await cli(data, 'rule', 'export', '--rejections', '--out', none)).toMatchObject({
    out: expect.stringContaining('Wrote 0 rules'),
  });
});

test('a folder is set and taken from a script, which tells what was not attached', async () => {
  const drop = join(folder, 'drop');
  expect(await cli(data, 'folder', 'take')).toMatchObject({ code: 2 });
  expect(await cli(data, 'folder', 'set', drop)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not a folder'),
  });
  mkdirSync(drop);
  const patterns = '{campaign}_{creative}.mp4;{campaign}.png';
  expect(await cli(data, 'folder', 'set', drop, '--patterns', patterns)).toMatchObject({ code: 0 });
  const tested = await cli(data, 'folder', 'test', 'hose_a.mp4', 'x.gif');
  expect(tested).toMatchObject({ code: 1, out: expect.stringContaining('hose_a.mp4: campaign "Hose", creative "a".') });
  writeFileSync(join(drop, 'hose_a.mp4'), aFilm({}));
  writeFileSync(join(drop, 'roses.png'), aPng(100, 100));
  const taken = await cli(data, 'folder', 'take');
  expect(taken).toMatchObject({ code: 1, out: expect.stringContaining('2 files listed') });
  expect(taken.out).toContain('No campaign is named "roses"');
  expect(await cli(data, 'folder', 'take')).toMatchObject({ code: 0 });
  // The same file is refused again, so the log is as long as before.
  expect(await cli(data, 'folder', 'take', '--again')).toMatchObject({ code: 1 });
});
