import { findCampaign } from '../lookups.ts';
import { startReview } from '../resources/reviews.ts';
import type { Service } from '../service.ts';
import {
  buildCampaign,
  buildItems,
  buildKeywords,
  buildMedia,
  buildSbaProfile,
  buildVideoProfile,
  type CampaignPlan,
} from './build.ts';

/** One campaign for each situation that the rules of the document speak about. */
export function buildConformance(service: Service): void {
  const campaign = (plan: Omit<CampaignPlan, 'advertiserId' | 'dailyCents'>) =>
    buildCampaign(service, { advertiserId: 900001, dailyCents: 7_500, ...plan });
  const words = ['paper towel', 'kitchen roll', 'storage box'];

  campaign({ name: 'C-sba', type: 'sba', status: 'proposal' });

  const live = campaign({ name: 'C-sba-live', type: 'sba', status: 'live' });
  buildSbaProfile(service, live, 'Northwind', 'enabled', 'approved');
  buildSbaProfile(service, live, 'Northwind Home', 'disabled', 'approved');
  buildItems(service, live, 0, 3, 'approved');
  buildKeywords(service, live, words, 165, 'approved');

  const paused = campaign({ name: 'C-sba-paused', type: 'sba', status: 'paused' });
  buildSbaProfile(service, paused, 'Northwind', 'enabled', 'approved');
  buildItems(service, paused, 3, 3, 'approved');
  buildKeywords(service, paused, words, 165, 'approved');

  const reviewed = campaign({ name: 'C-sba-review', type: 'sba', status: 'proposal' });
  buildSbaProfile(service, reviewed, 'Northwind', 'enabled', 'pending');
  buildItems(service, reviewed, 6, 3, 'pending');
  buildKeywords(service, reviewed, words, 165, 'pending');
  const reviewedRow = findCampaign(service, reviewed.campaignId);
  if (reviewedRow !== undefined) startReview(service, reviewedRow, reviewed.adGroupId);

  campaign({ name: 'C-auto', type: 'sponsoredProducts', targeting: 'auto', status: 'live' });
  campaign({ name: 'C-man', type: 'sponsoredProducts', targeting: 'manual', status: 'live' });
  campaign({ name: 'C-vid', type: 'video', status: 'proposal' });

  const videoLive = campaign({ name: 'C-vid-live', type: 'video', status: 'live' });
  buildVideoProfile(service, videoLive, buildMedia(service, 900001, 'Kitchen in use'), 'approved');
  buildItems(service, videoLive, 9, 3, 'approved');
  buildKeywords(service, videoLive, words, 165, 'approved');

  buildMedia(service, 900001, 'Ready to attach');
  buildCampaign(service, {
    advertiserId: 900002,
    name: 'L-man',
    type: 'sponsoredProducts',
    status: 'live',
    dailyCents: 7_500,
  });
}
