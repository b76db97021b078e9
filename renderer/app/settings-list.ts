/** The groups of the settings page. The account group is titled with the account's name there. */
export const groupTexts = { computer: 'This computer', account: 'Accounts', data: 'Data' } as const;

/** The sections of each group, in the order of the page. */
export const SECTIONS = {
  computer: ['appearance', 'formats', 'notifications', 'shortcuts'],
  account: ['sync-mode', 'conflicts', 'rules', 'watched-folder', 'team', 'credentials', 'deployment', 'practice'],
  data: ['data-safety', 'backups', 'storage', 'campaign-ids', 'item-ids', 'refresh', 'about'],
} as const satisfies Readonly<Record<keyof typeof groupTexts, readonly string[]>>;

export type SettingsGroup = keyof typeof SECTIONS;
export type SettingsSection = (typeof SECTIONS)[SettingsGroup][number];

/** Name and one-sentence description of each section of the settings page. */
export const sectionTexts: Readonly<Record<SettingsSection, readonly [name: string, text: string]>> = {
  appearance: ['Appearance', 'Changes apply immediately and stay on this computer.'],
  formats: ['Numbers and dates', 'How numbers and dates are shown and typed.'],
  notifications: ['Notifications', 'When the system may show a pop-up.'],
  shortcuts: ['Shortcuts', 'The keys of every command.'],
  'sync-mode': ['Sync mode', 'How this account may send changes.'],
  conflicts: ['Conflicts', 'Which value counts when a field was changed here and on the service.'],
  rules: ['Custom rules', 'Your own rules, checked with every edit.'],
  'watched-folder': ['Watched folder', 'Files from your agency, attached to drafts by their names.'],
  team: ['Team', 'Who edits this account with you, and where edits are shared.'],
  credentials: ['Credentials', 'How the key and token of each connected account are stored.'],
  deployment: ['Deployment settings', 'Limits and waiting times of your deployment, and what its service offers.'],
  practice: ['Practice clock', 'The time and the reviews of the practice account.'],
  'data-safety': ['Data safety', 'Stored data, and the proof that nothing is lost.'],
  backups: ['Backups', 'Copies of this account, and how to go back to one.'],
  storage: ['Response log', 'How many responses of the service are stored.'],
  'campaign-ids': ['Campaign IDs', 'The IDs of this account, and campaigns you add by ID.'],
  'item-ids': ['Repair item IDs', 'Item IDs that are damaged or in the old format.'],
  refresh: ['Outdated campaigns', 'Campaigns to read from the service again.'],
  about: ['About Adslate', 'Versions, diagnostics and licenses.'],
};

/** Name and description of settings that have their own control on the page, by section. */
export const settingTexts = {
  theme: ['Colors', 'Light, dark, or the same as your system.'],
  density: ['Rows', 'Height of the rows in every grid.'],
  pictures: ['Item pictures', 'Next to items and campaigns in grids and lists.'],
  'metric-colors': ['Color metrics', 'ROAS below target in orange, above target in blue.'],
  motion: ['Motion', 'Short transitions. Follows the system setting.'],
  format: ['Number and date format', 'Words stay in English. Files always use 1234.56 and 2030-05-04.'],
  'alert-notices': [
    'Alerts',
    'A notification when new metrics show that something is wrong, once a day for each cause.',
  ],
  'quiet-hours': ['Quiet hours', 'No pop-up notifications during these hours. The inbox still lists everything.'],
  'idle-lock': [
    'Lock credentials when idle',
    'After this time without a key or a click. Needs storage with a passphrase.',
  ],
  keys: ['Keyboard shortcuts', 'Every shortcut in one list. You can change and print them.'],
  capabilities: ['Requests the service offers', 'Extensions are requests that the documentation does not name.'],
  'response-limit': ['Storage limit (MB)', 'Enter 0 to store none. A lower limit deletes older responses immediately.'],
  'sign-out': ['Sign out everywhere', 'Signs out this window and all others. You need a new link to sign in again.'],
} as const;

export type SettingId = keyof typeof settingTexts;

const SECTION_OF: Readonly<Record<SettingId, SettingsSection>> = {
  theme: 'appearance',
  density: 'appearance',
  pictures: 'appearance',
  'metric-colors': 'appearance',
  motion: 'appearance',
  format: 'formats',
  'alert-notices': 'notifications',
  'quiet-hours': 'notifications',
  'idle-lock': 'credentials',
  keys: 'shortcuts',
  capabilities: 'deployment',
  'response-limit': 'storage',
  'sign-out': 'about',
};

/** Names of deployment values, by their key in the text form. */
export const deploymentTexts: Readonly<Record<string, string>> = {
  'rate.opsPerHour': 'Changes per hour',
  'rate.defaultWaitSeconds': 'Default wait when the service is busy (seconds)',
  'batch.max': 'Changes per request',
  'batch.keywords': 'Keywords per request',
  'review.pollMinutes': 'Time between review checks (minutes)',
  'review.days': 'Review time (days)',
  'media.processingMinutes': 'Video processing time (minutes)',
  'media.urlMinutes': 'Upload link lifetime (minutes)',
  'snapshot.ttlHours': 'Report availability (hours)',
  'report.attributionWindow': 'Attribution window of reports',
  'report.format': 'Report format',
  'report.types': 'Additional report types (separated by commas)',
  'report.daysMax': 'Maximum report length (days)',
  'report.historyDays': 'Metrics history of the service (days)',
  'report.readyHour': "Hour when yesterday's metrics are available (0–23, business time zone)",
  'campaign.uniqueName': 'Campaign names must be unique',
  'campaign.adGroupsMax': 'Maximum ad groups per campaign',
  'adItems.max': 'Maximum items per ad group',
  'adItems.max.sponsoredProducts': 'Maximum items in sponsored products campaigns (empty: as above)',
  'adItems.max.sba': 'Maximum items in SBA campaigns (empty: as above)',
  'adItems.max.video': 'Maximum items in video campaigns (empty: as above)',
  'adItems.min': 'Minimum items per ad group',
  'adItems.recommended': 'Recommended items per ad group',
  'keywords.maxDistinctEnabled': 'Maximum enabled keywords per ad group',
  'keywords.maxMatchTypes': 'Maximum match types per keyword',
  'keywords.textMax': 'Maximum keyword length (characters)',
  'sba.maxProfiles': 'Maximum SBA profiles per campaign',
  'sba.brandMax': 'Maximum brand name length (characters)',
  'sba.headlineMax': 'Maximum headline length (characters)',
  'sba.singleEnabled': 'Only one SBA profile can be enabled',
  'sba.clickUrlEncoding': 'Encoding of click URLs',
  'logo.pixels': 'Logo size (width x height in pixels)',
  'logo.contentMaxKb': 'Maximum logo size for review (KB)',
  'logo.uploadMaxKb': 'Maximum logo size for upload (KB)',
  'media.seconds': 'Video length (seconds)',
  'media.maxMb': 'Maximum video size (MB)',
  'media.nameMax': 'Maximum media name length (characters)',
  'bid.floor.videoKeyword': 'Minimum bid for video keywords (USD)',
  'bid.floor.item': 'Minimum bid for items (USD, leave empty if unknown)',
  'bid.max': 'Warn about bids above (USD)',
  'multiplier.min': 'Minimum multiplier (%)',
  'multiplier.max': 'Maximum multiplier (%)',
  'multiplier.placements.auto': 'Placements for automatic campaigns (separated by commas)',
  'multiplier.placements.manual': 'Placements for manual campaigns (separated by commas)',
  'multiplier.platforms': 'Platforms (separated by commas)',
  'multiplier.platformMember': 'Field name of the platform in updates',
  'wire.dialect': 'Request format',
  'signature.timestampUnit': 'Signature time unit',
  'signature.algorithm': 'Signature algorithm',
  'business.zone': 'Business time zone',
  'migration.cutover': 'Item ID migration date (YYYY-MM-DD)',
  'upload.hosts': 'Additional upload hosts (separated by commas)',
  'picture.hosts': 'Additional image hosts (separated by commas)',
};

const BY_SERVICE = ['', 'Decided by the service'] as const;

/** Names of the possible values of deployment settings. */
export const deploymentChoices: Readonly<Record<string, readonly (readonly [word: string, name: string])[]>> = {
  'report.attributionWindow': [BY_SERVICE, ['days3', '3 days'], ['days14', '14 days'], ['days30', '30 days']],
  'report.format': [BY_SERVICE, ['json', 'JSON'], ['csv', 'CSV'], ['gzip', 'gzip'], ['zip', 'ZIP']],
  'sba.clickUrlEncoding': [
    ['document', 'As documented'],
    ['as-typed', 'As typed'],
  ],
  'wire.dialect': [
    ['seed', 'As documented'],
    ['family', 'As in related ad services'],
  ],
  'multiplier.platformMember': [
    ['platformType', 'platformType'],
    ['placementType', 'placementType'],
  ],
  'signature.timestampUnit': [
    ['ms', 'Milliseconds'],
    ['s', 'Seconds'],
  ],
  'signature.algorithm': [
    ['RS256', 'RS256'],
    ['RS512', 'RS512'],
    ['PS256', 'PS256'],
  ],
};

/** Sections without a command that opens them. */
const WITHOUT_COMMAND = ['appearance', 'formats', 'notifications', 'sync-mode', 'conflicts', 'storage'] as const;

export interface Setting {
  /** Null for a whole section. */
  readonly id: string | null;
  readonly section: SettingsSection;
  readonly name: string;
  readonly text: string;
}

const wholeSection = (section: SettingsSection): Setting => {
  const [name, text] = sectionTexts[section];
  return { id: null, section, name, text };
};

const SINGLE: readonly Setting[] = [
  ...(Object.keys(SECTION_OF) as SettingId[]).map((id) => {
    const [name, text] = settingTexts[id];
    return { id, section: SECTION_OF[id], name, text };
  }),
  ...Object.entries(deploymentTexts).map(([id, name]) => ({
    id,
    section: 'deployment' as const,
    name,
    text: sectionTexts.deployment[0],
  })),
];

/** The settings that the palette lists beside the commands. */
export const SETTINGS: readonly Setting[] = [...WITHOUT_COMMAND.map(wholeSection), ...SINGLE];

/** What the search of the page can find: sections in the order of the page, then single settings. */
export const FINDABLE: readonly Setting[] = [...Object.values(SECTIONS).flat().map(wholeSection), ...SINGLE];

/** Whether a section is shown: the practice clock in practice accounts, sections about an account only with one. */
export const isOffered = (section: SettingsSection, account: { readonly practice: boolean } | null): boolean =>
  (WITHOUT_ACCOUNT.has(section) || account !== null) && (section !== 'practice' || account?.practice === true);

const WITHOUT_ACCOUNT: ReadonlySet<SettingsSection> = new Set([...SECTIONS.computer, 'credentials', 'about']);
