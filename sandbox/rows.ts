import type { Role } from './access.ts';
import type { CampaignStatus } from './states.ts';

/** The rows of the store as the resources read them. Type aliases, not interfaces: only they fit a `Row`. */
export type CampaignType = 'sponsoredProducts' | 'sba' | 'video';

export type AdvertiserRow = { advertiser_id: number; name: string; migrated: number };

export type PrincipalRow = {
  consumer_id: string;
  advertiser_id: number;
  role: Role;
  token: string;
  key_version: string;
  public_key: string;
  private_key: string;
};

export type CampaignRow = {
  campaign_id: number;
  advertiser_id: number;
  name: string;
  campaign_type: CampaignType;
  targeting_type: 'auto' | 'manual';
  budget: number | null;
  daily_budget: number | null;
  start_date: string;
  end_date: string;
  status: CampaignStatus;
  was_live: number;
};

export type AdGroupRow = { ad_group_id: number; campaign_id: number; name: string; status: string };

export type ItemRow = {
  item_key: number;
  legacy_id: string;
  us_id: string;
  advertiser_id: number;
  base_item_key: number | null;
  name: string;
  suggested_bid: number;
  published: number;
  readable: number;
};

export type AdItemRow = {
  ad_item_id: number;
  campaign_id: number;
  ad_group_id: number;
  item_key: number;
  bid: number;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type KeywordRow = {
  keyword_id: number;
  campaign_id: number;
  ad_group_id: number;
  keyword_text: string;
  same_text: string;
  match_type: string;
  bid: number;
  state: string;
  status: string;
  review_reason: string | null;
};

export type MediaUploadRow = {
  upload_id: number;
  advertiser_id: number;
  media_type: string;
  expires_ms: number;
  secret: string;
  has_video: number;
  has_caption: number;
  /** What is wrong with the uploaded file; empty when it is in order. */
  video_verdict: string;
  caption_verdict: string;
  length_ms: number | null;
  completed: number;
};

export type MediaRow = {
  media_id: number;
  advertiser_id: number;
  upload_id: number;
  name: string;
  status: string;
  details: string;
  /** What processing will find, judged from the uploaded files; empty when they are in order. */
  verdict: string;
  length_ms: number | null;
  has_caption: number;
};

export type AdGroupMediaRow = {
  ad_group_media_id: number;
  campaign_id: number;
  ad_group_id: number;
  media_id: number;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type SbaProfileRow = {
  sba_profile_id: number;
  campaign_id: number;
  ad_group_id: number;
  search_amp_name: string;
  headline_text: string;
  click_url: string;
  logo_url: string;
  status: string;
  review_status: string;
  review_reason: string | null;
};

export type MultiplierRow = {
  multiplier_id: number;
  kind: string;
  campaign_id: number;
  type: string;
  multiplier: number;
};

type ReviewStatus = 'pending' | 'in-progress' | 'cancelled' | 'approved' | 'rejected';
export type ReviewRow = {
  review_id: number;
  campaign_id: number;
  ad_group_id: number;
  status: ReviewStatus;
  created_ms: number;
};

export type ReviewComponentRow = {
  review_id: number;
  type: string;
  component_id: number;
  status: string;
  reason: string | null;
};
