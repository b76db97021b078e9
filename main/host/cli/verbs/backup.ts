import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ok, type Result } from '../../../../shared/result.ts';
import { workspaceFile } from '../../../accounts/account-folder.ts';
import { restoreWorkspace } from '../../../accounts/restore-workspace.ts';
import { systemClock } from '../../../clock.ts';
import type { NotWritable, Workspace } from '../../../workspace/port.ts';
import type { Command } from '../command.ts';
import { openingStop } from '../problem-text.ts';
import { EXIT, Stop, usageStop } from '../stop.ts';

const backup: Command = {
  name: 'backup',
  takes: '[FILE]',
  summary: 'Copies the workspace of the account while it stays in use, and proves the copy before it gets its name.',
  options: { out: { type: 'string' } },
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const account = await context.account();
    const named = context.positionals[0] ?? context.text('out');
    const done = named === null ? await account.backUp('by-hand') : await copyTo(account.workspace, resolve(named));
    if (!done.ok) throw openingStop(done.error);
    const file = done.value;
    context.output.say(`Backed up to ${file}. Media files are not part of it; they stay in the media library.`);
    context.output.result({ file });
    return EXIT.done;
  },
};

async function copyTo(workspace: Workspace, file: string): Promise<Result<string, NotWritable>> {
  await mkdir(dirname(file), { recursive: true });
  const done = await workspace.backup(file);
  return done.ok ? ok(file) : done;
}

const restore: Command = {
  name: 'restore',
  takes: 'FILE [--yes]',
  summary: 'Puts a backup in the place of the workspace. What was there is set aside, never deleted.',
  options: { yes: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const [path = ''] = context.positionals;
    if (!context.flag('yes') && context.interactive) {
      const answer = await context.ask('Replace the workspace by this backup? What is there now is set aside. [y/N] ');
      if (!/^y(es)?$/i.test(answer.trim())) {
        context.output.say('Nothing was changed.');
        return EXIT.done;
      }
    } else if (!context.flag('yes')) {
      throw usageStop('Add --yes: the workspace is replaced by the backup, and what is there now is set aside.');
    }
    const file = workspaceFile(context.dataDir, await context.workspaceId());
    const restored = await restoreWorkspace(file, resolve(path), systemClock.nowMs());
    if (!restored.ok) {
      if (restored.error.kind === 'not-writable') throw openingStop(restored.error);
      throw new Stop(EXIT.refused, 'BAD_FILE', `${path} is no backup (${restored.error.detail}). Choose another file.`);
    }
    context.output.say(`Restored. What was there is in ${restored.value.setAside}.`);
    context.output.say('Sync asks about everything that was sent after the backup before it sends anything again.');
    context.output.result({ setAside: restored.value.setAside });
    return EXIT.done;
  },
};

export const backupCommands: readonly Command[] = [backup, restore];
