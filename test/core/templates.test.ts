import { safe } from '@orpc/server';
import { expect, test } from 'vitest';
import type { CampaignTemplate } from '../../shared/api/campaigns.ts';
import { aCoreWithPractice } from './a-core.ts';

const template = (name: string, part: Partial<CampaignTemplate> = {}): CampaignTemplate => ({
  name,
  shape: 'manual',
  form: { name: '[today] pots', keywords: 'pot\npan' },
  ...part,
});

test('a template is kept in the order of names, replaced under its name, and taken away', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  const { templates } = client();
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
  const { client, workspaceId } = await aCoreWithPractice();
  const { templates } = client();
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(names.map((name) => templates.save({ workspaceId, template: template(name) })));
  expect((await templates.list({ workspaceId })).map(({ name }) => name)).toEqual(names);
});

test('there is an end to templates, and it is told', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  const { templates } = client();
  for (let i = 0; i < 100; i += 1) await templates.save({ workspaceId, template: template(`T${i}`) });
  const { error } = await safe(templates.save({ workspaceId, template: template('One more') }));
  expect(error).toMatchObject({ code: 'BAD_TOOL', data: { problem: expect.stringContaining('100 templates') } });
  expect(await templates.save({ workspaceId, template: template('T7', { form: {} }) })).toHaveLength(100);
});

test.each(['\u200b', 'Pots\u0007'])('a template cannot be named %j', async (name) => {
  const { client, workspaceId } = await aCoreWithPractice();
  const { error } = await safe(client().templates.save({ workspaceId, template: template(name) }));
  expect(error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await client().templates.list({ workspaceId })).toEqual([]);
});
