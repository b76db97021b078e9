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
export interface Call {
  readonly path: string;
  readonly looks: boolean;
  input(facts: Facts): unknown;
}
export const look = (path: string, input: Call['input'] = () => undefined): Call => ({ path, looks: true, input });
export const act = (path: string, input: Call['input']): Call => ({ path, looks: false, input });
export const inside =
  (more: object = {}): Call['input'] =>
  (facts) => ({ workspaceId: facts.workspaceId, ...more });

/** A grant that nobody was given. */
export const NOWHERE = 'f'.repeat(32);

/** The program itself, accounts and their secrets, what happened in them, and their backups. */
export const CALLS_OF_ACCOUNTS: readonly Call[] = [
  look('app.info'),
  act('app.support', () => undefined),
  look('app.about'),
  look('app.checkForUpdate'),
  look('app.preferences.get'),
  act('app.preferences.set', () => ({ colorScheme: 'dark' })),
  look('accounts.list'),
  act('accounts.addPractice', () => ({ name: 'Main shop' })),
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
  act('accounts.rename', (facts) => ({ workspaceId: facts.workspaceId, name: `Shop of the ${facts.line}` })),
  act('accounts.setMode', inside({ mode: 'normal' })),
  look('accounts.profile', inside()),
  look('accounts.capabilities', inside()),
  act('accounts.probeCapabilities', inside()),
  act('accounts.setCapability', inside({ name: 'keywordRead', use: null })),
  look('afterReview.list', inside()),
  act('accounts.setProfile', inside({ text: 'no.such.key=1' })),
  act('accounts.remove', () => ({ workspaceId: 'nobody' })),
  look('credentials.status'),
  act('credentials.setStorage', () => ({ grade: 'memory' })),
  act('credentials.setStorage', () => ({ grade: 'passphrase', passphrase: 'short' })),
  act('credentials.unlock', () => ({ passphrase: 'not locked at all' })),
  act('credentials.lock', () => undefined),
  act('credentials.remove', () => ({ workspaceId: 'nobody' })),
  act('accountStatus.get', inside()),
  act('rules.check', inside()),
  look('notifications.list', inside()),
  act('notifications.clear', inside()),
  act('rules.mute', inside({ rule: 'sba.headline-capitals', muted: true })),
  look('rules.muted', inside()),
  look('backups.list', inside()),
  look('backups.condition', inside()),
  act('backups.make', inside()),
  act('backups.preview', inside({ backupId: 'nothing' })),
  act('backups.restore', inside({ backupId: 'nothing' })),
  act('backups.recover', () => ({ workspaceId: 'nobody' })),
  act('backups.settle', inside({ this: 'moved' })),
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
export const CALLS_OF_ROWS: readonly Call[] = [
  look('workspace.summary', inside()),
  act('workspace.openView', inside({ view })),
  look('workspace.openView', inside({ view: { ...view, filter: '"open' } })),
  look('workspace.readWindow', (facts) => ({
    workspaceId: facts.workspaceId,
    viewId: facts.viewId,
    from: 0,
    count: WINDOW_MAX,
  })),
  act('workspace.closeView', inside({ viewId: 12_345 })),
  look('workspace.row', (facts) => ({
    workspaceId: facts.workspaceId,
    ref: { kind: 'campaign', id: facts.campaign },
  })),
  look('workspace.row', inside({ ref: { kind: 'campaign', id: 99_999 } })),
  look('workspace.rowFindings', (facts) => ({
    workspaceId: facts.workspaceId,
    kind: 'campaign',
    ids: [facts.campaign, 99_999],
  })),
  act('workspace.edit', (facts) => ({
    workspaceId: facts.workspaceId,
    label: 'Rename',
    changes: [{ kind: 'campaign', id: facts.campaign, field: 'name', value: `Autumn by ${facts.line}` }],
  })),
  act('workspace.edit', (facts) => ({
    workspaceId: facts.workspaceId,
    label: 'Nonsense',
    changes: [{ kind: 'campaign', id: facts.campaign, field: 'colour', value: 'red' }],
  })),
  act('workspace.create', inside({ label: 'New', rows: [{ kind: 'campaign', parent: null, values: { name: 'B' } }] })),
  act('workspace.undo', inside()),
  act('workspace.redo', inside()),
  act('workspace.undo', inside()),
  act('workspace.hold', (facts) => ({
    workspaceId: facts.workspaceId,
    rows: [{ kind: 'campaign', id: facts.campaign }],
    held: true,
  })),
  act('workspace.revert', inside({ rows: [{ kind: 'campaign', id: 99_999 }] })),
  act('workspace.remove', inside({ rows: [{ kind: 'campaign', id: 99_999 }] })),
  look('bulk.preview', (facts) => ({
    workspaceId: facts.workspaceId,
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    tool: { tool: 'set', values: { dailyBudget: 4200 } },
  })),
  look('bulk.preview', inside({ scope: { viewId: 12_345 }, tool: { tool: 'delete' } })),
  act('bulk.apply', (facts) => ({
    workspaceId: facts.workspaceId,
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    tool: { tool: 'amount', field: 'dailyBudget', expression: '75.50' },
    label: 'Budgets',
    jobId: 'job-1',
  })),
  act('bulk.apply', inside({ scope: { viewId: 12_345 }, tool: { tool: 'delete' }, label: 'Delete', jobId: 'job-2' })),
  act('tasks.cancel', () => ({ taskId: 'job-1' })),
  look('copyToAccount.preview', (facts) => ({
    workspaceId: facts.workspaceId,
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    target: 'nobody',
  })),
  act('copyToAccount.apply', (facts) => ({
    workspaceId: facts.workspaceId,
    scope: { rows: [{ kind: 'campaign', ids: [facts.campaign] }] },
    target: facts.workspaceId,
    label: 'Copy a campaign',
  })),
  look(
    'paste.preview',
    inside({
      paste: {
        kind: 'campaign',
        table: [
          ['Campaign', 'Daily budget'],
          ['Pasted', '75'],
        ],
      },
    }),
  ),
  act('paste.apply', (facts) => ({
    workspaceId: facts.workspaceId,
    paste: { kind: 'campaign', table: [['Campaign'], [`Pasted by ${facts.line}`]] },
    label: 'Paste',
    jobId: 'job-3',
  })),
  act('views.save', (facts) => ({ workspaceId: facts.workspaceId, name: `Mine by ${facts.line}`, view })),
  act('views.save', inside({ name: 'Broken', view: { ...view, filter: '"open' } })),
  look('views.saved', inside()),
  act('views.remove', inside({ id: 12_345 })),
  look('views.groups', (facts) => ({ workspaceId: facts.workspaceId, viewId: facts.viewId, from: 0, count: 10 })),
  look('views.duplicates', inside({ kind: 'keyword', within: 'account' })),
  look('views.counts', inside({ kind: 'campaign' })),
  look('views.text', (facts) => ({
    workspaceId: facts.workspaceId,
    viewId: facts.viewId,
    from: 0,
    count: 10,
    columns: ['name', 'dailyBudget'],
    decimal: ',',
  })),
  look('views.place', (facts) => ({ workspaceId: facts.workspaceId, viewId: facts.viewId, id: facts.campaign })),
  look('views.totals', (facts) => ({ workspaceId: facts.workspaceId, viewId: facts.viewId })),
  act('notes.saveLabel', (facts) => ({ workspaceId: facts.workspaceId, name: `Urgent ${facts.line}` })),
  look('notes.labels', inside()),
  act('notes.removeLabel', inside({ id: 12_345 })),
  act('notes.label', (facts) => ({
    workspaceId: facts.workspaceId,
    rows: [{ kind: 'campaign', ids: [facts.campaign] }],
    add: [12_345],
    remove: [],
  })),
  act('notes.comment', (facts) => ({
    workspaceId: facts.workspaceId,
    ref: { kind: 'campaign', id: facts.campaign },
    text: 'Ask first.',
  })),
  look('notes.comments', inside()),
  act('notes.editComment', inside({ id: 12_345, resolved: true })),
  act('notes.removeComment', inside({ id: 12_345 })),
  look('history.log', inside({ from: 0, count: 20 })),
  look('history.compare', inside({ before: 0, after: null, from: 0, count: 20 })),
  look('history.compare', inside({ before: 99_999, after: null, from: 0, count: 20 })),
  act('history.restore', inside({ to: 99_999, scope: { all: true }, label: 'Back' })),
  look('workspace.history', inside({ from: 0, count: 100 })),
  look('workspace.findings', inside({ from: 0, count: 100 })),
  look('workspace.changes', inside({ from: 0, count: 100 })),
  act('rules.save', inside({ rule: ownRule })),
  act('rules.save', inside({ rule: { ...ownRule, query: 'bid>(' } })),
  look('rules.list', inside()),
  act('rules.remove', inside({ id: ownRule.id })),
  act('templates.save', inside({ template: { name: 'Pots', shape: 'manual', form: { name: 'Pots' } } })),
  look('templates.list', inside()),
  act('templates.remove', inside({ name: 'Pots' })),
];

const WISH = { reportType: 'campaign', startDate: '2026-05-01', endDate: '2026-05-07', byDate: true };
const LOOK = { groupBy: 'date', sortBy: 'clicks', figure: 'clicks', from: 0, count: 10 };

/** Files in and out, and whatever has to do with the service: reports, syncs, reviews, item ids, practice. */
export const CALLS_OF_SERVICE: readonly Call[] = [
  act('media.add', (facts) => ({ workspaceId: facts.workspaceId, grants: [facts.mediaGrant] })),
  act('media.add', inside({ grants: [NOWHERE] })),
  look('media.preview', (facts) => ({ workspaceId: facts.workspaceId, mediaId: facts.logo })),
  act('exchange.preview', (facts) => ({ workspaceId: facts.workspaceId, grant: facts.sheetGrant })),
  act('exchange.apply', inside({ previewId: 'nothing' })),
  act('exchange.skipColumns', inside({ previewId: 'nothing', columns: ['Bid'] })),
  act('exchange.rows', inside({ previewId: 'nothing', filter: 'all', from: 0, count: 10 })),
  act('exchange.exportErrors', inside({ previewId: 'nothing', format: 'csv' })),
  act('exchange.dismiss', inside({ previewId: 'nothing' })),
  act('exchange.export', inside()),
  act('exchange.export', inside({ format: 'xlsx', view: { kind: 'keyword' } })),
  look('launch.list', inside({ from: 0, count: 20 })),
  look('rejections.list', inside({ from: 0, count: 20 })),
  look('bannerSwaps.state', inside({ campaignId: 1 })),
  act('bannerSwaps.start', inside({ campaignId: 1 })),
  act('bannerSwaps.keep', inside({ campaignId: 1 })),
  act('bannerSwaps.end', inside({ campaignId: 1 })),
  look('reports.list', inside()),
  act('reports.request', inside({ wish: { ...WISH, reportType: 'horoscope' } })),
  act('reports.request', inside({ wish: WISH, again: true })),
  look('reports.view', inside({ id: 'nothing', look: LOOK })),
  look('reports.ofRows', inside({ id: 'nothing', kind: 'keyword', remoteIds: ['1'] })),
  look('reports.csv', inside({ id: 'nothing' })),
  look('reports.raw', inside({ id: 'nothing' })),
  act('reports.poll', inside({ snapshotId: 'nothing' })),
  act('reports.stopWaiting', inside({ snapshotId: 'nothing' })),
  act('reports.remove', inside({ id: 'nothing' })),
  // Every plan has an id of its own.
  act('sync.plan', inside()),
  look('sync.planBatches', inside({ planId: 'nothing', from: 0, count: 10 })),
  act('sync.savePlan', inside({ planId: 'nothing' })),
  act('sync.openPlan', inside({ grant: NOWHERE })),
  act('sync.run', inside({ planId: 'nothing' })),
  look('sync.report', inside()),
  act('sync.refresh', inside()),
  act('sync.refresh', inside({ campaignIds: [99_999] })),
  act('sync.refresh', inside({ outdatedAfterHours: 1 })),
  look('sync.outdated', inside({ hours: 1 })),
  look('sync.questions', inside()),
  act('sync.answer', inside({ questionId: 1, answer: 'later' })),
  look('sync.conflicts', inside()),
  act('sync.resolve', inside({ choices: [{ ref: { kind: 'campaign', id: 99_999 }, field: 'name', take: 'mine' }] })),
  look('sync.pending', inside()),
  act('sync.pause', inside()),
  act('sync.resume', inside()),
  act('sync.cancel', inside()),
  look('pending.list', inside()),
  look('uploadHosts.list', inside()),
  look('uploadHosts.set', inside({ host: 'uploads.example', allow: true })),
  look('uploadHosts.reset', inside({ host: 'uploads.example' })),
  look('rollback.runs', inside()),
  look('rollback.preview', inside({ runId: 'nothing' })),
  act('rollback.stage', inside({ runId: 'nothing' })),
  look('requests.list', inside({ from: 0, count: 10, words: 'campaigns' })),
  look('requests.get', inside({ id: 99_999 })),
  look('responses.list', inside({ from: 0, count: 10, words: 'campaigns' })),
  look('responses.ofRequest', inside({ correlationId: 'nothing' })),
  look('responses.lastRead', inside({ campaignId: 99_999 })),
  look('responses.usage', inside()),
  look('responses.setLimit', inside({ boundMb: 32 })),
  look('afterReview.list', inside()),
  look('conflictPolicy.get', inside()),
  act('conflictPolicy.set', inside({ text: 'bid=mine,other=ask' })),
  look('review.list', inside()),
  act('review.poll', inside()),
  act('items.confirm', inside()),
  look('items.search', inside({ text: 'coffee', ids: null })),
  look('items.get', inside({ itemId: 'prod1' })),
  look('pictures.show', inside({ of: { is: 'item', itemId: 'prod1' } })),
  // Every scan has an id of its own.
  act('itemIds.scan', inside()),
  act('itemIds.scan', inside({ grant: NOWHERE })),
  act('itemIds.repair', inside({ accepted: [{ from: 'prod1', to: '0012345678' }] })),
  look('itemIds.report', inside({ scanId: 'nothing', accepted: [] })),
  look('itemIds.repairFile', inside({ scanId: 'nothing', accepted: [] })),
  look('campaignIds.list', inside({ from: 0, count: 10 })),
  look('campaignIds.lookUp', inside({ ids: ['123456789'] })),
  act('campaignIds.add', inside({ source: 'typed', campaigns: [{ id: '999999999' }] })),
  act('practice.state', inside()),
  act('practice.advance', inside({ duration: 'PT1M' })),
  act('practice.decide', inside({ reviewId: '1', verdict: 'approved' })),
  act('sync.run', inside()),
  act('sync.schedule', inside({ healthyMinutes: 5 })),
  act('review.submit', inside({ campaignIds: [99_999] })),
  act('review.cancel', inside({ campaignIds: [99_999] })),
];

/** At least one call of every operation, in an order in which they can follow each other. */
export const CALLS: readonly Call[] = [...CALLS_OF_ACCOUNTS, ...CALLS_OF_ROWS, ...CALLS_OF_SERVICE];
