import { endDueCampaign, settleDueCampaign, startDueCampaign } from './campaign-states.ts';
import { type DueHandlers, settleDue } from './due.ts';
import { approveDueProducts } from './resources/item-search.ts';
import { finishMedia, processMedia } from './resources/media.ts';
import { finishSnapshot, processSnapshot } from './resources/reports.ts';
import { beginDueReview, decideDueReview } from './resources/reviews.ts';
import { migrateEveryone } from './scenarios/catalogue.ts';
import type { Service } from './service.ts';

/** The handlers of all due events. */
const handlers: DueHandlers = {
  'campaign.settle': settleDueCampaign,
  'campaign.start': startDueCampaign,
  'campaign.end': endDueCampaign,
  'media.process': processMedia,
  'media.finish': finishMedia,
  'review.begin': beginDueReview,
  'review.decide': decideDueReview,
  'product.approve': approveDueProducts,
  'snapshot.process': processSnapshot,
  'snapshot.finish': finishSnapshot,
  'migration.cutover': migrateEveryone,
};

/** Handles the events that are due now. */
export function tick(service: Service): void {
  settleDue(service, handlers);
}
