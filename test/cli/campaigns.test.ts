import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createUploadHosts } from '../../main/files/upload/upload-url-check.ts';
import { statusCommand } from '../../main/hosts/cli/commands/status.ts';
import { createOutput } from '../../main/hosts/cli/output.ts';
import { FIELDS } from '../../shared/model/fields.ts';
import { aCoreWithPractice, onlyAccount, startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { done } from '../store/a-workspace.ts';
import { cli, cliJson, keptOpen, practiceData, written } from './cli.ts';

describe('campaigns', () => {
  /** The list of campaigns as a program and a person get it, on a practice account. */
  const folder = testFolder('campaigns');
  const data = keptOpen(practiceData(folder));
  const sheet = join(folder, 'sheet.csv');
  beforeAll(async () => {
    writeFileSync(
      sheet,
      [
        'Type,Campaign,Campaign type,Targeting,Start,Daily budget,Item id,Bid',
        'campaign,Spring,sponsoredProducts,auto,2030-05-01,75,,',
        'ad group,Spring,,,,,,',
        'campaign,Bare,sponsoredProducts,auto,2030-05-01,75,,',
        'campaign,Wrong,sponsoredProducts,auto,2020-05-01,75,,',
      ].join('\n'),
    );
  });

  const Campaigns = z.object({
    campaigns: z.array(
      z.strictObject({
        campaign: z.string(),
        campaignId: z.string().nullable(),
        type: z.string().nullable(),
        state: z.enum(FIELDS.campaign.campaignState.type.choices),
        stateSource: z.enum(FIELDS.campaign.stateSource.type.choices),
        asOf: z.iso.datetime().nullable(),
        nextStep: z.enum(documentedSteps()),
        problems: z.array(
          z.strictObject({ rule: z.string(), severity: z.enum(['error', 'warning']), message: z.string() }),
        ),
      }),
    ),
  });

  /** The words of the page, so that none is used that is not documented. */
  function documentedSteps(): string[] {
    const page = readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
    const table = page.slice(page.indexOf('| `nextStep` |')).split('\n\n')[0] ?? '';
    const rows = table.split('\n').slice(2);
    return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, word]) => word ?? ''));
  }

  const listed = async () => {
    const { code, json } = await cliJson(Campaigns, data, 'campaigns');
    expect(code).toBe(0);
    return new Map(json.campaigns.map((campaign) => [campaign.campaign, campaign]));
  };

  /** Every line starts and ends a program of its own. */
  const PATIENCE_MS = 240_000;

  test('drafts, sent and scheduled campaigns say their state, its source and the next step', {
    timeout: PATIENCE_MS,
  }, async () => {
    expect(documentedSteps()).toContain('wait-for-start');
    expect((await cli(data, 'campaigns')).out).toContain('No campaigns yet.');
    await cli(data, 'import', sheet);
    const drafts = await listed();
    const draft = { campaignId: null, state: 'draft', stateSource: 'local', asOf: null };
    expect(drafts.get('Bare')).toMatchObject({ ...draft, nextStep: 'add-parts' });
    expect(drafts.get('Wrong')?.problems).toContainEqual(
      expect.objectContaining({ rule: 'campaign.start-before-today', severity: 'error' }),
    );
    expect((await cli(data, 'sync', '--yes')).code).toBe(1);
    await cli(data, 'practice', 'clock', 'PT31M');
    expect((await cli(data, 'refresh')).code).toBe(0);
    const sent = (await listed()).get('Bare');
    expect(sent).toMatchObject({ state: 'scheduled', stateSource: 'service', nextStep: 'add-parts' });
    expect(sent?.campaignId).toMatch(/^\d+$/);
    expect(sent?.asOf).not.toBeNull();
    expect((await cli(data, 'campaigns')).out).toMatch(/Bare +Scheduled +add-parts/);
  });
});

describe('JSON of commands with their own words', () => {
  const folder = testFolder('words');
  const data = practiceData(folder);
  const passphrase = written(folder, 'passphrase.txt', 'correct horse battery\n');

  const Storage = z.enum(['keychain', 'passphrase', 'memory']);
  const Credentials = z.strictObject({
    storage: Storage,
    state: z.enum(['open', 'locked', 'refused']),
    problem: z.string().nullable(),
    store: z.string().nullable(),
    available: z.array(Storage),
  });

  test('credentials name their storage and what is available', async () => {
    const changed = await cliJson(
      Credentials,
      data,
      ...['credentials', 'storage', 'passphrase', '--new-passphrase-file', passphrase],
    );
    expect(changed).toMatchObject({ code: 0, json: { storage: 'passphrase', state: 'open' } });
    expect(changed.json.available).toEqual(expect.arrayContaining(['passphrase', 'memory']));
    expect((await cliJson(Credentials, data, 'credentials', 'status')).json).toMatchObject({ state: 'locked' });
    expect((await cli(data, 'credentials', 'status')).out).toContain('Add --passphrase-file FILE to unlock.');
    const unlocked = ['--passphrase-file', passphrase];
    expect((await cli(data, 'credentials', 'storage', 'memory', ...unlocked)).out).toMatch(/^In memory only\./);
    expect((await cli(data, 'credentials', 'storage', 'keyring')).err).toContain('Use keychain, passphrase or memory.');
  });

  test('deployment settings that differ name their default', async () => {
    const Shown = z.object({
      differences: z.array(z.strictObject({ key: z.string(), value: z.string(), default: z.string() })),
    });
    expect((await cliJson(Shown, data, 'deployment')).json.differences).toEqual([
      { key: 'retail.host', value: 'https://shop.example', default: '' },
    ]);
  });

  test('upload hosts are undecided, allowed or blocked, and gone after a reset', async () => {
    const core = await startCore(data);
    const { workspace } = done(await core.open.get(await onlyAccount(createRouterClient(core.router))));
    const file = { name: 'spot.mp4', bytes: 3 };
    await createUploadHosts(workspace, Date.now).ask('uploads.example', file);
    await core.close();
    const Hosts = z.object({ hosts: z.array(z.looseObject({ host: z.string(), state: z.string() })) });
    const hosts = async (...words: readonly string[]) => {
      const { code, json } = await cliJson(Hosts, data, 'media', 'hosts', ...words);
      return [code, json.hosts.map(({ host, state }) => `${host} ${state}`)];
    };
    expect(await hosts()).toEqual([3, ['uploads.example undecided']]);
    expect((await cli(data, 'media', 'hosts')).out).toBe('uploads.example  undecided  spot.mp4 (3 bytes)\n');
    expect(await hosts('allow', 'uploads.example')).toEqual([0, ['uploads.example allowed']]);
    expect(await hosts('block', 'uploads.example')).toEqual([0, ['uploads.example blocked']]);
    expect(await hosts('reset', 'uploads.example')).toEqual([0, []]);
    expect((await cli(data, 'media', 'hosts')).out).toBe('No upload host needs your decision.\n');
    expect(await cli(data, 'media', 'hosts', 'refuse', 'uploads.example')).toMatchObject({ code: 2 });
    expect((await cli(data, 'media', 'hosts', 'reset', 'other.example')).err).toContain('"adslate media hosts"');
  });
});

describe('domain verbs', () => {
  /** Profile, rules of one's own and plans, by the command line alone. */
  const folder = testFolder('profile');
  const data = keptOpen(practiceData(folder));

  const aFile = (name: string, text: string): string => written(folder, name, text);
  const sheet = aFile(
    'sheet.csv',
    [
      'Type,Campaign,Campaign type,Targeting,Start,Daily budget,Item id,Keyword,Match type,Bid',
      'campaign,Spring,sponsoredProducts,manual,2030-05-01,75,,,,',
      'ad item,Spring,,,,,0999999999,,,1.60',
      'keyword,Spring,,,,,,towel,exact,6.00',
    ].join('\n'),
  );

  const Check = z.object({ findings: z.array(z.object({ rule: z.string(), message: z.string() })) });
  const rulesFound = async (...more: readonly string[]): Promise<readonly string[]> =>
    (await cliJson(Check, data, 'check', ...more)).json.findings.map(({ rule }) => rule);

  test('a fresh practice account differs from the usual by its host alone', async () => {
    expect(await cli(data, 'deployment')).toMatchObject({
      code: 0,
      out: 'retail.host is https://shop.example (default empty)\n',
    });
  });

  test('limits of the profile are those of the check, and --all is what --set takes', async () => {
    await cli(data, 'import', sheet);
    expect(await rulesFound()).not.toContain('keyword.bid-high');
    const set = await cli(data, 'deployment', '--set', aFile('profile.txt', 'bid.max=5.00\nadItems.max=12\n'));
    expect(set.out).toContain('adItems.max is 12 (default 10)');
    expect(await rulesFound()).toContain('keyword.bid-high');
    const all = await cli(data, 'deployment', '--all');
    expect(await cli(data, 'deployment', '--set', aFile('all.txt', all.out))).toEqual(set);
    await cli(data, 'deployment', '--reset');
    expect(await rulesFound()).not.toContain('keyword.bid-high');
  });

  test('keywords are spread into a new campaign, and the daily budget that it adds is told', async () => {
    const keywords = [
      'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Keyword,Match type,Bid',
      'campaign,Pots,,sponsoredProducts,manual,500,15,2030-03-04,,,',
      'ad group,Pots,Pots group,,,,,,,,',
      ...['pot', 'pan', 'lid'].map((word) => `keyword,Pots,Pots group,,,,,,${word},exact,1.60`),
    ].join('\r\n');
    await cli(data, 'import', aFile('pots.csv', keywords));
    await cli(data, 'deployment', '--set', aFile('few.txt', 'keywords.maxDistinctEnabled=2\n'));
    const { out } = await cli(data, 'keywords', 'spread', '--campaign', 'Pots');
    expect(out).toContain('This adds 15.00 to the total daily budget.');
    await cli(data, 'undo');
    const Spread = z.object({ moved: z.int(), dailyBudgetCents: z.int() });
    const spread = await cliJson(Spread, data, 'keywords', 'spread', '--campaign', 'Pots');
    expect(spread.json).toEqual({ moved: 1, dailyBudgetCents: 1500 });
    await cli(data, 'deployment', '--reset');
  });

  test('a profile that cannot be read is refused line by line, and the old one stays', async () => {
    const refused = await cli(data, 'deployment', '--set', aFile('bad.txt', 'bid.max=cheap\nno.such.key=1\n'));
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/Line 1: "bid.max" is "cheap".*\nLine 2: "no.such.key" is not a setting/);
    expect((await cli(data, 'deployment')).out).toBe('retail.host is https://shop.example (default empty)\n');
    expect((await cli(data, 'deployment', '--set', join(folder, 'nowhere.txt'))).code).toBe(2);
  });

  test('a rule of one own is saved, listed, followed by the check, and removed', async () => {
    const saved = await cli(data, 'rule', 'save', 'dear', 'bid>5', '--type', 'keyword', '--severity', 'error');
    expect(saved).toMatchObject({ code: 0 });
    expect((await cli(data, 'rule', 'list')).out).toMatch(/dear +error +keyword +bid>5/);
    const { json } = await cliJson(Check, data, 'check');
    const own = json.findings.filter(({ rule }) => rule === 'user.dear');
    expect(own).toMatchObject([{ message: expect.stringContaining('"towel, exact" matches your custom rule "dear"') }]);
    expect((await cli(data, 'rule', 'remove', 'dear')).out).toContain('No custom rules.');
    expect(await rulesFound()).not.toContain('user.dear');
  });

  test('a plan reads the same twice, and says what would take it back', async () => {
    const first = await cli(data, 'plan', '--text');
    expect(first.out).toMatch(
      /^adslate-plan 1 .*\nplan: \d+ requests, \d+ elements, 0 uploads\n0 POST \/api\/v1\/campaigns campaign create/,
    );
    expect(first.out).toContain('"keywords":["towel"]');
    expect(await cli(data, 'plan', '--text')).toEqual(first);
    const back = await cli(data, 'plan', '--rollback');
    expect(back.out).toContain('restore: keyword "towel, exact", Run: paused');
    expect(back.out).toContain('not reversible: campaign "Spring": the service can\'t delete it');
  });

  test('a search that cannot be read is no rule', async () => {
    const refused = await cli(data, 'rule', 'save', 'odd', 'price>5', '--type', 'keyword');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/price/);
    expect((await cli(data, 'rule', 'save', 'odd', 'bid>5', '--type', 'shoe')).code).toBe(2);
  });

  test('check --search-items asks the catalog about new items first', async () => {
    expect(await rulesFound()).toContain('item.id-unconfirmed');
    const found = await rulesFound('--search-items');
    expect(found).toContain('item.not-in-catalogue');
    expect(found).not.toContain('item.id-unconfirmed');
  });
});

/** How an account stands, as a person and as a program are told. */
async function status(json: boolean, freeBytes: number): Promise<string> {
  const { client, workspaceId } = await aCoreWithPractice({ freeBytes: async () => freeBytes });
  let out = '';
  const output = createOutput(json, {
    out: (text) => {
      out += text;
    },
    err: () => {},
  });
  const context = { output, atAccount: async () => ({ client: client(), workspaceId }) };
  expect(await statusCommand.run(context as Parameters<typeof statusCommand.run>[0])).toBe(0);
  return out;
}

test('a person reads what differs, what is open, what the hour allows and that the disk runs full', async () => {
  const out = await status(false, 300 * 2 ** 20);
  expect(out).toMatch(
    /^0 unsynced changes, 0 on hold\.\n0 errors, 0 warnings\.\n0 conflicts, 0 unresolved requests\.\n/,
  );
  expect(out).toContain('3000 of 3000 changes left this hour.');
  expect(out).toContain('Low disk space: 300 MB left');
});

test('a program gets the same as one object, and null for a disk with room', async () => {
  expect(JSON.parse(await status(true, 2 ** 40))).toMatchObject({
    changed: 0,
    conflicts: 0,
    budgetPerHour: 3000,
    lowSpaceBytes: null,
  });
});

describe('named files', () => {
  /** Files that are named on the command line: what is read must be a file, and what is there is not written over. */
  const folder = testFolder('named-files');
  const data = keptOpen(practiceData(folder));
  const pipe = join(folder, 'pipe');
  const sheet = join(folder, 'items.csv');

  beforeAll(async () => {
    execFileSync('mkfifo', [pipe]);
    writeFileSync(sheet, 'Type,Campaign,Item id,Bid\nad item,Towels,12345678,1.50\n');
  });

  const READERS = [
    ['campaign', 'add', '--file'],
    ['sync', '--yes', '--plan'],
    ['restore', '--dry-run'],
    ['deployment', '--set'],
    ['item-ids', 'check'],
    ['item-ids', 'repair', '--map'],
    ['import'],
    ['status', '--passphrase-file'],
    ['credentials', 'storage', 'passphrase', '--new-passphrase-file'],
  ];

  test.each(READERS.slice(0, 7))('a named pipe that nobody writes to is no file: %s %s', async (...words) => {
    const { code, out, err } = await cli(data, ...words, pipe);
    expect([1, 2]).toContain(code);
    expect(out + err).toContain('not a file');
  });

  test.each(READERS)('neither is a device without an end, nor a folder: %s %s', async (...words) => {
    const passphrase = words.some((word) => word.includes('passphrase-file'));
    for (const path of ['/dev/zero', folder]) {
      const { code, out, err } = await cli(data, ...words, path, '--json');
      // A passphrase is read when something is sealed with it, which is nothing yet.
      if (passphrase && words[0] === 'status') expect(code).toBe(0);
      else expect([1, 2]).toContain(code);
      expect(err).not.toContain('should not');
      if (!passphrase) expect(out).toMatch(/not a file|EISDIR/);
    }
  });

  test('a filter that cannot be read is said by its problem, with the exit code of a usage error', async () => {
    const { code, err } = await cli(data, 'plan', '--only', 'keyword:bid>');
    expect(code).toBe(2);
    expect(err).toContain('Enter a value after the symbol');
  });

  const WRITERS = [
    ['requests', '--out'],
    ['responses', '--out'],
    ['report', '--out'],
    ['backup'],
    ['export'],
    ['item-ids', 'check', '--report'],
    ['item-ids', 'check', sheet, '--repair'],
    ['import', sheet, '--errors'],
  ];

  test.each([
    [['export', '--filter', 'bid>2'], '--filter needs --type'],
    [['export', '--show', 'changed'], '--show needs --type'],
    [['export', 'all.adslate', '--type', 'keyword'], "--type can't be combined"],
    [['export', 'all.csv', '--format', 'xls'], '--format must be one of'],
    [['campaign', 'add', '904100200301', '--file', sheet], "can't be combined with --file"],
    [['campaign', 'add', '--ad-group', '904100200301', '--file', sheet], 'apply to a single ID'],
  ])('an option that would be ignored is refused: %j', async (words, why) => {
    const { code, err } = await cli(data, ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });

  test('campaigns are compared by their exact names', async () => {
    const names = join(folder, 'names.csv');
    writeFileSync(
      names,
      'Type,Campaign,Campaign type,Targeting\ncampaign,A\\B,video,manual\ncampaign,None,video,manual\n',
    );
    expect((await cli(data, 'import', names)).out).toContain('2 added');
    for (const name of ['A\\B', 'None'])
      expect(await cli(data, 'compare', 'now', 'now', '--campaign', name)).toMatchObject({ code: 0 });
    const [{ account = '' } = {}] = JSON.parse((await cli(data, 'account', 'list', '--json')).out).accounts;
    expect(await cli(data, 'compare', 'now', `account:${account.toUpperCase()}`)).toMatchObject({ code: 0 });
  });

  const writers = share('files that are there', WRITERS, 4);
  test.each(writers)('a file that is there is replaced with --force only: %s %s %s', async (...words) => {
    const target = join(folder, 'precious.csv');
    writeFileSync(target, 'precious');
    const kept = await cli(data, ...words, target);
    expect(kept.code).toBe(2);
    expect(kept.err).toContain('precious.csv already exists. Choose another name, or add --force to replace it.');
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect([0, 1]).toContain((await cli(data, ...words, target, '--force')).code);
    expect(readFileSync(target, 'utf8')).not.toBe('precious');
  });

  test.each(writers)('a place that cannot be written is named: %s %s %s', async (...words) => {
    const taken = join(folder, 'taken');
    mkdirSync(taken, { recursive: true });
    const { code, err } = await cli(data, ...words, taken, '--force');
    expect(code).toBe(1);
    expect(err).toMatch(/Can't write .*taken \(E\w+\)\. Choose another folder\./);
  });
});
