import { existsSync } from 'node:fs';
import type { ComparedDifference, CompareSide } from '../../../../shared/api/compare.ts';
import { WINDOW_MAX } from '../../../../shared/api/limits.ts';
import { fieldLabel } from '../../../../shared/model/fields.ts';
import type { RowId, WorkspaceId } from '../../../../shared/model/scalars.ts';
import { printSearch } from '../../../../shared/search/query.ts';
import { CliError, EXIT_CODE, noAccountText, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { counted, formatCellValue, wordOf } from '../output.ts';

/** Lines for people; `--json` has all. */
const SHOWN = 200;

export const compareCommand: Command = {
  name: 'compare',
  takes: 'LEFT RIGHT',
  purpose: 'Compares two campaigns, moments, accounts or files, and lists what differs.',
  parameters: {
    LEFT: 'now, service, edit:NUMBER, sync:RUN, account:NAME, or an .adslate file.',
    RIGHT: 'The same words. "edit:0" is before the oldest edit.',
    '--campaign NAME': 'Only this campaign of the left side.',
    '--with NAME': 'Only this campaign of the right side. The default is the one of --campaign.',
    '--use': 'Copies all values of the right side to this account (left side now).',
  },
  example: 'adslate compare now service --campaign "Spring sale"',
  positionals: [2, 2],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const [one = '', other = ''] = context.positionals;
    const campaign = context.text('campaign');
    const left = await sideOf(context, one, campaign);
    const right = await sideOf(context, other, context.text('with') ?? campaign);
    if (context.flag('use') && left.is !== 'now')
      throw usageError('--use writes to this account: the left side must be now.');
    const { comparisonId, total, same } = await client.compare.open({ workspaceId, left, right });
    const differences: ComparedDifference[] = [];
    const wanted = context.output.json ? total : Math.min(total, SHOWN);
    while (differences.length < wanted) {
      const window = { from: differences.length, count: WINDOW_MAX };
      const page = await client.compare.page({ workspaceId, comparisonId, ...window });
      if (page.differences.length === 0) break;
      differences.push(...page.differences);
    }
    const used =
      context.flag('use') && total > 0 ? await client.compare.use({ workspaceId, comparisonId, places: null }) : null;
    context.output.say([
      ...differences.slice(0, SHOWN).map(lineOf),
      ...(total > SHOWN ? [`and ${counted(total - SHOWN, 'more difference')}. Add --json to list all.`] : []),
      `${counted(total, 'difference')}, ${counted(same, 'row')} the same.`,
      ...(used === null
        ? []
        : [`${used.changed} values changed, ${used.created} rows added, ${used.deleted} rows deleted.`]),
    ]);
    context.output.result({
      same,
      differences: differences.map(({ kind, campaign: of, label, what, field, left: mine, right: theirs }) => {
        return { type: wordOf(kind), campaign: of, label, what, field, left: mine, right: theirs };
      }),
      ...(used === null ? {} : { changed: used.changed, created: used.created, deleted: used.deleted }),
    });
    return total > 0 && used === null ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

function lineOf({ kind, label, campaign, what, field, left, right }: ComparedDifference): string {
  const row = `${wordOf(kind)} "${label}"${campaign === label ? '' : ` in "${campaign}"`}`;
  if (what !== 'field' || field === null) return `${row}: only ${what}`;
  return `${row}, ${fieldLabel(field, kind)}: ${formatCellValue(kind, field, left)} | ${formatCellValue(kind, field, right)}`;
}

async function sideOf(context: Context, word: string, campaign: string | null): Promise<CompareSide> {
  const { client, workspaceId } = await context.atAccount();
  const [is = '', ...rest] = word.split(':');
  const of = rest.join(':');
  if (word === 'now' || word === 'service')
    return { is: word, campaignId: await campaignId(client, workspaceId, campaign) };
  if (is === 'edit' && /^\d{1,9}$/.test(of)) {
    return { is: 'moment', step: Number(of), campaignId: await campaignId(client, workspaceId, campaign) };
  }
  if (is === 'sync' && of !== '') return { is: 'sync', runId: of };
  if (is === 'account' && of !== '') {
    const accounts = await client.accounts.list();
    const account = accounts.find(({ name }) => name.toLowerCase() === of.trim().toLowerCase())?.workspaceId;
    if (account === undefined) throw notFound(noAccountText(of));
    return { is: 'account', account, campaignId: await campaignId(client, account, campaign) };
  }
  if (!existsSync(word)) {
    throw usageError(`"${word}" is not a side. Enter now, service, edit:NUMBER, sync:RUN, account:NAME or a file.`);
  }
  const granted = await (await context.core()).grants.grantPath(word);
  if (!granted.ok) throw notFound(`Can't read ${word}. Check that it is a file that you may read.`);
  return { is: 'archive', grant: granted.value.grant, campaign };
}

const notFound = (message: string): CliError => new CliError(EXIT_CODE.usage, 'NOT_FOUND', message);

async function campaignId(client: Client, workspaceId: WorkspaceId, name: string | null): Promise<RowId | null> {
  if (name === null) return null;
  const filter = printSearch({ is: 'compare', field: 'name', op: '=', value: name }, 'campaign');
  const view = { kind: 'campaign' as const, filter };
  const { rows, viewId } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 1 } });
  await client.workspace.closeView({ workspaceId, viewId });
  const [found] = rows;
  if (found === undefined) throw notFound(`Campaign "${name}" not found. Check the name.`);
  return found.id;
}
