export const campaignIdsTexts = {
  id: 'ID',
  name: 'Name',
  kind: 'Kind',
  kinds: { campaign: 'Campaign', adGroup: 'Ad group' },
  looking: 'Loading…',
} as const;
