import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../main/app/clock.ts';
import { openCube } from '../../main/cube/cube.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { HERE, openWithoutThreads } from '../store/without-threads.ts';
import { seeded } from '../sync/simulator/seeded.ts';

/** What became of metrics whose process was killed while reports were taken in. */
interface CubeKills {
  readonly kills: number;
  /** Reports that were acknowledged. */
  readonly acknowledged: number;
  /** Days of an acknowledged report that are not there, or are older. */
  readonly lost: number;
  /** Days that are not whole: without some of their rows, with numbers of two reports, or of another report than their neighbors. */
  readonly half: number;
  readonly unsound: number;
}

export const FIRST = '2026-03-01' as PlainDate;
export const DAYS = 20;
const ROWS = 3000;
const CHILD = fileURLToPath(new URL('cube-child.ts', import.meta.url));

/** The lines of every report, all of them without their number. */
const LINES = Array.from({ length: DAYS }, (_, day) =>
  Array.from({ length: ROWS }, (__, at) => `${addDays(FIRST, day)},${at + 1},#\n`).join(''),
).join('');

/** Every number of one report is its own: what is read back says which report it is from. */
export const reportOf = (version: number): string =>
  `date,campaignId,clicks\n${LINES.replaceAll('#', String(version))}`;

/** Kills a process with SIGKILL again and again, each time at a random moment, while it takes in report after report. */
export async function killCube(kills: number, seed: number): Promise<CubeKills> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-cube-kills-'));
  const random = seeded(seed);
  let version = 0;
  let [acknowledged, lost, half, unsound, last] = [0, 0, 0, 0, 0];
  try {
    const account = join(folder, 'workspace.db');
    const profile = defaultDeploymentSettings();
    const made = await openWithoutThreads({ file: account, profile, clock: systemClock, migrated: true });
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    await made.value.close();
    const setup = { file: join(folder, 'cube.db'), account, currency: 'USD' };
    for (let kill = 0; kill < kills; kill++) {
      for (let more = 1; more <= 8; more++) {
        const path = join(folder, `${version + more}.csv`);
        writeFileSync(path, reportOf(version + more));
      }
      const child = spawn(process.execPath, [CHILD, JSON.stringify({ ...setup, folder, from: version + 1 })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const lines = createInterface(child.stdout);
      // On a crowded machine nothing may be taken in for long: every other death waits for what is acknowledged first.
      const before = kill % 2;
      let told = 0;
      lines.on('line', (line) => {
        if (line !== 'open') {
          acknowledged++;
          last = Number(line);
        }
        if (told++ === before) setTimeout(() => child.kill('SIGKILL'), random.int(900));
      });
      await ended;
      version += 8;
      const cube = await openCube(setup, HERE.account);
      try {
        if (cube.problem !== null) unsound++;
        const versions = new Set<number>();
        for (let day = 0; day < DAYS; day++) {
          const found = await cube.dayRows('campaign', addDays(FIRST, day));
          const clicks = found?.columns.find(({ name }) => name === 'clicks')?.values ?? new Float64Array(0);
          const [own = 0] = clicks;
          if (own < last) lost++;
          if (found !== null && (clicks.length !== ROWS || clicks.some((value) => value !== own))) half++;
          versions.add(own);
        }
        // A report is in the metrics whole or not at all, so all days are of the same one.
        if (versions.size > 1) half += versions.size - 1;
      } finally {
        await cube.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills, acknowledged, lost, half, unsound };
}
