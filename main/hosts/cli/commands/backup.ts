import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { RestorePreview } from '../../../../shared/api/backups.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { RestoreRefused } from '../../../accounts/backup-service.ts';
import type { ActiveAccount } from '../../../app/active-accounts.ts';
import type { Workspace } from '../../../store/store.ts';
import type { NotWritable } from '../../../store/types.ts';
import { CliError, EXIT_CODE, openAccountError, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeError, writeOutputFile } from '../named-file.ts';

const backup: Command = {
  name: 'backup',
  takes: '[FILE] [--force]',
  alsoTakes: '--out FILE',
  summary: 'Backs up the account and verifies the backup. You can keep working while it runs.',
  positionals: [0, 1],
  run: async (context) => {
    const account = await context.account();
    const named = context.positionals[0] ?? context.text('out');
    const done = named === null ? await byHand(account) : await copyTo(context, account.workspace, resolve(named));
    if (!done.ok) throw named === null ? openAccountError(done.error) : targetError(done.error, named);
    const file = done.value;
    context.output.say(`Backed up to ${file}. Media files are not part of it; they stay in the media library.`);
    context.output.result({ file });
  },
};

/** A place that the user named is not the data folder, whatever the disk says of it. */
function targetError(problem: NotWritable, path: string): CliError {
  const isOfTarget = problem.why === 'read-only' || problem.why === 'disk-full';
  return isOfTarget ? writeError(path, problem.detail) : openAccountError(problem);
}

async function byHand({ safety }: ActiveAccount): Promise<Result<string, NotWritable>> {
  const made = await safety.backUp('by-hand');
  return made.ok ? ok(made.value.file) : made;
}

async function copyTo(context: Context, workspace: Workspace, file: string): Promise<Result<string, NotWritable>> {
  const done = await writeOutputFile(context, file, async (target) => {
    await mkdir(dirname(file), { recursive: true });
    return workspace.backup(target);
  });
  return done.ok ? ok(file) : done;
}

const restore: Command = {
  name: 'restore',
  takes: 'FILE [--dry-run] [--yes | --campaign NAME]',
  summary:
    'Puts a backup in the place of the workspace. What was there is backed up and set aside, never deleted. FILE may be a name of "backup list". --campaign NAME brings back that campaign alone, as one step that can be undone.',
  positionals: [1, 1],
  run: async (context) => {
    const [named = ''] = context.positionals;
    const { backups } = await context.core();
    const workspaceId = await context.workspaceId();
    const path = (await backups.pathOf(workspaceId, named)) ?? resolve(named);
    if (context.flag('dry-run')) return showPreview(context, await backups.previewFile(workspaceId, path), named);
    const campaign = context.text('campaign');
    if (campaign !== null) return bringBack(context, await backups.previewFile(workspaceId, path), named, campaign);
    const isAgreed = await context.isConfirmed(
      'Replace the workspace by this backup? What is there now is set aside.',
      usageError('Add --yes: the workspace is replaced by the backup, and what is there now is set aside.'),
    );
    if (!isAgreed) return context.output.say('Nothing was changed.');
    const restored = await backups.restoreFile(workspaceId, path);
    if (!restored.ok) throw restoreError(restored.error, named);
    context.output.say(`Restored. What was there is in ${restored.value.setAside} of the account's folder.`);
    context.output.say('Sync asks about everything that was sent after the backup before it sends anything again.');
    context.output.result({ setAside: restored.value.setAside });
  },
};

function showPreview({ output }: Context, preview: Result<RestorePreview, RestoreRefused>, named: string): void {
  if (!preview.ok) throw restoreError(preview.error, named);
  let isSame = true;
  for (const { kind, comingBack, going, changing } of preview.value.kinds) {
    if (comingBack + going + changing === 0) continue;
    isSame = false;
    output.say(`${kind}: ${comingBack} would come back, ${going} would go, ${changing} would change`);
  }
  if (isSame) output.say('Nothing would change: the backup matches the account.');
  output.result(preview.value);
}

/** One campaign as it was in the backup, by way of the history, which both have in common. */
async function bringBack(
  context: Context,
  preview: Result<RestorePreview, RestoreRefused>,
  named: string,
  campaign: string,
): Promise<void> {
  if (!preview.ok) throw restoreError(preview.error, named);
  const { campaigns, moment } = preview.value;
  const found = campaigns.find(({ name }) => name.trim().toLowerCase() === campaign.trim().toLowerCase());
  if (found === undefined) throw usageError(`No campaign "${campaign}" differs from this backup. Check the name.`);
  if (moment === null) {
    throw refused('BAD_FILE', 'The history does not reach back to this backup; --yes puts all of it back.');
  }
  const { client, workspaceId } = await context.atAccount();
  const label = `${found.name} as in a backup`;
  const back = await client.history.restore({
    workspaceId,
    to: moment,
    scope: { campaignId: found.campaignId },
    label,
  });
  context.output.say(
    `${found.name}: ${back.cells} cells brought back, ${back.created} rows made anew, ${back.removed} taken away.`,
  );
  context.output.result(back);
}

function restoreError(problem: RestoreRefused, path: string): CliError {
  if (problem.kind === 'no-backup')
    return refused('BAD_FILE', `${path} is no backup (${problem.detail}). Choose another file.`);
  if (problem.kind !== 'sync-running') return openAccountError(problem);
  const message = 'A sync of this account is running. Wait for its end first.';
  return new CliError(EXIT_CODE.workspace, 'SYNC_RUNNING', message);
}

const list: Command = {
  name: 'backup list',
  summary: 'Lists the backups of the account, the newest first.',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const backups = await client.backups.list({ workspaceId });
    context.output.say(
      backups.length === 0
        ? 'There is no backup yet. "adslate backup" makes one.'
        : backups.map(({ backupId, bytes }) => `${backupId}  ${bytes} bytes`),
    );
    context.output.result({ backups });
  },
};

const salvageCommand: Command = {
  name: 'salvage',
  takes: '--yes',
  summary: 'Recovers data from a damaged account file into a new one. The damaged file is kept.',
  run: async (context) => {
    if (!context.flag('yes'))
      throw usageError('Add --yes. A backup, if there is one, loses less: "adslate restore FILE".');
    const { client, workspaceId } = await context.atAccount();
    const salvaged = await client.backups.recover({ workspaceId });
    const { rows, lostRanges, missingBytes, lostRows } = salvaged;
    context.output.say(`Read ${rows} rows; ${lostRanges} places could not be read.`);
    if (missingBytes > 0) context.output.say(`The last ${Math.ceil(missingBytes / 1024)} KiB of the file are missing.`);
    if (lostRows > 0) context.output.say(`About ${lostRows} rows may be missing.`);
    context.output.say(`The damaged file is in ${salvaged.setAside}. Refresh before you sync.`);
    context.output.result(salvaged);
  },
};

export const backupCommands: readonly Command[] = [backup, list, restore, salvageCommand];
