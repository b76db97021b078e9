/** Texts of templates for campaigns. */
export const enTemplates = {
  from: 'Begin with',
  empty: 'An empty form',
  like: (campaign: string) => `A copy of ${campaign}`,
  save: 'Save as template…',
  name: 'Name of the template',
  nameHint: 'A template of this name is replaced.',
  saveNow: 'Save',
  saved: (name: string) => `Template ${name} saved.`,
  remove: (name: string) => `Remove template ${name}`,
  removed: (name: string) => `Template ${name} removed.`,
  kept: 'Kept by you',
  starting: 'Starting points',
  starters: {
    video: { name: 'Starter: video', campaign: 'Video [month]' },
    sba: { name: 'Starter: brand banner (SBA)', campaign: 'Brand [month]' },
    auto: { name: 'Starter: automatic', campaign: 'Automatic [month]' },
    manual: { name: 'Starter: manual', campaign: 'Manual [month]' },
  },
  tokens: '[today], [month], [start] and [end] in the name are filled in.',
};
