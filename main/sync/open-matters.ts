import type { ConflictChoice } from '../../shared/contract/sync.ts';
import { err, ok } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Workspace } from '../workspace/port.ts';
import { answerQuestion } from './answering.ts';
import { settleConflict } from './core/settle-conflict.ts';
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
  const store = { workspace, outbox };
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
        if (conflict !== undefined && (await settleConflict(store, conflict, choice.take, null))) settled += 1;
      }
      const [first] = choices;
      if (settled === 0 && first !== undefined) return err(first.ref);
      return ok({ revision: (await workspace.summary()).revision, settled });
    },
  };
}

const keyOf = ({ ref, field }: Pick<ConflictChoice, 'ref' | 'field'>): string => `${ref.kind} ${ref.id} ${field ?? ''}`;
