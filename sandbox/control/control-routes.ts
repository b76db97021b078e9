import { accountControlRoutes } from './account-control.ts';
import { clockRoutes } from './clock-control.ts';
import { consoleCampaignRoutes } from './console-campaigns.ts';
import { consoleRowRoutes } from './console-rows.ts';
import { faultControlRoutes } from './fault-control.ts';
import { resetRoutes } from './reset-control.ts';
import { reviewControlRoutes } from './review-control.ts';
import type { ControlRoute } from './route.ts';
import { stateRoutes } from './state.ts';
import { wireControlRoutes } from './wire-control.ts';

/** Every call of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...clockRoutes,
  ...reviewControlRoutes,
  ...consoleCampaignRoutes,
  ...consoleRowRoutes,
  ...faultControlRoutes,
  ...accountControlRoutes,
  ...wireControlRoutes,
  ...resetRoutes,
];
