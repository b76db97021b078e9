import { join } from 'node:path';
import type { DataCheck, DataSafety } from '../../shared/api/backups.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { codeOrThrow } from '../app/system.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { sha256OfFile } from '../files/media/library.ts';
import { readJournalState } from '../sync/journal.ts';
import { backupsFolder, listBackups } from './backup-folder.ts';

/**
 * Verifies that no data of an account is lost: what is durable, what can be restored, and when all of it was last
 * checked. The last result is stored with the settings of the account.
 */
const CHECKED_KEY = 'data-checked';
const JOURNAL = 'sync.journal';

/** @param folder of the account, with its backups */
export async function readDataSafety(
  { workspace, folder: opened }: ActiveAccount,
  folder: string,
): Promise<DataSafety> {
  const [summary, history, backups, journal, checked] = await Promise.all([
    workspace.summary(),
    workspace.history(0, 1),
    listBackups(backupsFolder(folder)),
    readJournalState(join(opened, JOURNAL)),
    workspace.getMeta(CHECKED_KEY),
  ]);
  const [step] = history.steps;
  const [newest] = backups;
  return {
    lastChange: step === undefined ? null : { at: step.at, label: step.label, step: step.id },
    revision: summary.revision,
    journal: { entries: journal.entries, bytes: journal.bytes, lastAt: journal.lastAt },
    backups: backups.length,
    lastBackup: newest === undefined ? null : { at: newest.at, reason: newest.reason, bytes: newest.bytes },
    unsent: summary.changed,
    held: summary.held,
    unresolved: summary.questions,
    conflicts: summary.conflicts,
    // Written by `checkData` alone.
    checked: checked === null ? null : (jsonOrNull(checked) as DataSafety['checked']),
  };
}

/**
 * Runs all checks of an account's data. Each returns what it found as text; one that fails does not stop the others.
 */
export async function checkData(account: ActiveAccount, nowMs: number): Promise<readonly DataCheck[]> {
  const { workspace, folder, safety } = account;
  const checks: DataCheck[] = [];
  const broken = await workspace.verify();
  checks.push({
    check: 'rows',
    ok: broken.length === 0,
    found: broken.map(({ table, promise, rows }) => `${table}: ${promise} (${rows})`),
    count: broken.length,
  });
  // The copy is read back in full: its pages, its rows and the constraints between them.
  const copied = safety.viewOnly === null ? await safety.backUp('timed') : null;
  checks.push({
    check: 'backup',
    ok: copied === null || copied.ok,
    found: copied === null || copied.ok ? [] : [copied.error.data.detail],
    count: copied?.ok === true ? copied.value.bytes : 0,
  });
  const { entries, damaged } = await readJournalState(join(folder, JOURNAL));
  checks.push({
    check: 'journal',
    ok: damaged === 0,
    found: damaged === 0 ? [] : [`${damaged} of ${entries + damaged} entries`],
    count: entries,
  });
  const media = await checkMedia(account);
  checks.push({ check: 'media', ok: media.problems.length === 0, found: media.problems, count: media.files });
  if (safety.viewOnly === null) await workspace.setMeta(CHECKED_KEY, JSON.stringify({ at: nowMs, checks }));
  return checks;
}

/** Reads every file of the media library and compares it with its stored hash. */
async function checkMedia({ workspace, library }: ActiveAccount) {
  const problems: string[] = [];
  let files = 0;
  for (const { values } of await workspace.readMedia()) {
    if (values.sha256 === null) continue;
    files++;
    try {
      if ((await sha256OfFile(library.pathOf(values.sha256))) !== values.sha256)
        problems.push(`${values.fileName ?? values.sha256}: damaged`);
    } catch (error) {
      problems.push(`${values.fileName ?? values.sha256}: ${codeOrThrow(error)}`);
    }
  }
  return { files, problems };
}
