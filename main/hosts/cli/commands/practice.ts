import type { PracticeState } from '../../../../shared/api/app.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';

const DURATION = /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/;

const clock: Command = {
  name: 'practice clock',
  takes: '[DURATION]',
  summary: 'Shows the practice clock, or moves it ahead by an ISO 8601 duration such as PT30M or P3D.',
  options: {},
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const duration = context.positionals[0]?.toUpperCase() ?? null;
    if (duration !== null && !DURATION.test(duration)) {
      throw usageError(`"${duration}" is no duration. Write PT30M for 30 minutes, PT12H for 12 hours, P3D for 3 days.`);
    }
    const workspaceId = await context.workspaceId();
    const { practice } = await context.client();
    show(
      context,
      duration === null ? await practice.state({ workspaceId }) : await practice.advance({ workspaceId, duration }),
    );
    return EXIT_CODE.done;
  },
};

const decide: Command = {
  name: 'practice decide',
  takes: '[REVIEW_ID] approved|rejected',
  summary: 'Decides an open practice review now; without an id, all open ones.',
  options: {},
  positionals: { min: 1, max: 2 },
  run: async (context) => {
    const [first = '', second] = context.positionals;
    const verdict = second ?? first;
    if (verdict !== 'approved' && verdict !== 'rejected') throw usageError('A verdict is approved or rejected.');
    const workspaceId = await context.workspaceId();
    const { practice } = await context.client();
    const open = (await practice.state({ workspaceId })).openReviews.map(({ reviewId }) => reviewId);
    if (second !== undefined && !open.includes(first)) throw usageError(`There is no open review ${first}.`);
    for (const reviewId of second === undefined ? open : [first]) {
      await practice.decide({ workspaceId, reviewId, verdict });
    }
    show(context, await practice.state({ workspaceId }));
    return EXIT_CODE.done;
  },
};

function show({ output }: Context, state: PracticeState): void {
  output.say(`The practice clock shows ${state.now}.`);
  for (const review of state.openReviews)
    output.say(`Review ${review.reviewId} of "${review.campaign}": ${review.status}`);
  output.result(state);
}

export const practiceCommands: readonly Command[] = [clock, decide];
