import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, connecting, keptOpen } from './cli.ts';

/** A plan that is written to a file, read by somebody, and handed in again. */
const folder = testFolder('reviewed-plan');

const HEAD =
  'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Item id,Keyword,Match type,Bid';

async function openShop(data: string, extensions: boolean): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions });
  const connect = connecting(sandbox, data, { extensions: extensions ? 'on' : 'off' });
  expect(await cli(data, ...connect)).toMatchObject({ code: 0, err: '' });
  return sandbox;
}

const Stopped = z.object({
  done: z.int(),
  stoppedBy: z.object({ cause: z.string() }),
  changedSince: z.array(z.object({ sign: z.string(), line: z.string(), type: z.string(), label: z.string() })),
  changedSinceMore: z.int(),
});

const extended = share('reviewed plans with extensions', [true, false], 2);
describe.each(extended)('with extensions %s', (extensions) => {
  const data = keptOpen(join(folder, extensions ? 'extensions' : 'documented'));
  let sandbox: RunningSandbox;
  const run = (...args: readonly string[]) => cli(data, ...args);
  const file = (name: string): string => join(data, name);
  const save = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    writeFileSync(file(name), out);
    return file(name);
  };
  const bringIn = async (name: string, bid: string): Promise<void> => {
    const rows = [
      `campaign,${name},,sponsoredProducts,manual,enabled,1200.00,37.50,2030-03-04,2030-06-30,,,,`,
      `ad group,${name},${name} group,,,enabled,,,,,,,,`,
      `ad item,${name},${name} group,,,enabled,,,,,0553680321,,,2.80`,
      `keyword,${name},${name} group,,,enabled,,,,,,kitchen roll,exact,${bid}`,
    ];
    writeFileSync(file('sheet.csv'), `${[HEAD, ...rows].join('\n')}\n`);
    expect(await run('import', file('sheet.csv'))).toMatchObject({ code: 0, err: '' });
  };
  const writes = async (): Promise<number> =>
    (await controlOf(sandbox).requests()).filter(
      ({ method, path }) => method !== 'GET' && !path.endsWith('/itemSearch'),
    ).length;

  beforeAll(async () => {
    sandbox = await openShop(data, extensions);
    await bringIn('Rolls', '1.85');
    await bringIn('Lamps', '1.95');
    return () => sandbox.close();
  });

  test('sync --dry-run and plan --text write the same bytes, again and again', async () => {
    const first = await save('plan.txt', 'sync', '--dry-run', '--campaign', 'Rolls');
    const second = await save('same.txt', 'plan', '--text', '--campaign', 'Rolls');
    expect(readFileSync(second)).toEqual(readFileSync(first));
    expect(readFileSync(first, 'utf8')).toMatch(
      /^adslate-plan 1 \{"account":"Shop",.*"advertiserId":"\d+",.*"submit":false,.*"campaignIds":\[\d+\],"chosen":null\}\nplan: 4 requests, 4 elements/,
    );
  });

  test('a plan of another wish is refused, and what it was made of need not be said again', async () => {
    const plan = file('plan.txt');
    const other = 'Remove the option, or save a plan with it.';
    for (const [option, ...value] of [['--submit'], ['--campaign', 'Lamps'], ['--only', 'keyword']]) {
      expect(await run('sync', '--plan', plan, option ?? '', ...value), option).toMatchObject({
        code: 2,
        err: `${plan} was saved with another ${option}. ${other}\n`,
      });
    }
    expect(await run('sync', '--plan', plan, '--dry-run')).toMatchObject({ code: 2 });
    expect(await writes()).toBe(0);
  });

  test('after an edit nothing is sent, and each line that differs is listed with its row', async () => {
    await bringIn('Rolls', '2.15');
    const { code, json } = await cliJson(Stopped, data, 'sync', '--plan', file('plan.txt'));
    const keyword = { type: 'keyword', label: 'kitchen roll, exact' };
    const line = (bid: string) => expect.stringMatching(new RegExp(`^keyword/\\d+ \\{.*"bid":${bid}`));
    expect({ code, json }).toEqual({
      code: 1,
      json: {
        done: 0,
        stoppedBy: { cause: 'plan-changed' },
        changedSince: [
          { sign: '-', line: line('1.85'), ...keyword },
          { sign: '+', line: line('2.15'), ...keyword },
        ],
        changedSinceMore: 0,
      },
    });
    const told = await run('sync', '--plan', file('plan.txt'));
    expect(told.code).toBe(1);
    expect(told.out).toMatch(
      /^- keyword "kitchen roll, exact": keyword\/\d+ .*"bid":1\.85.*\n\+ keyword "kitchen roll/m,
    );
    expect(told.out).toContain('The changes no longer match the plan file, so nothing was sent.');
    expect(await writes()).toBe(0);
  });

  test('the plan is sent with the wish of its file, in either form; the rest stays', async () => {
    const plan = await save('rolls.json', 'sync', '--dry-run', '--campaign', 'Rolls', '--json');
    expect(await run('sync', '--plan', plan)).toMatchObject({
      code: 0,
      out: expect.stringContaining('4 sent, 0 failed'),
    });
    const some = await save('some.txt', 'plan', '--text', '--only', 'ad group');
    expect(await run('sync', '--plan', some, '--only', 'ad group')).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 sent, 0 failed'),
    });
    const rest = await save('rest.txt', 'sync', '--dry-run', '--submit');
    expect(await run('sync', '--plan', rest)).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 sent, 0 failed'),
    });
  });

  test('a plan that was sent already is told line by line as well', async () => {
    const { json } = await cliJson(Stopped, data, 'sync', '--plan', file('rest.txt'));
    expect(json.changedSince.map(({ sign, type }) => `${sign} ${type}`)).toEqual([
      '- campaign',
      '- ad item',
      '- campaign',
      '- keyword',
    ]);
  });

  test('a plan of another account names both accounts, and nothing is sent', async () => {
    expect(await run('account', 'add', '--name', 'Trial', '--practice')).toMatchObject({ code: 0 });
    const plan = file('rest.txt');
    expect(await run('sync', '--plan', plan, '--account', 'Trial')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is a plan of account "Shop" \(advertiser \d+\), but the open account is "Trial"/),
    });
  });
});

test('a file that is missing, not readable or without a plan is named as such, and nothing is sent', async () => {
  const data = join(folder, 'files');
  await cli(data, 'account', 'add', '--name', 'Shop', '--practice');
  const handIn = (file: string) => cli(data, 'sync', '--plan', file);
  const missing = join(folder, 'nowhere.txt');
  const taken = join(folder, 'folder');
  mkdirSync(taken);
  expect(await handIn(missing)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`File ${missing} not found.`),
  });
  expect(await handIn(taken)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`Can't read the plan ${taken} (EISDIR)`),
  });
  const { out } = await cli(data, 'sync', '--dry-run');
  const [header, ...lines] = out.split('\n');
  for (const [text, says] of [
    ['', 'contains no plan'],
    ['Meeting notes\n', 'contains no plan'],
    ['{"plan": ["notes"]}', 'contains no plan'],
    [lines.join('\n'), 'contains a plan of an earlier version'],
    [out.replace('adslate-plan 1', 'adslate-plan 9'), 'contains a plan of a newer version'],
    [`${header}\nplan: 3 requests, 3 elements, 0 uploads\n`, 'was modified or cut off after it was saved (line 3)'],
  ]) {
    const other = join(folder, 'other.txt');
    writeFileSync(other, text ?? '');
    const { code, err } = await handIn(other);
    expect({ code, err }, text).toEqual({ code: 2, err: expect.stringContaining(`${other} `) });
    expect(err).toContain(says);
  }
});

test('plan replay shows what a plan does on a new practice service, and leaves the account and its service alone', async () => {
  const data = join(folder, 'replay');
  await cli(data, 'account', 'add', '--name', 'Shop', '--practice');
  const sheet = join(folder, 'replay.csv');
  const rows = [
    'campaign,Rolls,,sponsoredProducts,manual,enabled,1200.00,37.50,2030-03-04,2030-06-30,,,,',
    'ad group,Rolls,Rolls group,,,enabled,,,,,,,,',
    'ad item,Rolls,Rolls group,,,enabled,,,,,0553680321,,,2.80',
  ];
  writeFileSync(sheet, `${[HEAD, ...rows].join('\n')}\n`);
  expect(await cli(data, 'import', sheet)).toMatchObject({ code: 0 });
  const plan = join(folder, 'replay.adslate-plan');
  writeFileSync(plan, (await cli(data, 'sync', '--dry-run')).out);
  const Replay = z.object({
    requests: z.array(z.object({ method: z.string(), path: z.string(), accepted: z.int(), notSent: z.null() })),
    accepted: z.int(),
    refused: z.int(),
    campaigns: z.array(z.object({ campaign: z.string(), status: z.string() })),
  });
  const { code, json } = await cliJson(Replay, data, 'plan', 'replay', plan);
  expect({ code, json }).toEqual({
    code: 0,
    json: {
      requests: [
        { method: 'POST', path: '/api/v1/campaigns', accepted: 1, notSent: null },
        { method: 'POST', path: '/api/v1/adGroups', accepted: 1, notSent: null },
        { method: 'POST', path: '/api/v1/adItems', accepted: 1, notSent: null },
      ],
      accepted: 3,
      refused: 0,
      campaigns: [{ campaign: 'Rolls', status: 'scheduled' }],
    },
  });
  expect(await cli(data, 'sync', '--dry-run')).toMatchObject({ out: readFileSync(plan, 'utf8') });

  expect(await cli(data, 'sync', '--plan', plan)).toMatchObject({ code: 0 });
  writeFileSync(sheet, `${[HEAD, ...rows].join('\n').replace('2.80', '2.95')}\n`);
  await cli(data, 'import', sheet);
  writeFileSync(plan, (await cli(data, 'sync', '--dry-run')).out);
  const refused = await cli(data, 'plan', 'replay', plan);
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('  failed: ad item "') });
  expect(refused.out).toContain('0 accepted, 1 failed, 0 requests not sent, on a new simulated service.');
});
