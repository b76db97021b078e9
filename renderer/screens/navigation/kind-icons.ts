import {
  IconBoxMultiple,
  IconBuildingStore,
  IconDeviceDesktop,
  IconFolder,
  IconKey,
  IconLayoutDashboard,
  IconMovie,
  IconPhoto,
  IconSpeakerphone,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Kind } from '../../../shared/model/kinds.ts';

/** The picture of each kind of row, wherever one is named. */
export const KIND_ICONS: Readonly<Record<Kind, TablerIcon>> = {
  campaign: IconSpeakerphone,
  adGroup: IconFolder,
  adItem: IconBuildingStore,
  keyword: IconKey,
  sbaProfile: IconLayoutDashboard,
  videoProfile: IconMovie,
  placementMultiplier: IconBoxMultiple,
  platformMultiplier: IconDeviceDesktop,
  media: IconPhoto,
};
