import { KINDS, type Kind } from '../model/kinds.ts';
import type { Rule } from './rule.ts';

/** The page with every rule, as Markdown, generated from the registry; a test compares it with the file in docs/. */
export function rulesDocument(rules: readonly Rule[]): string {
  const count = (severity: Rule['severity']): number => rules.filter((rule) => rule.severity === severity).length;
  return [
    '# Rules',
    '',
    `Adslate checks ${rules.length} rules while you type: ${count('error')} errors, ${count('warning')} warnings and ${count('advice')} suggestions.`,
    'Rows with errors are not sent. Rows with warnings and suggestions are. Numbers in the messages come from the deployment settings.',
    '',
    'This page is written by `scripts/rules-doc.ts` from the registry in `shared/rules`; change the rules there.',
    '',
    ...KINDS.flatMap((kind) => section(kind, rules)),
  ].join('\n');
}

function section(kind: Kind, rules: readonly Rule[]): readonly string[] {
  const own = rules.filter((rule) => rule.kind === kind).toSorted((a, b) => a.bit - b.bit);
  if (own.length === 0) return [];
  return [
    `## ${TITLES[kind]}`,
    '',
    '| rule | severity | field | looks at | message | source |',
    '|---|---|---|---|---|---|',
    ...own.map(line),
    '',
  ];
}

function line(rule: Rule): string {
  const field = rule.fields[0] ?? '';
  const looksAt = rule.needs === 'draft' ? rule.scope : `${rule.scope}, ${rule.needs}`;
  const cells = [`\`${rule.id}\``, rule.severity, field, looksAt, message(rule.text), source(rule.section)];
  return `| ${cells.join(' | ')} |`;
}

/** Placeholders of facts become words in italics; a bar is escaped, because it would end the cell. */
const message = (text: string): string => text.replace(/\{(\w+)(?::\w+)?\}/g, '*$1*').replaceAll('|', '\\|');

const source = (section: string): string => (section === 'practice' ? 'practice' : `document, "${section}"`);

const TITLES: Readonly<Record<Kind, string>> = {
  campaign: 'Campaigns',
  adGroup: 'Ad groups',
  adItem: 'Ad items',
  keyword: 'Keywords',
  sbaProfile: 'SBA profiles',
  videoProfile: 'Video profiles',
  placementMultiplier: 'Placement multipliers',
  platformMultiplier: 'Platform multipliers',
  media: 'Media',
};
