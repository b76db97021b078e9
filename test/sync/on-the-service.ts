import type { RunningSandbox } from '../../sandbox/start.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import { openAccount, type TestAccount } from './an-account.ts';

/** One thing the service has: what it is, what a person would call it, and its id. */
export interface OnService {
  readonly kind: string;
  readonly campaign: string;
  readonly label: string;
  readonly remoteId: string;
}

/** Everything the service has, read with all extensions into a workspace of its own. */
export async function onTheService(sandbox: RunningSandbox): Promise<readonly OnService[]> {
  const reader = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS });
  const refreshed = await reader.sync.refresh();
  if (!refreshed.ok) throw new Error(`refresh: ${JSON.stringify(refreshed.error)}`);
  const trees = await reader.workspace.readTrees('all');
  await reader.close();
  return trees.flatMap((tree) => {
    const rows: readonly AnyRow[] = [
      tree.campaign,
      ...tree.adGroups,
      ...tree.adItems,
      ...tree.keywords,
      ...tree.sbaProfiles,
      ...tree.videoProfiles,
      ...tree.placementMultipliers,
      ...tree.platformMultipliers,
    ];
    return rows.map((row) => ({
      kind: row.kind,
      campaign: rowLabel(tree.campaign),
      label: rowLabel(row),
      remoteId: String(row.remoteId),
    }));
  });
}

/** What a list holds, counted by kind, campaign and label. */
export function countThings(things: readonly OnService[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, campaign, label } of things) {
    const key = `${kind} ${campaign} / ${label}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Answers every open question the way a careful person would, who looks at the service first. */
export async function answerTruly(account: TestAccount, sandbox: RunningSandbox): Promise<number> {
  const questions = await account.sync.questions();
  if (questions.length === 0) return 0;
  const things = await onTheService(sandbox);
  for (const question of questions) {
    const row = await account.workspace.readRow({ kind: question.kind, id: question.rowId });
    if (row === null) throw new Error('a question about a row that is gone');
    const campaign =
      row.campaignId === null ? null : await account.workspace.readRow({ kind: 'campaign', id: row.campaignId });
    const label = rowLabel(row);
    const found = things.find(
      (one) =>
        one.kind === row.kind && one.label === label && (campaign === null || one.campaign === rowLabel(campaign)),
    );
    const waitMs = question.absentFrom - account.clock.nowMs();
    if (waitMs > 0) await account.clock.sleep(waitMs);
    const answered = await account.sync.answer(
      question.id,
      found === undefined ? 'absent' : { exists: found.remoteId },
    );
    if (!answered.ok) throw new Error(`answer: ${JSON.stringify(answered.error)}`);
  }
  return questions.length;
}
