import { expect, test } from 'vitest';
import { columnsOf } from '../../renderer/grid/columns.ts';
import { Disturbed, type LinesSource, readLines, withMetrics } from '../../renderer/grid/use-grid-copy.ts';
import type { RowSuggestion } from '../../renderer/grid/use-suggestions.tsx';
import { asRowId } from '../../shared/model/scalars.ts';

/** A view of rows that are called by their numbers, read three at a time. */
function numbered(length: number, happens: (read: number, view: { id: number; length: number }) => void = () => {}) {
  const view = { id: 1, length };
  const asked: string[] = [];
  const source: LinesSource = {
    most: 3,
    viewId: () => view.id,
    read: async (from, count) => {
      asked.push(`${from}+${count}`);
      const { id } = view;
      happens(asked.length, view);
      if (view.id !== id) throw new Error('No such view.');
      return { lines: Array.from({ length: count }, (_, at) => from + at).join('\n'), length: view.length, viewId: id };
    },
  };
  return { source, asked };
}
const never = new AbortController().signal;

test('a range is read in parts that follow each other, and told of as it comes', async () => {
  const { source, asked } = numbered(100);
  const told: number[] = [];
  expect(await readLines(source, 10, 7, (done) => told.push(done), never)).toBe('10\n11\n12\n13\n14\n15\n16');
  expect([asked, told]).toEqual([
    ['10+3', '13+3', '16+1'],
    [3, 6, 7],
  ]);
});

test('the part after the next is asked for once the next is there', async () => {
  const { source, asked } = numbered(100);
  const answers: (() => void)[] = [];
  const slow: LinesSource = {
    ...source,
    read: async (from, count) => {
      const part = source.read(from, count);
      await new Promise<void>((resolve) => answers.push(resolve));
      return part;
    },
  };
  const lines = readLines(slow, 0, 9, () => {}, never);
  expect(asked).toEqual(['0+3', '3+3']);
  answers[0]?.();
  await expect.poll(() => asked).toEqual(['0+3', '3+3', '6+3']);
  answers[1]?.();
  answers[2]?.();
  expect(await lines).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8');
});

test('rows that come, go or are sorted meanwhile have it begin anew', async () => {
  const grows = numbered(9, (read, view) => {
    if (read === 2) view.length += 1;
  });
  expect(await readLines(grows.source, 0, 6, () => {}, never)).toBe('0\n1\n2\n3\n4\n5');
  expect(grows.asked).toEqual(['0+3', '3+3', '0+3', '3+3']);
  const sorted = numbered(9, (read, view) => {
    if (read === 2) view.id += 1;
  });
  expect(await readLines(sorted.source, 0, 6, () => {}, never)).toBe('0\n1\n2\n3\n4\n5');
});

test('rows that never rest are given up', async () => {
  const restless = numbered(9, (_, view) => {
    view.length += 1;
  });
  await expect(readLines(restless.source, 0, 6, () => {}, never)).rejects.toThrow(Disturbed);
});

test('a failure that no other view explains is told as it is', async () => {
  const { source } = numbered(9, (read) => {
    if (read === 2) throw new Error('The line is gone.');
  });
  await expect(readLines(source, 0, 6, () => {}, never)).rejects.toThrow('The line is gone.');
});

test('stopped, it reads no further and gives nothing', async () => {
  const stop = new AbortController();
  const { source, asked } = numbered(100, (read) => {
    if (read === 2) stop.abort();
  });
  await expect(readLines(source, 0, 100, () => {}, stop.signal)).rejects.toThrow();
  expect(asked).toHaveLength(2);
});

test('metrics are filled in between the other columns, whatever is in their cells; without metrics a cell is as shown', async () => {
  const order = [
    'metric.clicks',
    'text',
    'metric.spend',
    'metric.trend',
    'bid',
    'metric.suggestedBid',
    'metric.evidence',
  ];
  const columns = columnsOf('keyword', false).filter(({ field }) => order.includes(field));
  const shown = columns.toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  const asked: number[] = [];
  const ids = [1, 2, 3].map((id) => ({ id: asRowId(id), remoteId: id === 2 ? null : String(id) }));
  const own = { metrics: { clicks: 1200, spend: 345 }, previous: null, notSettled: 0, trend: [], windows: {} };
  const figures: Parameters<typeof withMetrics>[3] = {
    read: async (rows) => {
      asked.push(...rows.map(({ id }) => id));
      return new Map([
        [1, own],
        [3, null],
      ]);
    },
  };
  const suggestion = { suggested: 1140, evidence: 'firm' };
  const suggested = new Map([[1, { suggestion }]]) as never as ReadonlyMap<number, RowSuggestion>;
  const lines = '\tkettle\t\t\t1.25\t\t\n\t"a\ttab"\t\t\t\t\t\n\t\t\t\t\t\t';
  const text = await withMetrics('keyword', { lines, ids }, shown, figures, (id) => suggested.get(id));
  expect(asked).toEqual([1, 2, 3]);
  expect(text.split('\n')).toEqual([
    '1,200\tkettle\t$3.45\t\t1.25\t11.40\tFirm',
    '–\t"a\ttab"\t–\t\t\t–\t–',
    '–\t\t–\t\t\t–\t–',
  ]);
});
