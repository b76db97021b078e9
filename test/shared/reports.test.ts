import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRICS, metricOf, partsOf, quotient } from '../../shared/reports/metric.ts';
import { figuresOf, groupBy, groupingsOf, readReport, sortGroups, totalOf } from '../../shared/reports/report-table.ts';

const WEEK = readReport([
  [
    'date',
    'campaignName',
    'impressions',
    'clicks',
    'adSpend',
    'attributedSales14days',
    'attributedOrders14days',
    'note',
  ],
  ['2026-05-01', 'Rolls', '1000', '10', '12.50', '100.00', '4', 'x'],
  ['2026-05-02', 'Rolls', '9', '9', '2.505', '0.00', '0', ''],
  ['2026-05-01', 'Hoses', '500', '', '0.00', 'n/a', '1', 'y'],
]);

describe('reading a report', () => {
  test('figures become whole numbers of their smallest step, and surplus decimals are cut', () => {
    expect(WEEK.rows[1]).toEqual(['2026-05-02', 'Rolls', 9, 9, 250, 0, 0, null]);
  });
  test('a cell that is no number stays empty and is counted', () => {
    expect(WEEK.rows[2]?.[5]).toBeNull();
    expect(WEEK.unreadable).toBe(1);
  });
  test('a column that nobody knows is kept as words, and rows can be put together by it', () => {
    expect(groupingsOf(WEEK).map(({ name }) => name)).toEqual(['date', 'campaignName', 'note']);
  });
  test('an attributed metric comes with its window or, where one alone was asked for, without; a plain one takes none', () => {
    expect(metricOf('viewThroughSales30days')).toMatchObject({ window: '30days', metric: { unit: 'money' } });
    expect(metricOf('viewThroughSales')).toMatchObject({ window: null, metric: { unit: 'money' } });
    expect(metricOf('clicks14days')).toBeNull();
    const one = readReport([
      ['adSpend', 'attributedSales'],
      ['2.00', '9.00'],
    ]);
    expect(totalOf(one).figures.get('roas')).toBe(450);
  });
  test('a metric is known in any case and with spaces around its name', () => {
    const table = readReport([
      ['Campaign Name', 'Clicks', ' adspend ', 'ATTRIBUTEDSALES14DAYS', 'Carts'],
      ['Rolls', '4', '2.00', '9.00', '3'],
    ]);
    expect(table.columns.map(({ name }) => name)).toEqual([
      'Campaign Name',
      'clicks',
      'adSpend',
      'attributedSales14days',
      'Carts',
    ]);
    expect(totalOf(table).figures.get('cpc')).toBe(50);
    expect(totalOf(table).figures.get('roas14days')).toBe(450);
  });
});

describe('a metric that nobody knows', () => {
  const OTHERS = readReport([
    [
      'campaignName',
      'itemId',
      'addToCarts',
      'savedForLaterSales14days',
      'newShopperShare',
      'dwellTime',
      'hour',
      'shelf',
    ],
    ['Rolls', '0012345678', '3', '10.50', '25.00%', '1.5', '9', 'A1'],
    ['Rolls', '0012345679', '4', '', '35.00%', '2.25', '10', '7'],
    ['Hoses', '0012345680', '5', '1', '10.00%', '', '11', ''],
  ]);
  test('is kept under its wire name with the unit that its name and cells tell', () => {
    expect(figuresOf(OTHERS).map(({ column, window, metric }) => [column, window, metric.name, metric.unit])).toEqual([
      ['addToCarts', null, 'addToCarts', 'count'],
      ['savedForLaterSales14days', '14days', 'savedForLaterSales', 'money'],
      ['newShopperShare', null, 'newShopperShare', 'percent'],
      ['dwellTime', null, 'dwellTime', 'ratio'],
    ]);
  });
  test('is summed unless it is a share, which stands for one row alone', () => {
    const groups = new Map(
      groupBy(OTHERS, 'campaignName').map(({ label, figures }) => [label, Object.fromEntries(figures)]),
    );
    expect(groups.get('Rolls')).toEqual({ addToCarts: 7, savedForLaterSales14days: 1050, dwellTime: 375 });
    expect(groups.get('Hoses')).toEqual({ addToCarts: 5, savedForLaterSales14days: 100, newShopperShare: 1000 });
    expect(totalOf(OTHERS).figures.get('addToCarts')).toBe(12);
  });
  test('takes no row and no way of putting rows together away: ids, hours and mixed columns stay words', () => {
    expect(OTHERS.rows).toHaveLength(3);
    expect(groupingsOf(OTHERS).map(({ name }) => name)).toEqual([
      'campaignName',
      'itemId',
      'addToCarts',
      'hour',
      'shelf',
    ]);
    expect(groupBy(OTHERS, 'addToCarts').map(({ label }) => label)).toEqual(['3', '4', '5']);
    expect(OTHERS.unreadable).toBe(0);
    const ids = ['KEYWORDID', 'CAMPAIGN_ID', 'Ad Group ID', 'keywordid', 'BID', 'Hour', 'ID'];
    const { columns } = readReport([[...ids, 'PAID', 'void'], Array.from({ length: 9 }, () => '12')]);
    expect(columns.filter(({ is }) => is === 'words').map(({ name }) => name)).toEqual(ids);
  });
});

describe('putting figures together', () => {
  test('a rate is the quotient of the sums, not the average of the rates', () => {
    // 1.00 % of 1,000 and 100.00 % of 9: their average would be 50.50 %.
    const rolls = groupBy(WEEK, 'campaignName').find(({ label }) => label === 'Rolls');
    expect(rolls?.figures.get('ctr')).toBe(188);
  });
  test('what the service does not send is computed where its parts are there, and left out where not', () => {
    const names = figuresOf(WEEK).map(({ column }) => column);
    expect(names).toContain('roas14days');
    expect(names).toContain('cpc');
    expect(names).not.toContain('roas30days');
    expect(names).not.toContain('viewThroughRate');
  });
  test('figures of a group that has none are absent, not zero', () => {
    const hoses = groupBy(WEEK, 'campaignName').find(({ label }) => label === 'Hoses');
    expect(hoses?.figures.has('clicks')).toBe(false);
    expect(hoses?.figures.has('ctr')).toBe(false);
  });
  test('a rate that comes without its two figures has no total', () => {
    const alone = readReport([
      ['campaignName', 'viewThroughRate'],
      ['A', '50.00'],
      ['B', '70.00'],
    ]);
    expect(totalOf(alone).figures.size).toBe(0);
  });
  test('sorted groups put those without the figure last, in both directions', () => {
    const groups = groupBy(WEEK, 'campaignName');
    for (const descending of [true, false]) {
      expect(sortGroups(groups, 'clicks', descending).map(({ label }) => label)).toEqual(['Rolls', 'Hoses']);
    }
  });
  test('law: however rows are put together, the groups add up to the total', () => {
    const row = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat(1_000_000), fc.nat(1_000_000));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const table = readReport([
          ['campaignName', 'impressions', 'adSpend'],
          ...rows.map(([name, count, cents]) => [name, String(count), (cents / 100).toFixed(2)]),
        ]);
        const groups = groupBy(table, 'campaignName');
        for (const column of ['impressions', 'adSpend']) {
          const parts = groups.reduce((sum, group) => sum + (group.figures.get(column) ?? 0), 0);
          expect(totalOf(table).figures.get(column) ?? 0).toBe(parts);
        }
        expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(table.rows.length);
      }),
    );
  });
});

describe('quotients', () => {
  test('nothing is divided by nothing', () => expect(quotient('percent', 5, 0)).toBeNull());
  test('are exact where floating point is not', () => {
    expect(quotient('percent', 29, 100)).toBe(2900);
    expect(quotient('percent', 9_007_199_254_740_990, 9_007_199_254_740_991)).toBe(9999);
  });
  test('every rate names two metrics of the table', () => {
    const names = new Set(METRICS.map(({ name }) => name));
    for (const metric of METRICS) {
      if (metric.of === null) continue;
      expect([names.has(metric.of.above), names.has(metric.of.below)], metric.name).toEqual([true, true]);
      expect(partsOf({ metric, window: metric.attributed ? '14days' : null })).not.toBeNull();
    }
  });
});
