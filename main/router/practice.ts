import type { ServiceAnswered } from '../../shared/explain/service-answered.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { OpenAccounts } from '../open-accounts.ts';
import type { PracticeControl } from '../practice/practice-control.ts';
import type { PracticeUnavailable } from '../practice/practice-service.ts';
import { type OpeningErrors, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

interface PracticeErrors extends OpeningErrors {
  readonly NOT_PRACTICE: (facts: { data: Record<string, never> }) => Error;
  readonly UNREACHABLE: (facts: { data: { detail: string } }) => Error;
  readonly SERVICE_ANSWERED: (facts: { data: ServiceAnswered }) => Error;
}

export const practiceRouter = ({ open }: CoreParts) => ({
  state: os.practice.state.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.state();
    if (!state.ok) throw answeredOrNot(state.error, errors);
    return state.value;
  }),
  advance: os.practice.advance.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.advance(input.duration);
    if (!state.ok) throw answeredOrNot(state.error, errors);
    (await opened(open, input.workspaceId, errors)).reports.jobs.lookSoon();
    return state.value;
  }),
  decide: os.practice.decide.handler(async ({ input, errors }) => {
    const control = await controlOf(open, input.workspaceId, errors);
    const state = await control.decide(input.reviewId, input.verdict);
    if (!state.ok) throw answeredOrNot(state.error, errors);
    return state.value;
  }),
});

/** The service of a practice account lies on our own disk: what that does not let it do has nothing to do with a network. */
export function practiceRefusal(
  { disk, detail }: PracticeUnavailable,
  errors: Pick<PracticeErrors, 'NOT_WRITABLE' | 'UNREACHABLE'>,
): Error {
  return disk === null
    ? errors.UNREACHABLE({ data: { detail } })
    : errors.NOT_WRITABLE({ data: { why: disk, detail } });
}

/** A refusal in words is an answer, and no sign that nobody is there. */
function answeredOrNot(error: PracticeUnavailable, errors: PracticeErrors): Error {
  const { refusedWith: status = null, detail } = error;
  return status === null
    ? practiceRefusal(error, errors)
    : errors.SERVICE_ANSWERED({ data: { status, call: '', detail, retryAt: null } });
}

async function controlOf(
  open: OpenAccounts,
  workspaceId: WorkspaceId,
  errors: PracticeErrors,
): Promise<PracticeControl> {
  const account = await opened(open, workspaceId, errors);
  if (account.practice === null) throw errors.NOT_PRACTICE({ data: {} });
  const control = await account.practice.control();
  if (!control.ok) throw practiceRefusal(control.error, errors);
  return control.value;
}
