import type { RowRef } from '../../shared/contract/scalars.ts';
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
  const settleGone = async (ref: RowRef, take: 'mine' | 'theirs'): ReturnType<SyncService['resolve']> => {
    const released = await outbox.releaseGone(ref);
    if (released === null) return err('no-row');
    const deletes = take === 'theirs' ? [ref] : released.deleted;
    if (deletes.length > 0) {
      const removed = await workspace.apply({ label: 'Remove what the service has deleted', source: 'user', deletes });
      if (!removed.ok) return err('no-row');
    }
    return ok({ revision: (await workspace.summary()).revision });
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
      (await outbox.conflicts()).map(({ ref, label, field, base, mine, theirs }) => ({
        ref,
        label,
        field,
        base,
        mine,
        theirs,
      })),
    resolve: async (ref, field, take) => {
      const found = (await outbox.conflicts()).find(
        (one) => one.ref.kind === ref.kind && one.ref.id === ref.id && one.field === field,
      );
      if (found === undefined) return err('no-row');
      if (field === null) return settleGone(ref, take);
      await outbox.resolveConflict({ ref, field, value: take === 'theirs' ? found.theirs : undefined });
      return ok({ revision: (await workspace.summary()).revision });
    },
  };
}
