import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { backupFile, backupsFolder } from '../../main/accounts/backup-folder.ts';
import { THREADS } from '../../main/core/core-options.ts';
import { openArchive } from '../../main/files/archive/open-archive.ts';
import { readSheetRows } from '../../main/files/spreadsheet/read-sheet.ts';
import { integrityProblem } from '../../main/store/backup.ts';
import type { Backup } from '../../shared/api/backups.ts';
import type { ExportedFile, ImportPreview } from '../../shared/api/files.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { aPng } from '../media/builders.ts';
import { aWebHost, type WebHost } from './a-web-host.ts';
import type { Facts } from './calls.ts';
import { callAt, isFair, type Line, type Outcome, openLine } from './lines.ts';
import { grantFile, prepare } from './prepared.ts';

/**
 * The long operations of a web host, called in the same moment over its socket, and what has to be true afterwards:
 *
 *   each call is answered, or refused with an error of its list that says what is so
 *   every file that was promised is whole      the workspace is sound      nothing half-written lies about
 */
export const LONG_WORKS = [
  'sync',
  'review',
  'refresh',
  'backup',
  'restore',
  'salvage',
  'sheet',
  'archive',
  'import',
  'archive-in',
  'media',
  'copy',
  'report',
  'compact',
  'support',
] as const;
export type LongWork = (typeof LONG_WORKS)[number];

/** These close the account under the calls of others, which are told so. */
const CLOSING: ReadonlySet<LongWork> = new Set(['restore', 'salvage']);
/** These read or write with the service, and are refused while a sync runs; a restore is as well. */
const WITH_SERVICE: ReadonlySet<LongWork> = new Set(['sync', 'review', 'refresh', 'restore']);

export interface Desk {
  readonly host: WebHost;
  readonly facts: Facts;
  readonly otherId: string;
  readonly backupId: string;
  readonly archive: Buffer;
  readonly line: Line;
  close(): Promise<void>;
}

const ROWS = 12;

/** A host with two practice accounts, a backup and an archive of the first, and a page that is signed in. */
export async function aDesk(): Promise<Desk> {
  const host = await aWebHost({ threads: THREADS });
  const facts = await prepare(host.core, 'nobody');
  const line = await openLine.WebSocket(host);
  const { client } = line;
  const { workspaceId } = facts;
  await client.workspace.create({
    workspaceId,
    label: 'More campaigns',
    rows: Array.from({ length: ROWS }, (_, at) => ({
      kind: 'campaign' as const,
      parent: null,
      values: { name: `Campaign ${at}` },
    })),
  });
  const other = await client.accounts.addPractice({ name: 'Other shop' });
  const { backupId } = await client.backups.make({ workspaceId });
  const archive = await bytesOf(host, await client.exchange.export({ workspaceId, format: 'archive' }));
  return {
    host,
    facts,
    otherId: other.workspaceId,
    backupId,
    archive,
    line,
    close: async () => {
      await line.close();
      await host.close();
    },
  };
}

let made = 0;

/** One call of each operation; an import is a preview and its application. */
async function call(desk: Desk, work: LongWork): Promise<Outcome> {
  const { facts, line } = desk;
  const { workspaceId } = facts;
  const ask = (path: string, more: object = {}): Promise<Outcome> =>
    callAt(line.client, path, { workspaceId, ...more });
  made += 1;
  switch (work) {
    case 'sync':
      return ask('sync.run');
    case 'review':
      return ask('review.submit', { campaignIds: [facts.campaign] });
    case 'refresh':
      return ask('sync.refresh');
    case 'backup':
      return ask('backups.make');
    case 'restore':
      return ask('backups.restore', { backupId: desk.backupId });
    case 'salvage':
      return ask('backups.recover');
    case 'sheet':
      return ask('exchange.export', { format: 'csv' });
    case 'archive':
      return ask('exchange.export', { format: 'archive' });
    case 'import':
      return bringIn(desk, `sheet-${made}.csv`, Buffer.from(`Type,Campaign\nCampaign,Sheet campaign ${made}\n`));
    case 'archive-in':
      return bringIn(desk, `archive-${made}.adslate`, desk.archive);
    case 'media':
      return ask('media.add', {
        grants: [await grantFile(desk.host.core, `picture-${made}.png`, aPng(100, 100 + (made % 5)))],
      });
    case 'copy':
      return ask('copyToAccount.apply', {
        scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
        target: desk.otherId,
        label: `Copy ${made}`,
      });
    case 'report':
      return ask('reports.request', {
        wish: { reportType: 'campaign', startDate: '2026-05-01', endDate: '2026-05-07', byDate: true },
        again: made % 2 === 0,
      });
    case 'compact':
      return ask('responses.setLimit', { boundMb: 32 });
    case 'support':
      return callAt(line.client, 'app.support', undefined);
  }
}

async function bringIn(desk: Desk, name: string, bytes: Buffer): Promise<Outcome> {
  const { workspaceId } = desk.facts;
  const { client } = desk.line;
  const grant = await grantFile(desk.host.core, name, bytes);
  const previewed = await callAt(client, 'exchange.preview', { workspaceId, grant });
  if (!('answer' in previewed)) return previewed;
  const { previewId } = previewed.answer as ImportPreview;
  return callAt(client, 'exchange.apply', { workspaceId, previewId });
}

interface RaceOutcome {
  readonly answered: number;
  /** How often each declared error came, by its code and reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** What is not as it has to be; empty when all is. */
  readonly problems: readonly string[];
}

/** Calls the operations by turns, `calls` times in all, in one moment; then looks at everything they left. */
export async function race(desk: Desk, racing: readonly LongWork[], calls: number): Promise<RaceOutcome> {
  const works = Array.from({ length: calls }, (_, at) => racing[at % racing.length] ?? 'support');
  const before = desk.host.logged.length;
  const outcomes = await Promise.all(works.map((work) => call(desk, work)));
  await runEnded(desk);
  const problems: string[] = [];
  const refused: Record<string, number> = {};
  for (const [at, outcome] of outcomes.entries()) {
    const work = works[at] ?? 'support';
    const problem = await problemOf(desk, work, outcome, racing);
    if (problem !== null) problems.push(`${work}: ${problem}`);
    if ('code' in outcome) refused[nameOf(outcome)] = (refused[nameOf(outcome)] ?? 0) + 1;
  }
  for (const { event, fields } of desk.host.logged.slice(before)) {
    if (event === 'unexpected failure') problems.push(`${event}: ${JSON.stringify(fields)}`);
  }
  problems.push(...(await unsound(desk)), ...leftovers(desk.host.dataDir).map((path) => `left behind: ${path}`));
  const answered = outcomes.filter((outcome) => 'answer' in outcome).length;
  return { answered, refused, problems };
}

const nameOf = (outcome: Extract<Outcome, { readonly code: string }>): string => {
  const why = (outcome.data as { readonly why?: string; readonly reason?: string } | null) ?? {};
  return [outcome.code, why.why ?? why.reason].filter(Boolean).join(' ');
};

async function runEnded({ host, facts }: Desk): Promise<void> {
  for (;;) {
    const account = await host.core.open.get(asWorkspaceId(facts.workspaceId));
    if (!account.ok) return;
    if ((await account.value.runningSync()) === null) return;
    await wait(20);
  }
}

/** What is wrong with one outcome, or null. */
async function problemOf(
  desk: Desk,
  work: LongWork,
  outcome: Outcome,
  racing: readonly LongWork[],
): Promise<string | null> {
  if (!isFair(outcome)) return `a defect: ${JSON.stringify(outcome)}`;
  if ('answer' in outcome) return badAnswer(desk, work, outcome.answer);
  const name = nameOf(outcome);
  // Closed on the way by a restore or a salvage: true, and to be asked again.
  if (name === 'NOT_WRITABLE failed' && racing.some((each) => CLOSING.has(each))) return null;
  // Its preview went with the account, or made room for others.
  if (name === 'NO_GRANT' && (work === 'import' || work === 'archive-in')) return null;
  if (name.startsWith('SYNC_RUNNING') && WITH_SERVICE.has(work)) {
    const { runId } = outcome.data as { readonly runId: string };
    if (runId !== '' && racing.some((each) => each === 'sync' || each === 'review')) return null;
  }
  return `refused with ${name}: ${outcome.text}`;
}

/** What an answer promises and does not hold, or null. */
async function badAnswer(desk: Desk, work: LongWork, answer: unknown): Promise<string | null> {
  const { host, facts } = desk;
  const folder = join(host.dataDir, 'workspaces', facts.workspaceId);
  switch (work) {
    case 'backup': {
      const file = await backupFile(backupsFolder(folder), (answer as Backup).backupId);
      return file === null ? 'a backup that is not there' : integrityProblem(file);
    }
    case 'restore':
    case 'salvage':
      return existsSync(join(folder, (answer as { readonly setAside: string }).setAside, 'workspace.db'))
        ? null
        : 'what was there is not set aside';
    case 'sheet':
      return badSheet(desk, answer as ExportedFile);
    case 'archive':
      return badArchive(desk, answer as ExportedFile);
    default:
      return null;
  }
}

async function badSheet({ host }: Desk, offered: ExportedFile): Promise<string | null> {
  const path = join(host.dataDir, 'looked-at');
  await writeFile(path, await bytesOf(host, offered));
  let rows = -1;
  const read = await readSheetRows(path, () => {
    rows += 1;
  });
  await rm(path);
  if (!read.ok) return `a file that cannot be read: ${read.error.reason}`;
  return rows === offered.rows ? null : `${rows} of ${offered.rows} rows`;
}

async function badArchive({ host }: Desk, offered: ExportedFile): Promise<string | null> {
  const path = join(host.dataDir, 'looked-at');
  await writeFile(path, await bytesOf(host, offered));
  const folder = `${path}-apart`;
  try {
    const opened = await openArchive(path, folder);
    if (!opened.ok) return `an archive that cannot be read: ${JSON.stringify(opened.error)}`;
    const rows = (await readFile(opened.value.rowsFile, 'utf8')).split('\n').length - 1;
    return rows === offered.rows ? null : `${rows} of ${offered.rows} rows`;
  } finally {
    await rm(path);
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOf(host: WebHost, { url, bytes }: ExportedFile): Promise<Buffer> {
  const file = await host.core.preview(url.slice('/preview/'.length));
  if (file === null) throw new Error('an export whose file is gone');
  const parts: Buffer[] = [];
  if (bytes > 0) for await (const part of file.open(0, bytes - 1)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** What the workspaces do not hold of their own promises; two rows of the library for the same bytes break one. */
async function unsound({ host, facts, otherId }: Desk): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const id of [facts.workspaceId, otherId]) {
    const account = await host.core.open.get(asWorkspaceId(id));
    if (!account.ok) {
      problems.push(`${id} cannot be opened: ${JSON.stringify(account.error)}`);
      continue;
    }
    const { workspace, database, safety } = account.value;
    const broken = await workspace.verify();
    if (broken.length > 0) problems.push(`${id}: ${JSON.stringify(broken)}`);
    const damage = integrityProblem(database);
    if (damage !== null) problems.push(`${id}: ${damage}`);
    const odd = safety.notes().filter(({ what }) => what !== 'restored' && what !== 'salvaged');
    if (odd.length > 0) problems.push(`${id} was found: ${JSON.stringify(odd)}`);
    const hashes = (await workspace.readMedia()).map(({ values }) => values.sha256);
    if (new Set(hashes).size !== hashes.length) problems.push(`${id}: the same file twice in the library`);
  }
  return problems;
}

/** Names under which something is on its way; none may be left when nothing is under way any more. */
const TEMPORARY = /\.(?:tmp|part|rows|restoring|salvaging)\b|^arriving-|[\\/]imports[\\/]./u;

/** Room for a full disk, which the writer takes whenever nobody waits; that may be now. */
const IDLE = '.reserve.part';

export function leftovers(dataDir: string): readonly string[] {
  const entries: Dirent[] = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .filter((path) => (TEMPORARY.test(path) || /[\\/]arriving-/u.test(path)) && !path.endsWith(IDLE));
}

/** Every pair once, each operation with itself as well. */
export const PAIRS: readonly (readonly [LongWork, LongWork])[] = LONG_WORKS.flatMap((one, at) =>
  LONG_WORKS.slice(at).map((other) => [one, other] as const),
);
