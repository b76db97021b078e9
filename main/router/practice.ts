import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { OpenAccounts } from '../open-accounts.ts';
import type { PracticeControl } from '../practice/practice-control.ts';
import { type OpeningErrors, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

interface PracticeErrors extends OpeningErrors {
  readonly NOT_PRACTICE: (facts: { data: Record<string, never> }) => Error;
  readonly UNREACHABLE: (facts: { data: { detail: string } }) => Error;
}

export const practiceRouter = ({ open }: CoreParts) => ({
  state: os.practice.state.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.state();
    if (!state.ok) throw errors.UNREACHABLE({ data: { detail: state.error.detail } });
    return state.value;
  }),
  advance: os.practice.advance.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.advance(input.duration);
    if (!state.ok) throw errors.UNREACHABLE({ data: { detail: state.error.detail } });
    return state.value;
  }),
  decide: os.practice.decide.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.decide(input.reviewId, input.verdict);
    if (!state.ok) throw errors.UNREACHABLE({ data: { detail: state.error.detail } });
    return state.value;
  }),
});

async function controlOf(
  open: OpenAccounts,
  workspaceId: WorkspaceId,
  errors: PracticeErrors,
): Promise<PracticeControl> {
  const account = await opened(open, workspaceId, errors);
  if (account.practice === null) throw errors.NOT_PRACTICE({ data: {} });
  const control = await account.practice.control();
  if (!control.ok) throw errors.UNREACHABLE({ data: { detail: control.error.detail } });
  return control.value;
}
