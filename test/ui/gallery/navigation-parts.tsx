import type { ReactNode } from 'react';
import { CampaignList } from '../../../renderer/screens/navigation/CampaignList.tsx';
import { CampaignParts } from '../../../renderer/screens/navigation/CampaignParts.tsx';
import { Navigation } from '../../../renderer/screens/navigation/Navigation.tsx';
import { WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const TYPES = { video: true, sba: true, sponsoredProducts: true, 'not known': true } as const;
const nav = (part: ReactNode) => <div style={{ width: 232, height: 420, overflow: 'auto' }}>{part}</div>;

/** What stands on the left: lists, campaigns, and what hangs from them. */
export const NAVIGATION_PARTS: readonly Part[] = [
  { name: 'Navigation', states: { lists: nav(staged({}, <Navigation workspaceId={WORKSPACE} />)) } },
  {
    name: 'CampaignList',
    states: {
      closed: nav(staged({}, <CampaignList workspaceId={WORKSPACE} />)),
      'one is open': nav(
        staged(
          { arrange: (s) => s.goTo({ kind: 'campaign', campaignId: 1 }) },
          <CampaignList workspaceId={WORKSPACE} />,
        ),
      ),
    },
  },
  {
    name: 'CampaignParts',
    states: each(TYPES, (campaignType) =>
      nav(staged({}, <CampaignParts workspaceId={WORKSPACE} campaignId={1} campaignType={campaignType} />)),
    ),
  },
];
