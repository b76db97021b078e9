/** Lists of the window by their names, with where they are: the entry of the sidebar, and the tab where it has several. */
const TABS: Readonly<Record<string, readonly [entry: string, tab: string]>> = {
  Campaigns: ['All campaigns', 'Campaigns'],
  'Ad items': ['All campaigns', 'Items'],
  Keywords: ['All campaigns', 'Keywords'],
  'Ad groups': ['All campaigns', 'Ad groups'],
  'Placement multipliers': ['Bid multipliers', 'Placement'],
  'Platform multipliers': ['Bid multipliers', 'Platform'],
};

export const placeOfList = (name: string): readonly [entry: string, tab: string | null] =>
  name === 'Media' ? ['Media library', null] : (TABS[name] ?? [name, null]);
