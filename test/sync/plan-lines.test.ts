import { expect, test } from 'vitest';
import { createPlanLines, type PlannedCampaign, type RowResult } from '../../main/sync/plan-lines.ts';
import { id } from '../shared/builders.ts';

const campaign = (number: number, rows: number): PlannedCampaign => ({
  id: id(number),
  label: `Campaign ${number}`,
  remoteId: null,
  itemId: null,
  state: null,
  isNew: true,
  startDate: null,
  budget: null,
  kinds: [
    {
      kind: 'keyword',
      rows: Array.from({ length: rows }, (_, at) => ({
        kind: 'keyword' as const,
        id: id(number * 100 + at),
        label: `keyword ${at}`,
        detail: 'exact',
        itemId: null,
        what: 'new' as const,
        fields: [],
        effect: 'immediate' as const,
        isBudget: false,
      })),
    },
  ],
});

test('the results of a stopped sync list only campaigns of which something was sent, with all of their rows', () => {
  const sent = new Set(['keyword:100', 'keyword:101', 'keyword:300']);
  const campaigns = [campaign(1, 2), campaign(2, 3), campaign(3, 2)];
  const resultOf = (key: string): RowResult => {
    const isSent = sent.has(key);
    return { is: isSent ? 'sent' : 'pending', at: null, message: null };
  };
  const lines = createPlanLines(
    { campaigns, total: 7 },
    { sent: { size: 7, has: () => true }, isPicked: () => true, resultOf },
  );
  const listed = (sentOnly: boolean) =>
    lines({ filter: 'all', words: '', sentOnly, closed: true, turned: [], whole: [] }, 0, 100).lines.flatMap((line) =>
      line.is === 'campaign' ? [`${line.label}: ${line.sent} of ${line.changes}`] : [],
    );
  expect(listed(false)).toEqual(['Campaign 1: 2 of 2', 'Campaign 2: 0 of 3', 'Campaign 3: 1 of 2']);
  expect(listed(true)).toEqual(['Campaign 1: 2 of 2', 'Campaign 3: 1 of 2']);
});

test('a campaign whose changes all have a result is not pending, also when every one failed', () => {
  const results: Readonly<Record<string, RowResult['is']>> = { 'keyword:100': 'failed', 'keyword:200': 'failed' };
  const lines = createPlanLines(
    { campaigns: [campaign(1, 1), campaign(2, 2), campaign(3, 1)], total: 4 },
    {
      sent: { size: 4, has: () => true },
      isPicked: () => true,
      resultOf: (key) => ({ is: results[key] ?? 'pending', at: null, message: null }),
    },
  );
  const wish = { filter: 'all' as const, words: '', sentOnly: false, closed: true, turned: [], whole: [] };
  expect(lines(wish, 0, 100).lines).toMatchObject([{ isPending: false }, { isPending: true }, { isPending: true }]);
});
