import { expect, test } from 'vitest';
import { createViews } from '../../main/store/reader/views.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { cellProblemText, parseCell } from '../../shared/model/cell-text.ts';
import { textKey } from '../../shared/model/text.ts';
import { checkCampaign } from '../../shared/rules/check.ts';
import { issueText } from '../../shared/rules/messages.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import { aCampaign, aKeyword, aLogo, anSbaProfile, aTree, env } from '../shared/builders.ts';
import { aStore, create, createAll, done } from '../store/a-workspace.ts';

/** Names and texts that are made to be something else, or that are too much of what they are. */
const errorsOf = (issues: readonly Issue[]): readonly string[] =>
  issues.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
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
  expect(sorted).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(textKey(a)), Buffer.from(textKey(b)))));
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

test('fault W17: a name of nothing that can be seen is no name, typed or already there', () => {
  for (const name of ['\u200b', '\u3164\u2800', '\u00ad \u200d', '\ufe0f\u{e0041}']) {
    expect(typed(name), name).toMatchObject({ ok: false, error: { kind: 'unseen-text' } });
    expect(errorsOfName(name), name).toContain('campaign.name-required');
  }
});

test('fault W18: names and keywords that differ by what nobody sees are warned of, with the characters shown', () => {
  const sentences = (tree: Parameters<typeof checkCampaign>[0]): readonly string[] =>
    checkCampaign(tree, env)
      .filter(({ rule }) => rule.endsWith('-unseen'))
      .map(issueText);
  expect(sentences(aTree({ campaign: aCampaign({ name: 'Summer' }) }))).toEqual([]);
  expect(sentences(aTree({ campaign: aCampaign({ name: 'Summer\u200b' }) }))).toEqual([
    'The name of campaign "Summer[U+200B]" contains invisible characters, so it can look like another name. Enter the name again.',
  ]);
  const keywords = [aKeyword({ text: 'tea' }), aKeyword({ text: 'te\u200ba' })];
  expect(sentences(aTree({ campaign: aCampaign(), keywords }))).toEqual([
    'Keyword "te[U+200B]a" contains invisible characters, so it can look like another keyword. Enter the keyword again.',
  ]);
  const long = `${'x'.repeat(150)}\u2060${'y'.repeat(60)}`;
  expect(sentences(aTree({ campaign: aCampaign({ name: long }) }))[0]).toContain('x[U+2060]y');
  expect(sentences(aTree({ campaign: aCampaign({ name: '👩\u200d🚀 می\u200cخواهم' }) }))).toEqual([]);
});
