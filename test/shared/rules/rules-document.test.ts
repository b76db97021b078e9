import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RULES } from '../../../shared/rules/registry.ts';
import { rulesDocument } from '../../../shared/rules/rules-document.ts';

test('the page of rules is the one the registry gives; scripts/rules-doc.ts writes it anew', () => {
  const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
  expect(page).toBe(rulesDocument(RULES));
});

test('every rule has its line in the page', () => {
  const page = rulesDocument(RULES);
  for (const rule of RULES) expect(page).toContain(`| \`${rule.id}\` | ${rule.severity} |`);
});
