import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Arithmetic, CASES } from './cases.ts';

/** Faults that would pass unseen on a screen. Each must turn a case red; the text must fit its file exactly once. */
const FAULTS: readonly { readonly name: string; readonly file: string; readonly from: string; readonly to: string }[] =
  [
    {
      name: 'completion off',
      file: 'exposure.ts',
      from: 'clicks: completionAt(completion, age) * memory',
      to: 'clicks: memory',
    },
    {
      name: 'pooled weights',
      file: 'shrinkage.ts',
      from: 'sums.orders += (orders[row] ?? 0) / (n + priorClicks);\n    sums.clicks += n / (n + priorClicks);',
      to: 'sums.orders += orders[row] ?? 0;\n    sums.clicks += n;',
    },
    {
      name: 'cap after floor',
      file: 'bid.ts',
      from: 'const raised = Math.max(floor ?? 0, cut);',
      to: 'const raised = cutCents(clamp(Math.max(floor ?? 0, wanted), least, most));',
    },
    {
      name: 'mean of ratios',
      file: 'shrinkage.ts',
      from: 'const orderValue = total.sales / total.orders;',
      to: 'const orderValue = sumOf(groups, ({ sums }) => sums.sales / sums.orders) / groups.length;',
    },
    {
      name: 'unstable order',
      file: 'words.ts',
      from: '[...sums.keys()].toSorted()',
      to: '[...sums.keys()]',
    },
    {
      name: 'cut before the step',
      file: 'bid.ts',
      from: 'Math.ceil((bid * (100 - STEP_PERCENT)) / 100);\n  const most = Math.floor((bid * (100 + STEP_PERCENT)) / 100);\n  const cut',
      to: 'bid * (1 - STEP_PERCENT / 100);\n  const most = bid * (1 + STEP_PERCENT / 100);\n  const cut',
    },
    { name: 'no memory', file: 'exposure.ts', from: '2 ** (-daysBeforeNewest / HALF_LIFE_DAYS)', to: '1' },
    {
      name: 'the share paid forgotten',
      file: 'bid.ts',
      from: '(costShare * perClick) / paid',
      to: 'costShare * perClick',
    },
    {
      name: 'control forgotten',
      file: 'banner-swap.ts',
      from: 'const difference = own - control;',
      to: 'const difference = own;',
    },
  ];

const source = join(import.meta.dirname, '../../../shared/suggestions');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adslate-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the arithmetic, loaded anew. */
async function load(name: string, change: ((file: string, text: string) => string) | null): Promise<Arithmetic> {
  const copy = join(folder, name.replaceAll(' ', '-'));
  cpSync(source, copy, { recursive: true });
  const modules: object[] = [];
  for (const file of readdirSync(copy)) {
    const at = join(copy, file);
    if (change !== null) writeFileSync(at, change(file, readFileSync(at, 'utf8')));
  }
  for (const file of readdirSync(copy)) modules.push(await import(pathToFileURL(join(copy, file)).href));
  return Object.assign({}, ...modules) as Arithmetic;
}

/** The first case that fails, or null. */
function noticedBy(arithmetic: Arithmetic): string | null {
  for (const [name, check] of Object.entries(CASES)) {
    try {
      check(arithmetic);
    } catch {
      return name;
    }
  }
  return null;
}

describe('planted faults', () => {
  test('a copy without a fault passes every case', async () => {
    expect(noticedBy(await load('no fault', null))).toBeNull();
  });

  test.each(FAULTS)('$name is noticed', async ({ name, file, from, to }) => {
    expect(readFileSync(join(source, file), 'utf8').split(from)).toHaveLength(2);
    const arithmetic = await load(name, (at, text) => (at === file ? text.replace(from, () => to) : text));
    expect(noticedBy(arithmetic)).not.toBeNull();
  });
});
