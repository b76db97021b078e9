import { WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { UserRule } from '../../../../shared/api/rules.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import { findingText } from '../../../../shared/rules/messages.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
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
    const { counts, findings } = await readFindings(client, workspaceId);
    const { lines } = await context.account();
    const lineOf = await lines.read();
    const sorted = findings.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const limit = context.flag('all') ? sorted.length : SHOWN_LINES;
    for (const { severity, kind, id, campaignName, message } of sorted.slice(0, limit)) {
      const line = lineOf(kind, id);
      const place = [campaignName, line === null ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
      output.say(`${SEVERITY_WORDS[severity]}: ${place === '' ? '' : `${place}: `}${message}`);
    }
    if (sorted.length > limit)
      output.say(`... and ${counted(sorted.length - limit, 'more issue')}. Add --all to list them.`);
    output.say(
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counted(counts.advice, 'suggestion')}.${counts.error > 0 ? ' Rows with errors are not sent.' : ''}`,
    );
    output.result({
      counts,
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
export async function readFindings(client: Client, workspaceId: WorkspaceId) {
  type Page = Awaited<ReturnType<Client['workspace']['findings']>>;
  const findings: (Page['findings'][number] & { readonly message: string })[] = [];
  for (;;) {
    const page = await client.workspace.findings({ workspaceId, from: findings.length, count: WINDOW_MAX });
    findings.push(...page.findings.map((finding) => ({ ...finding, message: findingText(finding) })));
    if (page.findings.length === 0 || findings.length >= page.total) return { counts: page.counts, findings };
  }
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

export const checkCommands: readonly Command[] = [checkCommand, list, save, remove];
