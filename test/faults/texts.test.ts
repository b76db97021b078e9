import { expect, test } from 'vitest';
import { createViews } from '../../main/workspace/reader/views.ts';
import type { ViewSpec } from '../../shared/contract/workspace.ts';
import { cellProblemText } from '../../shared/model/cell-problem.ts';
import { parseCell } from '../../shared/model/cell-text.ts';
import { keywordKey } from '../../shared/model/keyword-key.ts';
import { checkCampaign } from '../../shared/rules/check.ts';
import type { Finding } from '../../shared/rules/finding.ts';
import { aCampaign, aLogo, anSbaProfile, aTree, env } from '../shared/builders.ts';
import { aStore, createAll } from '../workspace/a-store.ts';
import { create, done } from '../workspace/a-workspace.ts';

/** Names and texts that are made to be something else, or that are too much of what they are. */
const errorsOf = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
const errorsOfName = (name: string): readonly string[] =>
  errorsOf(checkCampaign(aTree({ campaign: aCampaign({ name }) }), env));
/** What a person typed, as the cell it becomes. */
const typed = (name: string) => parseCell('campaign', 'name', name);

test('fault 46: an address of another scheme is an error of its profile, whatever its case and its blanks', () => {
  const campaign = aCampaign({ campaignType: 'sba' });
  const errorsOfUrl = (clickUrl: string) =>
    errorsOf(checkCampaign(aTree({ campaign, media: [aLogo()], sbaProfiles: [anSbaProfile({ clickUrl })] }), env));
  expect(errorsOfUrl('https://www.retailer.example/towels')).not.toContain('click-url.invalid');
  for (const clickUrl of ['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
    expect(errorsOfUrl(clickUrl), clickUrl).toContain('click-url.invalid');
  }
});

test('fault 49: characters are counted as code points, so that 10,000 accents are too many and 255 emoji are not', () => {
  expect(errorsOfName(`a${'\u0301'.repeat(10_000)}`)).toContain('campaign.name-length');
  expect(errorsOfName('😀'.repeat(255))).not.toContain('campaign.name-length');
  expect(errorsOfName('😀'.repeat(256))).toContain('campaign.name-length');
});

test('fault 57: names of every script come in whole, are found, and are sorted by their folded characters', () => {
  const names = ['حملة الربيع', 'קמפיין אביב', '春のセール', '봄 세일', 'Äpfel', 'apple', 'Zebra', '100 % cotton'];
  const store = aStore();
  createAll(
    store,
    names.map((name) => create('campaign', null, { name })),
  );
  const views = createViews(store.db);
  const namesIn = (changes: Partial<ViewSpec>) => {
    const view: ViewSpec = { kind: 'campaign', filter: '', sort: [], campaignId: null, only: 'all', ...changes };
    const { viewId, length } = done(views.open(view));
    return (views.read(viewId, 0, length)?.rows ?? []).map(({ campaignName }) => campaignName);
  };
  const sorted = namesIn({ sort: [{ column: 'name', descending: false }] });
  expect(sorted).toEqual(
    names.toSorted((a, b) => Buffer.compare(Buffer.from(keywordKey(a)), Buffer.from(keywordKey(b)))),
  );
  for (const name of names) expect(namesIn({ filter: `name:"${name}"` })).toEqual([name]);
});

test('fault 58: a text of more than 50,000 characters is refused with its length; nothing is cut without a word', () => {
  expect(typed('x'.repeat(50_000))).toMatchObject({ ok: true });
  const refused = typed('x'.repeat(50_001));
  expect(refused).toMatchObject({ ok: false, error: { kind: 'too-long', length: 50_001, max: 50_000 } });
  if (!refused.ok) expect(cellProblemText(refused.error)).toMatch(/50,?001.*50,?000/);
});

test('fault 59: a name of blanks is no name', () => {
  for (const blanks of ['   ', '\u00a0\u2003', '\t ']) expect(typed(blanks)).toEqual({ ok: true, value: null });
  expect(errorsOf(checkCampaign(aTree({ campaign: aCampaign({ name: null }) }), env))).toContain(
    'campaign.name-required',
  );
});
