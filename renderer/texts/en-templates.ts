/** Texts of templates for campaigns. */
export const enTemplates = {
  from: 'Start from',
  empty: 'Empty form',
  like: (campaign: string) => `Copy of ${campaign}`,
  save: 'Save as template…',
  name: 'Template name',
  nameHint: 'Replaces a template with the same name.',
  saveNow: 'Save',
  saved: (name: string) => `Template ${name} saved.`,
  remove: (name: string) => `Delete template ${name}`,
  removed: (name: string) => `Template ${name} deleted.`,
  kept: 'Your templates',
  starting: 'Built-in templates',
  starters: {
    video: { name: 'Video', campaign: 'Video [month]' },
    sba: { name: 'Search Brand Amplifier (SBA)', campaign: 'Brand [month]' },
    auto: { name: 'Sponsored products, automatic', campaign: 'Automatic [month]' },
    manual: { name: 'Sponsored products, manual', campaign: 'Manual [month]' },
  },
  tokens: 'Tokens you can use in the name: [today], [month], [start], [end]',
};
