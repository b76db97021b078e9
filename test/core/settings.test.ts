import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { safe } from '@orpc/server';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readSecretFiles } from '../../main/accounts/connection-test.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import type { CampaignTemplate } from '../../shared/api/campaigns.ts';
import type { UserRule } from '../../shared/api/rules.ts';
import { addDays, dateInZone } from '../../shared/model/plain-date.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import { RULES } from '../../shared/rules/registry.ts';
import { CHECK_STAGES, stageOf } from '../../shared/rules/rule.ts';
import { testFolder } from '../folder.ts';
import { at } from '../store/a-workspace.ts';
import { aCoreWithPractice, addRows, aSharedPractice } from './a-core.ts';

const { client, workspaceId } = await aSharedPractice('settings');

describe('own rules', () => {
  const rule = (changes: Partial<UserRule> = {}): UserRule => ({
    id: 'dear',
    name: 'Dear keywords',
    kind: 'keyword',
    severity: 'error',
    query: 'bid>5',
    enabled: true,
    ...changes,
  });

  /** A video campaign with two keywords, of which the first is dear. */
  const aDearKeyword = async (of: Client, account: WorkspaceId): Promise<RowId> => {
    const { touched } = await addRows(of, account, 'Create', [
      { kind: 'campaign', parent: null, values: { name: 'Spring', campaignType: 'video', targetingType: 'manual' } },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group' } },
      { kind: 'keyword', parent: { at: 1 }, values: { text: 'towel', matchType: 'exact', bid: 600 } },
      { kind: 'keyword', parent: { at: 1 }, values: { text: 'roll', matchType: 'exact', bid: 200 } },
    ]);
    return at(touched, 2).id;
  };
  let keyword: RowId;
  beforeAll(async () => {
    keyword = await aDearKeyword(client, workspaceId);
  });
  afterEach(async () => {
    for (const { id } of await client.rules.list({ workspaceId })) await client.rules.remove({ workspaceId, id });
  });

  const own = async (of = client, account = workspaceId): Promise<readonly string[]> => {
    const { issues } = await of.workspace.issues({ workspaceId: account, from: 0, count: 500 });
    return issues.filter((found) => found.rule.startsWith('user.')).map((found) => `${found.rule} ${found.label}`);
  };

  const FOUND = 'user.dear towel, exact';

  test('a rule that is saved finds its rows, and stops when it is changed, switched off or removed', async () => {
    const { rules } = client;
    expect(await rules.save({ workspaceId, rule: rule() })).toEqual([{ ...rule(), problem: null }]);
    expect(await own()).toEqual([FOUND]);
    await rules.save({ workspaceId, rule: rule({ query: 'bid>7' }) });
    expect(await own()).toEqual([]);
    await rules.save({ workspaceId, rule: rule({ enabled: false }) });
    expect(await own()).toEqual([]);
    await rules.save({ workspaceId, rule: rule() });
    expect(await own()).toEqual([FOUND]);
    expect(await rules.remove({ workspaceId, id: 'dear' })).toEqual([]);
    expect(await own()).toEqual([]);
  });

  test('an edit is checked by the rules of the user with it', async () => {
    await client.rules.save({ workspaceId, rule: rule() });
    expect(await own()).toEqual([FOUND]);
    const change = { kind: 'keyword', id: keyword, field: 'bid', value: 500 } as const;
    await client.workspace.edit({ workspaceId, label: 'Lower', changes: [change] });
    expect(await own()).toEqual([]);
    await client.workspace.undo({ workspaceId });
  });

  test('the severity decides where a found row is listed, and an error keeps it from being sent', async () => {
    const length = async (only: 'errors' | 'warnings') => {
      await own();
      return (await client.workspace.openView({ workspaceId, view: { kind: 'keyword', only } })).length;
    };
    const leftOut = async () =>
      (await client.sync.plan({ workspaceId })).leftOut
        .flatMap(({ first }) => first)
        .filter(({ kind }) => kind === 'keyword')
        .map((row) => row.label);
    const clean = { warnings: await length('warnings'), errors: await length('errors') };
    await client.rules.save({ workspaceId, rule: rule({ severity: 'warning' }) });
    expect(await length('warnings')).toBe(clean.warnings + 1);
    expect(await length('errors')).toBe(clean.errors);
    await client.rules.save({ workspaceId, rule: rule({ severity: 'error' }) });
    expect(await length('errors')).toBe(clean.errors + 1);
    expect(await leftOut()).toContain('towel, exact');
  });

  test('a rule that cannot be read is refused with field, position and reason, and nothing is kept', async () => {
    const { error } = await safe(client.rules.save({ workspaceId, rule: rule({ query: 'price>5' }) }));
    expect(error).toMatchObject({ code: 'BAD_RULE', data: { field: 'query', at: 0 } });
    expect(await client.rules.list({ workspaceId })).toEqual([]);
  });

  test('rules and what they found survive a restart', async () => {
    const shop = await aCoreWithPractice();
    await aDearKeyword(shop.client(), shop.workspaceId);
    await shop.client().rules.save({ workspaceId: shop.workspaceId, rule: rule() });
    await shop.reopen();
    expect(await shop.client().rules.list({ workspaceId: shop.workspaceId })).toEqual([{ ...rule(), problem: null }]);
    expect(await own(shop.client(), shop.workspaceId)).toEqual([FOUND]);
  });

  test('two changes at once are both kept', async () => {
    const saved = ['a', 'b', 'c'].map((id) => client.rules.save({ workspaceId, rule: rule({ id }) }));
    await Promise.all(saved);
    expect((await client.rules.list({ workspaceId })).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});

test('rules, templates and views of a newer Adslate are left out and named, kept, and find nothing', async () => {
  const shop = await aCoreWithPractice();
  const account = { workspaceId: shop.workspaceId };
  const { rules, templates, views } = shop.client();
  await addRows(shop.client(), shop.workspaceId, 'Create', [
    { kind: 'campaign', parent: null, values: { name: 'Spring', campaignType: 'video', targetingType: 'manual' } },
  ]);
  const rule: UserRule = {
    ...{ id: 'spring', name: 'Spring', kind: 'campaign', severity: 'error', query: 'name:spring', enabled: true },
  };
  await rules.save({ ...account, rule });
  const kept = { name: 'Pots', shape: 'manual', form: {} } as const;
  await templates.save({ ...account, template: kept });
  await views.save({ ...account, name: 'All', view: { kind: 'campaign' } });
  const newer = {
    'user-rules': [rule, { ...rule, id: 'next', name: 'Next', season: 'fall' }, 7, { id: 'bare', name: 'Bare' }],
    'campaign-templates': [kept, { name: 'Cards', shape: 'cards', form: {} }],
  };
  const file = join(shop.dataDir, 'workspaces', shop.workspaceId, 'workspace.db');
  await shop.reopen(() => {
    const db = new DatabaseSync(file);
    for (const [key, list] of Object.entries(newer))
      db.prepare('UPDATE meta SET value = ? WHERE key = ?').run(JSON.stringify(list), key);
    for (const [name, view] of [
      ['Map', '{"kind":"map"}'],
      ['Torn', '{'],
    ] as const)
      db.prepare(
        'INSERT INTO saved_view(kind, name, name_key, view, layout) SELECT kind, ?, lower(?), ?, layout FROM saved_view LIMIT 1',
      ).run(name, name, view);
    db.close();
  });
  const again = shop.client();
  expect(await again.rules.list(account)).toEqual([{ ...rule, problem: null }]);
  expect(await again.templates.list(account)).toEqual([kept]);
  expect((await again.views.saved(account)).map(({ name }) => name)).toEqual(['All']);
  await again.rules.list(account);
  const told = async () =>
    (await again.notifications.list(account))
      .flatMap(({ text }) => (text.includes('newer Adslate') ? [text] : []))
      .toSorted();
  await expect
    .poll(told)
    .toEqual([
      'The rules "Next", "?", "Bare" were made by a newer Adslate and left out. Update Adslate to use them.',
      'The template "Cards" was made by a newer Adslate and left out. Update Adslate to use it.',
      'The views "Map", "Torn" were made by a newer Adslate and left out. Update Adslate to use them.',
    ]);
  await again.rules.save({ ...account, rule: { ...rule, name: 'Spring again' } });
  const { issues } = await again.workspace.issues({ ...account, from: 0, count: 500 });
  expect(issues.flatMap(({ rule: id }) => (id.startsWith('user.') ? [id] : []))).toEqual(['user.spring']);
  await again.templates.save({ ...account, template: { ...kept, form: { name: 'Pots' } } });
  await shop.reopen(() => {
    const db = new DatabaseSync(file);
    const [stored, others] = Object.keys(newer).map((key) =>
      JSON.parse(String(db.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'])),
    );
    expect(stored).toEqual([...newer['user-rules'].slice(1), { ...rule, name: 'Spring again' }]);
    expect(others).toEqual([newer['campaign-templates'][1], { ...kept, form: { name: 'Pots' } }]);
    db.close();
  });
});

describe('muted rules', () => {
  const RULE = 'campaign.name-blanks';

  const { rules, sync } = client;

  beforeAll(async () => {
    const values = { name: 'Spring  towels', campaignType: 'video', targetingType: 'manual' };
    await addRows(client, workspaceId, 'Create', [{ kind: 'campaign', parent: null, values }]);
  });
  afterEach(async () => {
    for (const rule of await rules.muted({ workspaceId })) await rules.mute({ workspaceId, rule, muted: false });
  });

  const rulesFound = async (): Promise<readonly string[]> =>
    (await client.workspace.issues({ workspaceId, from: 0, count: 500 })).issues.map(({ rule }) => rule);

  test('a rule that is muted is told of no more in this account, until it may speak again', async () => {
    const before = await rulesFound();
    expect(before).toContain(RULE);
    expect(await rules.mute({ workspaceId, rule: RULE, muted: true })).toEqual([RULE]);
    expect(await rulesFound()).toEqual(before.filter((rule) => rule !== RULE));
    expect(await rules.muted({ workspaceId })).toEqual([RULE]);
    expect(await rules.mute({ workspaceId, rule: RULE, muted: false })).toEqual([]);
    expect(await rulesFound()).toEqual(before);
  });

  test('two rules that are muted at once are both muted', async () => {
    const [known] = RULES.filter(({ severity, id }) => severity !== 'error' && id !== RULE);
    if (known === undefined) throw new Error('no second rule that may be muted');
    await Promise.all([RULE, known.id].map((rule) => rules.mute({ workspaceId, rule, muted: true })));
    expect(await rules.muted({ workspaceId })).toEqual([RULE, known.id].toSorted());
  });

  test('an error cannot be muted, nor a rule that is not there', async () => {
    for (const rule of ['campaign.name-required', 'user.dear', 'no.such']) {
      const [error] = await safe(rules.mute({ workspaceId, rule, muted: true }));
      expect(error, rule).toMatchObject({ code: 'BAD_RULE' });
    }
    expect(await rules.muted({ workspaceId })).toEqual([]);
  });

  test('the check says of each stage how many rules it has and when it ran; what the service knows is as old as the last refresh', async () => {
    const { stages } = await rules.check({ workspaceId });
    expect(stages.map(({ stage }) => stage)).toEqual([...CHECK_STAGES]);
    expect(stages.map((stage) => stage.rules)).toEqual(
      CHECK_STAGES.map((stage) => RULES.filter((rule) => stageOf(rule) === stage).length),
    );
    expect(stages.map(({ at }) => at === null)).toEqual([false, false, true]);
    await sync.refresh({ workspaceId });
    expect((await rules.check({ workspaceId })).stages.map(({ at }) => at === null)).toEqual([false, false, false]);
  });
});

const template = (name: string, part: Partial<CampaignTemplate> = {}): CampaignTemplate => ({
  name,
  shape: 'manual',
  form: { name: '[today] pots', keywords: 'pot\npan' },
  ...part,
});

const { templates } = client;
afterEach(async () => {
  for (const { name } of await templates.list({ workspaceId })) await templates.remove({ workspaceId, name });
});

test('a template is kept in the order of names, replaced under its name, and taken away', async () => {
  await templates.save({ workspaceId, template: template('Pots') });
  await templates.save({ workspaceId, template: template('Films', { shape: 'video', form: {} }) });
  const changed = template('Pots', { form: { name: 'Pots' } });
  expect(await templates.save({ workspaceId, template: changed })).toEqual([
    template('Films', { shape: 'video', form: {} }),
    changed,
  ]);
  expect(await templates.remove({ workspaceId, name: 'Films' })).toEqual([changed]);
  expect(await templates.remove({ workspaceId, name: 'Films' })).toEqual([changed]);
  expect(await templates.list({ workspaceId })).toEqual([changed]);
});

test('templates saved at once are all kept', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(names.map((name) => templates.save({ workspaceId, template: template(name) })));
  expect((await templates.list({ workspaceId })).map(({ name }) => name)).toEqual(names);
});

test('there is an end to templates, and it is told', async () => {
  for (let i = 0; i < 100; i += 1) await templates.save({ workspaceId, template: template(`T${i}`) });
  const { error } = await safe(templates.save({ workspaceId, template: template('One more') }));
  expect(error).toMatchObject({ code: 'BAD_TOOL', data: { problem: expect.stringContaining('100 templates') } });
  expect(await templates.save({ workspaceId, template: template('T7', { form: {} }) })).toHaveLength(100);
});

test.each(['\u200b', 'Pots\u0007'])('a template cannot be named %j', async (name) => {
  const { error } = await safe(templates.save({ workspaceId, template: template(name) }));
  expect(error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await templates.list({ workspaceId })).toEqual([]);
});

describe('calendar', () => {
  const today = dateInZone(Date.now(), 'America/Los_Angeles');

  type Shop = Awaited<ReturnType<typeof aCoreWithPractice>>;

  async function aCampaignFrom(shop: Shop, startDate: string): Promise<void> {
    const values = { name: 'Spring', campaignType: 'sponsoredProducts', targetingType: 'auto', startDate };
    await addRows(shop.client(), shop.workspaceId, 'Create', [{ kind: 'campaign', parent: null, values }]);
  }

  async function dateIssues(shop: Shop): Promise<readonly string[]> {
    const page = { workspaceId: shop.workspaceId, from: 0, count: 500 };
    const { issues } = await shop.client().workspace.issues(page);
    return issues.filter(({ field }) => field === 'startDate').map(({ rule }) => rule);
  }

  test('moving the practice clock judges every start date anew, by the calendar of the service', async () => {
    const shop = await aCoreWithPractice();
    const { workspaceId } = shop;
    await aCampaignFrom(shop, addDays(today, 5));
    expect(await dateIssues(shop)).toEqual([]);
    await shop.client().practice.advance({ workspaceId, duration: 'P4D' });
    expect(await dateIssues(shop)).toEqual([]);
    await shop.client().practice.advance({ workspaceId, duration: 'P3D' });
    expect(await dateIssues(shop)).toEqual(['campaign.start-before-today']);
  });

  test('what is typed after the clock was moved is judged by the moved calendar, and so it is after a restart', async () => {
    const shop = await aCoreWithPractice();
    await shop.client().practice.advance({ workspaceId: shop.workspaceId, duration: 'P30D' });
    await aCampaignFrom(shop, addDays(today, 20));
    expect(await dateIssues(shop)).toEqual(['campaign.start-before-today']);
    await shop.reopen();
    expect(await dateIssues(shop)).toEqual(['campaign.start-before-today']);
  });

  test('the window hears that something changed when the calendar moves', async () => {
    const shop = await aCoreWithPractice();
    const { workspaceId } = shop;
    await aCampaignFrom(shop, addDays(today, 1));
    const before = (await shop.client().workspace.summary({ workspaceId })).revision;
    await shop.client().practice.advance({ workspaceId, duration: 'P9D' });
    expect((await shop.client().workspace.summary({ workspaceId })).revision).toBeGreaterThan(before);
  });
});

describe('secret input', () => {
  /** What the files with a key and a token may hold, before anything is made of them. */
  const folder = testFolder('secret-input');
  const aFile = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const keyFile = aFile('key.pem', pem);

  test.each([
    ['as it is', 'a-token.x_y~z='],
    ['with a line break at its end', 'a-token.x_y~z=\r\n'],
    ['behind the mark of its encoding', '\uFEFFa-token.x_y~z='],
  ])('a token %s is taken', async (_how, text) => {
    const read = await readSecretFiles(keyFile, aFile('token', text), null);
    expect(read).toMatchObject({ ok: true, value: { secret: { token: 'a-token.x_y~z=', privateKeyPem: pem } } });
  });

  test.each([
    ['of two lines, the second of which would be a header', 'a-token\r\nx-admin: 1'],
    ['of two words', 'Bearer a-token'],
    ['inside the JSON it was issued in', '{"access_token":"aaaa"}'],
    ['with a letter that no header can hold', 'tökén'],
    ['with a control', 'a\u0000b'],
    ['that is empty', ' \n'],
    ['of more than 64 KiB', 'a'.repeat(64 * 1024 + 1)],
  ])('a token %s is refused, without a word of it', async (_what, text) => {
    const read = await readSecretFiles(keyFile, aFile('token', text), null);
    expect(read).toMatchObject({ ok: false, error: { data: { step: 'token' } } });
    expect(read.ok ? '' : read.error.data.detail).not.toMatch(/x-admin|Bearer|kén|aaaa/);
  });

  test.each([
    ['that is missing', join(folder, 'none')],
    ['that is a folder', folder],
    ['of more than 64 KiB', aFile('large.pem', `${pem}${' '.repeat(64 * 1024)}`)],
    ['that holds something else', aFile('letter.txt', 'Dear reader')],
  ])('a key file %s is refused', async (_what, path) => {
    const read = await readSecretFiles(path, aFile('token', 'a-token'), null);
    expect(read).toMatchObject({ ok: false, error: { code: 'BAD_CREDENTIALS', data: { step: 'key' } } });
  });
});

test('settings that are changed at the same moment are all kept', async () => {
  const { accounts, suggestions } = client;
  await Promise.all(
    [1, 2, 3].map((campaignId) =>
      suggestions.setGoal({ workspaceId, scope: { of: 'campaign', campaignId }, goal: { is: 'roas', target: 400 } }),
    ),
  );
  expect((await suggestions.goals({ workspaceId })).goals).toHaveLength(3);
  const names = ['campaignRead', 'keywordRead', 'adGroupRead'] as const;
  await Promise.all(names.map((name) => accounts.setCapability({ workspaceId, name, use: false })));
  const kept = (await accounts.capabilities({ workspaceId })).filter(({ set }) => set === false);
  expect(kept.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

test('practice accounts that are added at the same moment have an advertiser each', async () => {
  const { accounts } = client;
  await Promise.all(['East', 'West'].map((name) => accounts.addPractice({ name })));
  const ids = (await accounts.list()).map(({ advertiserId }) => advertiserId);
  expect(new Set(ids).size).toBe(3);
});
