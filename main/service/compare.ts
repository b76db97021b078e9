import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompareSide } from '../../shared/api/compare.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { Side, SideCampaign, SideRow, Use } from '../../shared/compare/compare.ts';
import { fileError } from '../../shared/media/file-refusal.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { lineText, textKey } from '../../shared/model/text.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { TYPE_NAMES } from '../../shared/spreadsheet/columns.ts';
import type { Link } from '../../shared/spreadsheet/sheet-row.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { readArchiveRows } from '../files/archive/archive-format.ts';
import { openArchive } from '../files/archive/open-archive.ts';
import type { OwnSide } from '../store/reader/comparisons.ts';
import type { CreateRow, NotWritable } from '../store/types.ts';
import { resolveGrant } from './failures.ts';
import type { MainOperations, RouterContext } from './router.ts';

type Gathered = OwnSide | Side;
type Problem = Failure<'NO_ROW' | 'NO_MOMENT' | 'NO_GRANT' | 'BAD_FILE' | 'NO_SYNC' | 'NO_WORKSPACE'> | NotWritable;

/** Compares two campaigns, moments, accounts, files or plans. The reader thread does the work. */
export const compareOperations = (parts: RouterContext): Pick<MainOperations, 'compare'> => ({
  compare: {
    open: async ({ account }, { left, right }) => {
      const mine = await gather(parts, account, left);
      if (!mine.ok) return mine;
      const theirs = await gather(parts, account, right);
      if (!theirs.ok) return theirs;
      const match = isOfRows(left) && isOfRows(right) && sameCampaign(left, right) ? 'id' : 'content';
      return account.workspace.openComparison(mine.value, theirs.value, match);
    },
    page: async ({ account }, { comparisonId, from, count, kind, what, words }) => {
      const page = await account.workspace.comparisonPage(comparisonId, from, count, { kind, what, words });
      if (page === null) return fail('NO_VIEW', { viewId: comparisonId });
      const differences = page.differences.map(({ use, rightId: _, ...shown }) => ({ ...shown, canUse: use !== null }));
      return ok({ total: page.total, differences });
    },
    use: async ({ account }, { comparisonId, places }) => {
      const uses = await account.workspace.comparisonUses(comparisonId, places);
      if (uses === null) return fail('NO_VIEW', { viewId: comparisonId });
      const updates = uses.flatMap((use) => (use.is === 'value' ? { ...use, kind: use.kind } : []));
      const creates = createsOf(uses);
      const deletes = uses.flatMap((use) => (use.is === 'delete' ? { kind: use.kind, id: use.id } : []));
      if (updates.length + creates.length + deletes.length === 0) return fail('NOTHING_TO_DO', {});
      const done = await account.workspace.apply({
        label: LABEL,
        source: 'user',
        creates,
        updates: updates.map(({ kind, id, field, value }) => ({ kind, id, field, value })),
        deletes,
      });
      const counts = { changed: updates.length, created: creates.length, deleted: deletes.length };
      return done.ok ? ok({ revision: done.value.revision, ...counts }) : done;
    },
  },
});

/** Ad groups first, because rows are added to those that are new. A row whose new ad group is not added has no place. */
function createsOf(uses: readonly Use[]): readonly CreateRow[] {
  const isGroup = ({ kind }: Pick<Use, 'kind'>): number => Number(kind === 'adGroup');
  const rows = uses
    .flatMap((use) => (use.is === 'row' ? use : []))
    .toSorted((one, other) => isGroup(other) - isGroup(one));
  const added = new Map(
    rows.filter(isGroup).map(({ parent, values }, at) => [`${parent} ${values['name']}`, at] as const),
  );
  return rows.flatMap(({ kind, parent, newGroup, values }): readonly CreateRow[] => {
    if (newGroup === null) return [{ kind, parent: { id: parent }, values }];
    const at = added.get(`${parent} ${newGroup}`);
    return at === undefined ? [] : [{ kind, parent: { at }, values }];
  });
}

const LABEL = 'Copy values from a comparison';

/** Whether the rows of a side are rows of the open account, with its IDs. */
const isOfRows = ({ is }: CompareSide): boolean => is === 'now' || is === 'service' || is === 'moment' || is === 'sync';

const sameCampaign = (left: CompareSide, right: CompareSide): boolean =>
  left.is === 'sync' || right.is === 'sync' || campaignOf(left) === campaignOf(right);

const campaignOf = (side: CompareSide): RowId | null => ('campaignId' in side ? side.campaignId : null);

async function gather(
  parts: RouterContext,
  account: ActiveAccount,
  side: CompareSide,
): Promise<Result<Gathered, Problem>> {
  switch (side.is) {
    case 'now':
    case 'service':
      return ownSide(account, side.is, side.campaignId);
    case 'moment':
      // A campaign deleted later exists at that moment, so its current row is not checked.
      return ok({ at: { step: side.step }, campaignIds: side.campaignId === null ? null : [side.campaignId] });
    case 'account': {
      const opened = await parts.open.get(side.account);
      if (!opened.ok) return opened;
      const own = await ownSide(opened.value, 'now', side.campaignId);
      return own.ok ? opened.value.workspace.sideRows(own.value) : own;
    }
    case 'archive':
      return archiveSide(parts, side.grant, side.campaign);
    case 'sync':
      return syncSide(account, side.runId);
    default:
      return ok(sideOf([rowsSide(side.rows)]));
  }
}

async function ownSide(
  { workspace }: ActiveAccount,
  at: 'now' | 'service',
  campaignId: RowId | null,
): Promise<Result<OwnSide, Failure<'NO_ROW'>>> {
  if (campaignId === null) return ok({ at, campaignIds: null });
  const ref = { kind: 'campaign' as const, id: campaignId };
  return (await workspace.readRow(ref)) === null ? fail('NO_ROW', ref) : ok({ at, campaignIds: [campaignId] });
}

const NO_MEDIA: ReadonlyMap<number, string> = new Map();
const sideOf = (campaigns: readonly SideCampaign[]): Side => ({ campaigns, media: NO_MEDIA, isPartial: false });

type Drafted = Extract<CompareSide, { is: 'rows' }>['rows'];

/** The rows of a template: one campaign with one ad group. */
function rowsSide(rows: Drafted): SideCampaign {
  const group = rows.find(({ kind }) => kind === 'adGroup');
  const groupName = String(group?.values['name'] ?? '');
  const made = rows.map(({ kind, values }): SideRow => {
    const full = values as AnyValues;
    const label = labelOf(kind, full);
    const isBelow = kind !== 'campaign' && kind !== 'adGroup';
    return { kind, id: null, adGroupId: null, isNew: true, label, group: isBelow ? groupName : '', values: full };
  });
  return { id: null, name: made[0]?.label ?? '', rows: made };
}

const labelOf = (kind: SideRow['kind'], values: AnyValues): string => {
  const row: unknown = { kind, values };
  // A label depends only on the values of a row.
  return rowLabel(row as AnyRow);
};

/** The rows of an archive or a share file, by the names of their campaigns. */
async function archiveSide(
  { grants }: RouterContext,
  grant: string,
  campaign: string | null,
): Promise<Result<Side, Failure<'NO_GRANT' | 'BAD_FILE'>>> {
  const file = await resolveGrant(grants, grant);
  if (!file.ok) return file;
  const folder = await mkdtemp(join(tmpdir(), 'adslate-compare-'));
  try {
    const opened = await openArchive(file.value.path, folder);
    if (!opened.ok) return fileError(file.value.fileName, opened.error);
    const campaigns = new Map<string, SideCampaign & { name: string; readonly rows: SideRow[] }>();
    const groups = new Map<string, string>();
    // Parents precede their rows, and are identified by their remote ID if they have one.
    const keyOf = ({ name, remoteId }: Link): string => remoteId ?? textKey(name ?? '');
    const { problems } = await readArchiveRows(
      opened.value.rowsFile,
      ({ kind, campaign: of, adGroup, rowId, cells, logo, video, deleted }) => {
        if (deleted) return;
        const values: AnyValues = {
          ...cells,
          ...(logo === undefined ? {} : { logo: fileNameIn(logo) }),
          ...(video === undefined ? {} : { video: fileNameIn(video) }),
        };
        const label = labelOf(kind, values);
        const key = keyOf(of);
        const known = campaigns.get(key) ?? { id: null, name: '', rows: [] };
        campaigns.set(key, known);
        if (kind === 'campaign') known.name = label;
        if (kind === 'adGroup') groups.set(`${key} ${keyOf(adGroup)}`, label);
        const isBelow = kind !== 'campaign' && kind !== 'adGroup';
        const group = isBelow ? (groups.get(`${key} ${keyOf(adGroup)}`) ?? '') : '';
        known.rows.push({ kind, id: null, adGroupId: null, isNew: rowId === null, label, group, values });
      },
      () => undefined,
    );
    const [problem] = problems;
    if (problem !== undefined) {
      return fileError(file.value.fileName, { reason: 'damaged-archive', params: { found: lineText(problem.line) } });
    }
    const all = [...campaigns.values()];
    return ok(sideOf(campaign === null ? all : all.filter(({ name }) => textKey(name) === textKey(campaign))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The name after the hash in an archive's `<sha256>/<name>`. */
const fileNameIn = (path: string | null | undefined): string | null => path?.slice(path.indexOf('/') + 1) ?? null;

/** The fields that a run has sent. */
async function syncSide({ workspace }: ActiveAccount, runId: string): Promise<Result<Side, Failure<'NO_SYNC'>>> {
  const run = (await workspace.outbox.sentRuns()).find((candidate) => candidate.runId === runId);
  if (run === undefined) return fail('NO_SYNC', {});
  const byRow = new Map<string, { readonly row: AnyRow; readonly values: Record<string, AnyValues[string]> }>();
  for (const { kind, id, sent, row } of await workspace.outbox.sentElements({ after: run.after, until: run.until })) {
    if (row === null || !(kind in TYPE_NAMES)) continue;
    const known = byRow.get(`${kind} ${id}`) ?? { row, values: {} };
    byRow.set(`${kind} ${id}`, known);
    Object.assign(known.values, sent);
  }
  const campaigns = new Map<number, SideCampaign & { readonly rows: SideRow[] }>();
  for (const { row, values } of byRow.values()) {
    const { kind, id, campaignId, adGroupId } = row;
    if (campaignId === null || kind === 'media') continue;
    const known = campaigns.get(campaignId) ?? { id: campaignId, name: '', rows: [] };
    campaigns.set(campaignId, known);
    known.rows.push({ kind, id, adGroupId, isNew: false, label: rowLabel(row), group: '', values });
  }
  return ok({ campaigns: [...campaigns.values()], media: NO_MEDIA, isPartial: true });
}
