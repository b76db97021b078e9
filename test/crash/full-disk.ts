import { closeSync, existsSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../main/app/clock.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aSmallCampaign } from '../store/a-workspace.ts';

/** What became of a workspace on a disk that was filled to its last byte. */
interface FullDiskReport {
  /** Edits that were acknowledged after the disk was full, before the first refusal. */
  readonly acknowledgedWhenFull: number;
  readonly refusedWith: string;
  readonly closed: boolean;
  /** Edits that were acknowledged and are not there after the disk has room again. */
  readonly lost: number;
  readonly broken: number;
}

/** Fills the disk that `folder` lies on, so give it one of its own. */
export async function workOnFullDisk(folder: string): Promise<FullDiskReport> {
  const file = join(folder, 'workspace.db');
  let workspace = await opened(file);
  await edit(workspace, 'First');
  const reserve = `${file}.reserve`;
  for (let tries = 0; tries < 300 && !existsSync(reserve); tries++) await systemClock.sleep(50);
  if (!existsSync(reserve)) throw new Error(`no room was kept: ${statfsSync(folder).bavail} blocks are free`);
  const ballast = join(folder, 'ballast');
  fill(ballast);
  const names = ['First'];
  let refusedWith = '';
  while (refusedWith === '') {
    const name = `Full ${names.length}`;
    refusedWith = await edit(workspace, name);
    if (refusedWith === '') names.push(name);
  }
  await workspace.close();
  const closed = !existsSync(`${file}-wal`);
  rmSync(ballast);
  workspace = await opened(file);
  const found = new Set((await workspace.readTrees('all')).map((tree) => tree.campaign.values.name));
  const broken = (await workspace.verify()).length;
  await edit(workspace, 'Last');
  await workspace.close();
  const lost = names.filter((name) => !found.has(name)).length;
  return { acknowledgedWhenFull: names.length - 1, refusedWith, closed, lost, broken };
}

async function opened(file: string): Promise<Workspace> {
  const profile = defaultDeploymentSettings();
  const workspace = await openWorkspace({ file, profile, clock: systemClock, migrated: true });
  if (!workspace.ok) throw new Error(JSON.stringify(workspace.error));
  return workspace.value;
}

/** @returns why it was refused, or nothing */
async function edit(workspace: Workspace, name: string): Promise<string> {
  const done = await workspace.apply({ label: name, source: 'user', creates: aSmallCampaign(name) });
  return done.ok ? '' : 'why' in done.error.data ? done.error.data.why : done.error.code;
}

/** Writes until nothing more fits, in ever smaller pieces. */
function fill(file: string): void {
  writeFileSync(file, '');
  const handle = openSync(file, 'a');
  try {
    for (let bytes = 2 ** 20; bytes >= 1; ) {
      try {
        if (writeSync(handle, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(handle);
  }
}
