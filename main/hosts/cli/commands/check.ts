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

const checkCommand: Command = {
  name: 'check',
  takes: '[--all] [--look-up]',
  summary:
    'Says what the service would refuse and what could be better, row by row; --look-up first asks the item search about new items. Exit 1 when there are errors.',
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('look-up')) await client.items.confirm({ workspaceId });
    const { counts, findings } = await readFindings(client, workspaceId);
    const { lines } = await context.account();
    const lineOf = await lines.read();
    const sorted = findings.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const limit = context.flag('all') ? sorted.length : SHOWN_LINES;
    for (const { severity, kind, id, campaignName, message } of sorted.slice(0, limit)) {
      const line = lineOf(kind, id);
      const place = [campaignName, line === null ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
      output.say(`${severity}: ${place === '' ? '' : `${place}: `}${message}`);
    }
    if (sorted.length > limit) output.say(`... and ${sorted.length - limit} more; --all shows them.`);
    output.say(
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counts.advice} advice.${counts.error > 0 ? ' Rows with errors are not sent.' : ''}`,
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

/** Every finding of the account with its sentence. */
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
  summary: 'Lists the rules of your own: what their search finds is reported by "check".',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.rules.list({ workspaceId }));
  },
};

const save: Command = {
  name: 'rule save',
  takes: 'ID SEARCH --type T [--name N] [--severity error|warning|advice] [--off]',
  summary: 'Adds a custom rule, or replaces the one with this ID. SEARCH uses the filter syntax.',
  positionals: [2, 2],
  run: async (context) => {
    const [id = '', query = ''] = context.positionals;
    const severity = context.text('severity') ?? 'warning';
    if (severity !== 'error' && severity !== 'warning' && severity !== 'advice') {
      throw usageError('--severity is error, warning or advice.');
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
  summary: 'Removes a rule of your own.',
  positionals: [1, 1],
  run: async (context) => {
    const [id = ''] = context.positionals;
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.rules.remove({ workspaceId, id }));
  },
};

function show({ output }: Context, rules: readonly Listed[]): void {
  output.table(['id', 'severity', 'type', 'search', 'name'], rules.map(lineOf), 'There are no rules of your own.');
  output.result({ rules });
}

const lineOf = ({ id, severity, kind, query, name, enabled, problem }: Listed): readonly string[] => [
  id,
  enabled ? severity : 'off',
  wordOf(kind),
  query,
  problem ?? name,
];

export const checkCommands: readonly Command[] = [checkCommand, list, save, remove];
