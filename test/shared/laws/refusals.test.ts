import { expect, test } from 'vitest';
import { messages } from '../../../sandbox/messages.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import { REFUSALS } from './refusals.ts';

/** Facts of a message are written differently in the table and in the sandbox; the words around them are compared. */
const words = (text: string): string =>
  text
    .replace(/<[^>]*>|@|50|1024|\b2\b|\[adGroupId\]/g, '')
    .replace(/\W+/g, ' ')
    .trim();

test('the table has every text of the document that the sandbox answers with', () => {
  const known = new Set(REFUSALS.map(([message]) => words(message)));
  const spoken = Object.entries(messages).filter(([name]) => name !== 'rateExceeded');
  const texts = spoken.map(([name, text]) =>
    words(typeof text === 'string' ? text : name === 'missingFormPart' ? '' : showing(text)),
  );
  expect(texts.filter((text) => !known.has(text))).toEqual([]);
});

const showing = (text: (fact: never) => string): string => text('@' as never).replace('[@]', '[adGroupId]');

test('every rule that is named warns with an error or a warning', () => {
  for (const [message, met] of REFUSALS) {
    if (met.by !== 'rule') continue;
    for (const id of met.rules) expect(['error', 'warning'], `${message}: ${id}`).toContain(ruleById(id)?.severity);
  }
});

test('every one of the 52 refusals that a draft can cause is met before anything is sent', () => {
  const count = (by: string) => REFUSALS.filter(([, met]) => met.by === by).length;
  const listed = (by: 'unmet' | 'outside') =>
    REFUSALS.flatMap(([message, met]) => (met.by === by ? [`  ${message}: ${met.why}`] : [])).join('\n');
  const met = count('rule') + count('built');
  const ofDraft = met + count('unmet');
  const share = (part: number, all: number) => `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
  console.log(
    `Met of the refusals that a draft can cause: ${share(met, ofDraft)}; ${count('rule')} by a rule, ${count('built')} because ` +
      `requests are built so. Met of all in the document: ${share(met, REFUSALS.length)}.\n` +
      `Not met:\n${listed('unmet')}\nNot caused by drafts:\n${listed('outside')}`,
  );
  expect([met, ofDraft]).toEqual([52, 52]);
});
