import { WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { UserRule } from '../../../../shared/api/rules.ts';
import type { Kind } from '../../../../shared/model/kinds.ts';
import type { RowId, WorkspaceId } from '../../../../shared/model/scalars.ts';
import { findingText } from '../../../../shared/rules/messages.ts';
import type { FindingCounts, Severity } from '../../../../shared/rules/rule.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { counted, parseRowType, table, wordOf } from '../output.ts';

/** Lines shown to people; `--json` gives all. */
const SHOWN_LINES = 200;
const ORDER = { error: 0, warning: 1, advice: 2 } as const;

export const checkCommand: Command = {
  name: 'check',
  takes: '[--all] [--look-up]',
  summary:
    'Says what the service would refuse and what could be better, row by row; --look-up first asks the item search about new items. Exit 1 when there are errors.',
  options: { all: { type: 'boolean' }, 'look-up': { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('look-up')) await client.items.confirm({ workspaceId });
    const { counts, findings } = await readFindings(client, workspaceId);
    const { lines } = await context.account();
    const lineOf = await lines.read();
    const sorted = findings.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const limit = context.flag('all') ? sorted.length : SHOWN_LINES;
    for (const finding of sorted.slice(0, limit)) {
      const line = lineOf(finding.kind, finding.id);
      const place = [finding.campaign, line === null ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
      output.say(`${finding.severity}: ${place === '' ? '' : `${place}: `}${finding.message}`);
    }
    if (sorted.length > limit) output.say(`... and ${sorted.length - limit} more; --all shows them.`);
    output.say(
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counts.advice} advice.${counts.error > 0 ? ' Rows with errors are not sent.' : ''}`,
    );
    output.result({
      counts,
      findings: sorted.map((finding) => ({
        rule: finding.rule,
        severity: finding.severity,
        type: wordOf(finding.kind),
        campaign: finding.campaign,
        row: lineOf(finding.kind, finding.id),
        field: finding.field,
        message: finding.message,
      })),
    });
    return counts.error > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

interface ShownFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaign: string;
  readonly field: string | null;
  readonly label: string;
  readonly message: string;
}

/** Every finding of the account with its sentence. */
export async function readFindings(
  client: Client,
  workspaceId: WorkspaceId,
): Promise<{ readonly counts: FindingCounts; readonly findings: readonly ShownFinding[] }> {
  const findings: ShownFinding[] = [];
  for (;;) {
    const page = await client.workspace.findings({ workspaceId, from: findings.length, count: WINDOW_MAX });
    for (const finding of page.findings) {
      findings.push({
        rule: finding.rule,
        severity: finding.severity,
        kind: finding.kind,
        id: finding.id,
        campaign: finding.campaignName,
        field: finding.field,
        label: finding.label,
        message: findingText(finding),
      });
    }
    if (page.findings.length === 0 || findings.length >= page.total) return { counts: page.counts, findings };
  }
}

type Listed = UserRule & { readonly problem: string | null };

const list: Command = {
  name: 'rule list',
  takes: '',
  summary: 'Lists the rules of your own: what their search finds is reported by "check".',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const workspaceId = await context.workspaceId();
    show(context, await (await context.client()).rules.list({ workspaceId }));
    return EXIT_CODE.done;
  },
};

const save: Command = {
  name: 'rule save',
  takes: 'ID SEARCH --type T [--name N] [--severity error|warning|advice] [--off]',
  summary: 'Adds a rule of your own, or replaces the one with this id. The search is what the filter of a list takes.',
  options: {
    type: { type: 'string' },
    name: { type: 'string' },
    severity: { type: 'string' },
    off: { type: 'boolean' },
  },
  positionals: { min: 2, max: 2 },
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
    const workspaceId = await context.workspaceId();
    show(context, await (await context.client()).rules.save({ workspaceId, rule }));
    return EXIT_CODE.done;
  },
};

const remove: Command = {
  name: 'rule remove',
  takes: 'ID',
  summary: 'Removes a rule of your own.',
  options: {},
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const [id = ''] = context.positionals;
    const workspaceId = await context.workspaceId();
    show(context, await (await context.client()).rules.remove({ workspaceId, id }));
    return EXIT_CODE.done;
  },
};

function show({ output }: Context, rules: readonly Listed[]): void {
  if (rules.length === 0) output.say('There are no rules of your own.');
  else for (const line of table(HEADINGS, rules.map(lineOf))) output.say(line);
  output.result({ rules });
}

const HEADINGS = ['id', 'severity', 'type', 'search', 'name'];

const lineOf = ({ id, severity, kind, query, name, enabled, problem }: Listed): readonly string[] => [
  id,
  enabled ? severity : 'off',
  wordOf(kind),
  query,
  problem ?? name,
];

export const ruleCommands: readonly Command[] = [list, save, remove];
