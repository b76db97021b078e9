/** What takes carried rows marks its element with this and the row id of its campaign. */
export const CAMPAIGN_MARK = 'data-campaign';

/** The campaign of the list that an element belongs to, or null. */
export function campaignAtPointer(element: Element | null): number | null {
  const id = Number(element?.closest(`[${CAMPAIGN_MARK}]`)?.getAttribute(CAMPAIGN_MARK));
  return id > 0 ? id : null;
}
