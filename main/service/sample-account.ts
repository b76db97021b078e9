import type { Account } from '../../shared/api/accounts.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { addMedia } from '../files/media/add-media.ts';
import type { CreateRow, NotWritable } from '../store/types.ts';
import { createSuggestionSettings } from '../suggestions/suggestion-settings.ts';
import { itemOperations } from './item-ids.ts';
import type { RouterContext } from './router.ts';

type Unfilled = Failure<'UNREACHABLE'> | NotWritable;

/** ROAS in hundredths. */
const SAMPLE_TARGET = 400;
/** Days of reports: thirty, and thirty before them for comparison. */
const REPORT_DAYS = 60;
const REPORTS = ['campaign', 'keyword', 'adItem'] as const;

/**
 * Adds a practice account with content. Its service starts with campaigns (`sandbox/scenarios/sample.ts`), which are
 * read as in any account. Unsynced changes are added to them, one with an error.
 */
export async function addSampleAccount(
  parts: RouterContext,
  name: string,
): Promise<Result<Account, Failure<'NAME_TAKEN' | 'TOO_MANY_ACCOUNTS'> | Unfilled>> {
  const added = await parts.accounts.addPractice(name, 'sample');
  if (!added.ok) return added;
  const { workspaceId } = added.value;
  const opened = await parts.open.get(workspaceId);
  const filled = opened.ok ? await fill(parts, opened.value, added.value) : unfilled('it could not be opened');
  if (filled.ok) {
    parts.events.publish({ type: 'accounts.changed' });
    return added;
  }
  // Removes a half-filled account, so that the user can try again.
  await parts.accounts.remove(workspaceId);
  return filled;
}

const unfilled = (detail: string) => fail('UNREACHABLE', { detail });

async function fill(
  parts: RouterContext,
  account: ActiveAccount,
  { workspaceId }: Account,
): Promise<Result<null, Unfilled>> {
  const { workspace, reports } = account;
  const sync = await account.sync();
  const today = await reports.today();
  const read = await sync.refresh();
  if (!read.ok) return unfilled('the campaigns could not be read');
  const days = { startDate: addDays(today, -REPORT_DAYS), endDate: addDays(today, -1), byDate: true };
  // A search stores names, pictures and suggested bids of its items.
  const [found, ...answers] = await Promise.all([
    itemOperations(parts).items.search(
      { account, task: null, signal: undefined },
      { workspaceId, ids: null, text: 'Northwind' },
    ),
    ...REPORTS.map((reportType) => reports.request({ reportType, ...days }, false)),
  ]);
  if (!found.ok || answers.some((answer) => !answer.ok)) return unfilled('the items and reports could not be read');
  const items = ITEMS.map((wanted) => found.value.find(({ name }) => name === wanted));
  const logo = await brandLogo(parts, account);
  const { updates, creates } = await changes(
    account,
    today,
    items.map((item) => item?.itemId ?? ''),
    logo,
  );
  const written = await workspace.apply({ label: 'Sample changes', source: 'user', creates, updates });
  if (!written.ok)
    return written.error.code === 'NOT_WRITABLE'
      ? err(written.error)
      : unfilled('the changes do not fit the campaigns');
  await createSuggestionSettings(workspace).setGoal({ of: 'account' }, { is: 'roas', target: SAMPLE_TARGET });
  await account.checklist.begin();
  return ok(null);
}

/** Adds the brand's logo from the service to the media library. */
async function brandLogo(
  { grants, prober }: RouterContext,
  { workspace, library, pictures }: ActiveAccount,
): Promise<number | null> {
  const [profile] = (await workspace.readTrees('all')).flatMap(({ sbaProfiles }) => sbaProfiles);
  const picture = await pictures.show(profile?.values.logoUrl ?? '');
  if (!picture.ok) return null;
  const file = await grants.grantPath(picture.value.path);
  if (!file.ok) return null;
  const added = await addMedia({ workspace, library, prober }, [ok({ ...file.value, fileName: 'northwind-logo.png' })]);
  grants.forget(file.value.grant);
  const [first] = added.ok ? added.value.files : [];
  return first?.outcome === 'refused' ? null : (first?.mediaId ?? null);
}

/** Bids in cents that match the reports of these keywords. */
const BIDS: Readonly<Record<string, number>> = { 'insulated water bottle': 68, 'sports bottle': 34, flask: 32 };
const ITEMS = [
  'Northwind Dinner Napkins, 100 Pieces',
  'Northwind Coral Party Napkins, 60 Pieces',
  'Northwind Recycled Kitchen Roll, 2 Rolls',
];
const KEYWORDS = [
  { text: 'paper napkins', matchType: 'exact', bid: 95 },
  { text: 'dinner napkins', matchType: 'phrase', bid: 88 },
];
/** Three characters longer than a headline may be. */
const HEADLINE = 'Soft napkins and strong towels for busy kitchens';
const STARTS_IN_DAYS = 8;
const RUNS_DAYS = 30;
const DAILY_CENTS = 2000;

async function changes(account: ActiveAccount, today: PlainDate, items: readonly string[], logo: number | null) {
  const trees = await account.workspace.readTrees('all');
  const keywords = trees.flatMap((tree) => tree.keywords);
  const updates = Object.entries(BIDS).flatMap(([text, value]) => {
    const row = keywords.find(({ values }) => values.text === text);
    return row === undefined ? [] : [{ kind: 'keyword' as const, id: row.id, field: 'bid', value }];
  });
  const startDate = addDays(today, STARTS_IN_DAYS);
  const inGroup = { at: 1 } as const;
  const creates: readonly CreateRow[] = [
    {
      kind: 'campaign',
      parent: null,
      values: {
        name: 'Northwind paper brand',
        campaignType: 'sba',
        targetingType: 'manual',
        totalBudget: DAILY_CENTS * RUNS_DAYS,
        dailyBudget: DAILY_CENTS,
        startDate,
        endDate: addDays(startDate, RUNS_DAYS - 1),
      },
    },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Paper and napkins' } },
    {
      kind: 'sbaProfile',
      parent: inGroup,
      values: {
        brand: 'Northwind Paper',
        headline: HEADLINE,
        clickUrl: `${account.profile.retail.host}/search?q=northwind%20paper`,
        logo,
      },
    },
    ...items.map((itemId, at): CreateRow => {
      const values = { itemId, bid: 90 - at * 4, itemName: ITEMS[at] ?? null, itemIdSource: 'service' };
      return { kind: 'adItem', parent: inGroup, values };
    }),
    ...KEYWORDS.map((values): CreateRow => ({ kind: 'keyword', parent: inGroup, values })),
  ];
  return { updates, creates };
}
