import type { RowRef } from '../../shared/contract/scalars.ts';
import type { Conflict, ConflictChoice } from '../../shared/contract/sync.ts';
import { err, ok } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Workspace } from '../workspace/port.ts';
import { answerQuestion } from './answering.ts';
import type { SyncService } from './port.ts';

interface OpenMattersDeps {
  readonly workspace: Workspace;
  readonly api: PartnerApi;
  readonly epoch: number;
  readonly nowMs: () => number;
}

/** What only the user can settle: questions about lost answers, and disagreements with the service. */
export function createOpenMatters(
  deps: OpenMattersDeps,
): Pick<SyncService, 'questions' | 'answer' | 'conflicts' | 'resolve'> {
  const { workspace, api, epoch, nowMs } = deps;
  const { outbox } = workspace;
  /** Mine: it is new again and goes with the next sync. Theirs: it leaves here as well, which undo brings back as new. */
  const settleGone = async (ref: RowRef, take: ConflictChoice['take']): Promise<boolean> => {
    const released = await outbox.releaseGone(ref);
    if (released === null) return false;
    const deletes = take === 'theirs' ? [ref] : released.deleted;
    if (deletes.length === 0) return true;
    const removed = await workspace.apply({ label: 'Remove what the service has deleted', source: 'user', deletes });
    return removed.ok;
  };
  const settle = async ({ ref, field, theirs }: Conflict, take: ConflictChoice['take']): Promise<boolean> => {
    if (field === null) return settleGone(ref, take);
    await outbox.resolveConflict({ ref, field, value: take === 'theirs' ? theirs : undefined });
    return true;
  };
  return {
    questions: async () =>
      (await outbox.questions()).map((asked) => ({
        id: asked.id,
        kind: asked.kind,
        rowId: asked.rowId,
        what: asked.what,
        sentAt: asked.sentAt,
        correlationId: asked.correlationId,
        absentFrom: asked.absentFrom,
        answers: ['exists', 'absent', 'later'],
      })),
    answer: (questionId, answer) => answerQuestion({ api, outbox, epoch, nowMs }, questionId, answer),
    conflicts: async () =>
      (await outbox.conflicts()).map(({ ref, label, at, field, base, mine, theirs }) => ({
        ref,
        label,
        at,
        field,
        base,
        mine,
        theirs,
      })),
    resolve: async (choices) => {
      const open = new Map((await outbox.conflicts()).map((one) => [keyOf(one), one]));
      let settled = 0;
      for (const choice of choices) {
        const conflict = open.get(keyOf(choice));
        // A field named twice is settled once.
        open.delete(keyOf(choice));
        if (conflict !== undefined && (await settle(conflict, choice.take))) settled += 1;
      }
      const [first] = choices;
      if (settled === 0 && first !== undefined) return err(first.ref);
      return ok({ revision: (await workspace.summary()).revision, settled });
    },
  };
}

const keyOf = ({ ref, field }: Pick<ConflictChoice, 'ref' | 'field'>): string => `${ref.kind} ${ref.id} ${field ?? ''}`;
