import type { MENU_PLACES } from '../../shared/api/choices.ts';
import { shown } from '../../shared/model/cell-text.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { ChangeLimit } from '../../shared/plan/change-limit.ts';
import type { MetricName } from '../../shared/reports/account-metrics.ts';
import type { Comparison } from '../../shared/reports/period.ts';
import { KIND_NAMES, rowsText } from './field-names.ts';
import { countText, inSentence, plural } from './locale/numbers.ts';

const SHOWN = 3;

/** Texts shared by several features, and texts of actions without a screen; by area. */
export const appTexts = {
  amounts: {
    notANumber: (text: string, example: string) =>
      `"${shown(text)}" is not a number. Enter digits, such as ${example}.`,
    unclear: (text: string, example: string) =>
      `"${shown(text)}" can mean two amounts. Enter it with a decimal separator only, such as ${example}.`,
    twoAmounts: (text: string, whole: string, part: string) =>
      `"${shown(text)}" can mean ${whole} or ${part}. Enter the one you want.`,
    twoDays: (text: string, dayFirst: string, monthFirst: string) =>
      `"${shown(text)}" can mean ${dayFirst} or ${monthFirst}. Enter the one you want.`,
    listOrAmount: (text: string, amount: string, list: string) =>
      `"${shown(text)}" can be one amount or a list. Enter ${shown(amount)} for the amount, or a list such as ${list}.`,
    openEnd: 'No end date',
  },
  discardForm: {
    title: 'Discard what you typed?',
    text: 'You typed a new campaign and did not create it. Its fields, items and keywords are removed from the form.',
    keep: 'Keep form',
    button: 'Discard',
  },
  /** The hourly change limit and its source. */
  changeLimit: ({ perHour, from, seen }: ChangeLimit): string =>
    ({
      settings: `${countText(perHour)} changes an hour, from the deployment settings. The service has shown no other limit.`,
      service: `${countText(perHour)} changes an hour, as reported by the service.`,
      learned: `About ${countText(perHour)} changes an hour, seen ${seen === 1 ? 'once' : plural(seen, 'time')}.`,
    })[from],
  bulk: {
    why: {
      'no-such-field': 'no such field',
      'not-editable': "can't be edited",
      deleted: 'marked for deletion',
      empty: 'empty, or would become empty',
      'too-long': 'would become too long',
      'out-of-range': 'would be out of range',
      'wrong-type': 'the value does not fit',
      'control-character': 'would contain a line break or another invisible character',
      'no-token': 'no value for the token',
      gone: 'no longer in this account',
      'wrong-parent': 'in another campaign or ad group',
    },
    /** Short forms with at most three words. */
    short: {
      'no-such-field': 'no such field',
      'not-editable': "can't be edited",
      deleted: 'to be deleted',
      empty: 'no value',
      'too-long': 'too long',
      'out-of-range': 'out of range',
      'wrong-type': "doesn't fit",
      'control-character': 'invisible character',
      'no-token': 'no token value',
      gone: 'already deleted',
      'wrong-parent': 'other campaign',
    },
    refused: (n: number, why: string) => `${plural(n, 'row')}: ${why}`,
    done: (n: number) => `${plural(n, 'cell')} changed. Press Ctrl+Z to undo.`,
    labels: {
      set: (field: string) => `Set ${inSentence(field)}`,
      amount: (field: string, sum: string) => `${field} ${sum}`,
      replace: (field: string) => `Replace in ${inSentence(field)}`,
      append: (field: string) => `Add text to ${inSentence(field)}`,
      case: (field: string) => `Change case of ${inSentence(field)}`,
      duplicate: (n: number) => `Duplicate ${plural(n, 'row')}`,
      copy: (n: number) => `Copy ${plural(n, 'row')}`,
      move: (n: number) => `Move ${plural(n, 'row')}`,
      hold: (n: number) => `Put ${plural(n, 'row')} on hold`,
      release: (n: number) => `Release ${plural(n, 'row')} from hold`,
      revert: (n: number) => `Revert ${plural(n, 'row')}`,
      delete: (n: number) => `Delete ${plural(n, 'row')}`,
    },
  },
  impacts: {
    immediate: 'Takes effect immediately',
    'needs-review': 'Needs review',
    'needs-pause': 'Pause first, then review',
    refused: 'Not allowed now',
    local: 'Stays on this computer',
    'with-create': 'Sent when the row is created',
  },
  copies: {
    made: (n: number) => `${plural(n, 'row')} copied as ${n === 1 ? 'a draft' : 'drafts'}.`,
    dropped: 'Copies are new drafts. Values set by the service are not copied:',
    droppedField: (field: string, n: number) => `${field} (${countText(n)})`,
  },
  palette: {
    title: 'Commands',
  },
  create: {
    title: 'New campaign',
  },
  add: {
    title: (what: string) => `Add ${what}`,
  },
  remove: {
    title: 'Delete rows?',
    text: (n: number) =>
      `${plural(n, 'row')} will be deleted. Rows on the service are deleted with the next sync. Press Ctrl+Z to undo.`,
    keep: 'Keep rows',
    button: 'Delete',
  },
  fixed: {
    label: (n: number) => `Fix ${plural(n, 'issue')}`,
    told: (n: number) => `${plural(n, 'issue')} fixed. Press Ctrl+Z to undo.`,
  },
  media: {
    dropText: 'Videos, captions and logos go to the media library. A spreadsheet opens the import.',
    /** The upload state of a file that was added a second time. */
    known: (mediaId: string | null) =>
      mediaId === null
        ? 'Already in the library, not uploaded yet.'
        : `Already uploaded as media ${mediaId}. You can use it again without uploading.`,
  },
  tryAgain: 'Try again',
  atOnce: (n: number) => `The first ${countText(n)} at once. Repeat the command for the others.`,
  grid: {
    rows: (n: number) => plural(n, 'row'),
    loading: 'Loading…',
    mark: {
      new: 'New: not on the service yet',
      changed: 'Changed: not synced yet',
      deleted: 'Will be deleted with the next sync',
      held: 'On hold: not sent until you release it',
      error: 'Has an error',
      warning: 'Has a warning',
      advice: 'Has a suggestion',
      sent: 'Sending',
      'in-doubt': 'Unconfirmed: the service did not respond. The next sync checks it.',
      question: 'Needs your answer in the Sync tab',
      conflict: 'Conflict: changed here and on the service',
      refused: 'Failed: the service did not accept it in the last sync',
    },
    pasteBad: (n: number) => `${plural(n, 'value')} skipped: ${n === 1 ? 'it does' : 'they do'} not fit the column.`,
    editLabel: (field: string) => `Edit ${inSentence(field)}`,
    columnMoved: (name: string, place: number) => `${name} is now column ${place}`,
    none: '(none)',
  },
  inspector: {
    fix: 'Fix',
    counter: (used: number, max: number) => `${used} / ${max}`,
  },
  drawer: {
    issues: 'Issues',
    changes: 'Changes',
    sync: 'Sync',
    history: 'History',
    noIssues: 'No issues',
    noIssuesText: 'All rules pass.',
    errors: 'Errors',
    warnings: 'Warnings',
    new: 'New',
  },
  revertAll: {
    nothing: 'Nothing to revert: all changes are new rows.',
  },
  sync: {
    more: (n: number) => `and ${countText(n)} more`,
    tooMany: (max: number) => `Select up to ${countText(max)} rows, or sync everything.`,
    running: 'Syncing…',
    planning: 'Preparing the sync plan…',
    refreshing: 'Refreshing…',
    refreshed: 'Refreshed. Your changes are kept.',
    refreshedSome: (n: number) => `${plural(n, 'campaign')} refreshed. Your changes are kept.`,
  },
  account: {
    mode: { normal: 'Normal', confirm: 'Confirm each sync', 'read-only': 'Read-only' },
    removed: (files: number) => `Account removed. ${plural(files, 'file')} deleted.`,
  },
  welcome: {
    practiceName: 'Practice',
  },
  renewCredentials: 'Enter key and token again…',
  notWritable: "Adslate can't write to this account. You can view and export, but not edit or sync.",
  readOnlyAccount: 'This account is read-only. To sync, change the sync mode in the account menu.',
  signedOut: {
    title: 'This window is not signed in',
    text: 'A sign-in link works once. To get a new one, press Enter in the terminal where Adslate runs, or start Adslate again.',
  },
  idleLocked: 'Credentials were locked after a time without input. Enter the passphrase to sync.',
  links: {
    copied: 'Link copied. It opens this row in Adslate.',
    notCopied: 'The browser does not allow copying here. Press Ctrl+C in the grid once, then try again.',
    open: 'Open link',
    noAccount: 'The link is for an account that is not on this computer. Connect the account first.',
    searched: 'The row of the link is not in this account. You see the rows with its name.',
    notFound: 'The row of the link is not in this account. Refresh to read new rows, then open the link again.',
    elsewhere: 'Adslate shows the link in the tab where you are signed in.',
  },
  app: 'Adslate',
  connecting: 'Connecting…',
  showTyped: 'Show or hide what is typed',
  close: 'Close',
  period: {
    chosen: (from: string, to: string) => `Period: ${from} to ${to}`,
    compared: (comparison: string) => `Compare with: ${comparison}`,
    comparisons: {
      none: 'Nothing',
      before: 'The days before',
      '4-weeks': '4 weeks before',
      year: '364 days before',
    } satisfies Readonly<Record<Comparison, string>>,
  },
  metrics: {
    names: {
      impressions: 'Impressions',
      clicks: 'Clicks',
      ctr: 'CTR',
      spend: 'Spend',
      cpc: 'Cost per click',
      orders: 'Orders',
      units: 'Units',
      sales: 'Sales',
      conversion: 'Conversion rate',
      roas: 'ROAS',
      acos: 'ACOS',
      averageOrder: 'Average order',
      spendShare: 'Share of spend',
      coverage: 'Coverage',
    } satisfies Readonly<Record<MetricName, string>>,
    signals: { trend: 'Trend of spend', evidence: 'Evidence', suggestion: 'Suggestion' },
    words: {
      up: 'up',
      down: 'down',
      flat: 'flat',
      firm: 'firm',
      fair: 'fair',
      none: 'none',
      higher: 'higher bid',
      lower: 'lower bid',
      pause: 'pause',
    } as Readonly<Record<string, string>>,
  },
  figures: {
    noReports: 'Reports cover campaigns, ad groups, items and keywords only.',
  },
  reports: {
    title: 'Reports',
    windowNames: { '3days': '3 days', '14days': '14 days', '30days': '30 days' } as Readonly<Record<string, string>>,
    names: {
      impressions: 'Impressions',
      clicks: 'Clicks',
      ctr: 'Click-through rate',
      adSpend: 'Spend',
      cpc: 'Cost per click',
      attributedSales: 'Sales',
      attributedOrders: 'Orders',
      attributedUnits: 'Units',
      roas: 'ROAS',
      conversionRate: 'Conversion rate',
      videoImpressions: 'Video impressions',
      viewableImpressions: 'Viewable impressions',
      viewThroughRate: 'View-through rate',
      ctrForViews: 'Click-through rate (viewable)',
      video5SecondViews: '5-second views',
      video5SecondViewRate: '5-second view rate',
      videoFirstQuartileViews: 'Watched to 25%',
      videoMidpointViews: 'Watched to 50%',
      videoThirdQuartileViews: 'Watched to 75%',
      videoCompleteViews: 'Watched to the end',
      videoUnmutes: 'Unmutes',
      viewThroughSales: 'Sales after a view',
      viewThroughOrders: 'Orders after a view',
      viewThroughUnitsSold: 'Units after a view',
      totalCompleteViewAttributedSales: 'Sales after a complete view',
      completeViewRevenue: 'Sales after a complete view, this item',
      haloCompleteViewRevenue: 'Sales after a complete view, other items',
      totalCompleteViewOrders: 'Orders after a complete view',
      totalCompleteViewUnits: 'Units after a complete view',
    } as Readonly<Record<string, string>>,
  },
  check: {
    done: (errors: number, warnings: number) => `Checked: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
    partly: (errors: number, warnings: number) =>
      `Checked without the service: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}. Service checks use data from the last refresh.`,
    mutedTold: 'Rule muted for this account. Its issues are hidden.',
  },
  history: {
    replay: {
      undo: { done: (step: string) => `Undone: ${step}.`, back: 'Redo', nothing: 'Nothing to undo.' },
      redo: { done: (step: string) => `Redone: ${step}.`, back: 'Undo', nothing: 'Nothing to redo.' },
    },
    stay: ({ cells, of, by }: { readonly cells: number; readonly of: number; readonly by: readonly string[] }) =>
      `${by.join(' and ')} changed ${countText(cells)} of ${plural(of, 'cell')} since. Those values stay.`,
    back: (cells: number, created: number, removed: number) =>
      cells + created + removed === 0
        ? 'Nothing to restore: all values are the same.'
        : [
            ...(cells === 0 ? [] : [`${plural(cells, 'field')} restored`]),
            ...(created === 0 ? [] : [`${plural(created, 'row')} added again`]),
            ...(removed === 0 ? [] : [`${plural(removed, 'row')} removed`]),
          ]
            .join(', ')
            .concat('. Press Ctrl+Z to undo.'),
  },
  items: {
    nothing: 'All items have been checked.',
    confirmed: (asked: number, found: number) => `${plural(asked, 'item')} checked, ${countText(found)} found.`,
    refused: (ids: readonly string[]) =>
      `${plural(ids.length, 'item')} can't be added: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ' and more' : ''}. See the reasons in Issues.`,
  },
  import: {
    notSigned:
      'The file is not signed because the credentials on this computer are locked. Unlock them and export again to sign it.',
  },
  moveRows: {
    nowhere: 'Open a campaign, or select a row in one, to paste here.',
    stay: `You can't move a campaign into another campaign. To copy it to another account, use "Copy or move to…".`,
    tooMany: (max: number) => `You can move up to ${countText(max)} rows at once. For more, use "Copy or move to…".`,
    alreadyThere: (name: string) => `These rows are already in ${name}.`,
    notTaken: (kind: Kind, name: string) => `${name} can't contain ${inSentence(KIND_NAMES[kind].many)}.`,
    none: (name: string, why: string) => `Nothing was pasted into ${name}: ${why}.`,
    moved: (n: number, kind: Kind, name: string) => `${rowsText(n, kind)} moved to ${name}. Press Ctrl+Z to undo.`,
    copied: (n: number, kind: Kind, name: string) => `${rowsText(n, kind)} copied to ${name}. Press Ctrl+Z to undo.`,
    attachLabel: (file: string, name: string) => `Attach ${file} to ${name}`,
    attached: (file: string, name: string) => `${file} attached to ${name}. Press Ctrl+Z to undo.`,
    oneFile: 'Attach one file at a time.',
    noProfile: (name: string) => `${name} has no profile for this type of file.`,
    whichProfile: (name: string) => `${name} has two profiles that can use this file. Choose the file in the profile.`,
    noVideo: (name: string) => `Add a video to ${name} before you add captions.`,
    ask: {
      title: (n: number, kind: Kind, name: string, move: boolean) =>
        `${move ? 'Move' : 'Copy'} ${rowsText(n, kind)} to ${name}?`,
      text: (move: boolean) =>
        move ? 'The originals are deleted with the next sync.' : 'The originals do not change.',
      keep: 'Cancel',
      button: (move: boolean) => (move ? 'Move' : 'Copy'),
    },
  },
  rules: {
    severityWord: { error: 'Error', warning: 'Warning', advice: 'Suggestion' },
  },
  annotations: {
    open: (n: number) => plural(n, 'open comment'),
    imported: (from: { name: string; comments: number; approved: number; rejected: number; skipped: number }) =>
      [
        `${plural(from.comments, 'comment')} of ${from.name} added, with ${from.approved} approved and ${from.rejected} rejected.`,
        ...(from.skipped === 0 ? [] : [`${plural(from.skipped, 'comment')} skipped: the rows are no longer there.`]),
      ].join(' '),
    tooMany: (max: number) => `A storyboard has up to ${max} campaigns. Select fewer rows.`,
  },
  filesOut: {
    ready: 'Saved. You can also drag the file from here:',
  },
  swap: {
    steps: {
      edit: 'Change the disabled profile',
      send: 'Sync the change',
      review: 'Get it approved',
      enable: 'Enable it',
      disable: 'Disable the old profile',
    },
  },
} as const;

export const menuTexts: Readonly<Record<(typeof MENU_PLACES)[number], string>> = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  campaign: 'Campaign',
  sync: 'Sync',
  help: 'Help',
};
