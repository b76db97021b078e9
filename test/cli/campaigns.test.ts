import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { FIELDS } from '../../shared/model/fields.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** The list of campaigns as a program and a person get it, on a practice account. */
const folder = temporaryFolder('campaigns');
const data = join(folder.path, 'data');
const sheet = join(folder.path, 'sheet.csv');
beforeAll(async () => {
  await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
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
afterAll(folder.remove);

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
  expect((await cli(data, 'campaigns')).out).toContain('no campaigns');
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
  expect((await cli(data, 'campaigns')).out).toMatch(/Bare +scheduled +add-parts/);
});
