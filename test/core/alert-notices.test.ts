import { Readable } from 'node:stream';
import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';
import { startCore } from './a-core.ts';

test('alerts of new metrics are told once a day for each cause, also after a restart, and not when turned off', async () => {
  const folder = testFolder('alert-notices');
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  let core = await startCore(folder, { clock });
  let client: Client = createRouterClient(core.router);
  try {
    const { workspaceId } = await client.accounts.addSample({ name: 'Sample' });
    for (const { scope } of (await client.suggestions.goals({ workspaceId })).goals) {
      await client.suggestions.setGoal({ workspaceId, scope, goal: null });
    }
    const look = { period: 'last-28' as const };
    const { groups, span } = await client.metrics.grouped({ workspaceId, group: 'campaign', look });
    /** Campaigns spend far more on the last days than before; then the program is closed, which tells what is not told yet. */
    const alertsAfter = async (days: number): Promise<readonly string[]> => {
      const dates = Array.from({ length: days }, (_, at) => addDays(span.to as PlainDate, -at));
      const lines = dates.flatMap((day) => groups.map(({ key }) => `${day},${key},1000,50,90000`));
      const text = ['date,campaignId,impressions,clicks,adSpend', ...lines, ''].join('\n');
      const { grant } = done(await core.grants.spool('spend.csv', Readable.from([Buffer.from(text)]), 100_000));
      expect(await client.metrics.addFile({ workspaceId, grant })).toMatchObject({ taken: days });
      await core.close();
      core = await startCore(folder, { clock });
      client = createRouterClient(core.router);
      const listed = await client.notifications.list({ workspaceId });
      return listed.filter(({ place }) => place === 'alerts').map(({ text: told }) => told);
    };

    await client.app.preferences.set({ alertNotices: false });
    expect(await alertsAfter(1)).toEqual([]);
    await client.app.preferences.set({ alertNotices: true });
    const first = await alertsAfter(1);
    const coverage = expect.stringMatching(/^Item reports cover \d+% of campaign spend, at least 80% is expected$/);
    const spend = expect.stringMatching(
      /^\d campaigns spent \$[\d,]+\.\d\d on the last day, expected about \$[\d,.]+$/,
    );
    expect(first).toEqual(expect.arrayContaining([coverage, spend]));
    expect(await alertsAfter(1)).toEqual(first);
    const capped = expect.stringMatching(/^\d campaigns used up their daily budgets on most days$/);
    const second = await alertsAfter(7);
    expect(second.filter((text) => !first.includes(text))).toEqual([capped]);
    expect(second).toHaveLength(first.length + 1);

    const entries = (await client.inbox.list({ workspaceId })).entries.filter(({ place }) => place === 'alerts');
    expect(entries.map(({ group }) => group)).toEqual(second.map(() => 'notifications'));
    aheadMs = 24 * 3_600_000;
    await client.practice.advance({ workspaceId, duration: 'P1D' });
    expect((await alertsAfter(7)).filter((text) => text.startsWith('Item reports cover'))).toHaveLength(2);
  } finally {
    await core.close();
  }
});
