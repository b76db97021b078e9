import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DataCheck, RestorePreview } from '../../../../shared/api/backups.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { RestoreRefused } from '../../../accounts/backup-service.ts';
import type { ActiveAccount } from '../../../core/active-accounts.ts';
import type { NotWritable } from '../../../store/types.ts';
import type { Workspace } from '../../../store/workspace.ts';
import { EXIT_CODE, failureError, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeError, writeOutputFile } from '../named-file.ts';
import { counted, isoOrNull, wordOf } from '../output.ts';

const backup: Command = {
  name: 'backup',
  takes: '[FILE]',
  purpose: 'Backs up the account and verifies the backup, while you keep working.',
  parameters: {
    FILE: 'Backup file. Without it, the backup is added to the backups of the account.',
    '--out FILE': 'The same as FILE.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate backup',
  positionals: [0, 1],
  run: async (context) => {
    const account = await context.account();
    const named = context.positionals[0] ?? context.text('out');
    const done = named === null ? await byHand(account) : await copyTo(context, account.workspace, resolve(named));
    if (!done.ok) throw named === null ? failureError(done.error) : targetError(done.error, named);
    const file = done.value;
    context.output.say(`Backed up to ${file}. Media files and metrics are not included; they stay in the account.`);
    context.output.result({ file });
  },
};

/** A file that the user named is not in the data folder, so its errors are about the file. */
function targetError(problem: NotWritable, path: string): Error {
  const { why, detail } = problem.data;
  return why === 'read-only' || why === 'disk-full' ? writeError(path, detail) : failureError(problem);
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
  takes: 'FILE',
  purpose: 'Restores a backup; the current data is backed up first and kept.',
  parameters: {
    FILE: 'Path of a backup, or a name from "backup list".',
    '--dry-run': 'Shows what would change, and restores nothing.',
    '--campaign NAME': 'Restores only this campaign, as one undoable step.',
    '--yes': 'Restores without asking.',
  },
  example: 'adslate restore account.backup --dry-run',
  positionals: [1, 1],
  run: async (context) => {
    const [named = ''] = context.positionals;
    const { backups } = await context.core();
    const workspaceId = await context.workspaceId();
    const path = (await backups.pathOf(workspaceId, named)) ?? resolve(named);
    const preview = async (): Promise<RestorePreview> => {
      const read = await backups.previewFile(workspaceId, path);
      if (read.ok) return read.value;
      throw restoreError(read.error, named);
    };
    if (context.flag('dry-run')) return showPreview(context, await preview());
    const campaign = context.text('campaign');
    if (campaign !== null) return restoreCampaign(context, await preview(), campaign);
    const isAgreed = await context.isConfirmed(
      'Restore this backup? It replaces all data of the account; the current data is kept.',
      usageError('Add --yes to replace all data of the account with this backup. The current data is kept.'),
    );
    if (!isAgreed) return context.output.say('Nothing was changed.');
    const restored = await backups.restoreFile(workspaceId, path);
    if (!restored.ok) throw restoreError(restored.error, named);
    context.output.say(
      `Restored the backup. The data before it is in ${restored.value.setAside} of the account's folder.`,
    );
    context.output.say('Metrics and saved reports stay as they are.');
    context.output.say(
      'The next sync asks about everything that was sent after the backup, before it sends anything again.',
    );
    context.output.result({ setAside: restored.value.setAside });
  },
};

function showPreview({ output }: Context, preview: RestorePreview): void {
  let isSame = true;
  for (const { kind, comingBack, going, changing } of preview.kinds) {
    if (comingBack + going + changing === 0) continue;
    isSame = false;
    output.say(`${wordOf(kind)}: ${comingBack} to restore, ${going} to delete, ${changing} to change`);
  }
  if (isSame) output.say('Nothing would change: the backup matches the account.');
  output.result(preview);
}

/** Restores one campaign to its state at the time of the backup, through the history that both have in common. */
async function restoreCampaign(
  context: Context,
  { campaigns, moment }: RestorePreview,
  campaign: string,
): Promise<void> {
  const found = campaigns.find(({ name }) => name.trim().toLowerCase() === campaign.trim().toLowerCase());
  if (found === undefined)
    throw usageError(`Campaign "${campaign}" not found among those that differ from this backup. Check the name.`);
  if (moment === null) {
    throw refused(
      'BAD_FILE',
      'The history does not include the time of this backup. To restore the whole backup, use --yes.',
    );
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
    `Restored "${found.name}": ${counted(back.cells, 'value')} restored, ${counted(back.created, 'row')} created again, ${back.removed} deleted.`,
  );
  context.output.result(back);
}

function restoreError(problem: RestoreRefused, path: string): Error {
  if ('code' in problem) return failureError(problem);
  return refused(
    'BAD_FILE',
    `${path} is not a backup (${problem.detail}). Choose another file, or run "adslate backup list".`,
  );
}

const list: Command = {
  name: 'backup list',
  purpose: 'Lists the backups of the account, newest first.',
  example: 'adslate backup list',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const backups = await client.backups.list({ workspaceId });
    context.output.say(
      backups.length === 0
        ? 'No backups yet. Run "adslate backup" to create one.'
        : backups.map(({ backupId, bytes }) => `${backupId}  ${bytes} bytes`),
    );
    context.output.result({ backups });
  },
};

const recoverCommand: Command = {
  name: 'recover',
  takes: '--yes',
  purpose: 'Recovers data from a damaged account file into a new one.',
  parameters: { '--yes': 'Required. The damaged file is kept.' },
  example: 'adslate recover --yes',
  run: async (context) => {
    if (!context.flag('yes'))
      throw usageError(
        'Add --yes to recover data. If you have a backup, use "adslate restore FILE" instead: it keeps more.',
      );
    const { client, workspaceId } = await context.atAccount();
    const recovered = await client.backups.recover({ workspaceId });
    const { rows, lostRanges, missingBytes, lostRows } = recovered;
    context.output.say(
      `Recovered ${counted(rows, 'row')}. ${counted(lostRanges, 'part')} of the file couldn't be read.`,
    );
    if (missingBytes === null)
      context.output.say('The header of the file is damaged, so how much of its end is missing is not known.');
    else if (missingBytes > 0)
      context.output.say(`The last ${Math.ceil(missingBytes / 1024)} KiB of the file are missing.`);
    if (lostRows > 0) context.output.say(`About ${lostRows} rows may be missing.`);
    context.output.say(`The damaged file is in ${recovered.setAside}. Run "adslate refresh" before you sync.`);
    context.output.result(recovered);
  },
};

const CHECKS: Readonly<Record<DataCheck['check'], string>> = {
  rows: 'Rows and their history',
  backup: 'New backup, read back',
  journal: 'Request journal',
  media: 'Media library',
};

const safety: Command = {
  name: 'data-safety',
  purpose: 'Shows what is stored, and runs all checks of the data.',
  parameters: { '--check': 'Runs all checks now. Without it, the last result is shown.' },
  example: 'adslate data-safety --check',
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    const state = context.flag('check')
      ? await client.backups.check({ workspaceId })
      : await client.backups.safety({ workspaceId });
    const { lastChange, lastBackup, journal, unsent, unresolved, checked } = state;
    output.say(`Last saved edit: ${lastChange === null ? 'none' : `${isoOrNull(lastChange.at)} ${lastChange.label}`}.`);
    output.say(`Last verified backup: ${lastBackup === null ? 'none' : isoOrNull(lastBackup.at)}.`);
    output.say(`Request journal: ${counted(journal.entries, 'entry', 'entries')}, ${journal.bytes} bytes.`);
    output.say(`${counted(unsent, 'unsynced change')}, ${counted(unresolved, 'unresolved request')}.`);
    output.say(checked === null ? 'The checks have not run yet. Add --check.' : `Checked ${isoOrNull(checked.at)}:`);
    for (const { check, ok, found } of checked?.checks ?? [])
      output.say(`  ${CHECKS[check]}: ${ok ? 'passed' : `failed: ${found.join('; ')}`}`);
    output.result({ ...state });
    return checked?.checks.some(({ ok }) => !ok) === true ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

export const backupCommands: readonly Command[] = [backup, list, restore, recoverCommand, safety];
