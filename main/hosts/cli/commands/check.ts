import { resolve } from 'node:path';
import { WINDOW_MAX } from '../../../../shared/api/limits.ts';
import { REJECTIONS_MAX } from '../../../../shared/api/reviews.ts';
import type { UserRule } from '../../../../shared/api/rules.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import { lineText } from '../../../../shared/model/text.ts';
import { type CustomRule, ruleFilter } from '../../../../shared/rules/custom-rules.ts';
import { issueText } from '../../../../shared/rules/messages.ts';
import {
  packOfRejections,
  parsePack,
  printPack,
  type RulePack,
  testSamples,
} from '../../../../shared/rules/rule-pack.ts';
import { writeFileAtomic } from '../../../app/atomic-write.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import { type Client, type Command, type Context, readPages } from '../command.ts';
import { readNamedFile, writeOutputFile } from '../named-file.ts';
import { counted, parseRowType, wordOf } from '../output.ts';

/** Lines shown to people; `--json` gives all. */
const SHOWN_LINES = 200;
const ORDER = { error: 0, warning: 1, advice: 2 } as const;
/** Severities as printed; JSON and options keep the stored words. */
export const SEVERITY_WORDS = { error: 'error', warning: 'warning', advice: 'suggestion' } as const;

const checkCommand: Command = {
  name: 'check',
  purpose: 'Checks all rows and lists errors, warnings and suggestions.',
  parameters: {
    '--all': `Lists all issues. Without it, the first ${SHOWN_LINES} are listed.`,
    '--search-items': 'Looks up new items in the catalog first.',
  },
  example: 'adslate check --search-items',
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('search-items')) await client.items.confirm({ workspaceId });
    const { counts, issues } = await readIssues(client, workspaceId);
    const { lines } = await context.account();
    const lineOf = await lines.read();
    const sorted = issues.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const limit = context.flag('all') ? sorted.length : SHOWN_LINES;
    for (const { severity, kind, id, campaignName, message } of sorted.slice(0, limit)) {
      const line = lineOf(kind, id);
      const place = [campaignName, line === null ? '' : lineText(line)].filter((part) => part !== '').join(', ');
      output.say(`${SEVERITY_WORDS[severity]}: ${place === '' ? '' : `${place}: `}${message}`);
    }
    if (sorted.length > limit)
      output.say(`... and ${counted(sorted.length - limit, 'more issue')}. Add --all to list them.`);
    output.say(
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counted(counts.advice, 'suggestion')}.${counts.error > 0 ? ' Rows with errors are not sent.' : ''}`,
    );
    output.result({
      counts,
      // Published under this key, which scripts read.
      findings: sorted.map(({ rule, severity, kind, campaignName: campaign, id, field, message }) => ({
        rule,
        severity,
        type: wordOf(kind),
        campaign,
        row: lineOf(kind, id),
        field,
        message,
      })),
    });
    return counts.error > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

/** Every issue of the account with its sentence. */
export async function readIssues(client: Client, workspaceId: WorkspaceId) {
  const { counts, issues } = await readPages('issues', (from) =>
    client.workspace.issues({ workspaceId, from, count: WINDOW_MAX }),
  );
  return { counts, issues: issues.map((issue) => ({ ...issue, message: issueText(issue) })) };
}

type Listed = UserRule & { readonly problem: string | null };

const list: Command = {
  name: 'rule list',
  purpose: 'Lists the custom rules, whose matches "check" reports.',
  example: 'adslate rule list',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.rules.list({ workspaceId }));
  },
};

const save: Command = {
  name: 'rule save',
  takes: 'ID SEARCH --type TYPE',
  purpose: 'Adds a custom rule, or replaces the one with this ID.',
  parameters: {
    ID: 'Short name of the rule, without spaces.',
    SEARCH: 'Filter that finds the rows, as in a list.',
    '--type TYPE': 'Type of the rows, such as keyword or "ad item".',
    '--name NAME': 'Message of the issue. Without it, the ID is used.',
    '--severity SEVERITY': 'error, warning or advice (a suggestion). The default is warning.',
    '--off': 'Saves the rule without using it.',
  },
  example: 'adslate rule save low-bid "bid<0.50" --type keyword',
  positionals: [2, 2],
  run: async (context) => {
    const [id = '', query = ''] = context.positionals;
    const severity = context.text('severity') ?? 'warning';
    if (severity !== 'error' && severity !== 'warning' && severity !== 'advice') {
      throw usageError('--severity must be error, warning or advice.');
    }
    const rule: UserRule = {
      id,
      name: context.text('name') ?? id,
      kind: parseRowType(context.need('type')),
      severity,
      query,
      enabled: !context.flag('off'),
    };
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.rules.save({ workspaceId, rule }));
  },
};

const remove: Command = {
  name: 'rule remove',
  takes: 'ID',
  purpose: 'Removes a custom rule.',
  parameters: { ID: 'ID of the rule, from "rule list".' },
  example: 'adslate rule remove low-bid',
  positionals: [1, 1],
  run: async (context) => {
    const [id = ''] = context.positionals;
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.rules.remove({ workspaceId, id }));
  },
};

const testPack: Command = {
  name: 'rule test',
  takes: 'PACK',
  purpose: 'Runs the sample rows of a rule pack and lists those that fail.',
  parameters: {
    PACK: 'Rule pack, from "rule export" or written by hand.',
    '--rows': 'Counts the rows of the account that each rule finds, too.',
  },
  example: 'adslate rule test house.adslate-rules',
  positionals: [1, 1],
  run: async (context) => {
    const { output } = context;
    const { rules } = await readPack(context);
    const outcomes = testSamples(rules);
    const failed = outcomes.filter(({ expected, found }) => expected !== found);
    for (const { rule, row, expected } of failed)
      output.say(
        `${rule}: ${row}: ${expected ? 'not found' : 'found'}, but the pack says it ${expected ? 'is' : 'is not'}.`,
      );
    const untested = rules.filter(({ samples = [] }) => samples.length === 0).map(({ id }) => id);
    if (untested.length > 0) output.say(`Without samples: ${untested.join(', ')}.`);
    const rows = context.flag('rows') ? await countRows(context, rules) : null;
    for (const { id, count } of rows ?? []) output.say(`${id}: ${counted(count, 'row')}.`);
    output.say(
      `${counted(rules.length, 'rule')}, ${counted(outcomes.length, 'sample')}: ${failed.length === 0 ? 'all pass' : `${failed.length} failed`}.`,
    );
    output.result({ rules: rules.length, samples: outcomes.length, failed, untested, rows });
    return failed.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

async function countRows(context: Context, rules: readonly CustomRule[]) {
  const { client, workspaceId } = await context.atAccount();
  const counts: { readonly id: string; readonly count: number }[] = [];
  for (const rule of rules) {
    const view = { kind: rule.kind, filter: ruleFilter(rule) };
    const { length } = await client.workspace.openView({ workspaceId, view });
    counts.push({ id: rule.id, count: length });
  }
  return counts;
}

/** A pack has a few lines for each rule. */
const PACK_BYTES_MAX = 4 * 1024 * 1024;

async function readPack({ positionals: [path = ''] }: Context): Promise<RulePack> {
  const read = await readNamedFile(path, PACK_BYTES_MAX);
  if (!read.ok) throw usageError(`Can't read ${path}: ${read.error.why}. Check the path.`);
  const pack = parsePack(read.value.toString('utf8'));
  if (pack.ok) return pack.value;
  throw refused('BAD_PACK', pack.error.map(({ line, problem }) => `${path}, ${lineText(line)}: ${problem}`).join('\n'));
}

const importPack: Command = {
  name: 'rule import',
  takes: 'PACK',
  purpose: 'Adds the rules of a pack, and replaces those with the same IDs.',
  parameters: { PACK: 'Rule pack.' },
  example: 'adslate rule import house.adslate-rules',
  positionals: [1, 1],
  run: async (context) => {
    const { rules } = await readPack(context);
    const failed = testSamples(rules).find(({ expected, found }) => expected !== found);
    if (failed !== undefined)
      throw refused('BAD_PACK', `A sample of "${failed.rule}" fails: ${failed.row}. Run "adslate rule test" for all.`);
    const { client, workspaceId } = await context.atAccount();
    show(
      context,
      await client.rules.savePack({
        workspaceId,
        rules: rules.map((rule) => ({ ...rule, samples: [...(rule.samples ?? [])] })),
      }),
    );
  },
};

const exportPack: Command = {
  name: 'rule export',
  takes: '--out FILE',
  purpose: 'Writes the custom rules, or rejected wording, as a rule pack.',
  parameters: {
    '--out FILE': 'File to write.',
    '--rejections': 'Writes the wording that reviews rejected, with reason and date.',
    '--name NAME': 'Name of the pack.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate rule export --rejections --out rejected.adslate-rules',
  run: async (context) => {
    const path = context.need('out');
    const { client, workspaceId } = await context.atAccount();
    const name = context.text('name') ?? (context.flag('rejections') ? 'Rejected wording' : 'Custom rules');
    const readRejections = (from: number) => client.rejections.list({ workspaceId, from, count: REJECTIONS_MAX });
    const pack = context.flag('rejections')
      ? packOfRejections((await readPages('rejections', readRejections)).rejections, name)
      : { name, rules: await client.rules.list({ workspaceId }) };
    await writeOutputFile(context, resolve(path), (file) => writeFileAtomic(file, printPack(pack)));
    context.output.say(`Wrote ${counted(pack.rules.length, 'rule')} to ${path}.`);
    context.output.result({ file: path, rules: pack.rules.length });
  },
};

function show({ output }: Context, rules: readonly Listed[]): void {
  output.table(['ID', 'Severity', 'Type', 'Search', 'Name'], rules.map(lineOf), 'No custom rules.');
  output.result({ rules });
}

const lineOf = ({ id, severity, kind, query, name, enabled, problem }: Listed): readonly string[] => [
  id,
  enabled ? SEVERITY_WORDS[severity] : 'off',
  wordOf(kind),
  query,
  problem ?? name,
];

export const checkCommands: readonly Command[] = [checkCommand, list, save, remove, testPack, importPack, exportPack];
