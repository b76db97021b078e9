import { adGroupRoutes } from './resources/ad-groups.ts';
import { adItemRoutes } from './resources/ad-items.ts';
import { campaignRoutes } from './resources/campaigns.ts';
import { itemSearchRoutes } from './resources/item-search.ts';
import { keywordRoutes } from './resources/keywords.ts';
import { adGroupMediaRoutes, mediaRoutes } from './resources/media.ts';
import { multiplierRoutes } from './resources/multipliers.ts';
import { reportRoutes } from './resources/reports.ts';
import { reviewRoutes } from './resources/reviews.ts';
import { sbaCreateRoutes, sbaLogoRoutes, sbaUpdateRoutes } from './resources/sba-create.ts';
import type { Route } from './wire/route.ts';

/** Every call of the partner API, documented ones and extensions. */
export const apiRoutes: readonly Route[] = [
  ...campaignRoutes,
  ...adGroupRoutes,
  ...itemSearchRoutes,
  ...adItemRoutes,
  ...keywordRoutes,
  ...mediaRoutes,
  ...adGroupMediaRoutes,
  ...sbaCreateRoutes,
  ...sbaUpdateRoutes,
  ...sbaLogoRoutes,
  ...multiplierRoutes,
  ...reviewRoutes,
  ...reportRoutes,
];
