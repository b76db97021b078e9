import { WINDOW_MAX } from '../../shared/api/limits.ts';

/** What the calls refer to: rows and grants that the set-up has made. */
export interface Facts {
  readonly workspaceId: string;
  readonly campaign: number;
  readonly logo: number;
  readonly viewId: number;
  readonly mediaGrant: string;
  readonly sheetGrant: string;
  /** Different for every line, where an answer can be given only once. */
  readonly line: string;
}

/**
 * A call of one operation. One that only looks is answered the same, byte for byte, over every line; the others give an
 * answer of the same form.
 */
interface Call {
  readonly path: string;
  readonly looks: boolean;
  input(facts: Facts): unknown;
}
export const look = (path: string, input: Call['input'] = () => undefined): Call => ({ path, looks: true, input });
export const act = (path: string, input: Call['input']): Call => ({ path, looks: false, input });

/** What else than the account is asked. */
type More = object | ((facts: Facts) => object);
const inside =
  (more: More): Call['input'] =>
  (facts) => ({ workspaceId: facts.workspaceId, ...(typeof more === 'function' ? more(facts) : more) });
const lookIn = (path: string, more: More = {}): Call => look(path, inside(more));
const actIn = (path: string, more: More = {}): Call => act(path, inside(more));

/** A grant that nobody was given. */
const NOWHERE = 'f'.repeat(32);

/** The program itself, accounts and their secrets, what happened in them, and their backups. */
const CALLS_OF_ACCOUNTS: readonly Call[] = [
  look('app.info'),
  act('app.support', () => undefined),
  look('app.about'),
  look('app.update.get'),
  look('app.update.check'),
  look('app.update.restart'),
  look('app.preferences.get'),
  act('app.preferences.set', () => ({ colorScheme: 'dark' })),
  look('accounts.list'),
  act('accounts.addPractice', () => ({ name: 'Main shop' })),
  // Refused: one that is added costs a second of CPU.
  act('accounts.addSample', () => ({ name: 'Main shop' })),
  act('accounts.connect', () => ({
    name: 'Real shop',
    baseUrl: 'https://api.invalid',
    advertiserId: '7',
    consumerId: 'c',
    keyVersion: '1',
    retailHost: 'www.example.com',
    keyGrant: NOWHERE,
    tokenGrant: NOWHERE,
  })),
  actIn('accounts.rename', (facts) => ({ name: `Shop of the ${facts.line}` })),
  actIn('accounts.setMode', { mode: 'normal' }),
  lookIn('accounts.profile'),
  lookIn('accounts.capabilities'),
  actIn('accounts.probeCapabilities'),
  actIn('accounts.setCapability', { name: 'keywordRead', use: null }),
  lookIn('afterReview.list'),
  actIn('accounts.setProfile', { text: 'no.such.key=1' }),
  act('accounts.remove', () => ({ workspaceId: 'nobody' })),
  look('credentials.status'),
  act('credentials.setStorage', () => ({ storage: 'memory' })),
  act('credentials.setStorage', () => ({ storage: 'passphrase', passphrase: 'short' })),
  act('credentials.unlock', () => ({ passphrase: 'not locked at all' })),
  act('credentials.lock', () => undefined),
  act('credentials.remove', () => ({ workspaceId: 'nobody' })),
  actIn('accountStatus.get'),
  actIn('rules.check'),
  lookIn('notifications.list'),
  actIn('notifications.clear'),
  actIn('rules.mute', { rule: 'sba.headline-capitals', muted: true }),
  lookIn('rules.muted'),
  lookIn('checklist.get'),
  actIn('checklist.seeOverview'),
  actIn('checklist.setClosed', { closed: true }),
  actIn('backups.safety'),
  actIn('backups.check'),
  lookIn('backups.list'),
  lookIn('backups.condition'),
  actIn('backups.make'),
  actIn('backups.preview', { backupId: 'nothing' }),
  actIn('backups.restore', { backupId: 'nothing' }),
  act('backups.recover', () => ({ workspaceId: 'nobody' })),
  actIn('backups.settle', { this: 'moved' }),
];

const view = { kind: 'campaign' };
const ownRule = {
  id: 'dear',
  name: 'Dear keywords',
  kind: 'keyword',
  severity: 'warning',
  query: 'bid>5',
  enabled: true,
};

/** What is drafted: rows, tools over many of them, views, notes, history, own rules and templates. */
const CALLS_OF_ROWS: readonly Call[] = [
  lookIn('workspace.summary'),
  actIn('workspace.openView', { view }),
  lookIn('workspace.openView', { view: { ...view, filter: '"open' } }),
  lookIn('workspace.readWindow', (facts) => ({ viewId: facts.viewId, from: 0, count: WINDOW_MAX })),
  actIn('workspace.closeView', { viewId: 12_345 }),
  lookIn('workspace.row', (facts) => ({ ref: { kind: 'campaign', id: facts.campaign } })),
  lookIn('workspace.row', { ref: { kind: 'campaign', id: 99_999 } }),
  lookIn('workspace.rowIssues', (facts) => ({ kind: 'campaign', ids: [facts.campaign, 99_999] })),
  actIn('workspace.edit', (facts) => ({
    label: 'Rename',
    changes: [{ kind: 'campaign', id: facts.campaign, field: 'name', value: `Autumn by ${facts.line}` }],
  })),
  actIn('workspace.edit', (facts) => ({
    label: 'Nonsense',
    changes: [{ kind: 'campaign', id: facts.campaign, field: 'colour', value: 'red' }],
  })),
  actIn('workspace.create', { label: 'New', rows: [{ kind: 'campaign', parent: null, values: { name: 'B' } }] }),
  actIn('workspace.undo'),
  actIn('workspace.redo'),
  actIn('workspace.undo'),
  actIn('workspace.hold', (facts) => ({ rows: [{ kind: 'campaign', id: facts.campaign }], held: true })),
  actIn('workspace.revert', { rows: [{ kind: 'campaign', id: 99_999 }] }),
  actIn('workspace.remove', { rows: [{ kind: 'campaign', id: 99_999 }] }),
  lookIn('bulk.preview', (facts) => ({
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    tool: { tool: 'set', values: { dailyBudget: 4200 } },
  })),
  lookIn('bulk.preview', { scope: { viewId: 12_345 }, tool: { tool: 'delete' } }),
  lookIn('bulk.previewSpread', (facts) => ({ campaignIds: [facts.campaign] })),
  actIn('bulk.spreadKeywords', (facts) => ({ campaignIds: [facts.campaign] })),
  lookIn('workspace.impacts', (facts) => ({ kind: 'campaign', ids: [facts.campaign] })),
  lookIn('history.rowsAt', { step: 0, kind: 'keyword', from: 0, count: 3 }),
  actIn('compare.open', {
    left: { is: 'now', campaignId: null },
    right: { is: 'service', campaignId: null },
  }),
  lookIn('compare.page', { comparisonId: 12_345, from: 0, count: 3 }),
  actIn('compare.use', { comparisonId: 12_345, places: null }),
  actIn('storyboard.export', (facts) => ({ campaignIds: [facts.campaign] })),
  actIn('storyboard.import', { grant: NOWHERE }),
  actIn('bulk.apply', (facts) => ({
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    tool: { tool: 'amount', field: 'dailyBudget', expression: '75.50' },
    label: 'Budgets',
    taskId: 'job-1',
  })),
  actIn('bulk.apply', { scope: { viewId: 12_345 }, tool: { tool: 'delete' }, label: 'Delete', taskId: 'job-2' }),
  act('tasks.cancel', () => ({ taskId: 'job-1' })),
  lookIn('copyToAccount.preview', (facts) => ({
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    target: 'nobody',
  })),
  actIn('copyToAccount.apply', (facts) => ({
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    target: facts.workspaceId,
    label: 'Copy a campaign',
  })),
  lookIn('paste.preview', {
    paste: {
      kind: 'campaign',
      table: [
        ['Campaign', 'Daily budget'],
        ['Pasted', '75'],
      ],
    },
  }),
  actIn('paste.apply', (facts) => ({
    paste: { kind: 'campaign', table: [['Campaign'], [`Pasted by ${facts.line}`]] },
    label: 'Paste',
    taskId: 'job-3',
  })),
  actIn('views.save', (facts) => ({ name: `Mine by ${facts.line}`, view })),
  actIn('views.save', { name: 'Broken', view: { ...view, filter: '"open' } }),
  lookIn('views.saved'),
  actIn('views.remove', { id: 12_345 }),
  lookIn('views.outline', ({ viewId }) => ({ viewId })),
  lookIn('views.groups', (facts) => ({ viewId: facts.viewId, from: 0, count: 10 })),
  lookIn('views.duplicates', { kind: 'keyword', within: 'account' }),
  lookIn('views.keywordOverlap', {}),
  actIn('views.sharedKeywords', (facts) => ({ campaignIds: [facts.campaign, facts.campaign] })),
  lookIn('views.counts', { kind: 'campaign' }),
  lookIn('views.sizes', { views: [view, { ...view, filter: '"open' }] }),
  lookIn('views.values', { view, field: 'campaignType' }),
  lookIn('views.values', { view, field: 'color' }),
  lookIn('views.text', (facts) => ({
    viewId: facts.viewId,
    from: 0,
    count: 10,
    columns: ['name', 'dailyBudget'],
    decimal: ',',
  })),
  lookIn('views.place', (facts) => ({ viewId: facts.viewId, id: facts.campaign })),
  lookIn('views.totals', (facts) => ({ viewId: facts.viewId })),
  actIn('notes.saveLabel', (facts) => ({ name: `Urgent ${facts.line}` })),
  lookIn('notes.labels'),
  actIn('notes.removeLabel', { id: 12_345 }),
  actIn('notes.label', (facts) => ({ rows: [{ kind: 'campaign', ids: [facts.campaign] }], add: [12_345], remove: [] })),
  actIn('notes.comment', (facts) => ({ ref: { kind: 'campaign', id: facts.campaign }, text: 'Ask first.' })),
  lookIn('notes.comments'),
  actIn('notes.editComment', { id: 12_345, resolved: true }),
  actIn('notes.removeComment', { id: 12_345 }),
  lookIn('history.log', { from: 0, count: 20 }),
  actIn('history.restore', { to: 99_999, scope: { all: true }, label: 'Back' }),
  lookIn('workspace.history', { from: 0, count: 100 }),
  lookIn('workspace.issues', { from: 0, count: 100 }),
  lookIn('workspace.changes', { from: 0, count: 100 }),
  lookIn('workspace.campaignChanges', (facts) => ({ ids: [facts.campaign] })),
  lookIn('overview.get', { period: 'last-30' }),
  actIn('overview.request', { period: 'last-30' }),
  lookIn('inbox.list'),
  actIn('inbox.snooze', { id: 'nothing', until: 'tomorrow' }),
  actIn('inbox.setDone', { id: 'nothing', isDone: true }),
  actIn('rules.save', { rule: ownRule }),
  actIn('rules.save', { rule: { ...ownRule, query: 'bid>(' } }),
  actIn('rules.savePack', { rules: [ownRule] }),
  actIn('rules.savePack', { rules: [{ ...ownRule, id: 'No ID' }] }),
  lookIn('rules.list'),
  actIn('rules.remove', { id: ownRule.id }),
  actIn('templates.save', { template: { name: 'Pots', shape: 'manual', form: { name: 'Pots' } } }),
  lookIn('templates.list'),
  actIn('templates.remove', { name: 'Pots' }),
];

const WISH = { reportType: 'campaign', startDate: '2026-05-01', endDate: '2026-05-07', byDate: true };
const LOOK = { groupBy: 'date', sortBy: 'clicks', figure: 'clicks', from: 0, count: 10 };

/** Files in and out, and whatever has to do with the service: reports, syncs, reviews, item ids, practice. */
const CALLS_OF_SERVICE: readonly Call[] = [
  actIn('media.add', (facts) => ({ grants: [facts.mediaGrant] })),
  actIn('media.add', { grants: [NOWHERE] }),
  lookIn('watchedFolder.state'),
  actIn('watchedFolder.set', { on: true, patterns: '{campaign}.*', folder: null }),
  actIn('watchedFolder.set', { patterns: '{brand}.*' }),
  actIn('watchedFolder.set', { folder: NOWHERE }),
  lookIn('watchedFolder.test', { patterns: '{campaign}.*', names: ['Roses.mp4'] }),
  actIn('watchedFolder.scan', {}),
  actIn('watchedFolder.set', { on: false }),
  lookIn('media.preview', (facts) => ({ mediaId: facts.logo })),
  lookIn('media.editedCaptions', (facts) => ({ mediaId: facts.logo })),
  actIn('media.keepEditedCaptions', (facts) => ({ mediaId: facts.logo, edited: { captions: [], format: 'srt' } })),
  lookIn('media.keyFrames', (facts) => ({ mediaId: facts.logo })),
  actIn('media.addPoster', (facts) => ({ mediaId: facts.logo, jpeg: '' })),
  actIn('media.trim', (facts) => ({ mediaId: facts.logo, fromMs: 0, toMs: 1000 })),
  actIn('exchange.preview', (facts) => ({ grant: facts.sheetGrant })),
  actIn('exchange.apply', { previewId: 'nothing' }),
  actIn('exchange.forgetColumn', { heading: 'CPC limit' }),
  actIn('exchange.skipColumns', { previewId: 'nothing', columns: ['Bid'] }),
  actIn('exchange.rows', { previewId: 'nothing', filter: 'all', from: 0, count: 10 }),
  actIn('exchange.exportErrors', { previewId: 'nothing', format: 'csv' }),
  actIn('exchange.dismiss', { previewId: 'nothing' }),
  actIn('exchange.export'),
  actIn('exchange.export', { format: 'xlsx', view: { kind: 'keyword' } }),
  lookIn('launch.list', { from: 0, count: 20 }),
  lookIn('rejections.list', { from: 0, count: 20 }),
  lookIn('bannerSwaps.state', { campaignId: 1 }),
  lookIn('bannerSwaps.log', { campaignId: 1 }),
  actIn('bannerSwaps.start', { campaignId: 1 }),
  actIn('bannerSwaps.keep', { campaignId: 1 }),
  actIn('bannerSwaps.end', { campaignId: 1 }),
  lookIn('reports.list'),
  actIn('reports.request', { wish: { ...WISH, reportType: 'horoscope' } }),
  actIn('reports.request', { wish: WISH, again: true }),
  lookIn('reports.view', { id: 'nothing', look: LOOK }),
  lookIn('reports.ofRows', { id: 'nothing', kind: 'keyword', remoteIds: ['1'] }),
  lookIn('metrics.ofRows', { kind: 'keyword', ids: [1], look: { period: 'last-30' } }),
  lookIn('metrics.grouped', { group: 'keyword', look: { period: 'last-30' } }),
  lookIn('metrics.ofView', { viewId: 99, kind: 'keyword', look: { period: 'last-30' } }),
  lookIn('metrics.days', { from: '2026-05-01', to: '2026-05-31' }),
  lookIn('metrics.settings'),
  actIn('metrics.decide', { reportType: 'keyword', days: ['2026-05-01'], take: true }),
  actIn('metrics.set', { keepFresh: false }),
  actIn('metrics.keepMonths', { before: '2025-03' }),
  lookIn('metrics.previewFile', { grant: NOWHERE }),
  actIn('metrics.addFile', (facts) => ({ grant: facts.sheetGrant })),
  lookIn('suggestions.list', { from: 0, count: 5, goal: { is: 'hold' } }),
  lookIn('suggestions.explain', { key: 'bid:keyword:1:bid' }),
  lookIn('suggestions.ofRows', { kind: 'keyword', ids: [1] }),
  lookIn('suggestions.goals'),
  lookIn('suggestions.pace'),
  actIn('suggestions.csv'),
  actIn('suggestions.setGoal', { scope: { of: 'account' }, goal: { is: 'roas', target: 400 }, plan: null }),
  actIn('suggestions.accept', { keys: ['bid:keyword:1:bid'] }),
  lookIn('suggestions.countBids', { scope: { rows: [{ kind: 'keyword', ids: [1] }] } }),
  actIn('suggestions.acceptBids', { scope: { rows: [{ kind: 'keyword', ids: [1] }] }, taskId: 'job-9' }),
  actIn('suggestions.dismiss', { keys: ['bid:keyword:1:bid'] }),
  lookIn('reports.csv', { id: 'nothing' }),
  lookIn('reports.raw', { id: 'nothing' }),
  actIn('reports.poll', { snapshotId: 'nothing' }),
  actIn('reports.stopWaiting', { snapshotId: 'nothing' }),
  actIn('reports.remove', { id: 'nothing' }),
  // Every plan has an id of its own.
  actIn('sync.plan'),
  lookIn('sync.planBatches', { planId: 'nothing', from: 0, count: 10 }),
  lookIn('sync.planLines', { planId: 'nothing', from: 0, count: 10 }),
  actIn('sync.savePlan', { planId: 'nothing' }),
  actIn('sync.openPlan', { grant: NOWHERE }),
  actIn('sync.run', { planId: 'nothing' }),
  lookIn('sync.report'),
  actIn('sync.refresh'),
  actIn('sync.refresh', { campaignIds: [99_999] }),
  actIn('sync.refresh', { outdatedAfterHours: 1 }),
  lookIn('sync.outdated', { hours: 1 }),
  lookIn('sync.questions'),
  actIn('sync.answer', { questionId: 1, answer: 'later' }),
  lookIn('sync.conflicts'),
  actIn('sync.resolve', { choices: [{ ref: { kind: 'campaign', id: 99_999 }, field: 'name', take: 'mine' }] }),
  lookIn('sync.pending'),
  actIn('sync.pause'),
  actIn('sync.resume'),
  actIn('sync.cancel'),
  lookIn('pending.list'),
  lookIn('uploadHosts.list'),
  lookIn('uploadHosts.set', { host: 'uploads.example', allow: true }),
  lookIn('uploadHosts.reset', { host: 'uploads.example' }),
  lookIn('rollback.runs'),
  lookIn('rollback.preview', { runId: 'nothing' }),
  actIn('rollback.stage', { runId: 'nothing' }),
  lookIn('requests.list', { from: 0, count: 10, words: 'campaigns' }),
  lookIn('requests.get', { id: 99_999 }),
  lookIn('responses.list', { from: 0, count: 10, words: 'campaigns' }),
  lookIn('responses.ofRequest', { correlationId: 'nothing' }),
  lookIn('responses.lastRead', { campaignId: 99_999 }),
  lookIn('responses.usage'),
  lookIn('responses.setLimit', { boundMb: 32 }),
  lookIn('afterReview.list'),
  lookIn('conflictPolicy.get'),
  actIn('conflictPolicy.set', { text: 'bid=mine,other=ask' }),
  lookIn('review.list'),
  actIn('review.poll'),
  actIn('items.confirm'),
  lookIn('items.search', { text: 'coffee', ids: null }),
  actIn('pictures.keepPoster', (facts) => ({ id: facts.logo, jpeg: '' })),
  lookIn('items.find', { text: 'coffee' }),
  lookIn('items.get', { itemId: 'prod1' }),
  lookIn('items.ideas', { campaignId: 99_999 }),
  lookIn('pictures.show', { of: { is: 'item', itemId: 'prod1' } }),
  lookIn('pictures.ofCampaigns', (facts) => ({ campaignIds: [facts.campaign] })),
  // Every scan has an id of its own.
  actIn('itemIds.scan'),
  actIn('itemIds.scan', { grant: NOWHERE }),
  actIn('itemIds.repair', { accepted: [{ from: 'prod1', to: '0012345678' }] }),
  lookIn('itemIds.report', { scanId: 'nothing', accepted: [] }),
  lookIn('itemIds.repairFile', { scanId: 'nothing', accepted: [] }),
  lookIn('campaignIds.list', { from: 0, count: 10 }),
  lookIn('campaignIds.lookUp', { ids: ['123456789'] }),
  actIn('campaignIds.add', { source: 'typed', campaigns: [{ id: '999999999' }] }),
  actIn('practice.state'),
  actIn('practice.advance', { duration: 'PT1M' }),
  actIn('practice.decide', { reviewId: '1', verdict: 'approved' }),
  actIn('sync.run'),
  actIn('sync.schedule', { healthyMinutes: 5 }),
  actIn('review.submit', { campaignIds: [99_999] }),
  actIn('review.cancel', { campaignIds: [99_999] }),
];

const TEAM_CONNECTION = { hosts: ['127.0.0.1:9'], database: 'team', login: 'ana', password: 'secret' };

/** What members of a team share, asked of an account without one. */
const CALLS_OF_TEAMS: readonly Call[] = [
  lookIn('team.status'),
  lookIn('team.members'),
  actIn('team.testConnection', { connection: TEAM_CONNECTION }),
  actIn('team.testConnection'),
  actIn('team.create', { connection: TEAM_CONNECTION, display: 'Ana', computer: 'Laptop' }),
  act('team.connect', () => ({
    invitation: NOWHERE,
    words: 'one two three four five six',
    computer: 'B',
    name: 'Shop',
  })),
  actIn('team.invite', { display: 'Ben', roles: ['edit'] }),
  actIn('team.setRoles', { no: 1, roles: ['view'] }),
  actIn('team.remove', { no: 1 }),
  actIn('team.enterPassword', { login: 'ana', password: 'secret' }),
  actIn('team.leave'),
  actIn('team.move', { to: { hosts: ['127.0.0.1:9'], database: 'team' } }),
  lookIn('team.upkeep.show'),
  lookIn('team.upkeep.activity', { from: 0, count: 10 }),
  lookIn('team.upkeep.verify'),
  actIn('team.upkeep.retire', { desk: 1 }),
  actIn('team.upkeep.approve', { seq: 1 }),
  actIn('team.upkeep.prune', { days: 90 }),
  actIn('team.upkeep.restored'),
  actIn('team.upkeep.close', { isClosed: true }),
  lookIn('team.policy'),
  actIn('team.setPolicy', { policy: { approvals: 1, authors: 'submitter' } }),
  actIn('team.share'),
  lookIn('team.log', { from: 0, count: 10 }),
  actIn('team.takeOver'),
  lookIn('team.presence'),
  actIn('team.setPlace', { place: null }),
  lookIn('team.requests.list'),
  lookIn('team.requests.show', { id: 'nothing' }),
  actIn('team.requests.submit', { title: 'Bids' }),
  actIn('team.requests.signOff', { id: 'nothing' }),
  actIn('team.requests.askForChanges', { id: 'nothing' }),
  actIn('team.requests.withdraw', { id: 'nothing' }),
];

/** At least one call of every operation, in an order in which they can follow each other. */
export const CALLS: readonly Call[] = [...CALLS_OF_ACCOUNTS, ...CALLS_OF_ROWS, ...CALLS_OF_SERVICE, ...CALLS_OF_TEAMS];
