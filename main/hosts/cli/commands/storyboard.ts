import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { STORYBOARD_MAX } from '../../../../shared/api/limits.ts';
import { usageError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const exportCommand: Command = {
  name: 'storyboard export',
  takes: '--out FILE',
  purpose: 'Writes campaigns as one page for a client to comment on.',
  parameters: {
    '--out FILE': 'HTML file to write.',
    '--find FILTER': 'Only campaigns that this filter finds, such as "campaignState:draft".',
    '--money': 'Shows bids and budgets too.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate storyboard export --find "name:spring" --out spring.html',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const path = resolve(context.need('out'));
    const view = { kind: 'campaign' as const, filter: context.text('find') ?? '' };
    const window = { from: 0, count: STORYBOARD_MAX };
    const { rows, length, viewId } = await client.workspace.openView({ workspaceId, view, window });
    await client.workspace.closeView({ workspaceId, viewId });
    if (length === 0) throw usageError('No campaign matches. Change --find.');
    if (length > STORYBOARD_MAX)
      throw usageError(`A storyboard has up to ${STORYBOARD_MAX} campaigns. Add --find to select fewer.`);
    const campaignIds = rows.map(({ id }) => id);
    const file = await client.storyboard.export({ workspaceId, campaignIds, money: context.flag('money') });
    const written = (await context.core()).offered(file.url.slice('/preview/'.length));
    if (written === null) throw new Error('the page that was just written is gone');
    await writeOutputFile(context, path, (target) => copyFile(written.path, target));
    context.output.say(`Wrote ${counted(length, 'campaign')} to ${path}.`);
    context.output.result({ file: path, campaigns: length, bytes: file.bytes });
  },
};

const importCommand: Command = {
  name: 'storyboard import',
  takes: 'FILE',
  purpose: 'Adds the comments that a client has sent back.',
  parameters: { FILE: 'The file that the client saved in the page.' },
  example: 'adslate storyboard import comments.adslate-comments',
  positionals: [1, 1],
  run: async (context) => {
    const [name = ''] = context.positionals;
    const { client, workspaceId } = await context.atAccount();
    const granted = await (await context.core()).grants.grantPath(resolve(name));
    if (!granted.ok) throw usageError(`Can't read ${name}. Check that it is a file that you may read.`);
    const added = await client.storyboard.import({ workspaceId, grant: granted.value.grant });
    const { comments, approved, rejected, skipped } = added;
    context.output.say(
      `${counted(comments, 'comment')} of ${added.name} added: ${approved} approved, ${rejected} rejected, ${skipped} skipped.`,
    );
    context.output.result(added);
  },
};

export const storyboardCommands: readonly Command[] = [exportCommand, importCommand];
