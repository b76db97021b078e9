import { safe } from '@orpc/server';
import { expect, test } from 'vitest';
import { RULES } from '../../shared/rules/registry.ts';
import { CHECK_STAGES, stageOf } from '../../shared/rules/rule.ts';
import { aCoreWithPractice } from './a-core.ts';

const RULE = 'campaign.name-blanks';

/** A practice account with a campaign whose name has two blanks in a row. */
async function aShop() {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  const values = { name: 'Spring  towels', campaignType: 'video', targetingType: 'manual' };
  await shop
    .client()
    .workspace.create({ workspaceId, label: 'Create', rows: [{ kind: 'campaign', parent: null, values }] });
  return shop;
}

async function rulesFound({ client, workspaceId }: Awaited<ReturnType<typeof aShop>>): Promise<readonly string[]> {
  const { findings } = await client().workspace.findings({ workspaceId, from: 0, count: 500 });
  return findings.map(({ rule }) => rule);
}

test('a rule that is muted is told of no more in this account, until it may speak again', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const { rules } = shop.client();
  const before = await rulesFound(shop);
  expect(before).toContain(RULE);
  expect(await rules.mute({ workspaceId, rule: RULE, muted: true })).toEqual([RULE]);
  expect(await rulesFound(shop)).toEqual(before.filter((rule) => rule !== RULE));
  expect(await rules.muted({ workspaceId })).toEqual([RULE]);
  expect(await rules.mute({ workspaceId, rule: RULE, muted: false })).toEqual([]);
  expect(await rulesFound(shop)).toEqual(before);
});

test('two rules that are muted at once are both muted', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const { rules } = shop.client();
  const [known] = RULES.filter(({ severity, id }) => severity !== 'error' && id !== RULE);
  if (known === undefined) throw new Error('no second rule that may be muted');
  await Promise.all([RULE, known.id].map((rule) => rules.mute({ workspaceId, rule, muted: true })));
  expect(await rules.muted({ workspaceId })).toEqual([RULE, known.id].toSorted());
});

test('an error cannot be muted, nor a rule that is not there', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const { rules } = shop.client();
  for (const rule of ['campaign.name-required', 'user.dear', 'no.such']) {
    const [error] = await safe(rules.mute({ workspaceId, rule, muted: true }));
    expect(error, rule).toMatchObject({ code: 'BAD_RULE' });
  }
  expect(await rules.muted({ workspaceId })).toEqual([]);
});

test('the check says of each stage how many rules it has and when it ran; what the service knows is as old as the last refresh', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const { rules, sync } = shop.client();
  const { stages } = await rules.check({ workspaceId });
  expect(stages.map(({ stage }) => stage)).toEqual([...CHECK_STAGES]);
  expect(stages.map((stage) => stage.rules)).toEqual(
    CHECK_STAGES.map((stage) => RULES.filter((rule) => stageOf(rule) === stage).length),
  );
  expect(stages.map(({ at }) => at === null)).toEqual([false, false, true]);
  await sync.refresh({ workspaceId });
  expect((await rules.check({ workspaceId })).stages.map(({ at }) => at === null)).toEqual([false, false, false]);
});
