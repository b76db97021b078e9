import type { UserRule } from '../../../../shared/contract/rules.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { table } from '../table.ts';
import { kindOf, wordOf } from '../words.ts';

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
    return EXIT.done;
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
      throw usageStop('--severity is error, warning or advice.');
    }
    const rule: UserRule = {
      id,
      name: context.text('name') ?? id,
      kind: kindOf(context.need('type')),
      severity,
      query,
      enabled: !context.flag('off'),
    };
    const workspaceId = await context.workspaceId();
    show(context, await (await context.client()).rules.save({ workspaceId, rule }));
    return EXIT.done;
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
    return EXIT.done;
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
