import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { EXIT_CODE } from '../../main/hosts/cli/cli-error.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { rowsOf, startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { cli, cliJson, keptOpen } from './cli.ts';

const Suggestions = z.strictObject({
  suggestions: z.array(
    z.strictObject({
      kind: z.string(),
      type: z.string(),
      row: z.string().nullable(),
      label: z.string(),
      campaign: z.string(),
      field: z.string().nullable(),
      current: z.union([z.number(), z.string()]).nullable(),
      suggested: z.union([z.number(), z.string()]).nullable(),
      evidence: z.enum(['none', 'fair', 'firm']),
      low: z.number().nullable(),
      high: z.number().nullable(),
      reason: z.string(),
      numbers: z.record(z.string(), z.unknown()),
    }),
  ),
  dropped: z.array(z.strictObject({ reason: z.string(), count: z.int() })),
  accepted: z.int().optional(),
});

const LABEL = 'canary label 4711';
const folder = testFolder('cli-suggest');
const data = join(folder, 'data');

beforeAll(async () => {
  const core = await startCore(data);
  const client: Client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addSample({ name: 'Sample' });
  const rows = await rowsOf(client, workspaceId, { kind: 'campaign' }, 1);
  const { id } = await client.notes.saveLabel({ workspaceId, id: null, name: LABEL, color: '#2244aa' });
  const labelled = [{ kind: 'campaign' as const, ids: rows.map((row) => row.id) }];
  await client.notes.label({ workspaceId, rows: labelled, add: [id], remove: [] });
  await core.close();
});
keptOpen(data);

test('the same question about the same metrics is answered with the same bytes', async () => {
  const ask = ['suggest', '--goal', 'roas=4'];
  const [first, second] = [await cli(data, ...ask, '--json'), await cli(data, ...ask, '--json')];
  expect(first.out).toBe(second.out);
  const { suggestions } = Suggestions.parse(JSON.parse(first.out));
  const bid = suggestions.find(({ kind }) => kind === 'bid');
  expect(bid?.reason).toContain(
    `Suggested bid $${Number(bid?.suggested).toFixed(2)}, now $${Number(bid?.current).toFixed(2)}.`,
  );
  expect(bid?.row).toMatch(/^(keyword|ad-item)\/\d+$/);
  expect(bid?.numbers).toMatchObject({ bid: bid?.current, suggested: bid?.suggested });
  expect((await cli(data, ...ask)).out).toContain('At a target ROAS of 4.00, a click can cost');
});

test('goals and kinds that do not exist are refused with those that do', async () => {
  const { code, err } = await cli(data, 'suggest', '--goal', 'profit=3');
  expect([code, err]).toEqual([EXIT_CODE.usage, expect.stringContaining('Use roas=4, acos=25 or hold.')]);
  expect((await cli(data, 'suggest', '--kind', 'wish')).err).toContain('Use bid, multiplier, no-sale');
  expect((await cli(data, 'pace', '--json')).out).toContain('"plans":[]');
});

test('what is applied is sent as bids alone: no metric, label or reason stands in a request', async () => {
  const applied = await cliJson(Suggestions, data, 'suggest', '--goal', 'hold', '--kind', 'bid', '--apply');
  expect(applied.json.accepted).toBeGreaterThan(0);
  const synced = await cli(data, 'sync', '--yes');
  expect(synced.err).toBe('');
  const out = join(folder, 'requests.json');
  expect((await cli(data, 'requests', '--out', out)).code).toBe(EXIT_CODE.done);
  const sent = readFileSync(out, 'utf8');
  const bids = applied.json.suggestions.map(({ suggested }) => `${suggested}`);
  expect(bids.some((bid) => sent.includes(bid))).toBe(true);
  for (const word of [LABEL, 'Suggested bid', 'can cost', 'attributed', 'expectedOrders', 'perClick', 'evidence']) {
    expect(sent).not.toContain(word);
  }
});
