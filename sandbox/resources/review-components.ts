import { reviewReasons } from '../messages.ts';
import type { CampaignRow, ReviewComponentRow } from '../rows.ts';
import type { Service } from '../service.ts';

/**
 * What a review covers ("Review"): the video profile, or every SBA profile of the group, and the enabled ad items and
 * keywords that are not approved yet. A decision is written back to the component's own row.
 */
export type ComponentType = 'videoProfile' | 'sbaProfile' | 'adItem' | 'keyword';

export interface Component {
  readonly type: ComponentType;
  readonly id: number;
}

/** Per type: the rows a review takes up, and how its words are written into them. */
const sources: Readonly<
  Record<ComponentType, { readonly find: string; readonly write: string; readonly submit: string }>
> = {
  videoProfile: {
    find: 'SELECT ad_group_media_id AS id FROM ad_group_media WHERE ad_group_id = ? ORDER BY 1',
    submit:
      "UPDATE ad_group_media SET review_status = 'pending', review_reason = NULL WHERE ad_group_media_id = ? AND review_status <> 'approved'",
    write: 'UPDATE ad_group_media SET review_status = ?, review_reason = ? WHERE ad_group_media_id = ?',
  },
  sbaProfile: {
    find: 'SELECT sba_profile_id AS id FROM sba_profile WHERE ad_group_id = ? ORDER BY 1',
    submit:
      "UPDATE sba_profile SET review_status = 'pending', review_reason = NULL WHERE sba_profile_id = ? AND review_reason IS NOT NULL",
    write: 'UPDATE sba_profile SET review_status = ?, review_reason = ? WHERE sba_profile_id = ?',
  },
  adItem: {
    find: "SELECT ad_item_id AS id FROM ad_item WHERE ad_group_id = ? AND status = 'enabled' AND review_status <> 'approved' ORDER BY 1",
    submit: "UPDATE ad_item SET review_status = 'pending', review_reason = NULL WHERE ad_item_id = ?",
    write: 'UPDATE ad_item SET review_status = ?, review_reason = ? WHERE ad_item_id = ?',
  },
  keyword: {
    find: "SELECT keyword_id AS id FROM keyword WHERE ad_group_id = ? AND state = 'enabled' AND status <> 'approved' ORDER BY 1",
    submit: "UPDATE keyword SET status = 'pending', review_reason = NULL WHERE keyword_id = ?",
    write: 'UPDATE keyword SET status = ?, review_reason = ? WHERE keyword_id = ?',
  },
};

export function profileTypeOf(campaign: CampaignRow): ComponentType {
  return campaign.campaign_type === 'video' ? 'videoProfile' : 'sbaProfile';
}

export function findComponents(service: Service, adGroupId: number, type: ComponentType): readonly Component[] {
  return service.store.all<{ id: number }>(sources[type].find, adGroupId).map(({ id }) => ({ type, id }));
}

/** A submitted component is pending, unless it was approved before: it stays in use until the decision. */
export function submitComponent(service: Service, reviewId: number, component: Component): void {
  service.store.run(
    "INSERT INTO review_component (review_id, type, component_id, status) VALUES (?, ?, ?, 'pending')",
    reviewId,
    component.type,
    component.id,
  );
  service.store.run(sources[component.type].submit, component.id);
}

export function decideComponent(
  service: Service,
  reviewId: number,
  component: Component,
  status: 'approved' | 'rejected',
  reason: string | null,
): void {
  const why = status === 'approved' ? null : (reason ?? reviewReasons.unspecified);
  service.store.run(
    'UPDATE review_component SET status = ?, reason = ? WHERE review_id = ? AND type = ? AND component_id = ?',
    status,
    why,
    reviewId,
    component.type,
    component.id,
  );
  // An SBA profile says "complete", and only the reason tells approval from rejection.
  const word = component.type === 'sbaProfile' ? 'complete' : status;
  service.store.run(sources[component.type].write, word, why, component.id);
}

export function listComponents(service: Service, reviewId: number): readonly ReviewComponentRow[] {
  return service.store.all<ReviewComponentRow>(
    'SELECT * FROM review_component WHERE review_id = ? ORDER BY rowid',
    reviewId,
  );
}

export function isComponentType(text: string): text is ComponentType {
  return Object.hasOwn(sources, text);
}
