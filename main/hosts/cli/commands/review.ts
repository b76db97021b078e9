import type { Review } from '../../../../shared/api/reviews.ts';
import type { RowId } from '../../../../shared/model/scalars.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted } from '../output.ts';
import { CAMPAIGN_OPTION, campaignIdsOf } from '../sync-options.ts';
import { finished, showReport } from './sync.ts';

const submit: Command = {
  name: 'review submit',
  takes: '[--campaign NAME]',
  summary: 'Asks for the review of video and brand campaigns that are on the service.',
  options: CAMPAIGN_OPTION,
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const chosen = await campaignIdsOf(context);
    const campaignIds = chosen ?? (await reviewable(context));
    if (campaignIds.length === 0) throw usageError('No campaign can be submitted. Send it with "adslate sync" first.');
    const client = await context.client();
    await client.review.submit({ workspaceId: await context.workspaceId(), campaignIds });
    const report = await finished(context);
    await showReport(context, report);
    if (report.stoppedBy?.cause === 'unreachable') return EXIT_CODE.unreachable;
    if (report.questions + report.inDoubt > 0) return EXIT_CODE.needsUser;
    return report.refused.length + report.failedUploads.length > 0 || report.stoppedBy !== null
      ? EXIT_CODE.refused
      : EXIT_CODE.done;
  },
};

const cancel: Command = {
  name: 'review cancel',
  takes: '--campaign NAME',
  summary: 'Cancels the open review of a campaign, so that items and keywords can be added again.',
  options: CAMPAIGN_OPTION,
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const campaignIds = await campaignIdsOf(context);
    if (campaignIds === null) throw usageError('Say which one: adslate review cancel --campaign NAME.');
    const client = await context.client();
    await client.review.cancel({ workspaceId: await context.workspaceId(), campaignIds });
    const report = await finished(context);
    await showReport(context, report);
    return report.refused.length > 0 || report.stoppedBy !== null ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

const status: Command = {
  name: 'review status',
  takes: '',
  summary: 'Asks the service how the reviews stand, component by component.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const client = await context.client();
    const reviews = await client.review.poll({ workspaceId: await context.workspaceId() });
    for (const review of reviews)
      context.output.say(`${review.campaign}: ${review.status} (${componentsText(review)})`);
    if (reviews.length === 0) context.output.say('No reviews.');
    context.output.result({
      reviews: reviews.map(({ campaign, reviewId, status: state, components }) => ({
        campaign,
        reviewId,
        status: state,
        components,
      })),
    });
    return reviews.some((review) => review.components.some((part) => part.status === 'rejected'))
      ? EXIT_CODE.refused
      : EXIT_CODE.done;
  },
};

function componentsText({ components }: Review): string {
  const counts = Map.groupBy(components, (component) => component.status);
  const parts = [...counts].map(([state, all]) => `${all.length} ${state}`);
  const reasons = components.flatMap(({ type, reason }) => (reason === null ? [] : [`${type}: ${reason}`]));
  return [counted(components.length, 'component'), ...parts, ...reasons].join('; ');
}

/** Brand and video campaigns that the service knows and that are not under review already. */
async function reviewable(context: Context): Promise<RowId[]> {
  const { workspace } = await context.account();
  const trees = await workspace.readTrees('all');
  return trees
    .filter(({ campaign, adGroups }) => {
      const open = adGroups.some(
        ({ values }) => values.reviewStatus === 'pending' || values.reviewStatus === 'in-progress',
      );
      return campaign.remoteId !== null && campaign.values.campaignType !== 'sponsoredProducts' && !open;
    })
    .map(({ campaign }) => campaign.id);
}

export const reviewCommands: readonly Command[] = [submit, status, cancel];
