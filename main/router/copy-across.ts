import { type CopyProblem, createCopyAcross } from '../exchange/copy-across.ts';
import { UNWATCHED } from '../long-work.ts';
import type { EditProblem } from '../workspace/port.ts';
import { refuseEdit } from './edit-errors.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { showingWork } from './showing-work.ts';

export const copyAcrossRouter = ({ open, events, grants, prober }: CoreParts) => {
  const copyAcross = createCopyAcross({ grants, prober });
  return {
    preview: os.copyAcross.preview.handler(async ({ input, errors }) => {
      if (input.target === input.workspaceId) throw errors.BAD_TOOL({ data: SAME });
      const from = await opened(open, input.workspaceId, errors);
      const target = await opened(open, input.target, errors);
      const preview = await copyAcross.preview({ from, target, scope: input.scope, to: input.to });
      return preview.ok ? preview.value : refuse(preview.error, errors);
    }),
    apply: os.copyAcross.apply.handler(async ({ input, errors }) => {
      if (input.target === input.workspaceId) throw errors.BAD_TOOL({ data: SAME });
      const from = await opened(open, input.workspaceId, errors);
      const target = await opened(open, input.target, errors);
      const order = { from, target, scope: input.scope, to: input.to };
      const applied = await showingWork(events, input.workspaceId, 'copy', (tellShare) =>
        copyAcross.apply(order, input.label, { ...UNWATCHED, tellShare }),
      );
      return applied.ok ? applied.value : refuse(applied.error, errors);
    }),
  };
};

const SAME = { at: 0, problem: 'The copies are to go into another workspace.' };

type Errors = Omit<Parameters<typeof refuseEdit>[1], 'BAD_VALUE'> & {
  readonly NO_VIEW: (facts: { data: { viewId: number } }) => Error;
  readonly BAD_TOOL: (facts: { data: { at: number; problem: string } }) => Error;
  readonly BAD_FILE: (facts: {
    data: { fileName: string; reason: string; params: Record<string, string | number> };
  }) => Error;
};

function refuse(problem: CopyProblem | EditProblem, errors: Errors): never {
  switch (problem.kind) {
    case 'no-view':
      throw errors.NO_VIEW({ data: { viewId: problem.viewId } });
    case 'bad-tool':
      throw errors.BAD_TOOL({ data: { at: problem.at, problem: problem.problem } });
    case 'unusable-file':
      throw errors.BAD_FILE({
        data: { fileName: problem.fileName, reason: 'cannot-read', params: { code: 'ENOENT' } },
      });
    default:
      return refuseEdit(problem, {
        ...errors,
        // Copies of rows that fit their fields fit them elsewhere too.
        BAD_VALUE: ({ data }) => new Error(`a copied row was refused: ${JSON.stringify(data)}`),
      });
  }
}
